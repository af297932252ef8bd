#include "sim/report/in_flight.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/numbers.h"
#include "sim/report/output/table.h"

namespace warplens::report {

namespace {

std::uint64_t nearest(double count) {
  return static_cast<std::uint64_t>(std::llround(count));
}

// Why there are no more warps, or that only loads can put more on their way.
std::string more_of(const InFlight& f) {
  if (f.whole_grid) return "  the grid has no more blocks: the GPU could take more at once\n";
  if (f.residency.warps < f.most_warps)
    return formatted("  a multiprocessor has %d of %d warps: ", f.residency.warps, f.most_warps) +
           f.residency.why.english() + "\n";
  return "  a multiprocessor has all warps that it takes: only more loads of each before it waits put more "
         "on "
         "their way\n";
}

}  // namespace

InFlight in_flight(const sim::LoadWaits& waits, const memory::GpuModel& gpu, std::optional<int> registers,
                   const Peaks* peaks) {
  InFlight f;
  f.residency = sim::residency(gpu, waits.block_threads, waits.shared_bytes, registers);
  f.most_warps = gpu.multiprocessor_threads / static_cast<int>(memory::kWarpLanes);
  f.warps = static_cast<double>(sim::first_wave(gpu, f.residency.blocks, waits.grid_blocks) * waits.warps);
  f.loads = waits.loads_a_wait();
  if (waits.loads > 0) f.load_bytes = waits.bytes_a_wait() / f.loads;
  f.bytes = f.warps * waits.bytes_a_wait();
  f.whole_grid = waits.grid_blocks < static_cast<std::uint64_t>(f.residency.blocks) *
                                         static_cast<std::uint64_t>(gpu.multiprocessors);
  if (peaks == nullptr || peaks->dram_latency <= 0 || peaks->dram_read <= 0) return f;
  f.latency_seconds = peaks->dram_latency;
  f.bytes_per_second = peaks->dram_read;
  f.needed_bytes = f.latency_seconds * f.bytes_per_second;
  return f;
}

nlohmann::ordered_json in_flight_json(const InFlight& f) {
  nlohmann::ordered_json document{
      {"warps", nearest(f.warps)}, {"warps_per_multiprocessor", f.residency.warps},
      {"loads", f.loads},          {"load_bytes", f.load_bytes},
      {"bytes", nearest(f.bytes)}, {"needed_bytes", nullptr},
      {"source", "unknown"}};
  if (!f.needed_bytes) return document;
  document["needed_bytes"] = nearest(*f.needed_bytes);
  document["source"] = "measured";
  document["latency_seconds"] = f.latency_seconds;
  document["bytes_per_second"] = f.bytes_per_second;
  return document;
}

std::string in_flight_text(const InFlight& f, bool advised) {
  std::string text = "Bytes on their way from memory (Little's law)\n";
  if (f.loads == 0) return text + "  no warp loads from global memory\n";
  text += "  " + grouped(nearest(f.warps)) +
          formatted(" %s at once x %.3g %s before each waits x %.4g bytes = ",
                    nearest(f.warps) == 1 ? "warp" : "warps", f.loads, f.loads == 1 ? "load" : "loads",
                    f.load_bytes) +
          grouped(nearest(f.bytes)) + " bytes at most, as the text has its loads\n";
  if (!f.needed_bytes)
    return text +
           "  what keeps memory busy is its latency x bandwidth; the latency of this GPU is measured by: "
           "warplens-cli measure --peaks -o FILE\n" +
           (advised ? more_of(f) : "");
  text += formatted("  memory is kept busy by %.0f ns x %.3g bytes a second = ", f.latency_seconds * 1e9,
                    f.bytes_per_second) +
          grouped(nearest(*f.needed_bytes)) + " bytes, measured; " +
          (*f.share() < 1 ? formatted("%.0f %% of them can be on their way\n", 100 * *f.share())
                          : std::string("as many can be on their way\n"));
  return *f.share() < 1 && advised ? text + more_of(f) : text;
}

}  // namespace warplens::report
