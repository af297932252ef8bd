// Why a launch takes as long as it does: what the caches answer, and the least time that each resource needs.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cache/traffic.h"
#include "sim/count/load_waits.h"
#include "sim/launch/residency.h"
#include "sim/report/report.h"

// What a GPU can do at most of one thing at a time, each measured by a kernel that does nothing else; and how
// long one load takes that nothing else is beside.

namespace warplens::report {

// Per second; 0: not known.
struct Peaks {
  double launches = 0;                                  // of a kernel of one block that does nothing
  double blocks = 0;                                    // given to the multiprocessors
  double dram_read = 0, dram_write = 0, dram_copy = 0;  // bytes; a copy's are those read and those written
  double l2_read = 0, l2_write = 0, l2_copy = 0;        // sectors
  double l1_lines = 0;                                  // looked up by L1's tag stage
  double shared_wavefronts = 0;   // of L1's data stage, which serves shared memory and L1 alike
  double atomic_turns = 0;        // of L2, by lanes that each add in a sector of their own
  double atomic_slice = 0;        // turns of one slice, by lanes that add to the words of a line
  double atomic_one_address = 0;  // turns, by lanes that add to one and the same word
  double fma = 0;  // of warps, in single precision; by themselves they take every turn that there is to issue
  // Seconds from a load to the next one that needs its value; 0: not measured. Packs from before have none.
  double dram_latency = 0, l2_latency = 0;
};

struct PeakName {
  const char* name;  // "dram_read": in packs
  double Peaks::*value;
  const char* unit;  // what is counted: "bytes"
};
std::span<const PeakName> peak_names();     // of what is a rate
std::span<const PeakName> latency_names();  // of what is a time, in seconds

// The least time that each resource needs for a launch: what the launch asks of it, divided by the most that
// it can do. No time is predicted by that: the launch takes at least as long as the slowest of them, and
// longer where they wait for each other.

enum class Resource : std::uint8_t { Launch, Dram, L2, L1, Shared, Atomics, Issue, Fp32 };
const char* name_of(Resource resource);  // "dram": in documents

// Where a count comes from: exact, of the simulator; of the caches' model; of the hardware's counters.
enum class CountSource : std::uint8_t { Predicted, Modelled, Measured };
const char* name_of(CountSource source);

struct Counted {
  double value = 0;
  CountSource source = CountSource::Predicted;
};

// What a launch asks for. What is missing is not known, and its resource is left out.
struct LaunchCounts {
  double blocks = 0;
  std::optional<Counted> dram_read, dram_write;  // bytes
  std::optional<Counted> l2_read, l2_write;      // sectors; atomics are written
  std::optional<Counted> l1_wavefronts;          // of the data stage: global and shared accesses
  std::optional<Counted> l1_lines;               // looked up by the tag stage
  std::optional<Counted> shared_wavefronts;
  std::optional<Counted> atomic_turns, atomic_slice, atomic_one_address;  // as sim::AtomicLoad
  std::optional<Counted> instructions, fma;                               // of warps
};

struct Bound {
  Resource resource = Resource::Launch;
  double count = 0;
  const char* unit = "";       // of the count: "bytes"
  double peak_per_second = 0;  // of the same
  double seconds = 0;          // count / peak_per_second
  CountSource source = CountSource::Predicted;
};

// In the order of Resource; nothing for resources whose count or peak is not known, or of which nothing is
// asked.
std::vector<Bound> bounds(const LaunchCounts& counts, const Peaks& peaks);
// The longest; null: none is known.
const Bound* longest(const std::vector<Bound>& bounds);
// The next one after the longest that is another resource than it; null: there is none.
const Bound* second(const std::vector<Bound>& bounds);
// The same where it is within a tenth of the longest: peaks are measured, and which of the two holds the
// launch back they do not tell. Null: it is shorter.
const Bound* tied(const std::vector<Bound>& bounds);
// L1's data stage serves shared memory too: two names of one thing.
bool is_data_stage(const Bound& bound);

// Little's law: to keep memory busy, latency × bandwidth bytes have to be on their way at any time. How many
// a launch can have: its warps that run at once × what each asks for before it waits.

struct InFlight {
  sim::Residency residency;  // of the launch's blocks on a multiprocessor
  int most_warps = 0;        // that a multiprocessor takes
  double warps = 0;          // at once on the whole GPU: the first wave's
  bool whole_grid = false;   // which are all that there are: the GPU would take more
  double loads = 0;          // that a warp has on its way when it waits, in the mean
  double load_bytes = 0;     // of one of them: its sectors, which others of them may share
  double bytes = 0;          // of all those warps' loads
  // What keeps memory busy. Not known without a measured latency.
  std::optional<double> needed_bytes;
  double latency_seconds = 0, bytes_per_second = 0;  // that it is the product of

  // The share of the bytes that are needed; not known if those are not known.
  std::optional<double> share() const {
    if (!needed_bytes) return std::nullopt;
    return bytes / *needed_bytes;
  }
};

// `waits` without an error; `registers`: of a thread, as for sim::residency(); `peaks` null: none are known.
InFlight in_flight(const sim::LoadWaits& waits, const memory::GpuModel& gpu, std::optional<int> registers,
                   const Peaks* peaks);

nlohmann::ordered_json in_flight_json(const InFlight& in_flight);
// Hardware counters of the same launch, by the names that Nsight Compute gives them.
using CounterValues = std::map<std::string, double, std::less<>>;

// What the accesses ask for, of the whole grid; exact.
struct Asked {
  std::uint64_t blocks = 0;
  int multiprocessors = 0;        // of the GPU's model
  sim::SiteTotals loads, stores;  // of global memory
  sim::SiteTotals shared;
};

struct Why {
  std::string kernel, gpu;  // the function's name; the model: "sm_90"
  bool warm = false;        // L2 held what the same kernel left in it
  sim::Traffic traffic;
  Asked asked;
  LaunchCounts counts;
  std::vector<Bound> bounds;               // none without peaks
  std::string peaks_of;                    // the GPU that the peaks were measured on: "NVIDIA H200"
  std::optional<double> measured_seconds;  // of the same launch on that GPU
  std::optional<InFlight> in_flight;       // bytes on their way from memory, needed and possible
};

// Measured counts take the place of modelled ones, never of exact ones. `optimised`: what was measured is not
// the text as it is written, but what the compiler made of it, which may load less from shared memory.
LaunchCounts launch_counts(const Report& report, const sim::Traffic& traffic, const sim::AtomicLoad& atomics,
                           const CounterValues& measured, bool optimised = false);

nlohmann::ordered_json why_json(const Why& why);  // warplens.why/1, docs/report.md
// Below this share of the measured time no resource can be what the launch waits for.
inline constexpr double kBusy = 0.5;

// The roofline, level by level: a launch that does so many operations for each byte that a level of memory
// moves can do no more of them a second than that level's bandwidth lets it, and no more than the arithmetic
// units do.
//
//   operations a second  ≤  min(operations a byte × bytes a second of the level, the most of the units)
enum class MemoryLevel : std::uint8_t { Dram, L2, L1 };

struct Roof {
  MemoryLevel level = MemoryLevel::Dram;
  double bytes_per_second = 0;
};
struct Roofs {
  std::vector<Roof> memory;     // in the order of MemoryLevel; those that were measured
  double flops_per_second = 0;  // single precision, a multiply-add is two; 0: not measured

  bool empty() const { return memory.empty() || flops_per_second <= 0; }
  const Roof* of(MemoryLevel level) const {  // null: not measured
    for (const Roof& roof : memory)
      if (roof.level == level) return &roof;
    return nullptr;
  }
};
// The roof is the fastest of reading, writing and copying, so that nothing lies above it. L1's is its data
// stage, 128 bytes a wavefront, which serves shared memory too.
Roofs roofs_of(const Peaks& peaks);

struct LevelBytes {
  MemoryLevel level = MemoryLevel::Dram;
  double bytes = 0;
  CountSource source = CountSource::Predicted;
};
// What each level moves, of those whose counts are known and not 0: bytes of memory, sectors of L2 × 32,
// wavefronts of L1's data stage × 128.
std::vector<LevelBytes> level_bytes(const LaunchCounts& counts);

// What hardware counters alone say of a launch; what they lack is not known.
LaunchCounts counts_of(const CounterValues& measured);

struct RooflinePoint {
  MemoryLevel level = MemoryLevel::Dram;
  double intensity = 0;  // operations a byte
  double share = 0;      // of what the roofs above it allow, 1: it touches one; 0: the roof is not known
  CountSource source = CountSource::Predicted;
};
// A launch of `operations` in `seconds`, both above 0, a point a level.
std::vector<RooflinePoint> roofline_points(double operations, double seconds, const LaunchCounts& counts,
                                           const Roofs& roofs);

}  // namespace warplens::report
