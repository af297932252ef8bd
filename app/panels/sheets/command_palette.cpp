// The command palette: type a few letters of what is wanted.
#include <algorithm>

#include "app/input/commands.h"
#include "app/panels/lessons/class_panels.h"
#include "app/panels/sheets/overlay.h"
#include "app/panels/widgets/legible.h"
#include "app/panels/widgets/text_input.h"

namespace warplens::panels {
namespace {

std::string kind_of(const View& view, const session::Command& command) {
  switch (command.kind) {
    case session::Command::Kind::Key:
      return command.keys;
    case session::Command::Kind::Scenario:
      return view.strings("palette.scenario");
    case session::Command::Kind::Lesson:
      return view.strings("palette.lesson");
    case session::Command::Kind::File:
      break;
  }
  return view.strings("palette.file") + " · " + command.keys;
}

Actions draw_rows(const View& view, const Rect& rect, const std::vector<int>& found) {
  Actions actions;
  const scene::Palette& p = view.palette;
  const session::CommandPalette& palette = *view.state.classroom.palette;
  const float row = view.px(34);
  const int room = std::max(1, static_cast<int>(rect.height / row)), count = static_cast<int>(found.size());
  // The selected one is always among those shown.
  const int first = std::clamp(palette.selected - room / 2, 0, std::max(count - room, 0));
  for (int i = first; i < std::min(count, first + room); ++i) {
    const session::Command& command =
        palette.commands->all[static_cast<std::size_t>(found[static_cast<std::size_t>(i)])];
    const Rect line{rect.x, rect.y + row * static_cast<float>(i - first), rect.width, row};
    const Hit hit = hit_area(i, line);
    const bool chosen = i == palette.selected;
    if (chosen || hit.hovered) fill(line, chosen ? scene::with_alpha(p.accent, 0.26f) : p.cell, view.px(5));
    if (chosen) outline(line, p.accent, view.px(5), view.px(1.5f));
    const Color ground = chosen ? scene::mix(p.panel, p.accent, 0.26f) : hit.hovered ? p.cell : p.panel;
    const bool is_key = command.kind == session::Command::Kind::Key;
    const float used = draw_text(view, {right(line) - view.px(12), middle(line)}, kind_of(view, command),
                                 {13, legible(is_key ? p.accent : p.secondary, ground, p), Align::Right,
                                  is_key ? Face::CodeBold : Face::Words, 0.5f * line.width});
    draw_text(view, {line.x + view.px(14), middle(line)}, command.label,
              {15, p.text, Align::Left, Face::Words, line.width - used - view.px(40)});
    if (hit.clicked) actions.push_back(session::ChooseCommand{i});
  }
  if (found.empty())
    draw_text(view, {rect.x + view.px(14), rect.y + 0.5f * row}, view.strings("palette.none"),
              {15, p.secondary});
  return actions;
}

}  // namespace

Actions draw_command_palette(const View& view, const Rect& window) {
  Actions actions;
  const scene::Palette& p = view.palette;
  const Overlay overlay(view, "command palette", window, 0.60f);
  const float width = std::min(view.px(720), window.width - view.px(40));
  const float height = std::min(view.px(560), window.height - view.px(100));
  const Rect sheet{std::round(0.5f * (window.width - width)), std::round(view.px(60)), width, height};
  if (hit_area("ground", {0, 0, window.width, sheet.y}).clicked)
    actions.push_back(session::ShowPalette{false});
  fill(sheet, p.panel, view.px(10));
  outline(sheet, p.accent, view.px(10), view.px(1.5f));
  const float margin = view.px(16);
  InputLook look;
  look.size = 17;
  look.placeholder = view.strings("palette.type");
  const Rect input{sheet.x + margin, sheet.y + margin, width - 2 * margin, view.px(40)};
  for (Action& action : draw_input(view, "palette", input, {}, look)) actions.push_back(std::move(action));
  const session::CommandPalette& palette = *view.state.classroom.palette;
  const std::vector<int> found =
      palette.commands ? session::fitting(*palette.commands, view.state.field.text) : std::vector<int>{};
  const float top = bottom(input) + view.px(10);
  for (Action& action :
       draw_rows(view, {input.x, top, input.width, bottom(sheet) - view.px(40) - top}, found))
    actions.push_back(std::move(action));
  draw_text(view, {input.x, bottom(sheet) - view.px(20)}, view.strings("palette.keys"),
            {13, p.secondary, Align::Left, Face::Words, input.width});
  return actions;
}

}  // namespace warplens::panels
