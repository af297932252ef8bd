#include "app/readout/time_bar.h"

#include <algorithm>

namespace warplens::app {
namespace {

using scene::TimeUnit;

void take_samples(const measure::Samples& samples, scene::TimeBar* bar) {
  bar->median_seconds = samples.median;
  if (samples.seconds.empty()) return;
  std::vector<double> sorted = samples.seconds;
  std::sort(sorted.begin(), sorted.end());
  bar->low_seconds = sorted[sorted.size() / 4];
  bar->high_seconds = sorted[sorted.size() - 1 - sorted.size() / 4];
}

scene::TimeBar bar_of(const RungTime& time, std::string_view language) {
  scene::TimeBar bar;
  const scenario::LocalText& label =
      time.scenario->rung_label.empty() ? time.scenario->title : time.scenario->rung_label;
  bar.label = scenario::in_language(label, language);
  bar.current = time.current;
  if (time.measurement == nullptr) return bar;
  const measure::Measurement& m = *time.measurement;
  take_samples(m.cold, &bar);
  bar.only_at = time.size;
  bar.bytes = static_cast<double>(m.useful_bytes > 0 ? m.useful_bytes : m.counted_bytes);
  bar.operations = static_cast<double>(m.operations);
  bar.peak = time.peak;
  bar.percent_of_reference = time.percent_of_reference;
  bar.recorded = m.recorded;
  bar.wrong_output = m.check.state == measure::CheckState::Wrong;
  return bar;
}

scene::TimeBar reference_bar(const RungTime& time) {
  const measure::Measurement& m = *time.held;
  const bool copies = m.reference == scenario::Reference::Copy;
  scene::TimeBar bar;
  bar.label = name_of_reference(m.reference);
  take_samples(m.reference_cold, &bar);
  bar.bytes = static_cast<double>(copies ? m.reference_bytes : m.useful_bytes);
  bar.operations = copies ? 0 : static_cast<double>(m.operations);
  bar.peak = time.peak;
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
    case TimeUnit::Peak:
      return bytes || operations;
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

const char* name_of_reference(scenario::Reference reference) {
  return reference == scenario::Reference::Copy ? "cudaMemcpy" : "cuBLAS";
}

scene::TimeBarsView time_bars_of(const std::vector<RungTime>& times, TimeUnit unit,
                                 std::string_view language) {
  scene::TimeBarsView view;
  view.unit = unit;
  const RungTime* held = nullptr;  // against what the bar of the reference shows
  for (const RungTime& time : times) {
    view.bars.push_back(bar_of(time, language));
    if (time.held != nullptr && time.size.empty() && (held == nullptr || time.current)) held = &time;
  }
  if (held == nullptr) return view;
  view.bars.push_back(reference_bar(*held));
  view.percent_of = view.bars.back().label;
  return view;
}

}  // namespace warplens::app
