#include "sim/warp/totals.h"

#include <chrono>

#include "sim/warp/machine_block.h"
#include "sim/warp/machine_decode.h"

namespace warplens::warp {

namespace {

class PricingSink final : public AccessSink {
 public:
  PricingSink(const Program& program, const memory::GpuModel& gpu, Totals& totals)
      : program_(program), gpu_(gpu), totals_(totals) {}

  void on_access(Machine&, const AccessStep& x, memory::Space space, LaneMask mask,
                 const memory::LaneAddresses& addresses) override {
    memory::WarpAccess access;
    access.space = space;
    access.op = x.op;
    access.bytes = x.bytes;
    access.active = mask;
    for (std::size_t i = 0; i < kWarpLanes; ++i) {
      access.addresses[i] = addresses[i] - (space == memory::Space::Shared ? kSharedWindow : 0);
    }
    const memory::Cost cost = memory::cost(gpu_, access);
    auto& sites = space == memory::Space::Shared ? totals_.shared_sites : totals_.global_sites;
    SiteTotals& site = sites[static_cast<std::size_t>(x.site)];
    site.requests += static_cast<std::uint64_t>(cost.requests);
    site.active_lanes += static_cast<std::uint64_t>(__builtin_popcount(mask));
    site.bytes += static_cast<std::uint64_t>(cost.bytes);
    site.sectors += static_cast<std::uint64_t>(cost.sectors);
    site.ideal_sectors += static_cast<std::uint64_t>(cost.ideal_sectors);
    site.lines += static_cast<std::uint64_t>(cost.lines);
    site.wavefronts += static_cast<std::uint64_t>(cost.wavefronts);
    site.ideal_wavefronts += static_cast<std::uint64_t>(cost.ideal_wavefronts);
    site.bank_conflicts += static_cast<std::uint64_t>(cost.bank_conflicts);
  }

 private:
  const Program& program_;
  const memory::GpuModel& gpu_;
  Totals& totals_;
};

RunError bad_launch(std::string message) {
  RunError error;
  error.message = std::move(message);
  return error;
}

}  // namespace

Totals grid_totals(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                   const TotalsOptions& options) {
  const auto began = std::chrono::steady_clock::now();
  Totals totals;
  totals.global_sites.resize(program.sites.size());
  totals.shared_sites.resize(program.sites.size());
  totals.blocks_total = launch.grid.count();
  Bound bound;
  const std::string wrong = bind(program, launch, gpu, bound);
  if (!wrong.empty()) {
    totals.error = bad_launch(wrong);
    return totals;
  }
  const DecodeResult decoded = decode(bound);
  PricingSink sink(program, gpu, totals);
  GlobalMemory global(bound, options.limits.memory_bytes);
  RunMeter meter(options.limits);
  {
    BlockRunner runner(bound, decoded.code, global, &sink, meter);
    BlockState block;
    const Dim3 grid = launch.grid;
    for (std::uint64_t i = 0; i < totals.blocks_total && !totals.error; ++i) {
      runner.start(block,
                   {static_cast<std::uint32_t>(i % grid.x), static_cast<std::uint32_t>(i / grid.x % grid.y),
                    static_cast<std::uint32_t>(i / grid.x / grid.y)});
      if (!runner.run(block)) totals.error = runner.error();
      ++totals.blocks_simulated;
    }
    totals.barriers = runner.barriers();
  }
  totals.warp_instructions = meter.executed();
  totals.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return totals;
}

}  // namespace warplens::warp
