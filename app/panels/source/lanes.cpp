// What each lane of the warp knows: its thread, its variables, its address.
#include <algorithm>

#include "app/panels/panels.h"
#include "app/views/blocks.h"

namespace warplens::panels {
namespace {

// A column of views::lanes_table(), and its width.
struct LaneColumn {
  std::size_t index;
  float width = 0;
};

// Widths by the widest cell; what is left over goes between the columns.
std::vector<LaneColumn> spread(const View& view, const views::Table& table, float room) {
  std::vector<LaneColumn> columns;
  float total = 0;
  for (std::size_t i = 1; i < table.columns.size(); ++i) {  // the lane itself stands before them
    float width = text_width(view, table.columns[i], {13});
    for (const auto& row : table.rows)
      width = std::max(width, text_width(view, row[i], {13, {}, Align::Right, Face::Code}));
    columns.push_back({i, width});
    total += width;
  }
  // Too many for the panel: variables give way from the last one on.
  while (total + view.px(10) * static_cast<float>(columns.size()) > room && columns.size() > 3) {
    const bool has_variables = columns.size() > 4;
    const auto victim =
        columns.begin() + (has_variables ? static_cast<std::ptrdiff_t>(columns.size()) - 4 : 0);
    total -= victim->width;
    columns.erase(victim);
  }
  const float gap = (room - total) / static_cast<float>(columns.size());
  for (LaneColumn& column : columns) column.width += gap;
  return columns;
}

void draw_lane_row(const View& view, const views::Table& table, const std::vector<LaneColumn>& columns,
                   int lane, const Rect& row) {
  const scene::Palette& p = view.palette;
  const app::PricedAccess& now = *view.sim.now;
  const auto index = static_cast<std::size_t>(lane);
  const bool active = (now.access.active >> index & 1) != 0;
  const bool refused = (now.refused >> index & 1) != 0;
  const bool shared = now.access.space == memory::Space::Shared;
  const bool served = shared && active && view.sim.wavefronts_of(view.sim.place.event) > 1 &&
                      now.plan.wavefront[index] == view.sim.place.wavefront;
  if (lane == view.lit_lane()) {
    fill(row, scene::mix(p.panel, p.accent, 0.16f));
  } else if (refused) {
    fill(row, scene::mix(p.panel, p.costly, 0.18f));
  } else if (served) {
    fill(row, scene::mix(p.panel, p.accent, 0.08f));
  }
  const float y = middle(row), swatch = view.px(12);
  const float x = row.x + view.px(14);
  fill({x, y - 0.5f * swatch, swatch, swatch},
       active    ? p.lanes[index]
       : refused ? p.costly
                 : p.line,
       view.px(3));
  draw_text(view, {x + swatch + view.px(28), y}, table.rows[index][0],
            {13, active || refused ? p.text : p.faint, Align::Right, Face::Code});
  float end = x + swatch + view.px(28);
  for (const LaneColumn& column : columns) {
    end += column.width;
    const std::string& text = table.rows[index][column.index];
    const bool plain = !active && !refused;
    draw_text(view, {end, y}, text.empty() ? "–" : text,
              {13,
               plain          ? p.faint
               : text.empty() ? p.secondary
                              : scene::mix(p.secondary, p.text, 0.6f),
               Align::Right, Face::Code});
  }
}

Heading lanes_heading(const View& view) {
  const app::Simulation& s = view.sim;
  Heading heading;
  if (s.empty()) return {view.strings("lanes.title.none"), "", {}, false};
  heading.title = views::lanes_title(s, view.strings);
  if (s.now && s.now->refused != 0) {
    heading.answer = view.strings("lanes.refused", {{"n", std::to_string(std::popcount(s.now->refused))}});
    heading.answer_color = view.palette.costly;
  } else if (s.now) {
    heading.answer =
        view.strings("lanes.active", {{"n", std::to_string(std::popcount(s.now->access.active))}});
  }
  return heading;
}

}  // namespace

void draw_lanes(const View& view, const Rect& rect) {
  const Rect inner = draw_panel(view, rect, lanes_heading(view));
  if (!view.sim.now) {
    draw_text(view, {inner.x, inner.y + view.px(20)},
              view.sim.empty() ? "" : view.strings(view.sim.no_access()),
              {14, view.palette.secondary, Align::Left, Face::Words, inner.width});
    return;
  }
  const float lead = view.px(14 + 12 + 28 - 14), bar = view.px(12);
  const views::Table lanes = views::lanes_table(view.sim, view.strings, 3);
  const std::vector<LaneColumn> columns = spread(view, lanes, inner.width - lead - bar);
  float end = inner.x + lead;
  const float title_y = inner.y + view.px(8);
  draw_text(view, {inner.x + lead, title_y}, lanes.columns[0], {13, view.palette.faint, Align::Right});
  for (const LaneColumn& column : columns) {
    end += column.width;
    draw_text(view, {end, title_y}, lanes.columns[column.index], {13, view.palette.faint, Align::Right});
  }
  const Rect table{rect.x + 1, inner.y + view.px(20), rect.width - 2, bottom(inner) - inner.y - view.px(20)};
  const Scrolled scrolled("rows", table);
  const float row = std::round(view.px(22)), origin = scrolled.origin.y;
  const Hit hit = hit_area("felt", {table.x, origin, table.width - view.px(12), 32 * row});
  for (int lane = 0; lane < 32; ++lane) {
    const Rect r{table.x, origin + row * static_cast<float>(lane), table.width, row};
    if (bottom(r) < table.y || r.y > bottom(table)) continue;
    draw_lane_row(view, lanes, columns, lane, r);
  }
  if (hit.hovered) {
    const int lane = static_cast<int>((ImGui::GetIO().MousePos.y - origin) / row);
    if (lane >= 0 && lane < 32) view.act(app::HoverLane{lane});
  }
}

}  // namespace warplens::panels
