#include "app/readout/time_bar.h"

#include <algorithm>

namespace warplens::app {

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
