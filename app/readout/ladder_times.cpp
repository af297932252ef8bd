#include "app/readout/ladder_times.h"

#include <algorithm>

#include "app/explain/explanation.h"
#include "app/language/strings.h"
#include "app/state/catalog.h"
#include "sim/base/numbers.h"
#include "sim/scenario/scenario.h"

namespace warplens::app {

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
  return brief && *n >= 100'000 ? short_count(static_cast<std::uint64_t>(*n)) : grouped(*n);
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

lesson::Recorded Measurements::recorded(const scenario::Setup& setup, std::string_view sm) const {
  return explain::recorded_in(packs, setup, sm);
}

const measure::PeakRecord* Measurements::peaks(std::string_view sm, const measure::Measurement* shown) const {
  for (const measure::Pack& pack : packs) {
    if (!pack.peaks || pack.device.sm() != sm) continue;
    if (shown == nullptr || shown->device.sm() != sm || shown->device.name == pack.device.name)
      return &*pack.peaks;
  }
  return nullptr;
}

const measure::PeakRecord* Measurements::peaks_of(const measure::DeviceInfo& gpu) const {
  for (const measure::Pack& pack : packs)
    if (pack.peaks && pack.device.same_gpu(gpu)) return &*pack.peaks;
  return nullptr;
}

const LadderTimes::Known& LadderTimes::look_up(const scenario::Scenario& rung, Settings settings,
                                               const Measurements& measurements) {
  constexpr std::size_t kMostKnown = 256;
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

// One parameter nearer to its default first, then so with all others there. Each try costs a setup and its
// key.
std::optional<scenario::ParameterValues> LadderTimes::nearest_measured(const scenario::Scenario& rung,
                                                                       const Settings& settings,
                                                                       const Measurements& measurements) {
  constexpr int kMostTries = 32;
  if (settings.text || settings.own || measurements.empty()) return std::nullopt;
  const auto is_measured = [&](const scenario::ParameterValues& values) {
    const Known& known = look_up(rung, {rung.name, values, nullptr, nullptr}, measurements);
    return known.written != nullptr || known.optimised != nullptr;
  };
  const scenario::ParameterValues defaults = scenario::defaults(rung);
  for (const scenario::ParameterValues* others : {&settings.values, &defaults}) {
    for (const scenario::ScenarioParameter& parameter : rung.parameters) {
      scenario::ParameterValues values = *others;
      std::int64_t& value = values[parameter.name] = value_of(parameter, settings.values);
      for (int tries = 0; tries <= kMostTries; ++tries) {
        const bool last = value == parameter.fallback;
        if (!(last && others == &defaults) && is_measured(values)) return values;
        if (last) break;
        value = stepped(parameter, value, value > parameter.fallback ? -1 : 1);
      }
    }
  }
  return is_measured(defaults) ? std::optional(defaults) : std::nullopt;
}

void LadderTimes::forget() {
  known_.clear();
  settings_.reset();
}

const RungTime* current_of(const std::vector<RungTime>& times) {
  const auto current = std::ranges::find(times, true, &RungTime::current);
  return current == times.end() ? nullptr : &*current;
}

const measure::Measurement* measurement_of(const std::vector<RungTime>& times) {
  const RungTime* current = current_of(times);
  return current == nullptr ? nullptr : current->measurement;
}

const measure::Measurement* any_measurement(const std::vector<RungTime>& times) {
  if (const measure::Measurement* here = measurement_of(times)) return here;
  const auto found = std::ranges::find_if(times, [](auto& time) { return time.measurement != nullptr; });
  return found == times.end() ? nullptr : found->measurement;
}

const char* name_of_reference(scenario::Reference reference) {
  return reference == scenario::Reference::Copy ? "cudaMemcpy" : "cuBLAS";
}

std::shared_ptr<const std::vector<RungTime>> kept(const std::vector<RungTime>& times) {
  struct Kept {
    std::vector<RungTime> times;
    std::map<const void*, scenario::Scenario> scenarios;  // nodes of a map stay where they are
    std::map<const void*, measure::Measurement> measurements;
    std::map<const void*, measure::PeakRecord> peaks;
  };
  const auto all = std::make_shared<Kept>();
  all->times = times;
  const auto own = [](auto& owned, auto*& what) {
    if (what != nullptr) what = &owned.try_emplace(what, *what).first->second;
  };
  for (RungTime& time : all->times) {
    own(all->scenarios, time.scenario);
    for (const measure::Measurement** m : {&time.measurement, &time.other, &time.held})
      own(all->measurements, *m);
    own(all->peaks, time.peaks);
  }
  return {all, &all->times};
}

bool has_more_to_gain(const std::vector<RungTime>& times) {
  constexpr double kNear = 80;  // percent
  const bool others = any_measurement(times) != nullptr;
  return std::ranges::any_of(times, [&](const RungTime& time) {
    const bool is_slow = time.percent_of_reference > 0 && time.percent_of_reference < kNear;
    return time.current && (is_slow || (others && time.measurement == nullptr));
  });
}

bool are_too_short(const std::vector<RungTime>& times) {
  const auto is_short = [](const RungTime& time) {
    return time.measurement == nullptr || time.measurement->cold.median < kShortest;
  };
  const auto is_measured = [](const RungTime& time) { return time.measurement != nullptr; };
  return std::ranges::all_of(times, is_short) && std::ranges::any_of(times, is_measured);
}

namespace {

// Against what the machine itself can do: a rung called copy may be slower.
void hold_against_references(std::vector<RungTime>& times, const Measurements& measurements) {
  for (RungTime& time : times) {
    if (time.measurement == nullptr) continue;
    const measure::Measurement& mine = *time.measurement;
    for (const RungTime& other : times) {
      const measure::Measurement* m = other.measurement;
      // Copies of other amounts reach other rates.
      const bool alike = m != nullptr && other.size == time.size && m->reference == mine.reference &&
                         m->reference_bytes == mine.reference_bytes && m->operations == mine.operations &&
                         m->device.same_gpu(mine.device) && m->reference_rate() > 0;
      if (alike && (time.held == nullptr || m->reference_rate() > time.held->reference_rate())) time.held = m;
    }
    if (time.held != nullptr && time.held->reference_cold.median >= kShortest)
      time.percent_of_reference = 100 * mine.share_of_reference(*time.held);
    time.peaks = measurements.peaks_of(mine.device);
  }
}

}  // namespace

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
    if (!current)
      its = {rung->name, scenario::carried_over_in_size(*here, settings.values, *rung), nullptr, nullptr};
    Known known = look_up(*rung, its, measurements);
    // What was measured can be launched: only for the others is it worth working out what can.
    for (const auto carried : {carried_in_size, carried_to}) {
      if (current || known.written != nullptr || known.optimised != nullptr) break;
      its.values = carried(*here, settings.values, *rung);
      known = look_up(*rung, its, measurements);
    }
    const bool optimised = mode == measure::CompileMode::AsOptimised;
    const measure::Measurement* wanted = optimised ? known.optimised : known.written;
    const measure::Measurement* other = optimised ? known.written : known.optimised;
    RungTime& time = times_.emplace_back();
    time.scenario = rung;
    time.current = current;
    if (size_text(its.values) != size_text(settings.values)) time.size = size_text(its.values, true);
    time.values = its.values;
    time.measurement = wanted != nullptr ? wanted : other;
    time.one_program = wanted != nullptr && wanted == other;
    if (wanted != nullptr && !time.one_program) time.other = other;
    if (current && time.measurement == nullptr) time.nearest = nearest_measured(*rung, its, measurements);
  }
  hold_against_references(times_, measurements);
  return times_;
}

}  // namespace warplens::app
