#include "app/panels/memory/worst_lines.h"

#include <algorithm>

#include "app/readout/worst_lines.h"

namespace warplens::panels {
namespace {

using app::WorstLine;

// Place and loss in one row, the share of the worst as a bar under it, then what to try. Gives the height.
float draw_line(const View& view, const WorstLine& line, std::uint64_t most, const Rect& room, float y) {
  const scene::Palette& p = view.palette;
  const float step = view.px(18), bar = view.px(3);
  float at = y + view.px(12);
  float lost = 0;
  if (line.excess > 0) {
    lost = draw_text(view, {right(room), at}, app::loss_text(line, view.strings),
                     {13, p.costly, Align::Right, Face::WordsBold});
  }
  const std::string number = std::to_string(line.line);
  std::string place = view.strings("grid.lines.place", {{"line", number}, {"text", line.text}});
  const Type code{13, p.text, Align::Left, Face::Code};
  std::vector<std::string> rows;  // of the access, below its line's number where it has no room beside it
  if (text_width(view, place, code) > room.width - lost - view.px(10)) {
    place = view.strings("grid.lines.line", {{"line", number}});
    rows = wrapped(view, line.text, room.width, code);
  }
  draw_text(view, {room.x, at}, place, code);
  for (const std::string& row : rows) {
    at += view.px(17);
    draw_text(view, {room.x, at}, row, code);
  }
  at += view.px(12);
  const double share = most > 0 ? static_cast<double>(line.lost_bytes) / static_cast<double>(most) : 0;
  fill({room.x, at, room.width, bar}, scene::with_alpha(p.line, 0.7f), 0.5f * bar);
  fill({room.x, at, static_cast<float>(share) * room.width, bar}, p.costly, 0.5f * bar);
  at += bar + view.px(12);
  for (const std::string& words :
       wrapped(view, app::advice_text(line, view.strings), room.width, {13, p.secondary})) {
    draw_text(view, {room.x, at}, words, {13, p.secondary});
    at += step;
  }
  return at - y + view.px(4);
}

}  // namespace

Actions draw_worst_lines(const View& view, const Rect& room) {
  static app::WorstLines kept;  // made anew only when the totals are: every frame would copy the program
  const std::vector<WorstLine>& lines = kept.of(view.sim);
  Actions actions;
  if (lines.empty()) {
    const bool little = view.sim.totals && app::loses_anything(*view.sim.totals);
    const Type type{14, little ? view.palette.text : view.palette.ideal};
    float y = room.y + view.px(14);
    for (const std::string& words :
         wrapped(view, view.strings(little ? "grid.lines.little" : "grid.lines.none"), room.width, type)) {
      draw_text(view, {room.x, y}, words, type);
      y += view.px(20);
    }
    return actions;
  }
  std::uint64_t most = 0;
  for (const WorstLine& line : lines) most = std::max(most, line.lost_bytes);
  ImGui::SetCursorScreenPos(top_left(room));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild("worst", {room.width + view.px(10), room.height}, false, ImGuiWindowFlags_NoNav);
  float y = ImGui::GetCursorScreenPos().y;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const float height = draw_line(view, lines[i], most, room, y);
    const Hit hit = hit_area(static_cast<int>(i), {room.x, y, room.width, height});
    if (hit.hovered) tooltip(view, view.strings("grid.lines.go"));
    if (hit.clicked) actions.push_back(app::GoToLine{lines[i].line});
    y += height + view.px(6);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  return actions;
}

}  // namespace warplens::panels
