#include "sim/count/distinct_sectors.h"

#include <algorithm>
#include <map>

#include "sim/count/footprint.h"
#include "sim/count/grid/stretches.h"
#include "sim/launch/run.h"

namespace warplens::sim {

namespace {

constexpr std::uint64_t kSector = memory::GpuModel::sector_bytes;

// Sectors of a buffer, numbered from its start, by the index of its parameter.
using OfBuffers = std::map<std::size_t, ByteSet>;

// Mostly the next stretch is of the same site and buffer as the one before.
struct Marked {
  std::size_t parameter = 0;
  std::uint32_t site = 0;
  ByteSet* set = nullptr;
};

std::uint64_t sectors_in(const OfBuffers& sectors) {
  std::uint64_t sum = 0;
  for (const auto& [parameter, set] : sectors) sum += set.count();
  return sum;
}

void add_up(const Program& program, const std::vector<OfBuffers>& sites, HeldMemory& held,
            DistinctSectors& out) {
  std::array<OfBuffers, memory::kOps> ops;
  for (std::size_t site = 0; site < sites.size(); ++site) {
    out.by_site.push_back(sectors_in(sites[site]));
    OfBuffers& op = ops[static_cast<std::size_t>(program.sites[site].op)];
    for (const auto& [parameter, set] : sites[site]) op[parameter].add(set, held);
  }
  for (std::size_t op = 0; op < ops.size(); ++op) out.by_op[op] = sectors_in(ops[op]);
}

}  // namespace

DistinctSectors distinct_sectors(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                                 const Limits& limits) {
  DistinctSectors out;
  std::vector<OfBuffers> sites(program.sites.size());
  const auto site_of = [](const GlobalAccess& access) {
    return static_cast<std::uint32_t>(access.step->site);
  };
  run_within(limits, Stage::Counting, out.error, [&](Budget& budget) {
    HeldMemory held(budget);
    Marked last;
    const auto mark = [&](std::size_t parameter, std::uint32_t site, std::uint64_t begin, std::uint64_t end) {
      if (site >= sites.size()) return;  // of no site: constants, which are no requests to global memory
      if (last.set == nullptr || last.parameter != parameter || last.site != site)
        last = {parameter, site, &sites[site][parameter]};
      last.set->add(begin / kSector, (end - 1) / kSector + 1, held);
    };
    out.error = take_stretches(program, launch, gpu, limits, {}, budget, site_of, mark);
    add_up(program, sites, held, out);
  });
  return out;
}

}  // namespace warplens::sim
