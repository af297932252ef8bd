// Every counter of the whole grid: what was predicted, what was measured, and why the two differ.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/simulate/simulation.h"
#include "app/views/views.h"
#include "kernels/protocol/measurement.h"
#include "sim/report/advice.h"

namespace warplens::views {

// What a counter counts, as far as it decides why a measured figure differs.
enum class Counted : std::uint8_t {
  Requests,         // of global memory
  Sectors,          // the same requests' traffic at L1
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
  LeftOut,      // each access of the text was predicted, and the compiler makes fewer
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
  std::string short_label{};  // for narrow panels; empty: there is none
};

// Rows whose figures are all zero are left out. `measurement` may be null. `uncounted`:
// report::uncounted_forms of the program.
std::vector<CounterRow> counter_rows(const sim::Program& program, const sim::Totals& totals,
                                     const measure::Measurement* measurement,
                                     const language::Strings& strings,
                                     std::span<const sim::AccessForm> uncounted = {});
// "not counted: bulk copies, what wgmma reads"; empty where every access is in a row.
std::string uncounted_text(std::span<const sim::AccessForm> uncounted, const language::Strings& strings);
// A key: why what was measured is not what was predicted, where rows do not say it; with ".short" in brief.
// Empty: nothing of the kind.
std::string note_key(std::span<const CounterRow> rows);
// The few that say most: sectors, shared wavefronts, conflicts.
std::vector<CounterRow> main_rows(std::vector<CounterRow> rows);

// All of them, for a file; empty while there are no totals. `measurement` may be null.
Table counts_table(const app::Simulation& simulation, const measure::Measurement* measurement,
                   const language::Strings& strings);
// The whole grid's cost of every line; empty while there are no totals.
std::string lines_csv(const app::Simulation& simulation);

// ---- the lines of the kernel that lose most over the whole grid, with what to try

struct WorstLine {
  int line = 1;        // of the text
  std::string text;    // the accesses: "tile[c][r]"
  std::string advice;  // a key: "advice.bank_stride", its figures below
  std::vector<report::AdviceFigure> figures;
  std::uint64_t excess = 0;      // sectors beyond the ideal, of shared memory wavefronts
  std::uint64_t lost_bytes = 0;  // of both in one unit, to compare them
  bool shared = false;
  bool atomic = false;
  report::Distance distance = report::Distance::One;  // between neighbours, as far as the advice names one
};

// Worst first; empty where nothing is lost, or where there are no totals yet. Those of the last totals are
// kept: making them copies the program.
const std::vector<WorstLine>& worst_lines(const app::Simulation& simulation);
// Some access takes more sectors or wavefronts than it has to, worth a line in the list or not.
bool loses_anything(const sim::Totals& totals);
std::string advice_text(const WorstLine& line, const language::Strings& strings);
// What is lost: "14,680,064 extra sectors"; of shared memory "7,864,320 extra wavefronts"; of atomics in
// global memory "510,517 extra passes".
std::string loss_text(const WorstLine& line, const language::Strings& strings);
// The same in one breath, with the loss and the place: "The kernel loses most at line 14: 7,864,320 extra
// wavefronts, neighbours are 16 words apart ...".
std::string diagnosis_text(const WorstLine& line, const language::Strings& strings);

}  // namespace warplens::views
