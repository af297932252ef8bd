// The least time that each resource needs for a launch: what the launch asks of it, divided by the most that
// it can do. No time is predicted by that: the launch takes at least as long as the slowest of them, and
// longer where they wait for each other.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "sim/report/peaks.h"

namespace warplens::report {

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

}  // namespace warplens::report
