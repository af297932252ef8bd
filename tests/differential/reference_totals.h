// The third way to count a grid: every block is traced, every access of the trace priced by itself, every
// shape read off the lanes' addresses. Nothing here is cached, sliced, multiplied or shared with
// AccessCounter and the classes; what one access costs is tests/memory's to check.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/count/totals.h"
#include "sim/trace/trace.h"

namespace warplens::differential {

// Where the lanes of an access are: inactive ones at the lowest active one; shared addresses from 0, of
// global ones only how they lie to each other and to the line.
struct LanePlace {
  memory::LaneMask active = 0;
  memory::LaneAddresses addresses{};
  friend bool operator==(const LanePlace&, const LanePlace&) = default;
  // Spelt out: emscripten's library has no <=> of arrays.
  friend std::strong_ordering operator<=>(const LanePlace& a, const LanePlace& b) {
    if (a.active != b.active) return a.active <=> b.active;
    if (a.addresses == b.addresses) return std::strong_ordering::equal;
    return a.addresses < b.addresses ? std::strong_ordering::less : std::strong_ordering::greater;
  }
};
LanePlace place_of(const memory::WarpAccess& access);

std::vector<sim::Dim3> blocks_of(sim::Dim3 grid);  // all of it, ascending

// What sim/count/access_shape.h says of a site, step by step.
struct ReferenceShape {
  struct Step {
    bool regular = true;
    std::int64_t bytes = 0;
    friend auto operator<=>(const Step&, const Step&) = default;
  };
  struct Count {
    std::uint64_t requests = 0, excess = 0;
    friend bool operator==(const Count&, const Count&) = default;
  };
  std::map<Step, Count> steps;
  std::uint64_t same_address = 0, runs = 0, turns = 0;
  std::uint32_t starts = 0;
  int worst_excess = -1;
  LanePlace worst;  // of those that lose most, the least
};

struct ReferenceTotals {
  explicit ReferenceTotals(std::size_t sites)
      : global_sites(sites), shared_sites(sites), global_shapes(sites), shared_shapes(sites), stages(sites) {}

  void add(const sim::Program& program, const sim::Trace& trace);
  void add_up_stages();  // into global_sites, when all is traced

  std::vector<sim::SiteTotals> global_sites, shared_sites;
  std::vector<ReferenceShape> global_shapes, shared_shapes;
  std::vector<memory::StageCost> stages;  // of global accesses, over all placements
  std::uint64_t barriers = 0;
  std::optional<sim::RunError> error;  // of the first block that has one
  sim::Trace last;                     // the last block traced
};

// Traces the blocks in ascending order, each over what those before it stored, up to the first that fails.
ReferenceTotals reference_totals(const sim::Program& program, const sim::Launch& launch,
                                 const memory::GpuModel& gpu, const sim::Limits& limits);

}  // namespace warplens::differential
