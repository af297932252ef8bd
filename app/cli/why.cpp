#include "app/cli/why.h"

namespace warplens::cli {

namespace {

report::CounterValues counters_of(const measure::Measurement& m, bool warm) {
  if (!has_traffic(m)) return {};
  report::CounterValues values(m.counters.values.begin(), m.counters.values.end());
  if (warm)
    for (const auto& [name, value] : m.counters.warm) values[name] = value;
  return values;
}

}  // namespace

bool has_traffic(const measure::Measurement& measurement) {
  return measurement.counters.values.count("lts__t_sectors_srcunit_tex_op_read.sum") > 0;
}

report::Why why_of(const scenario::Prepared& prepared, const WhyOptions& asked,
                   const SimulationOptions& simulation) {
  sim::TrafficOptions options;
  options.registers = asked.registers;
  if (!options.registers && asked.measured != nullptr) options.registers = asked.measured->registers;
  options.warm = asked.warm;
  options.limits = simulation.limits();
  const sim::Launch& launch = prepared.setup.launch;
  const report::Report report = simulate(prepared, simulation);
  report::Why why;
  why.traffic = sim::predict_traffic(prepared.program, launch, *prepared.gpu, options);
  if (why.traffic.error) fail_run(prepared, *why.traffic.error);
  const sim::AtomicLoad atomics = sim::atomic_load(prepared.program, launch, *prepared.gpu, options.limits);
  if (atomics.error) fail_run(prepared, *atomics.error);
  const sim::LoadWaits waits = sim::load_waits(prepared.program, launch, *prepared.gpu, options.limits);
  if (waits.error) fail_run(prepared, *waits.error);
  why.in_flight = report::in_flight(waits, *prepared.gpu, options.registers,
                                    asked.peaks == nullptr ? nullptr : &asked.peaks->peaks);
  report::CounterValues measured;
  if (asked.measured != nullptr) {
    measured = counters_of(*asked.measured, asked.warm);
    const measure::Samples& samples = asked.warm ? asked.measured->warm : asked.measured->cold;
    if (samples.median > 0) why.measured_seconds = samples.median;
  }
  if (asked.peaks != nullptr) {
    why.peaks_of = asked.peaks->device.name;
    why.bounds =
        report::bounds(report::launch_counts(report, why.traffic, atomics, measured), asked.peaks->peaks);
  }
  return why;
}

}  // namespace warplens::cli
