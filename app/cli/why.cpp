#include "app/cli/why.h"

#include <memory>
#include <vector>

#include "app/explain/recorded.h"
#include "app/explain/why.h"
#include "app/measure/make_request.h"
#include "app/measure/pack.h"

namespace warplens::cli {

report::Why why_of(const scenario::Prepared& prepared, const WhyOptions& asked,
                   const SimulationOptions& simulation) {
  sim::TrafficOptions options;
  options.registers = asked.registers;
  if (!options.registers && asked.measured != nullptr) options.registers = asked.measured->registers;
  options.warm = asked.warm;
  options.limits = simulation.limits();
  const explain::Demand demand =
      explain::demand_of(prepared.program, *prepared.gpu, simulate(prepared, simulation), options);
  if (demand.error) fail_run(prepared, *demand.error);
  return explain::why_of(demand, {asked.measured, asked.peaks, asked.warm});
}

lesson::RecordedOf recorded_for_lessons() {
  using Packs = std::vector<measure::Pack>;
  return [packs = std::shared_ptr<const Packs>()](const lesson::View& view) mutable {
    if (packs == nullptr)  // read where something asks for it
      packs = std::make_shared<const Packs>(
          measure::load_packs(scenario::data_folder("assets") / "recorded").value.value_or(Packs()));
    const auto prepared = lesson::prepare_view(view);
    if (!prepared) return lesson::Recorded{};
    return explain::recorded_in(*packs, prepared.value->setup, prepared.value->gpu->name);
  };
}

RecordedLaunch recorded_launch(const scenario::Prepared& prepared) {
  RecordedLaunch found;
  const auto packs = measure::load_packs(scenario::data_folder("assets") / "recorded");
  if (!packs) return found;
  const measure::MeasurementKey key = measure::key_of(prepared.setup, measure::CompileMode::AsWritten);
  for (const measure::Pack& pack : *packs.value) {
    if (pack.device.sm() != prepared.gpu->name) continue;
    if (!found.peaks) found.peaks = pack.peaks;
    if (const measure::Measurement* m = pack.find(key); m != nullptr && !found.launch) found.launch = *m;
  }
  return found;
}

}  // namespace warplens::cli
