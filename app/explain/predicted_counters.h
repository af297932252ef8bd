// Which counters of Nsight Compute follow from a report, and how: its own groups (sim/report/counters.h),
// sums over several of them, and ratios.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cache/traffic.h"
#include "sim/report/report.h"

namespace warplens::explain {

// By what a counter may differ from its prediction.
enum class Counts : std::uint8_t {
  Global,        // requests and sectors of loads and stores: exact
  Atomics,       // sectors of global atomics: a model
  Executed,      // shared memory, by instrumented machine code: exact for what the compiler left
  Issued,        // shared instructions that were issued: also without an active lane, or twice
  Pipe,          // shared wavefronts and conflicts of the pipe: also arbitration
  Average,       // a ratio of two of these
  Launch,        // blocks, threads
  BehindCaches,  // traffic behind L1 or L2: `value` is what would go there if no cache kept anything
};

struct Prediction {
  Counts counts = Counts::Global;
  double value = 0;
  memory::Space space = memory::Space::Global;
  std::vector<memory::Op> ops;
  std::string_view field;  // "sectors"; of Launch empty
  double scale = 1;        // of the field: 32 for bytes of sectors
};

// Nothing: not predicted.
std::optional<Prediction> predict_counter(const report::Report& report, std::string_view name);

// What the caches' model expects of a counter behind them; nothing: it has none.
std::optional<double> modelled_counter(const sim::Traffic& traffic, std::string_view name);

// What a field comes to over some operations of a space.
std::uint64_t sum_of(const report::Report& report, memory::Space space, const std::vector<memory::Op>& ops,
                     std::string_view field);

}  // namespace warplens::explain
