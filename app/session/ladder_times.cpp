#include "app/session/ladder_times.h"

namespace warplens::session {
namespace {

constexpr std::size_t kMostKnown = 256;

}  // namespace

const measure::Measurement* Measurements::find(const scenario::Setup& setup) const {
  for (const measure::CompileMode mode :
       {measure::CompileMode::AsWritten, measure::CompileMode::AsOptimised}) {
    const measure::MeasurementKey key = measure::key_of(setup, mode);
    if (const auto found = live.find(key); found != live.end()) return &found->second;
    for (const measure::Pack& pack : packs) {
      if (const measure::Measurement* m = pack.find(key)) return m;
    }
  }
  return nullptr;
}

const measure::Measurement* LadderTimes::look_up(const scenario::Scenario& rung, Settings settings,
                                                 const Measurements& measurements) {
  if (measurements.empty()) return nullptr;
  for (const Known& known : known_) {
    if (known.settings == settings) return known.measurement;
  }
  const auto setup = scenario::make_setup(rung, settings.values, settings.text ? *settings.text : rung.text);
  const measure::Measurement* found = setup ? measurements.find(*setup.value) : nullptr;
  if (known_.size() >= kMostKnown) known_.erase(known_.begin(), known_.begin() + kMostKnown / 2);
  known_.push_back({std::move(settings), found});
  return found;
}

void LadderTimes::forget() {
  known_.clear();
  settings_.reset();
}

const std::vector<RungTime>& LadderTimes::of(const Catalog& catalog, const Settings& settings,
                                             const Measurements& measurements) {
  if (settings_ && *settings_ == settings) return times_;
  settings_ = settings;
  times_.clear();
  const scenario::Scenario* here = catalog.find(settings.scenario);
  if (here == nullptr) return times_;
  for (const scenario::Scenario* rung : catalog.ladder_of(*here)) {
    const bool current = rung == here;
    Settings its = settings;
    if (!current) its = {rung->name, carried_over(*here, settings.values, *rung), nullptr};
    times_.push_back({rung, current, look_up(*rung, std::move(its), measurements), 0});
  }
  // The ladder's first rung is the copy; without it, each measurement's own device-to-device copy.
  const measure::Measurement* copy = times_.empty() ? nullptr : times_.front().measurement;
  for (RungTime& time : times_) {
    if (time.measurement == nullptr || time.measurement->cold.median <= 0) continue;
    time.percent_of_copy = copy != nullptr ? 100 * copy->cold.median / time.measurement->cold.median
                                           : 100 * time.measurement->share_of_reference();
  }
  return times_;
}

}  // namespace warplens::session
