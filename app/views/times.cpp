// How long every rung of a ladder takes: see times.h.
#include "app/views/times.h"

#include <algorithm>
#include <cmath>

#include "app/readout/verdict.h"
#include "app/scene/pen.h"
#include "app/scene/scene.h"
#include "sim/base/numbers.h"

// ---- what the bars are of

namespace warplens::views {
namespace {

// What `seconds` is in the unit; 0 where the bar lacks what that takes.
double in_unit(const TimeBar& bar, double seconds, TimeUnit unit) {
  if (!(seconds > 0) || !std::isfinite(seconds)) return 0;
  switch (unit) {
    case TimeUnit::Time:
      return seconds;
    case TimeUnit::Bytes:
      return 1e-9 * bar.bytes / seconds;
    case TimeUnit::Operations:
      return 1e-9 * bar.operations / seconds;
  }
  return 0;
}

// "17.6 µs", "3,812 GB/s", "92.4 GFLOP/s"
std::string amount_text(double amount, TimeUnit unit) {
  if (unit == TimeUnit::Time) return seconds_text(amount);
  const std::string text = fixed(std::min(amount, 1e9), amount < 9.95 ? 1 : 0);
  const std::string figure = amount < 9.95 ? text : grouped(std::llround(amount));
  return figure + (unit == TimeUnit::Bytes ? " GB/s" : " GFLOP/s");
}

void take_samples(const measure::Samples& samples, TimeBar* bar) {
  bar->median_seconds = samples.median;
  if (samples.seconds.empty()) return;
  std::vector<double> sorted = samples.seconds;
  std::sort(sorted.begin(), sorted.end());
  bar->low_seconds = sorted[sorted.size() / 4];
  bar->high_seconds = sorted[sorted.size() - 1 - sorted.size() / 4];
}

TimeBar bar_of(const app::RungTime& time, std::string_view language) {
  TimeBar bar;
  bar.label = app::rung_name(*time.scenario, language);
  bar.current = time.current;
  if (time.nearest)
    bar.measured_with = app::other_values(*time.scenario, time.values, *time.nearest, language);
  if (time.measurement == nullptr) return bar;
  const measure::Measurement& m = *time.measurement;
  take_samples(m.cold, &bar);
  bar.only_at = time.size;
  bar.bytes = static_cast<double>(m.useful_bytes > 0 ? m.useful_bytes : m.counted_bytes);
  bar.operations = static_cast<double>(m.operations);
  bar.percent_of_reference = time.percent_of_reference;
  bar.recorded = m.recorded;
  bar.wrong_output = m.check.state == measure::CheckState::Wrong;
  return bar;
}

TimeBar reference_bar(const app::RungTime& time) {
  const measure::Measurement& m = *time.held;
  const bool copies = m.reference == scenario::Reference::Copy;
  TimeBar bar;
  bar.label = app::name_of_reference(m.reference);
  take_samples(m.reference_cold, &bar);
  bar.bytes = static_cast<double>(copies ? m.reference_bytes : m.useful_bytes);
  bar.operations = copies ? 0 : static_cast<double>(m.operations);
  bar.percent_of_reference = time.percent_of_reference > 0 ? 100 : 0;
  bar.recorded = m.recorded;
  bar.reference = true;
  return bar;
}

}  // namespace

bool has_unit(const scenario::Scenario* scenario, TimeUnit unit) {
  const bool bytes = scenario == nullptr || !scenario->bytes_rule.empty(),
             operations = scenario != nullptr && !scenario->operations_rule.empty();
  switch (unit) {
    case TimeUnit::Time:
      return true;
    case TimeUnit::Bytes:
      return bytes;
    case TimeUnit::Operations:
      return operations;
  }
  return false;
}

TimeUnit shown_unit(const scenario::Scenario* scenario, TimeUnit chosen) {
  if (has_unit(scenario, chosen)) return chosen;
  const bool rate = chosen == TimeUnit::Operations && has_unit(scenario, TimeUnit::Bytes);
  return rate ? TimeUnit::Bytes : TimeUnit::Time;
}

TimeUnit next_unit(const scenario::Scenario* scenario, TimeUnit chosen) {
  auto next = static_cast<int>(shown_unit(scenario, chosen));
  do next = (next + 1) % scene::kTimeUnits;
  while (!has_unit(scenario, static_cast<TimeUnit>(next)));
  return static_cast<TimeUnit>(next);
}

std::string times_hidden_words(const app::Hidden& hidden, const language::Strings& strings) {
  return strings(hidden.costs ? "class.hidden" : "class.times");
}

TimeBarsView time_bars_of(const std::vector<app::RungTime>& times, TimeUnit unit, std::string_view language) {
  TimeBarsView view;
  view.too_short = app::are_too_short(times);
  view.unit = unit;
  const app::RungTime* held = nullptr;  // against what the bar of the reference shows
  for (const app::RungTime& time : times) {
    view.bars.push_back(bar_of(time, language));
    if (time.held != nullptr && time.size.empty() && (held == nullptr || time.current)) held = &time;
  }
  if (held == nullptr) return view;
  // A kernel that moves another amount is held against a copy of that amount, whose bar is not there: its
  // share beside the bar that is would contradict the lengths.
  for (std::size_t i = 0; i < times.size(); ++i) {
    const measure::Measurement* its = times[i].held;
    if (its != nullptr && its->reference_bytes != held->held->reference_bytes)
      view.bars[i].percent_of_reference = 0;
  }
  view.bars.push_back(reference_bar(*held));
  view.percent_of = view.bars.back().label;
  return view;
}

Table times_table(const std::vector<app::RungTime>& times, const std::string& language) {
  Table table;
  table.name({"rung", "kernel", "compile_mode", "median_seconds", "minimum_seconds", "spread", "samples",
              "percent_of_reference", "output", "gpu", "driver", "when", "source"});
  for (const app::RungTime& time : times) {
    for (const measure::Measurement* m : {time.measurement, time.other}) {
      if (m == nullptr) continue;
      const bool optimised = m->subject.mode == measure::CompileMode::AsOptimised;
      const char* output = m->check.state == measure::CheckState::Right   ? "right"
                           : m->check.state == measure::CheckState::Wrong ? "wrong"
                                                                          : "not checked";
      table.rows.push_back(
          {app::rung_name(*time.scenario, language), time.scenario->name,
           optimised ? "as optimised" : "as written", exactly(m->cold.median), exactly(m->cold.minimum),
           exactly(m->cold.spread), std::to_string(m->cold.seconds.size()),
           exactly(time.percent_of_reference > 0 ? 100 * m->share_of_reference(*time.held) : 0), output,
           m->device.name, m->device.driver, m->when, m->recorded ? "recorded" : "live"});
    }
  }
  return table;
}

// ---- the picture

namespace {

using namespace scene;

bool measured(const TimeBar& bar) {
  return std::isfinite(bar.median_seconds) && bar.median_seconds > 0;
}

constexpr float kLeastBar = 2;      // pixels
constexpr float kLeastBarRow = 15;  // of the design

bool has_spread(const TimeBar& bar) {
  return bar.high_seconds > bar.low_seconds && bar.low_seconds > 0 && std::isfinite(bar.high_seconds);
}

std::string percent_text(const TimeBar& bar) {
  const double percent = std::min(bar.percent_of_reference, 1e6);
  return fixed(percent, percent < 9.95 ? 1 : 0) + " %";
}

// What the time comes to in the other units.
std::string rates_of(const TimeBar& bar) {
  std::string words;
  for (const TimeUnit unit : {TimeUnit::Bytes, TimeUnit::Operations}) {
    const double amount = in_unit(bar, bar.median_seconds, unit);
    if (amount > 0) words += (words.empty() ? "\n" : " · ") + amount_text(amount, unit);
  }
  return words;
}

class BarsPicture {
 public:
  BarsPicture(const TimeBarsView& view, const Canvas& canvas) : view_(view), pen_(canvas) {}

  float height_of_all() const {
    return least_row() * static_cast<float>(view_.bars.size()) + caption_height();
  }

  Scene draw() {
    pen_.scene().title = pen_.text("scene.time.title");
    const bool shares = std::ranges::any_of(view_.bars, [&](const TimeBar& bar) { return has_percent(bar); });
    if (shares && !view_.percent_of.empty())
      pen_.scene().answer = pen_.text("scene.time.percent", {{"of", view_.percent_of}});
    if (pen_.too_small()) return pen_.finish();
    measure();
    choose_rows();
    for (std::size_t i = 0; i < shown_; ++i) {
      const std::size_t at = bar_in_row(i);
      const TimeBar& bar = view_.bars[at];
      const float top = row_ * static_cast<float>(i);
      draw_row(bar, top + 0.5f * row_);
      HotSpot spot{{0, top, pen_.width(), row_}, -1, -1, static_cast<int>(at), {}};
      if (measured(bar)) {
        spot.tooltip = pen_.text("scene.time.tip", {{"label", bar.label},
                                                    {"time", amount_text(bar.median_seconds, TimeUnit::Time)},
                                                    {"low", amount_text(bar.low_seconds, TimeUnit::Time)},
                                                    {"high", amount_text(bar.high_seconds, TimeUnit::Time)}});
        spot.tooltip += rates_of(bar);
      }
      pen_.hot_spot(std::move(spot));
    }
    draw_caption();
    return pen_.finish();
  }

 private:
  float caption_height() const {
    return view_.captions.empty() || view_.captions.front().empty() ? 0 : pen_.px(20);
  }
  // No lower than letters that may not be smaller.
  float least_row() const { return pen_.px(std::max(kLeastBarRow, 1.15f * pen_.least_type())); }
  double amount_of(const TimeBar& bar, double seconds) const { return in_unit(bar, seconds, view_.unit); }
  double median_of(const TimeBar& bar) const { return amount_of(bar, bar.median_seconds); }
  std::string median_text(const TimeBar& bar) const { return amount_text(median_of(bar), view_.unit); }
  // A bar of its own: neither of another size nor without what the unit needs.
  bool has_bar(const TimeBar& bar) const {
    return measured(bar) && bar.only_at.empty() && median_of(bar) > 0;
  }
  float x_of(double amount) const {
    return bars_x_ + bars_width_ * static_cast<float>(most_ > 0 ? std::clamp(amount / most_, 0.0, 1.0) : 0);
  }
  Color ink(const TimeBar& bar) const {
    const Palette& palette = pen_.palette();
    return bar.current ? palette.text : palette.secondary;
  }

  bool has_percent(const TimeBar& bar) const {
    return has_bar(bar) && bar.percent_of_reference > 0 && std::isfinite(bar.percent_of_reference);
  }

  void measure() {
    float label = 0, time = 0;
    for (const TimeBar& bar : view_.bars) {
      label = std::max(label, pen_.width_of(bar.label, {.size = 14, .bold = true}));
      if (!has_bar(bar)) continue;
      time = std::max(time, pen_.width_of(median_text(bar), {.font = Font::Code, .bold = true}));
      most_ = std::max(most_, median_of(bar));
      for (const double end : {bar.low_seconds, bar.high_seconds})
        if (has_spread(bar)) most_ = std::max(most_, amount_of(bar, end));
      if (!has_percent(bar)) continue;
      percent_width_ =
          std::max(percent_width_, pen_.width_of(percent_text(bar), {.font = Font::Code, .bold = true}));
    }
    bars_x_ = std::floor(std::min(label, 0.48f * pen_.width()) + pen_.px(12));
    bars_width_ = std::max(pen_.px(8), pen_.width() - bars_x_ - time - percent_width_ - pen_.px(24));
  }

  // Where not all rows can be read, those that can are shown, the current one among them.
  void choose_rows() {
    const float least = least_row(), room = pen_.height() - caption_height();
    const auto fit = static_cast<std::size_t>(std::max(1.0f, room / least));
    shown_ = std::min(fit, view_.bars.size());
    row_ = std::floor(std::min(room / static_cast<float>(std::max<std::size_t>(shown_, 1)), pen_.px(32)));
    rungs_ = view_.bars.size() - (view_.bars.empty() || !view_.bars.back().reference ? 0 : 1);
    keeps_reference_ = shown_ < view_.bars.size() && rungs_ < view_.bars.size() && shown_ > 1;
    if (shown_ == view_.bars.size()) return;
    const std::size_t some = shown_ - (keeps_reference_ ? 1 : 0);
    for (std::size_t i = 0; i < rungs_; ++i) {
      if (view_.bars[i].current)
        first_ = std::min(i - std::min(i, some / 2), rungs_ - std::min(some, rungs_));
    }
  }

  // What they are held against is seen beside some of the rungs, too.
  std::size_t bar_in_row(std::size_t row) const {
    return keeps_reference_ && row + 1 == shown_ ? view_.bars.size() - 1 : first_ + row;
  }

  float end_of(const TimeBar& bar) const {
    if (view_.too_short) return bars_x_;  // no bars: the times stand one below the other
    const float end = std::max(x_of(median_of(bar)), bars_x_ + kLeastBar);
    if (!has_spread(bar)) return end;
    return std::max({end, x_of(amount_of(bar, bar.low_seconds)), x_of(amount_of(bar, bar.high_seconds))});
  }

  void draw_row(const TimeBar& bar, float middle) {
    const float height = std::floor(std::min(0.62f * row_, pen_.px(18)));
    pen_.label_within(0, {0, middle}, bars_x_ - pen_.px(8), bar.label,
                      {14, ink(bar), Align::Left, Font::Words, bar.current});
    if (!has_bar(bar)) {
      pen_.label_within(0, {bars_x_, middle}, pen_.width() - bars_x_, words_without_bar(bar),
                        {13, pen_.palette().faint, Align::Left, Font::Words, false});
      return;
    }
    if (!view_.too_short) draw_shape(bar, middle, height);
    if (!view_.too_short && has_spread(bar)) draw_spread(bar, middle, height);
    draw_texts(bar, middle);
  }

  std::string words_without_bar(const TimeBar& bar) const {
    if (!measured(bar) && !bar.measured_with.empty())
      return pen_.text("scene.time.measured_with", {{"values", bar.measured_with}});
    if (!measured(bar)) return bar.current ? pen_.text("scene.time.missing") : "–";
    const double amount = median_of(bar);
    if (!(amount > 0)) return pen_.text("scene.time.no_unit");
    return pen_.text("scene.time.only_at",
                     {{"time", amount_text(amount, view_.unit)}, {"size", bar.only_at}});
  }

  void draw_shape(const TimeBar& bar, float middle, float height) {
    const Palette& palette = pen_.palette();
    Color color = mix(palette.panel, palette.secondary, 0.55f);
    if (bar.current) color = palette.accent;
    if (bar.wrong_output) color = palette.costly;
    const float width = std::max(x_of(median_of(bar)) - bars_x_, kLeastBar);
    if (bar.reference) {  // no rung: a line to reach, as far as the bar would go
      const float thick = std::max(2.0f, pen_.px(3));
      pen_.cell(0, {bars_x_, middle - 0.5f * thick, width, thick}, color).radius = 0;
      return;
    }
    Cell& cell = pen_.cell(0, {bars_x_, middle - 0.5f * height, width, height}, color);
    if (bar.recorded) {
      cell.border = color;
      cell.border_width = std::max(1.0f, pen_.px(1.5f));
      cell.fill = mix(palette.panel, color, 0.35f);
      cell.hatch = pen_.px(6);
      cell.hatch_color = color;
    }
  }

  void draw_spread(const TimeBar& bar, float middle, float height) {
    const auto [low, high] =  // a faster run is a higher rate
        std::minmax({x_of(amount_of(bar, bar.low_seconds)), x_of(amount_of(bar, bar.high_seconds))});
    const float thick = std::max(1.0f, pen_.px(1.5f));
    const Color line = with_alpha(pen_.palette().text, 0.85f);
    pen_.cell(1, {low, middle - 0.5f * thick, std::max(1.0f, high - low), thick}, line).radius = 0;
    for (const float at : {low, high}) {
      pen_.cell(1, {at - 0.5f * thick, middle - 0.25f * height, thick, 0.5f * height}, line).radius = 0;
    }
  }

  void draw_texts(const TimeBar& bar, float middle) {
    const Type time_type{13, bar.wrong_output ? pen_.palette().costly : ink(bar), Align::Left, Font::Code,
                         bar.current};
    const std::string time = median_text(bar),
                      wrong = bar.wrong_output ? time + " · " + pen_.text("scene.time.wrong") : time;
    pen_.label_fitting(0, {end_of(bar) + pen_.px(8), middle},
                       pen_.width() - end_of(bar) - percent_width_ - pen_.px(16), {wrong, time}, time_type);
    if (!has_percent(bar)) return;
    pen_.label(0, {pen_.width(), middle}, percent_text(bar),
               {13, ink(bar), Align::Right, Font::Code, bar.current});
  }

  void draw_caption() {
    if (caption_height() <= 0) return;  // nothing was measured: it has no room of its own
    std::string before;
    if (shown_ < view_.bars.size()) {
      const std::size_t last = first_ + shown_ - (keeps_reference_ ? 1 : 0);
      before =
          std::to_string(first_ + 1) + "–" + std::to_string(last) + " / " + std::to_string(rungs_) + "  ";
    }
    std::vector<std::string> words = view_.captions;
    for (std::string& caption : words) caption = before + caption;
    const float height = pen_.px(18);
    pen_.label_fitting(0, {0, pen_.height() - 0.5f * height}, pen_.width(), words,
                       {13, pen_.palette().faint});
    HotSpot spot{{0, pen_.height() - height, pen_.width(), height}, -1, -1, -1, {}};
    spot.tooltip = words.front();
    pen_.hot_spot(std::move(spot));
  }

  const TimeBarsView& view_;
  Pen pen_;
  float bars_x_ = 0, bars_width_ = 0, percent_width_ = 0, row_ = 0;
  double most_ = 0;  // where the axis ends
  std::size_t first_ = 0, shown_ = 0, rungs_ = 0;
  bool keeps_reference_ = false;
};

}  // namespace

float height_of_all_bars(const TimeBarsView& view, const Canvas& canvas) {
  return BarsPicture(view, canvas).height_of_all();
}

Scene time_bars_scene(const TimeBarsView& view, const Canvas& canvas) {
  return BarsPicture(view, canvas).draw();
}

}  // namespace warplens::views
