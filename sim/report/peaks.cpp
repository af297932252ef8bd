#include "sim/report/peaks.h"

namespace warplens::report {

std::span<const PeakName> peak_names() {
  static constexpr PeakName kNames[] = {
      {"launches", &Peaks::launches, "launches"},
      {"blocks", &Peaks::blocks, "blocks"},
      {"dram_read", &Peaks::dram_read, "bytes"},
      {"dram_write", &Peaks::dram_write, "bytes"},
      {"dram_copy", &Peaks::dram_copy, "bytes"},
      {"l2_read", &Peaks::l2_read, "sectors"},
      {"l2_write", &Peaks::l2_write, "sectors"},
      {"l2_copy", &Peaks::l2_copy, "sectors"},
      {"l1_lines", &Peaks::l1_lines, "lines"},
      {"shared_wavefronts", &Peaks::shared_wavefronts, "wavefronts"},
      {"atomic_turns", &Peaks::atomic_turns, "turns"},
      {"atomic_slice", &Peaks::atomic_slice, "turns"},
      {"atomic_one_address", &Peaks::atomic_one_address, "turns"},
      {"fma", &Peaks::fma, "warp instructions"},
  };
  return kNames;
}

std::span<const PeakName> latency_names() {
  static constexpr PeakName kNames[] = {
      {"dram_latency", &Peaks::dram_latency, "seconds"},
      {"l2_latency", &Peaks::l2_latency, "seconds"},
  };
  return kNames;
}

}  // namespace warplens::report
