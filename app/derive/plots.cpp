#include "app/derive/plots.h"

#include <algorithm>
#include <utility>

#include "app/source/programs.h"
#include "sim/report/report.h"

namespace warplens::app {
namespace {

constexpr std::size_t kKnownDemands = 32;

}  // namespace

std::shared_ptr<const explain::Demand> demand_of(const Compiled& compiled, const sim::Totals& totals,
                                                 std::optional<int> registers, const sim::Limits& limits) {
  sim::TrafficOptions options;
  options.registers = registers;
  options.limits = limits;
  if (totals.error) {
    explain::Demand failed;
    failed.error = totals.error;
    return std::make_shared<const explain::Demand>(std::move(failed));
  }
  report::Report report = report::make_report({compiled.setup, compiled.program, compiled.gpu, {}}, totals);
  return std::make_shared<const explain::Demand>(
      explain::demand_of(compiled.program, *compiled.gpu, std::move(report), options));
}

DemandWorker::DemandWorker(jobs::Runner& runner, std::uint64_t instructions, RegistersOf registers_of)
    : instructions_(instructions), registers_of_(std::move(registers_of)), worker_(runner) {}

void DemandWorker::rest() {
  worker_.cancel();
  under_way_.reset();
  shown_ = nullptr;
}

// The same settings come to the same counts, however often they were compiled.
const DemandWorker::Known* DemandWorker::find(const Key& key, const Compiled& compiled) const {
  const auto found = std::ranges::find_if(known_, [&](const Known& known) {
    return known.key.registers == key.registers && known.compiled->gpu == compiled.gpu &&
           (known.key.totals == key.totals || known.compiled->settings == compiled.settings);
  });
  return found == known_.end() ? nullptr : &*found;
}

void DemandWorker::start(const Key& key, const std::shared_ptr<const Compiled>& compiled) {
  under_way_ = key;
  sim::Limits limits;
  limits.memory_bytes = app_allowance(nullptr).memory_bytes;
  limits.instructions = instructions_;
  worker_.start(
      [key, compiled, limits](const std::atomic<bool>* cancel, std::atomic<double>* progress) mutable {
        limits.cancel = cancel;
        limits.progress = progress;
        return Known{key, compiled, demand_of(*compiled, *key.totals, key.registers, limits)};
      });
}

DemandOnScreen DemandWorker::derive(const State& state, const Simulation& s) {
  if (auto made = worker_.take()) {
    if (known_.size() >= kKnownDemands) known_.pop_front();
    known_.push_back(std::move(*made));
    under_way_.reset();
  }
  if (!s.fresh || !s.totals || !s.compiled) return {shown_, false, 0};
  const Key key{s.totals, registers_of_ ? registers_of_(state) : std::nullopt};
  const Known* known = find(key, *s.compiled);
  if (known == nullptr && state.halted) {
    worker_.cancel();
    under_way_.reset();
  } else if (known == nullptr && !(under_way_ == key)) {
    start(key, s.compiled);
    if (auto made = worker_.take()) {
      known_.push_back(std::move(*made));
      under_way_.reset();
      known = find(key, *s.compiled);
    }
  }
  if (known != nullptr) shown_ = known->demand;
  return {shown_, known != nullptr, known != nullptr ? 0 : worker_.progress()};
}

ProfileReading read_beside(const std::shared_ptr<const LoadedProfile>& profile, const Simulation& simulation,
                           const std::string& launch) {
  if (simulation.totals->error)
    return {profile, {Message("nothing to hold it against: {}", simulation.totals->error->message)}, {}, {}};
  const Compiled& compiled = *simulation.compiled;
  const report::Report report =
      report::make_report({compiled.setup, compiled.program, compiled.gpu, {}}, *simulation.totals);
  ProfileReading reading;
  reading.of = profile;
  auto choice = explain::choose_launch(
      profile->profile,
      {{report.kernel}, report.template_arguments, report.launch.grid, report.launch.block, launch},
      profile->file);
  reading.trouble = std::move(choice.errors);
  if (!choice) return reading;
  reading.choice = std::move(*choice.value);
  reading.explanation = explain::explain_launch(report, reading.launch(), {reading.choice.same(), nullptr});
  return reading;
}

}  // namespace warplens::app
