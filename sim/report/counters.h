// Which counters of Nsight Compute follow from a report, how, and how exactly: one table for `check`,
// `explain`, the window's counters and what a GPU is asked for. Which accesses each of them includes was
// measured on an H100, one access at a time (ncu 2025.3): docs/questions.md.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/cache/traffic.h"
#include "sim/report/report.h"

namespace warplens::report {

// How a counter may differ from its prediction.
enum class Counts : std::uint8_t {
  Global,        // requests and sectors of loads and stores: exact
  Atomics,       // sectors of global atomics: a model
  Tags,          // wavefronts of L1's tag stage: a model; misses that wait for room are looked up again
  Executed,      // shared memory, by instrumented machine code: exact for what the compiler left
  Issued,        // instructions that were issued: also without an active lane, or twice
  Pipe,          // shared wavefronts and conflicts of the pipe: also arbitration
  Average,       // a ratio of two of these
  Launch,        // blocks, threads
  BehindCaches,  // traffic behind L1 or L2: `value` is what would go there if no cache kept anything
};

// Kinds of accesses that counters distinguish; a counter includes one or several of them. The first four are
// in the order of memory::Op.
enum Kinds : unsigned {
  kLoad = 1,
  kStore = 2,
  kAtomic = 4,
  kReduction = 8,  // of global memory; those of shared memory count as atomics
  kMatrixLoad = 16,
  kMatrixStore = 32,  // ldmatrix, stmatrix
  kCopyThroughL1 = 64,
  kCopyPastL1 = 128,  // cp.async.ca, .cg
  kCopies = kCopyThroughL1 | kCopyPastL1,
  kEverything = 255,  // that loads, stores and copies do
  kTexture = 256,
  kSurface = 512,  // through the texture path, which has a pipe of its own
};
constexpr unsigned kind_of(memory::Op op) {
  return op == memory::Op::Async ? +kCopies : 1u << static_cast<unsigned>(op);
}

// What a counter adds up for each line. Load sectors: for what a copy reads, the sectors of a load of it.
enum class Field : std::uint8_t {
  None,
  Requests,
  Sectors,
  LoadSectors,
  IdealSectors,
  Lines,
  TagWavefronts,
  Wavefronts,
  IdealWavefronts,
  Conflicts,
  Bytes,
};
const char* name_of(Field field);  // as in a report's group: "sectors"

struct Prediction {
  Counts counts = Counts::Global;
  double value = 0;
  memory::Space space = memory::Space::Global;
  unsigned kinds = kEverything;
  Field field = Field::None;  // of Launch none; of an average the one above
  double scale = 1;           // of the field: 32 for bytes of sectors
  std::string op{};           // how the name ends, for a counter beside it: "_op_ld"; or empty
  bool certain = true;        // not: of copies whose wavefronts are a mean

  // Must equal the count if no instruction was merged.
  bool is_exact() const {
    const bool atomics =
        field != Field::Requests && (kinds & ~(kAtomic | kReduction)) == 0;  // their lanes wait
    return (counts == Counts::Global || counts == Counts::Executed) && !atomics;
  }
  bool takes_in(const ReportLine& line) const;
};

const char* suffix_of(memory::Op op);  // "ld", "st", "atom", "red", "ldgsts": how the names end
// Counters of shared loads or stores, the most exact first. Instrumented machine code counts what the program
// does; the hardware's own counters also see a diverged warp issue an instruction twice, a few times in
// 50,000 and differently in each run; and the last also includes instructions without an active lane.
std::array<std::string, 3> instruction_counters(memory::Op op);
// Those that are measured and compared with the prediction, in the order in which `check` lists them.
std::span<const char* const> counters();

// Empty: the counter is not predicted.
std::optional<Prediction> predict_counter(std::span<const ReportLine> lines, std::string_view name);
// Includes counters of the launch: its blocks and threads.
std::optional<Prediction> predict_counter(const Report& report, std::string_view name);

// What the model of the caches expects for a counter behind them; empty: it expects nothing.
std::optional<double> modelled_counter(const sim::Traffic& traffic, std::string_view name);

double amount_of(const ReportLine& line, Field field);
// The sum of a field over some kinds of accesses to a space.
double sum_of(std::span<const ReportLine> lines, memory::Space space, unsigned kinds, Field field);

}  // namespace warplens::report
