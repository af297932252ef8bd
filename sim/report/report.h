// The whole grid's counts as a document: totals by space and operation, and a table of access sites.
//
//   Outcome<Prepared> prepared = prepare(...);
//   Report report = make_report(prepared, grid_totals(prepared.program, ...));
//   std::cout << report_json(report).dump(2);      // warplens.report/1, docs/report.md
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/message.h"
#include "sim/count/footprint.h"
#include "sim/count/totals.h"
#include "sim/launch/launch.h"
#include "sim/memory/access.h"
#include "sim/program/program.h"
#include "sim/scenario/target.h"
#include "sim/trace/trace.h"

// Buffers whose contents decide a kernel's addresses, or where its lanes diverge. If nobody said what such a
// buffer holds, a launch assumes zeros or 0, 1, 2, ..., and the counts are valid for exactly those data.

namespace warplens::report {

// Remarks on single lines, beside their counts.
struct LineNotes {
  int line = 1;
  std::vector<Message> words;
};

// Fetches through the texture path, which asks for sectors in another way than a load.
std::vector<LineNotes> texture_lines(const sim::Program& program);

// Loads of shared memory in PTX that ptxas may join with their neighbours into accesses of 8 or 16 bytes.
std::vector<LineNotes> joinable_lines(const sim::Program& program);

// Arrays of a thread that compilers mostly keep in local memory, whose accesses are not counted; the lines
// are those of their declarations.
std::vector<LineNotes> local_memory_lines(const sim::Program& program);

struct SteeringBuffer {
  std::string name;
  sim::Fill fill =
      sim::Fill::Zero;  // Zero or Iota: what a launch has that was guessed, or cleared by its host
};

// In the order of the parameters. A buffer that somebody filled, from a file or in any other way, is left
// out, and so is a variable of the file that has its own values.
std::vector<SteeringBuffer> steering_buffers(const sim::Program& program, const sim::Launch& launch);

Message words_of(const SteeringBuffer& buffer);

// One access site in one space, with the global and shared fields of sim::SiteTotals.
struct ReportLine {
  int line = 1, column = 1;
  std::string text;   // "tile[c][r]"
  std::string array;  // "tile", or empty
  memory::Space space = memory::Space::Global;
  memory::Op op = memory::Op::Load;
  int bytes_per_lane = 4;
  bool increments = false;  // see memory::WarpAccess
  sim::AccessForm form = sim::AccessForm::Plain;
  bool past_l1 = false;  // of Op::Async, as memory::WarpAccess
  std::size_t site = 0;  // index into Program::sites
  sim::SiteTotals totals;
  sim::SiteShape shape;
  int element_bytes = 0;         // of what the array holds; 0: not known
  std::int64_t row_bytes = 0;    // of a shared array of two dimensions or more; 0: it has no rows
  std::int64_t array_begin = 0;  // of a shared array: bytes from the start of shared memory
};

// Atomics are described in passes, because a lane that waits for its turn fetches nothing.
inline bool is_atomic(const ReportLine& line) {
  return memory::is_atomic(line.op);
}

// The widths in bytes of shared loads and of shared stores, by line of the source; without a line, under 0.
using SharedWidths = std::map<int, std::array<std::set<int>, 2>>;

// Shared memory has no reductions of its own: the hardware counts them as atomics.
memory::Op counted_as(memory::Space space, memory::Op op);

// What the groups of a report count, over the whole grid.
struct GridCounts {
  std::array<sim::SiteTotals, memory::kOps> global, shared;  // by memory::Op; shared as counted_as() says
  std::uint64_t barriers = 0;
  const sim::SiteTotals& group(memory::Space space, memory::Op op) const;
};
GridCounts grid_counts(const sim::Program& program, const sim::Totals& totals);

struct Report : GridCounts {
  std::string kernel;    // the function's name
  std::string source;    // the kernel's file
  std::string scenario;  // empty: a plain file
  std::string gpu;       // "sm_90"
  std::vector<std::string> template_arguments;
  cuda::Defines defines;
  sim::Launch launch;
  scenario::ParameterValues values;  // of the scenario
  std::uint64_t blocks_total = 0, blocks_simulated = 0;
  std::vector<ReportLine> lines;  // by place in the text
  double seconds = 0;
  Message data_dependent;                // why each block was simulated by itself, in words, or empty
  Message divergent_barrier;             // which barrier not all threads reached together, in words, or empty
  std::vector<SteeringBuffer> steering;  // whose values nobody chose
  std::string waits;                     // which loop waits for another warp, in words, or empty
  bool compiled = false;                 // Program::compiled
  std::string compiler, architecture;    // that was asked for it; or empty
  std::vector<LineNotes> textures{};     // what is said of fetches through the texture path
  std::vector<LineNotes> joinable{};     // what the assembler joins
  // For PTX, set by add_assembled(): `shared` as the assembler leaves it.
  std::optional<std::array<sim::SiteTotals, memory::kOps>> assembled{};
  SharedWidths assembled_widths{};  // likewise
  std::optional<std::vector<int>>
      unlike_machine_code{};                 // lines; none: hold_against_machine_code() was not asked
  std::vector<LineNotes> local_memory{};     // arrays whose accesses are not counted
  std::vector<sim::AccessForm> uncounted{};  // Bulk, Warpgroup: the kernel has them, and no count holds them
  std::optional<sim::DistinctSectors> distinct{};  // of global memory; none: they were not counted
};

// Precondition: totals.error is empty.
Report make_report(const scenario::Prepared& prepared, const sim::Totals& totals);

// For PTX: adds what its shared accesses become when ptxas joins them (docs/compiled.md), counted in the same
// way as the report. Returns the error of that count, which leaves the report as it is.
std::optional<sim::RunError> add_assembled(Report& report, const scenario::Prepared& prepared,
                                           const sim::TotalsOptions& options = {});

// Compares the assembled widths with the machine code: they hold if it has the same widths on each line.
void hold_against_machine_code(Report& report, const SharedWidths& machine_code);

nlohmann::ordered_json report_json(const Report& report);
std::string report_csv(const Report& report);  // one row a site, then one a group; RFC 4180
std::string report_text(
    const Report& report);  // for people: two tables, at most 110 columns where texts allow

nlohmann::ordered_json launch_json(const Report& report);
const char* name_of(memory::Space space);  // "global", "shared"
const char* name_of(memory::Op op);        // "load", "store", "atomic", "reduction", "async"
const char* name_of(
    sim::AccessForm form);  // "plain", "matrix", "async_copy", "texture", "surface", "bulk", ...

// What moves data without an access of a warp, and is therefore in no count.
std::vector<sim::AccessForm> uncounted_forms(const sim::Program& program);
bool reads_by_wgmma(std::span<const sim::AccessForm> uncounted);

// 18.0: how many of a sector's 32 bytes a request uses on average; bytes that lanes share count once. 0 if
// there is no access.
double used_of_a_sector(const sim::SiteTotals& totals);

// The fields of a group of counts, in the order in which documents and tables show them.
struct CountField {
  const char* name;  // in JSON and CSV: "ideal_sectors"
  std::uint64_t sim::SiteTotals::*value;
};

// requests, sectors, ideal_sectors, lines, bytes / requests, wavefronts, ideal_wavefronts, bank_conflicts,
// bytes
// global async: requests, sectors, load_sectors, ideal_sectors, bytes
std::span<const CountField> group_fields(memory::Space space, memory::Op op);
// Modelled, not exact: tag_wavefronts, data_wavefronts of global loads and stores (sim/memory/l1_stages.h).
std::span<const CountField> modelled_fields(memory::Space space, memory::Op op);

struct GroupName {
  memory::Space space;
  memory::Op op;
};
// The nine groups of a report: five of global memory, four of shared.
std::span<const GroupName> all_groups();

// A block's warp accesses as JSON lines: warplens.trace/1, docs/report.md.

// The buffer that an address of global memory lies in, and its offset there.
struct BufferPlace {
  int parameter = -1;       // index into Program::parameters; -1: in no buffer
  std::int64_t offset = 0;  // bytes from its base
};
BufferPlace buffer_place(const sim::Program& program, memory::Address address);

// The first line of a trace: kernel, launch and block. Ends with a newline.
std::string trace_header(const scenario::Prepared& prepared, const sim::Trace& trace);
// One event. Ends with a newline.
std::string trace_line(const scenario::Prepared& prepared, const sim::Trace& trace, std::size_t event);

}  // namespace warplens::report
