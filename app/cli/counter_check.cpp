#include "app/cli/counter_check.h"

#include <cmath>

#include "sim/report/table.h"

namespace warplens::cli {

namespace {

// In optimised mode the compiler may merge shared accesses, so fewer and wider ones are executed than
// written.
CounterRow compare(const report::Counter& counter, double predicted, double measured, bool optimised) {
  CounterRow row{&counter, predicted, measured, true, "equal"};
  if (predicted == measured) return row;
  if (optimised && counter.space == memory::Space::Shared) {
    row.note = "the compiler merged shared accesses";
  } else if (counter.is_exact) {
    row.holds = false;
    row.note = "differs";
  } else if (counter.space == memory::Space::Global) {
    row.holds = std::abs(measured - predicted) <= 0.05 * predicted;
    row.note = row.holds ? "the model of global atomics is not exact" : "differs by more than 5 %";
  } else {
    row.holds = measured >= predicted;
    const bool counts_instructions = std::string_view(counter.field) == "requests";
    row.note = !row.holds            ? "less than predicted"
               : counts_instructions ? "also counts instructions in which no lane is active, or that a warp "
                                       "which diverged issued twice"
                                     : "also counts arbitration with other traffic";
  }
  return row;
}

}  // namespace

std::vector<CounterRow> compare_counters(const report::Report& report,
                                         const measure::Measurement& measurement) {
  std::vector<CounterRow> rows;
  const bool optimised = measurement.subject.mode == measure::CompileMode::AsOptimised;
  for (const report::Counter& counter : report::counters()) {
    const auto value = measurement.counters.values.find(counter.name);
    if (value == measurement.counters.values.end()) continue;
    rows.push_back(
        compare(counter, static_cast<double>(report::predicted(report, counter)), value->second, optimised));
  }
  return rows;
}

std::string count_text(double value) {
  return value >= 0 && value == std::floor(value) && value < 1e18
             ? report::grouped(static_cast<std::uint64_t>(value))
             : report::fixed(value, 2);
}

}  // namespace warplens::cli
