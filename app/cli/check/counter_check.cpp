#include "app/cli/check/counter_check.h"

#include <cmath>

#include "sim/report/output/table.h"

namespace warplens::cli {

namespace {

explain::Difference of_shared(const report::Counter& counter, double predicted, double measured,
                              double wavefronts, bool optimised) {
  if (counter.is_exact)
    return optimised ? explain::by_merging(predicted, measured) : explain::Difference{false, "differs"};
  if (std::string_view(counter.field) == "requests")
    return optimised && measured < predicted ? explain::by_merging(predicted, measured)
                                             : explain::by_instructions(predicted, measured);
  return optimised ? explain::by_merging_and_arbitration(predicted, measured, wavefronts)
                   : explain::by_arbitration(predicted, measured, wavefronts);
}

}  // namespace

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
      const bool is_shared = counter.space == memory::Space::Shared;
      const bool uncertain = counter.op == memory::Op::Async && is_shared && group.uncertain > 0 &&
                             counter.field == std::string_view("wavefronts");
      const explain::Difference difference =
          uncertain ? explain::Difference{true, "wavefronts of copies are not certain"}
          : is_shared && row.measured > row.predicted && report::reads_by_wgmma(report.uncounted)
              ? explain::by_wgmma(row.predicted, row.measured)
          : is_shared ? of_shared(counter, row.predicted, row.measured, static_cast<double>(group.wavefronts),
                                  optimised)
          : counter.is_exact ? explain::Difference{false, "differs"}
          : report::is_modelled(counter)
              ? explain::by_tag_model(row.predicted, row.measured, static_cast<double>(group.requests))
              : explain::by_atomic_model(row.predicted, row.measured, static_cast<double>(group.requests));
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
