#include "app/cli/check/counter_check.h"

#include <cmath>

#include "sim/report/table.h"

namespace warplens::cli {

namespace {

constexpr double kArbitration = 0.5;  // of the wavefronts; in the recorded packs 0.29 at most

// The counters of instructions also count those in which no lane is active, and a second time what a warp
// executes in parts: there is no bound to either.
Difference by_instructions(double predicted, double measured) {
  if (measured < predicted) return {false, "less than predicted"};
  return {true,
          "also counts instructions in which no lane is active, or that a warp which diverged issued twice"};
}

Difference of_shared(const report::Counter& counter, double predicted, double measured, double wavefronts,
                     bool optimised) {
  if (counter.is_exact) return optimised ? by_merging(predicted, measured) : Difference{false, "differs"};
  if (std::string_view(counter.field) == "requests")
    return optimised && measured < predicted ? by_merging(predicted, measured)
                                             : by_instructions(predicted, measured);
  return optimised ? by_merging_and_arbitration(predicted, measured, wavefronts)
                   : by_arbitration(predicted, measured, wavefronts);
}

}  // namespace

Difference by_atomic_model(double predicted, double measured, double requests) {
  if (std::abs(measured - predicted) <= requests)
    return {true, "the model of global atomics may be one sector off each request"};
  return {false, "differs by more than one sector a request"};
}

Difference by_merging(double predicted, double measured) {
  if (measured > predicted) return {false, "more than written: not explained"};
  if (measured <= 0) return {false, "none at all: not explained"};
  return {true, "the compiler merged or dropped shared accesses"};
}

Difference by_arbitration(double predicted, double measured, double wavefronts) {
  if (measured < predicted) return {false, "less than predicted: not explained"};
  if (measured > predicted + kArbitration * wavefronts)
    return {false, "more than arbitration with other traffic adds: not explained"};
  return {true, "also counts arbitration with other traffic"};
}

Difference by_merging_and_arbitration(double predicted, double measured, double wavefronts) {
  return measured < predicted ? by_merging(predicted, measured)
                              : by_arbitration(predicted, measured, wavefronts);
}

std::vector<CounterRow> compare_counters(const report::Report& report,
                                         const measure::Measurement& measurement) {
  std::vector<CounterRow> rows;
  const bool optimised = measurement.subject.mode == measure::CompileMode::AsOptimised;
  for (const report::Counter& counter : report::counters()) {
    const auto value = measurement.counters.values.find(counter.name);
    if (value == measurement.counters.values.end()) continue;
    CounterRow row{&counter, static_cast<double>(report::predicted(report, counter)), value->second, true,
                   "equal"};
    if (row.predicted != row.measured) {
      const auto& group = report.group(counter.space, counter.op);
      const Difference difference =
          counter.space == memory::Space::Shared ? of_shared(counter, row.predicted, row.measured,
                                                             static_cast<double>(group.wavefronts), optimised)
          : counter.is_exact
              ? Difference{false, "differs"}
              : by_atomic_model(row.predicted, row.measured, static_cast<double>(group.requests));
      row.holds = difference.explained;
      row.note = difference.words;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string count_text(double value) {
  return value >= 0 && value == std::floor(value) && value < 1e18
             ? report::grouped(static_cast<std::uint64_t>(value))
             : report::fixed(value, 2);
}

}  // namespace warplens::cli
