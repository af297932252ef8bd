#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "app/scene/pen.h"
#include "app/scene/text.h"

namespace warplens::scene {
namespace {

// Three significant figures: "17.6 µs", "1.36 ms".
std::string time_text(double seconds) {
  struct Unit {
    double size;
    const char* name;
  };
  static constexpr std::array<Unit, 4> kUnits{{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}};
  Unit unit = kUnits.back();
  for (const Unit& candidate : kUnits) {
    if (seconds >= 0.9995 * candidate.size) {
      unit = candidate;
      break;
    }
  }
  const double value = seconds / unit.size;
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  char text[48];
  std::snprintf(text, sizeof text, "%.*f %s", decimals, value, unit.name);
  return text;
}

bool measured(const TimeBar& bar) {
  return std::isfinite(bar.median_seconds) && bar.median_seconds > 0;
}

struct Columns {
  float label = 0, bar = 0, bar_width = 0, percent = 0;  // left ends; percent: right end
  float row = 0;
  double longest = 0;  // seconds at the full width
};

Columns columns_of(const Pen& pen, const TimeBarsView& view) {
  Columns columns;
  float label = 0, time = 0, percent = 0;
  for (const TimeBar& bar : view.bars) {
    label = std::max(label, pen.width_of(bar.label, {.size = 14, .bold = true}));
    if (!measured(bar)) continue;
    time = std::max(time, pen.width_of(time_text(bar.median_seconds), {.font = Font::Code}));
    columns.longest = std::max(
        {columns.longest, bar.median_seconds, std::isfinite(bar.high_seconds) ? bar.high_seconds : 0});
    if (bar.percent_of_copy > 0) percent = pen.width_of(pen.text("scene.time.percent"), {});
  }
  columns.percent = pen.width();
  columns.bar = std::floor(std::min(label, 0.4f * pen.width()) + pen.px(12));
  columns.bar_width = std::max(pen.px(8), pen.width() - columns.bar - time - percent - pen.px(24));
  return columns;
}

void draw_bar(Pen* pen, const TimeBar& bar, const Columns& columns, float top) {
  const Palette& palette = pen->palette();
  const float middle = top + 0.5f * columns.row,
              height = std::floor(std::min(0.62f * columns.row, pen->px(18)));
  const Color ink = bar.stale ? palette.faint : bar.current ? palette.text : palette.secondary;
  pen->label_within(0, {0, middle}, columns.bar - pen->px(8), bar.label,
                    {14, ink, Align::Left, Font::Words, bar.current});
  if (!measured(bar)) {
    pen->label_within(0, {columns.bar, middle}, pen->width() - columns.bar, pen->text("scene.time.missing"),
                      {13, palette.faint, Align::Left, Font::Words, false});
    return;
  }
  const auto x = [&](double seconds) {
    return columns.bar +
           columns.bar_width * static_cast<float>(std::clamp(seconds / columns.longest, 0.0, 1.0));
  };
  const float end = std::max(x(bar.median_seconds), columns.bar + 2);
  const Color full = bar.wrong_output ? palette.costly
                     : bar.current    ? palette.accent
                                      : mix(palette.panel, palette.secondary, 0.55f);
  Cell& cell = pen->cell(0, {columns.bar, middle - 0.5f * height, end - columns.bar, height},
                         bar.stale ? mix(palette.panel, full, 0.4f) : full);
  if (bar.recorded) {
    cell.border = cell.fill;
    cell.border_width = std::max(1.0f, pen->px(1.5f));
    cell.fill = mix(palette.panel, cell.fill, 0.35f);
    cell.hatch = pen->px(6);
    cell.hatch_color = cell.border;
  }
  float text_x = end;
  if (bar.high_seconds > bar.low_seconds && bar.low_seconds > 0 &&
      std::isfinite(bar.high_seconds)) {  // the spread
    const float low = x(bar.low_seconds), high = x(bar.high_seconds), thick = std::max(1.0f, pen->px(1.5f));
    const Color line = with_alpha(palette.text, 0.85f);
    pen->cell(1, {low, middle - 0.5f * thick, std::max(1.0f, high - low), thick}, line).radius = 0;
    for (const float at : {low, high}) {
      pen->cell(1, {at - 0.5f * thick, middle - 0.25f * height, thick, 0.5f * height}, line).radius = 0;
    }
    text_x = std::max(end, high);
  }
  const std::string time = time_text(bar.median_seconds);
  std::string remark;
  if (bar.wrong_output) {
    remark = pen->text("scene.time.wrong");
  } else if (bar.recorded) {
    remark = pen->text("scene.time.recorded");
  }
  const bool percent = bar.percent_of_copy > 0 && std::isfinite(bar.percent_of_copy);
  std::string percent_text = std::to_string(std::lround(std::min(bar.percent_of_copy, 1e6))) + " %";
  const Type percent_type{13, ink, Align::Right, Font::Code, bar.current};
  const float room =
      pen->width() - text_x - pen->px(16) - (percent ? pen->width_of(percent_text, percent_type) : 0);
  const Type time_type{13, bar.wrong_output ? palette.costly : ink, Align::Left, Font::Code, bar.current};
  const std::string both = remark.empty() ? time : time + " · " + remark;
  const bool fits = pen->width_of(both, time_type) <= room;
  pen->label_within(0, {text_x + pen->px(8), middle}, room, fits ? both : time, time_type);
  if (percent) pen->label(0, {columns.percent, middle}, percent_text, percent_type);
}

}  // namespace

Scene time_bars_scene(const TimeBarsView& view, const Canvas& canvas) {
  Pen pen(canvas);
  pen.scene().title = pen.text("scene.time.title");
  const bool percents = std::any_of(view.bars.begin(), view.bars.end(),
                                    [](const TimeBar& bar) { return bar.percent_of_copy > 0; });
  if (percents) pen.scene().answer = pen.text("scene.time.percent");
  if (pen.too_small()) return pen.finish();
  Columns columns = columns_of(pen, view);
  const float caption = view.caption.empty() ? 0 : pen.px(20);
  const float count = static_cast<float>(std::max<std::size_t>(view.bars.size(), 1));
  columns.row = std::floor(std::min((pen.height() - caption) / count, pen.px(32)));
  // Where not all rows can be read, those that can are shown, the current one among them.
  const auto fit = static_cast<std::size_t>(std::max(1.0f, (pen.height() - caption) / pen.px(15)));
  std::size_t first = 0, shown = view.bars.size();
  if (shown > fit) {
    columns.row = std::floor(pen.px(15));
    shown = fit;
    for (std::size_t i = 0; i < view.bars.size(); ++i) {
      if (view.bars[i].current) first = std::min(i - std::min(i, fit / 2), view.bars.size() - fit);
    }
  }
  for (std::size_t i = 0; i < shown; ++i) {
    const TimeBar& bar = view.bars[first + i];
    const float top = columns.row * static_cast<float>(i);
    draw_bar(&pen, bar, columns, top);
    HotSpot spot{{0, top, pen.width(), columns.row}, -1, -1, static_cast<int>(first + i), {}};
    if (measured(bar)) {
      spot.tooltip = pen.text("scene.time.tip", {{"label", bar.label},
                                                 {"time", time_text(bar.median_seconds)},
                                                 {"low", time_text(bar.low_seconds)},
                                                 {"high", time_text(bar.high_seconds)}});
    }
    pen.hot_spot(std::move(spot));
  }
  std::string caption_text = view.caption;
  if (shown < view.bars.size())
    caption_text = std::to_string(first + 1) + "–" + std::to_string(first + shown) + " / " +
                   std::to_string(view.bars.size()) + "  " + caption_text;
  pen.label_within(0, {0, pen.height() - pen.px(9)}, pen.width(), caption_text,
                   {13, pen.palette().faint, Align::Left, Font::Words, false});
  return pen.finish();
}

}  // namespace warplens::scene
