#include "sim/count/resident_sectors.h"

#include <algorithm>
#include <map>
#include <memory>

#include "sim/count/block_accesses.h"
#include "sim/count/footprint.h"
#include "sim/count/grid/stretches.h"
#include "sim/launch/residency.h"
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

namespace {

class ResidentFinder {
 public:
  ResidentFinder(const Program& program, const Launch& launch, const memory::GpuModel& gpu, Budget& budget,
                 const SectorTable& of_block, ResidentSectors& out)
      : program_(program),
        launch_(launch),
        gpu_(gpu),
        budget_(budget),
        held_(budget),
        pace_(budget, Stage::Counting),
        of_block_(of_block),
        out_(out) {}

  void find(std::uint64_t number, std::optional<int> registers, std::atomic<double>* progress) {
    auto runner = begin();
    if (out_.error) return;
    const Bound& bound = runner->bound();
    const int at_once = residency(gpu_, bound.threads, bound.shared_bytes, registers).blocks;
    out_.blocks = residents(gpu_, at_once, launch_.grid.count(), number);
    std::erase(out_.blocks, number);
    held_.need(of_block_.slots().size() * (sizeof(std::uint64_t) + 1), Stage::Counting);
    found_.resize(of_block_.slots().size());
    for (std::size_t i = 0; i < out_.blocks.size() && !out_.error; ++i) {
      // What another block stored may lead a block elsewhere.
      if (i > 0 && program_.reads_written_global >= 0) runner = begin();
      if (!runner->run(launch_.grid.at(out_.blocks[i]), [this](const GlobalAccess& access) { add(access); }))
        out_.error = runner->error();
      if (progress != nullptr)
        progress->store(static_cast<double>(i + 1) / static_cast<double>(out_.blocks.size()));
    }
    collect();
  }

 private:
  std::unique_ptr<BlockAccesses> begin() {
    auto runner = std::make_unique<BlockAccesses>(program_, launch_, gpu_, budget_);
    out_.error = runner->error();
    return runner;
  }

  void add(const GlobalAccess& access) {
    pace_.step();
    if (access.step->site < 0) return;  // constants: no requests to global memory
    for (const std::uint64_t sector : sectors_of(access.mask, access.at)) {
      if (const SectorTable::Entry* entry = of_block_.find(sector))
        found_[static_cast<std::size_t>(entry - of_block_.slots().data())] = true;
    }
  }

  void collect() {
    for (std::size_t slot = 0; slot < found_.size(); ++slot)
      if (found_[slot]) out_.sectors.push_back(of_block_.slots()[slot].sector);
    std::ranges::sort(out_.sectors);
  }

  const Program& program_;
  const Launch& launch_;
  const memory::GpuModel& gpu_;
  Budget& budget_;
  HeldMemory held_;
  Pace pace_;
  const SectorTable& of_block_;
  ResidentSectors& out_;
  std::vector<bool> found_;  // by slot of of_block_
};

}  // namespace

bool ResidentSectors::has(std::uint64_t sector) const {
  return std::ranges::binary_search(sectors, sector);
}

ResidentSectors resident_sectors(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                                 const SectorTable& of_block, std::uint64_t number,
                                 std::optional<int> registers, const Limits& limits) {
  ResidentSectors out;
  run_within(limits, Stage::Counting, out.error, [&](Budget& budget) {
    ResidentFinder(program, launch, gpu, budget, of_block, out).find(number, registers, limits.progress);
  });
  return out;
}

}  // namespace warplens::sim
