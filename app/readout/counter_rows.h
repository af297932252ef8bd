// Every counter of the whole grid: what was predicted, what was measured, and why the two differ.
//
//   for (const CounterRow& row : counter_rows(program, totals, measurement, strings))
//     row.label, row.predicted, row.measured, cause_text(row.cause, strings)
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/language/strings.h"
#include "kernels/protocol/measurement.h"
#include "sim/count/distinct_sectors.h"
#include "sim/count/totals.h"
#include "sim/program/program.h"

namespace warplens::app {

// What a counter counts, as far as it decides why a measured figure differs.
enum class Counted : std::uint8_t {
  Requests,         // of global memory
  Sectors,          // the same requests' traffic at L1
  Distinct,         // how many different sectors those are: no counter tells
  Instructions,     // to shared memory
  Wavefronts,       // of shared memory, as the hardware counts them: also those of other pipes' turns
  ExactWavefronts,  // of all shared accesses together, from instrumented machine code
  Conflicts,
  Behind,  // L2 and DRAM traffic: what caches did, which is not predicted
};

enum class Cause : std::uint8_t {
  None,         // equal, or nothing measured
  Arbitration,  // shared memory's wavefront counters also count turns that were lost to other accesses
  Caching,      // L1 and L2 kept, merged or wrote back later
  Compiler,     // as optimised: accesses were merged, moved or dropped
  Warpgroup,    // wgmma reads shared memory without an access of a warp's
  Literal,      // every access in the text was predicted, and compilers make fewer
  Unexplained,  // nothing of these; worth a look
};

// Pure: `predicted` none: not modelled.
Cause cause_of(Counted what, std::optional<double> predicted, double measured, measure::CompileMode mode);
std::string cause_text(Cause cause, const language::Strings& strings);  // empty for None

struct CounterRow {
  std::string label;
  std::string counter;  // in Nsight Compute; several are joined by " + "
  Counted what = Counted::Requests;
  std::optional<std::uint64_t> predicted, ideal;
  std::optional<double> measured;
  Cause cause = Cause::None;
  bool is_bytes = false;
  std::string short_label{};  // for narrow panels; empty: there is none
};

// Rows whose figures are all zero are left out. `measurement` may be null. `literal` and
// `uncounted` (report::uncounted_forms): as the program was compiled.
std::vector<CounterRow> counter_rows(const sim::Program& program, const sim::Totals& totals,
                                     const measure::Measurement* measurement,
                                     const language::Strings& strings, bool literal = false,
                                     std::span<const sim::AccessForm> uncounted = {});
// Behind the sectors of each operation, how many different ones they are; `all`: also where each is asked for
// about once.
void add_distinct_rows(const sim::DistinctSectors& distinct, bool all, const language::Strings& strings,
                       std::vector<CounterRow>* rows);
// "not counted: bulk copies, what wgmma reads"; empty where every access is in a row.
std::string uncounted_text(std::span<const sim::AccessForm> uncounted, const language::Strings& strings);
// The few that say most: sectors, shared wavefronts, conflicts.
std::vector<CounterRow> main_rows(std::vector<CounterRow> rows);

}  // namespace warplens::app
