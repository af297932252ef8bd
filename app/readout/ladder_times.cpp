#include "app/readout/ladder_times.h"

#include <cstdio>

#include "app/language/strings.h"
#include "app/simulate/line_totals.h"
#include "app/state/chosen_kernel.h"

namespace warplens::app {
namespace {

constexpr std::size_t kMostKnown = 256;

}  // namespace

std::string size_text(const scenario::ParameterValues& values, bool brief) {
  const auto of = [&](const char* name) {
    const auto found = values.find(name);
    return found == values.end() ? std::optional<std::int64_t>() : found->second;
  };
  const auto rows = of("nrows"), columns = of("ncols"), m = of("m"), n = of("n"), k = of("k");
  if (rows && columns) return std::to_string(*rows) + " × " + std::to_string(*columns);
  if (m && n && k && *m == *n && *n == *k) return std::to_string(*n) + "³";
  if (m && n && k) return std::to_string(*m) + " × " + std::to_string(*n) + " × " + std::to_string(*k);
  if (!n) return {};
  return brief && *n >= 100'000 ? short_count(static_cast<std::uint64_t>(*n)) : language::grouped(*n);
}

std::string time_text(double seconds) {
  char text[32];
  const double us = 1e6 * seconds;
  std::snprintf(text, sizeof text,
                us < 100     ? "%.1f µs"
                : us < 10000 ? "%.0f µs"
                             : "%.3g ms",
                us < 10000 ? us : us / 1000);
  return text;
}

const measure::Measurement* Measurements::find(const scenario::Setup& setup,
                                               measure::CompileMode mode) const {
  const measure::MeasurementKey key = measure::key_of(setup, mode);
  if (const auto found = live.find(key); found != live.end()) return &found->second;
  for (const measure::Pack& pack : packs) {
    if (const measure::Measurement* m = pack.find(key)) return m;
  }
  return nullptr;
}

const LadderTimes::Known& LadderTimes::look_up(const scenario::Scenario& rung, Settings settings,
                                               const Measurements& measurements) {
  static const Known kNone;
  if (measurements.empty()) return kNone;
  for (const Known& known : known_) {
    if (known.settings == settings) return known;
  }
  const auto setup = scenario::make_setup(rung, settings.values, settings.text ? *settings.text : rung.text);
  if (known_.size() >= kMostKnown) known_.erase(known_.begin(), known_.begin() + kMostKnown / 2);
  Known& found = known_.emplace_back();
  found.settings = std::move(settings);
  if (setup) {
    found.written = measurements.find(*setup.value, measure::CompileMode::AsWritten);
    found.optimised = measurements.find(*setup.value, measure::CompileMode::AsOptimised);
  }
  return found;
}

void LadderTimes::forget() {
  known_.clear();
  settings_.reset();
}

const std::vector<RungTime>& LadderTimes::of(const Catalog& catalog, const Settings& settings,
                                             const Measurements& measurements, measure::CompileMode mode) {
  if (settings_ && *settings_ == settings && mode_ == mode) return times_;
  settings_ = settings;
  mode_ = mode;
  times_.clear();
  const scenario::Scenario* here = scenario_of(catalog, settings);
  if (here == nullptr) return times_;
  for (const scenario::Scenario* rung : catalog.ladder_of(*here)) {
    const bool current = rung == here;
    Settings its = settings;
    if (!current) its = {rung->name, carried_over_in_size(*here, settings.values, *rung), nullptr, nullptr};
    Known known = look_up(*rung, its, measurements);
    if (!current && known.written == nullptr && known.optimised == nullptr) {
      its.values = carried_over(*here, settings.values, *rung);
      known = look_up(*rung, its, measurements);
    }
    const bool optimised = mode == measure::CompileMode::AsOptimised;
    const measure::Measurement* wanted = optimised ? known.optimised : known.written;
    const measure::Measurement* other = optimised ? known.written : known.optimised;
    RungTime& time = times_.emplace_back();
    time.scenario = rung;
    time.current = current;
    if (size_text(its.values) != size_text(settings.values)) time.size = size_text(its.values, true);
    time.measurement = wanted != nullptr ? wanted : other;
    time.one_program = wanted != nullptr && wanted == other;
    if (wanted != nullptr && !time.one_program) time.other = other;
  }
  // Against what the machine itself can do, taken in turns with the kernel: a rung called copy may be slower.
  for (RungTime& time : times_)
    if (time.measurement != nullptr) time.percent_of_reference = 100 * time.measurement->share_of_reference();
  return times_;
}

scene::TimeBar time_bar_of(const RungTime& time, std::string_view language) {
  scene::TimeBar bar;
  const scenario::LocalText& label =
      time.scenario->rung_label.empty() ? time.scenario->title : time.scenario->rung_label;
  bar.label = scenario::in_language(label, language);
  bar.current = time.current;
  if (time.measurement == nullptr) return bar;
  if (!time.size.empty()) bar.label += " · " + time.size;
  const measure::Samples& samples = time.measurement->cold;
  bar.median_seconds = samples.median;
  if (!samples.seconds.empty()) {
    std::vector<double> sorted = samples.seconds;
    std::sort(sorted.begin(), sorted.end());
    bar.low_seconds = sorted[sorted.size() / 4];
    bar.high_seconds = sorted[sorted.size() - 1 - sorted.size() / 4];
  }
  bar.percent_of_reference = time.percent_of_reference;
  bar.recorded = time.measurement->recorded;
  bar.wrong_output = time.measurement->check.state == measure::CheckState::Wrong;
  return bar;
}

}  // namespace warplens::app
