#include "tests/differential/reference_totals.h"

#include <algorithm>
#include <bit>

#include "sim/memory/coalescing.h"
#include "sim/memory/cost.h"

namespace warplens::differential {

namespace {

using memory::Address;

std::vector<Address> active_addresses(const memory::WarpAccess& access) {
  std::vector<Address> active;
  for (std::size_t lane = 0; lane < memory::kWarpLanes; ++lane)
    if ((access.active >> lane & 1) != 0) active.push_back(access.addresses[lane]);
  return active;
}

void add_cost(sim::SiteTotals& site, const memory::Cost& cost, std::size_t lanes) {
  site.requests += static_cast<std::uint64_t>(cost.requests);
  site.active_lanes += lanes;
  site.bytes += static_cast<std::uint64_t>(cost.bytes);
  site.sectors += static_cast<std::uint64_t>(cost.sectors);
  site.ideal_sectors += static_cast<std::uint64_t>(cost.ideal_sectors);
  site.lines += static_cast<std::uint64_t>(cost.lines);
  site.load_sectors += static_cast<std::uint64_t>(cost.load_sectors);
  site.uncertain += cost.exact ? 0 : 1;
  site.wavefronts += static_cast<std::uint64_t>(cost.wavefronts);
  site.ideal_wavefronts += static_cast<std::uint64_t>(cost.ideal_wavefronts);
  site.bank_conflicts += static_cast<std::uint64_t>(cost.bank_conflicts);
  site.used_bytes += static_cast<std::uint64_t>(cost.used_bytes);
}

// The step that most neighbours have; of several as frequent, the one that comes first.
struct MainStep {
  std::int64_t bytes = 0;
  std::size_t pairs = 0;  // that have it
};
MainStep main_step(const std::vector<Address>& active) {
  std::vector<std::int64_t> steps;
  for (std::size_t i = 1; i < active.size(); ++i)
    steps.push_back(static_cast<std::int64_t>(active[i] - active[i - 1]));
  MainStep most;
  for (const std::int64_t step : steps) {
    const auto pairs = static_cast<std::size_t>(std::count(steps.begin(), steps.end(), step));
    if (pairs > most.pairs) most = {step, pairs};
  }
  return most;
}

std::size_t most_on_one_address(const std::vector<Address>& active) {
  std::map<Address, std::size_t> lanes;
  std::size_t most = 0;
  for (const Address address : active) most = std::max(most, ++lanes[address]);
  return most;
}

// Of an atomic, passes beyond the first through each sector.
std::uint64_t turns_of(const memory::WarpAccess& access) {
  std::uint64_t turns = 0;
  if (access.space != memory::Space::Global || access.texture) return turns;
  for (const memory::TouchedSector& sector : touched_sectors(access))
    turns += static_cast<std::uint64_t>(sector.passes - 1);
  return turns;
}

void add_shape(ReferenceShape& shape, const std::vector<Address>& active, const memory::Cost& cost,
               const LanePlace& place) {
  const int lost = std::max(0, cost.sectors - cost.ideal_sectors) + (cost.wavefronts - cost.ideal_wavefronts);
  const MainStep step = main_step(active);
  const bool regular = 2 * step.pairs >= active.size() - 1;
  ReferenceShape::Count& count = shape.steps[{regular, regular ? step.bytes : 0}];
  count.requests += 1;
  count.excess += static_cast<std::uint64_t>(lost);
  shape.same_address += most_on_one_address(active);
  shape.runs += std::max<std::size_t>(1, active.size() - step.pairs);
  shape.starts |= std::uint32_t{1} << (*std::min_element(active.begin(), active.end()) % 32);
  if (lost < shape.worst_excess || (lost == shape.worst_excess && place >= shape.worst)) return;
  shape.worst_excess = lost;
  shape.worst = place;
}

}  // namespace

LanePlace place_of(const memory::WarpAccess& access) {
  LanePlace place;
  place.active = access.active;
  const Address first = access.addresses[static_cast<std::size_t>(std::countr_zero(access.active))];
  constexpr Address kFar = Address{1} << 48;  // lanes may lie before the lowest one
  const Address shift = access.space == memory::Space::Global
                            ? kFar + first % static_cast<Address>(memory::GpuModel::line_bytes) - first
                            : 0;
  for (std::size_t lane = 0; lane < memory::kWarpLanes; ++lane)
    place.addresses[lane] = ((access.active >> lane & 1) != 0 ? access.addresses[lane] : first) + shift;
  return place;
}

void ReferenceTotals::add(const sim::Program& program, const sim::Trace& trace) {
  for (std::size_t i = 0; i < trace.made(); ++i) {
    const memory::WarpAccess access = trace.access(program, i);
    const std::vector<Address> active = active_addresses(access);
    const memory::Cost cost = memory::cost(access);
    const bool shared = access.space == memory::Space::Shared;
    const std::uint32_t site = trace.events[i].site;
    add_cost((shared ? shared_sites : global_sites)[site], cost, active.size());
    ReferenceShape& shape = (shared ? shared_shapes : global_shapes)[site];
    add_shape(shape, active, cost, place_of(access));
    shape.turns += turns_of(access);
    const memory::StageCost stage = l1_stages_of_placements(access);
    stages[site].tag_wavefronts += stage.tag_wavefronts;
    stages[site].data_wavefronts += stage.data_wavefronts;
  }
  barriers += trace.barriers;
}

void ReferenceTotals::add_up_stages() {
  const auto nearest = [](int parts) {
    return static_cast<std::uint64_t>((2 * parts + memory::kPlacements) / (2 * memory::kPlacements));
  };
  for (std::size_t site = 0; site < stages.size(); ++site) {
    global_sites[site].tag_wavefronts = nearest(stages[site].tag_wavefronts);
    global_sites[site].data_wavefronts = nearest(stages[site].data_wavefronts);
  }
}

std::vector<sim::Dim3> blocks_of(sim::Dim3 grid) {
  std::vector<sim::Dim3> blocks;
  for (std::uint64_t number = 0; number < grid.count(); ++number) blocks.push_back(grid.at(number));
  return blocks;
}

ReferenceTotals reference_totals(const sim::Program& program, const sim::Launch& launch,
                                 const memory::GpuModel& gpu, const sim::Limits& limits) {
  ReferenceTotals totals(program.sites.size());
  sim::trace_blocks(program, launch, gpu, blocks_of(launch.grid), limits, [&](sim::Trace trace) {
    totals.last = std::move(trace);
    totals.add(program, totals.last);
    totals.error = totals.last.error;
  });
  if (!totals.error) totals.add_up_stages();
  return totals;
}

}  // namespace warplens::differential
