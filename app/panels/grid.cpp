// The whole grid: what was counted, beside what was measured of exactly this configuration.
#include <algorithm>
#include <cmath>

#include "app/panels/panels.h"

namespace warplens::panels {
namespace {

using language::grouped;

const measure::Measurement* current_measurement(const View& view) {
  for (const session::RungTime& time : view.times) {
    if (time.current) return time.measurement;
  }
  return nullptr;
}

std::string answer_of(const View& view, const warp::Totals& totals) {
  if (totals.blocks_simulated == totals.blocks_total && totals.blocks_total > 1) {
    return view.strings("grid.all_simulated");
  }
  return view.strings(totals.blocks_simulated == 1 ? "grid.simulated.one" : "grid.simulated",
                      {{"n", grouped(static_cast<long long>(totals.blocks_simulated))}});
}

struct Columns {
  float predicted = 0, measured = 0, difference = 0;  // right ends
};

void draw_row(const View& view, const session::GridRow& line, const Rect& row, const Columns& columns,
              const measure::Measurement* measurement) {
  const scene::Palette& p = view.palette;
  const float y = middle(row);
  const Color verdict = line.predicted > line.ideal ? p.costly : p.ideal;
  const float width = draw_text(view, {columns.predicted, y}, grouped(static_cast<long long>(line.predicted)),
                                {14, verdict, Align::Right, Face::Code});
  draw_text(view, {row.x, y}, line.label,
            {14, p.secondary, Align::Left, Face::Words, columns.predicted - width - row.x - view.px(8)});
  std::string tip =
      line.counter + "\n" + view.strings("grid.ideal", {{"n", grouped(static_cast<long long>(line.ideal))}});
  if (measurement != nullptr) {
    const auto found = measurement->counters.values.find(line.counter);
    if (found != measurement->counters.values.end()) {
      const auto measured = static_cast<long long>(std::llround(found->second));
      const long long difference = measured - static_cast<long long>(line.predicted);
      draw_text(view, {columns.measured, y}, grouped(measured), {14, p.text, Align::Right, Face::Code});
      draw_text(view, {columns.difference, y},
                difference == 0 ? "=" : (difference > 0 ? "+" : "") + grouped(difference),
                {13, difference == 0 ? p.ideal : p.secondary, Align::Right, Face::CodeBold});
    }
  }
  if (hit_area(line.counter.c_str(), row).hovered) tooltip(view, tip);
}

}  // namespace

Actions draw_grid(const View& view, const Rect& rect) {
  const session::Simulation& s = view.sim;
  Heading heading{view.strings("grid.title.none"), "", {}, false};
  if (!s.empty()) {
    const warp::Dim3& grid = s.compiled->setup.launch.grid;
    heading.title = view.strings("grid.title", {{"blocks", grouped(static_cast<long long>(grid.count()))}});
    heading.answer =
        s.totals ? answer_of(view, *s.totals)
                 : view.strings("grid.counting",
                                {{"percent", std::to_string(static_cast<int>(100 * s.totals_progress))}});
  }
  if (!s.fresh) heading.answer = view.strings("grid.last_good"), heading.answer_color = view.palette.costly;
  const Rect inner = draw_panel(view, rect, heading);
  if (!s.totals) return {};
  if (s.totals->error) {
    const auto lines = wrapped(view, s.totals->error->message, inner.width, {14, view.palette.costly});
    for (std::size_t i = 0; i < lines.size(); ++i) {
      draw_text(view, {inner.x, inner.y + view.px(20) * (static_cast<float>(i) + 0.5f)}, lines[i],
                {14, view.palette.costly});
    }
    return {};
  }
  const measure::Measurement* measurement = current_measurement(view);
  const bool counters = measurement != nullptr && !measurement->counters.values.empty();
  Columns columns;
  columns.difference = right(inner);
  columns.measured = right(inner) - view.px(62);
  columns.predicted = counters ? columns.measured - view.px(98) : right(inner);
  const float y = inner.y + view.px(8);
  const Type type{13, view.palette.faint, Align::Right};
  draw_text(view, {columns.predicted, y}, view.strings("grid.predicted"), type);
  if (counters) {
    draw_text(view, {columns.measured, y},
              view.strings(measurement->recorded ? "grid.recorded" : "grid.measured"), type);
    draw_text(view, {columns.difference, y}, "Δ", type);
  }
  const auto rows = session::grid_rows(s.program(), *s.totals, view.strings);
  const float top = inner.y + view.px(20), note = view.px(22);
  const float step = std::min(
      view.px(27), (bottom(inner) - top - note) / static_cast<float>(std::max<std::size_t>(rows.size(), 1)));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    draw_row(view, rows[i], {inner.x, top + step * static_cast<float>(i), inner.width, step}, columns,
             measurement);
  }
  const std::string words =
      counters ? view.strings("grid.note.counters", {{"gpu", measurement->device.name}})
               : view.strings("grid.note.exact", {{"gpu", std::string(s.compiled->gpu->name)}});
  draw_text(view, {inner.x, bottom(inner) - view.px(6)}, words,
            {13, view.palette.faint, Align::Left, Face::Words, inner.width});
  return {};
}

}  // namespace warplens::panels
