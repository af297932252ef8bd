// A prediction's counts against a measurement's counters, counter by counter, with the cause of each
// difference.
#pragma once

#include <string>
#include <vector>

#include "app/explain/difference.h"
#include "kernels/protocol/measurement.h"
#include "sim/report/counters.h"

namespace warplens::cli {

struct CounterRow {
  const report::Counter* counter = nullptr;
  double predicted = 0, measured = 0;
  bool holds = true;
  std::string note;  // "equal", or why not
};
std::vector<CounterRow> compare_counters(const report::Report& report,
                                         const measure::Measurement& measurement);

std::string count_text(double value);  // 2097152 -> "2,097,152"

}  // namespace warplens::cli
