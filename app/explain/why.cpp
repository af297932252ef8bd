#include "app/explain/why.h"

#include <utility>

#include "app/measure/gpu_client.h"

namespace warplens::explain {

namespace {

// Whether its counters were read with empty caches, as the model and the bounds need them.
bool has_traffic(const measure::Measurement& measurement) {
  return measurement.counters.values.contains("lts__t_sectors_srcunit_tex_op_read.sum");
}

report::CounterValues counters_of(const measure::Measurement& m, bool warm) {
  if (!has_traffic(m)) return {};
  report::CounterValues values(m.counters.values.begin(), m.counters.values.end());
  if (warm)
    for (const auto& [name, value] : m.counters.warm) values[name] = value;
  return values;
}

report::Asked asked_of(const Demand& demand) {
  const report::Report& r = demand.report;
  report::Asked asked;
  asked.blocks = r.blocks_total;
  asked.multiprocessors = demand.gpu->multiprocessors;
  asked.loads = r.group(memory::Space::Global, memory::Op::Load);
  asked.loads.add(r.group(memory::Space::Global, memory::Op::Async));
  asked.stores = r.group(memory::Space::Global, memory::Op::Store);
  for (const sim::SiteTotals& group : r.shared) asked.shared.add(group);
  return asked;
}

}  // namespace

Demand demand_of(const sim::Program& program, const memory::GpuModel& gpu, report::Report report,
                 const sim::TrafficOptions& options) {
  Demand demand;
  demand.gpu = &gpu;
  demand.registers = options.registers;
  const sim::Launch& launch = report.launch;
  demand.traffic = sim::predict_traffic(program, launch, gpu, options);
  demand.error = demand.traffic.error;
  if (!demand.error) {
    demand.atomics = sim::atomic_load(program, launch, gpu, options.limits);
    demand.error = demand.atomics.error;
  }
  if (!demand.error) {
    demand.waits = sim::load_waits(program, launch, gpu, options.limits);
    demand.error = demand.waits.error;
  }
  demand.report = std::move(report);
  return demand;
}

report::Why why_of(const Demand& demand, const MeasuredBeside& beside) {
  report::Why why;
  why.kernel = demand.report.kernel;
  why.gpu = demand.gpu->name;
  why.warm = beside.warm;
  why.traffic = demand.traffic;
  why.asked = asked_of(demand);
  report::CounterValues measured;
  bool optimised = false;
  if (beside.launch != nullptr) {
    measured = counters_of(*beside.launch, beside.warm);
    optimised = beside.launch->subject.mode == measure::CompileMode::AsOptimised;
    const measure::Samples& samples = beside.warm ? beside.launch->warm : beside.launch->cold;
    if (samples.median > 0) why.measured_seconds = samples.median;
  }
  why.counts = report::launch_counts(demand.report, demand.traffic, demand.atomics, measured, optimised);
  if (beside.peaks != nullptr) {
    why.peaks_of = beside.peaks->device.name;
    why.bounds = report::bounds(why.counts, beside.peaks->peaks);
  }
  why.in_flight = report::in_flight(demand.waits, *demand.gpu, demand.registers,
                                    beside.peaks == nullptr ? nullptr : &beside.peaks->peaks);
  return why;
}

lesson::Recorded recorded_in(std::span<const measure::Pack> packs, const scenario::Setup& setup,
                             std::string_view gpu) {
  lesson::Recorded found;
  const measure::MeasurementKey key = measure::key_of(setup, measure::CompileMode::AsWritten);
  for (const measure::Pack& pack : packs) {
    if (pack.device.sm() != gpu) continue;
    if (!found.peaks && pack.peaks) found.peaks = pack.peaks->peaks;
    const measure::Measurement* measured = found.seconds ? nullptr : pack.find(key);
    if (measured == nullptr) continue;
    if (measured->cold.median > 0) found.seconds = measured->cold.median;
    if (measured->registers > 0) found.registers = measured->registers;
    if (has_traffic(*measured))
      found.counters = {measured->counters.values.begin(), measured->counters.values.end()};
  }
  return found;
}

}  // namespace warplens::explain
