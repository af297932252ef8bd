#include "app/session/ladder_times.h"

namespace warplens::session {

const measure::Measurement* Measurements::find(const scenario::Setup& setup) const {
  for (const measure::CompileMode mode : {measure::CompileMode::AsWritten, measure::CompileMode::AsOptimised}) {
    const measure::MeasurementKey key = measure::key_of(setup, mode);
    if (const auto found = live.find(key); found != live.end()) return &found->second;
    for (const measure::Pack& pack : packs) {
      if (const measure::Measurement* m = pack.find(key)) return m;
    }
  }
  return nullptr;
}

std::vector<RungTime> ladder_times(const Catalog& catalog, const Settings& settings, const Measurements& measurements) {
  const scenario::Scenario* here = catalog.find(settings.scenario);
  if (here == nullptr) return {};
  std::vector<RungTime> times;
  for (const scenario::Scenario* rung : catalog.ladder_of(*here)) {
    RungTime time;
    time.scenario = rung;
    time.current = rung == here;
    const auto values = time.current ? settings.values : carried_over(*here, settings.values, *rung);
    const std::string& text = time.current && settings.text ? *settings.text : rung->text;
    if (const auto setup = scenario::make_setup(*rung, values, text)) time.measurement = measurements.find(*setup.value);
    times.push_back(time);
  }
  // The ladder's first rung is the copy; without it, each measurement's own device-to-device copy.
  const measure::Measurement* copy = times.empty() ? nullptr : times.front().measurement;
  for (RungTime& time : times) {
    if (time.measurement == nullptr || time.measurement->cold.median <= 0) continue;
    time.percent_of_copy = copy != nullptr ? 100 * copy->cold.median / time.measurement->cold.median
                                           : 100 * time.measurement->share_of_reference();
  }
  return times;
}

}  // namespace warplens::session
