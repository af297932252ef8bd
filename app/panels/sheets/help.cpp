// What the keys are: one line at first, every key on a sheet with F1.
#include <algorithm>

#include "app/input/commands.h"
#include "app/panels/panels.h"
#include "app/panels/sheets/overlay.h"

namespace warplens::panels {
Actions draw_hint(const View& view, const Rect& rect) {
  const scene::Palette& p = view.palette;
  fill(rect, scene::mix(p.window, p.accent, 0.14f), 0.5f * rect.height);
  const std::string tour = view.strings("tour.begin");
  const float width = pill_width(view, tour, false);
  const Type type{14, p.text};
  const float room = rect.width - width - rect.height - view.px(30);
  draw_text(view, {rect.x + view.px(18), middle(rect)},
            first_that_fits(view, {view.strings("hint.first"), view.strings("hint.short")}, room, type),
            type);
  const Rect begin{right(rect) - rect.height - width, rect.y + view.px(2), width, rect.height - view.px(4)};
  if (pill(view, "tour", begin, tour, false).clicked) return {app::ShowTour{}};
  const Rect cross{right(rect) - rect.height, rect.y, rect.height, rect.height};
  const Hit hit = hit_area("close", cross);
  draw_icon(view, Icon::Cross, {cross.x + 0.5f * cross.width, middle(cross)}, 0.32f * cross.height,
            hit.hovered ? p.text : p.secondary);
  if (hit.clicked) return {app::DismissHint{}};
  return {};
}

Actions draw_help(const View& view, const Rect& window) {
  const scene::Palette& p = view.palette;
  const std::vector<app::KeyRow>& entries = app::key_rows();
  const int count = static_cast<int>(entries.size()), rows = (count + 1) / 2;
  const float row = std::min(view.px(34), (window.height - view.px(100)) / static_cast<float>(rows));
  const Sheet sheet(view, window,
                    {"keys", view.px(1040), row * static_cast<float>(rows) + view.px(84), 0.5f, 28,
                     view.strings("help.title")});
  const float half = 0.5f * sheet.box().width, margin = sheet.left() - sheet.box().x;
  float keys = view.px(60);
  for (const app::KeyRow& entry : entries)
    keys = std::max(keys, text_width(view, app::in_language(entry.keys, view.strings),
                                     {14, {}, Align::Right, Face::CodeBold}));
  const float words = keys + view.px(18);
  for (int i = 0; i < count; ++i) {
    const app::KeyRow& entry = entries[static_cast<std::size_t>(i)];
    const float x = i >= rows ? sheet.box().x + half + 0.5f * margin : sheet.left();
    const float y = sheet.box().y + view.px(62) + row * (static_cast<float>(i % rows) + 0.5f);
    draw_text(view, {x + keys, y}, app::in_language(entry.keys, view.strings),
              {14, p.accent, Align::Right, Face::CodeBold});
    Type type{14, p.text, Align::Left, Face::Words, half - words - 1.5f * margin};
    if (text_width(view, view.strings(entry.text), type) > type.room) type.size = 13;
    draw_text(view, {x + words, y}, view.strings(entry.text), type);
  }
  return sheet.closed() || hit_area("all", sheet.box()).clicked ? Actions{app::SetHelp{false}} : Actions{};
}

}  // namespace warplens::panels
