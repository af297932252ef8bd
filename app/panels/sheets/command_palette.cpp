// The command palette: type a few letters of what is wanted.
#include <algorithm>

#include "app/input/palette.h"
#include "app/panels/lessons/lesson_panels.h"
#include "app/panels/sheets/overlay.h"
#include "app/panels/widgets/legible.h"
#include "app/panels/widgets/row_list.h"
#include "app/panels/widgets/text_input.h"

namespace warplens::panels {
namespace {

std::string kind_of(const View& view, const app::PaletteEntry& entry) {
  switch (entry.kind) {
    case app::PaletteEntry::Kind::Command:
      return entry.keys;
    case app::PaletteEntry::Kind::Scene:
      return view.strings("palette.scene");
    case app::PaletteEntry::Kind::Lecture:
      return view.strings("palette.lecture");
    case app::PaletteEntry::Kind::Scenario:
      return view.strings("palette.scenario");
    case app::PaletteEntry::Kind::Lesson:
      return view.strings("palette.lesson");
    case app::PaletteEntry::Kind::File:
      break;
  }
  return view.strings("palette.file") + " · " + entry.keys;
}

void draw_entry(const View& view, const app::PaletteEntry& entry, const Rect& line, bool chosen,
                bool hovered) {
  const scene::Palette& p = view.palette;
  if (chosen || hovered) fill(line, chosen ? scene::with_alpha(p.accent, 0.26f) : p.cell, view.px(5));
  if (chosen) outline(line, p.accent, view.px(5), view.px(1.5f));
  const Color ground = chosen ? scene::mix(p.panel, p.accent, 0.26f) : hovered ? p.cell : p.panel;
  const bool is_command = entry.kind == app::PaletteEntry::Kind::Command;
  const float used = draw_text(view, {right(line) - view.px(12), middle(line)}, kind_of(view, entry),
                               {13, legible(is_command ? p.accent : p.secondary, ground, p), Align::Right,
                                is_command ? Face::CodeBold : Face::Words, 0.5f * line.width});
  draw_text(view, {line.x + view.px(14), middle(line)}, entry.label,
            {15, p.text, Align::Left, Face::Words, line.width - used - view.px(40)});
}

}  // namespace

Actions draw_command_palette(const View& view, const Rect& window) {
  const float height = std::min(view.px(560), window.height - view.px(100));
  const Sheet sheet(view, window,
                    {"command palette", view.px(720), height, view.px(60) / (window.height - height), 16});
  Actions actions;
  if (sheet.closed()) actions.push_back(app::ShowPalette{false});
  InputLook look;
  look.size = 17;
  look.placeholder = view.strings("palette.type");
  const Rect input{sheet.left(), sheet.box().y + view.px(16), sheet.room(), view.px(40)};
  for (Action& action : draw_input(view, "palette", input, {}, look)) actions.push_back(std::move(action));
  const app::CommandPalette& palette = *view.state.classroom.palette;
  const std::vector<int> found =
      palette.entries ? app::fitting(*palette.entries, view.state.field.text) : std::vector<int>{};
  const float row = view.px(34), top = bottom(input) + view.px(10), foot = bottom(sheet.box()) - view.px(20);
  draw_list(view, "found", {input.x, top, input.width, foot - view.px(20) - top},
            static_cast<int>(found.size()), row, palette.selected, [&](int i, const Rect& line) {
              const auto entry = static_cast<std::size_t>(found[static_cast<std::size_t>(i)]);
              const Hit hit = hit_area(i, line);
              draw_entry(view, palette.entries->all[entry], line, i == palette.selected, hit.hovered);
              if (hit.clicked) actions.push_back(app::ChooseCommand{i});
            });
  if (found.empty())
    draw_text(view, {input.x + view.px(14), top + 0.5f * row}, view.strings("palette.none"),
              {15, view.palette.secondary});
  draw_text(view, {input.x, foot}, view.strings("palette.keys"),
            {13, view.palette.secondary, Align::Left, Face::Words, input.width});
  return actions;
}

}  // namespace warplens::panels
