// What the keys are: one line at first, every key on a sheet with F1.
#include "app/panels/panels.h"

namespace warplens::panels {
namespace {

struct Entry {
  const char* key;
  const char* text;
};
constexpr Entry kEntries[] = {
    {"Space", "help.play"},
    {"← →", "help.access"},
    {"Ctrl ← →", "help.wavefront"},
    {"Shift ← →", "help.line"},
    {"↑ ↓", "help.warp"},
    {"PgUp PgDn", "help.block"},
    {"Home End", "help.ends"},
    {"1 … 9", "help.rung"},
    {"[ ]", "help.next_rung"},
    {"P X Y …", "help.parameter"},
    {"Ctrl Z / Ctrl Y", "help.undo"},
    {"E  F2", "help.edit"},
    {"W", "help.margin"},
    {"Ctrl O", "help.open"},
    {"Ctrl S", "help.save"},
    {"L", "help.form"},
    {"I", "help.index"},
    {"Ctrl .", "help.stop"},
    {"F8", "help.lessons"},
    {"F9", "help.predict"},
    {"0 … 9  Enter", "help.answer"},
    {"Tab", "help.question"},
    {"Ctrl PgUp PgDn", "help.lesson_step"},
    {"Ctrl H", "help.lesson_hint"},
    {"Ctrl R", "help.lesson_back"},
    {"Shift F8", "help.lesson_leave"},
    {"F5", "help.present"},
    {"F6", "help.theme"},
    {"F7", "help.language"},
    {"Ctrl + −", "help.zoom"},
    {"F1", "help.help"},
    {"Ctrl Q", "help.quit"},
};

}  // namespace

Actions draw_hint(const View& view, const Rect& rect) {
  const scene::Palette& p = view.palette;
  fill(rect, scene::mix(p.window, p.accent, 0.14f), 0.5f * rect.height);
  draw_text(view, {rect.x + 0.5f * rect.width, middle(rect)}, view.strings("hint.first"),
            {14, p.text, Align::Center, Face::Words, rect.width - view.px(70)});
  const Rect cross{right(rect) - rect.height, rect.y, rect.height, rect.height};
  const Hit hit = hit_area("close", cross);
  draw_icon(view, Icon::Cross, {cross.x + 0.5f * cross.width, middle(cross)}, 0.32f * cross.height,
            hit.hovered ? p.text : p.secondary);
  if (hit.clicked) return {session::DismissHint{}};
  return {};
}

Actions draw_help(const View& view, const Rect& window) {
  Actions actions;
  const scene::Palette& p = view.palette;
  fill(window, scene::with_alpha(p.window, 0.72f));
  constexpr int kCount = static_cast<int>(std::size(kEntries)), kRows = (kCount + 1) / 2;
  const float row = view.px(34), width = view.px(940), height = row * kRows + view.px(84);
  const Rect sheet{window.x + 0.5f * (window.width - width), window.y + 0.5f * (window.height - height),
                   width, height};
  if (hit_area("ground", window).clicked) actions.push_back(session::SetHelp{false});
  fill(sheet, p.panel, view.px(10));
  outline(sheet, p.accent, view.px(10), view.px(1.5f));
  draw_text(view, {sheet.x + view.px(28), sheet.y + view.px(34)}, view.strings("help.title"),
            {19, p.text, Align::Left, Face::WordsBold});
  for (int i = 0; i < kCount; ++i) {
    const float x = sheet.x + view.px(28) + (i >= kRows ? 0.5f * width : 0);
    const float y = sheet.y + view.px(62) + row * (static_cast<float>(i % kRows) + 0.5f);
    draw_text(view, {x + view.px(130), y}, kEntries[i].key, {14, p.accent, Align::Right, Face::CodeBold});
    draw_text(view, {x + view.px(150), y}, view.strings(kEntries[i].text),
              {14, p.text, Align::Left, Face::Words, 0.5f * width - view.px(190)});
  }
  return actions;
}

}  // namespace warplens::panels
