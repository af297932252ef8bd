// Facts about a GPU architecture, as data: the rules read them and never branch on a name.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace warplens::memory {

struct GpuModel {
  std::string_view name;   // "sm_90"
  std::string_view title;  // "Hopper (H100, H200)"
  int compute_major = 9, compute_minor = 0;
  // The same from compute capability 7.0 on.
  static constexpr int sector_bytes = 32;
  static constexpr int line_bytes = 128;
  static constexpr int shared_banks = 32;
  static constexpr int bank_bytes = 4;
  int max_threads_per_block = 1024;
  int max_block_x = 1024, max_block_y = 1024, max_block_z = 64;
  long max_grid_x = 2147483647, max_grid_y = 65535, max_grid_z = 65535;
  int static_shared_bytes = 48 * 1024;  // per block, without opting in
  int max_shared_bytes = 227 * 1024;    // per block, dynamic, opted in
  // What one multiprocessor has for the blocks that are on it at once.
  int multiprocessor_threads = 2048;
  int multiprocessor_blocks = 32;
  int multiprocessor_registers = 64 * 1024;  // of 32 bits; as many as one block may have
  int multiprocessor_shared_bytes = 228 * 1024;
  // How it is allocated: registers in whole units for each warp, with warps distributed over the parts of the
  // multiprocessor; shared memory in whole units for each block, including what the system reserves.
  int max_registers_per_thread = 255;
  int register_unit = 256;
  int multiprocessor_parts = 4;  // warp schedulers, each with its share of the registers
  int shared_unit = 128;
  int reserved_shared_bytes = 1024;  // per block
  int own_l1_bytes = 0;              // 0: L1 has what shared memory leaves over of a multiprocessor's memory
  // That memory is for L1 and shared memory together. Shared memory takes one of these sizes, in KiB and
  // ascending (0: no more of them).
  int unified_bytes = 256 * 1024;
  std::array<std::uint8_t, 10> shared_sizes_kib{0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
  // L2 fetches this much from memory at a time: both sectors of an aligned pair.
  static constexpr int fetch_bytes = 64;
  // These are the numbers of one product; others of the architecture have more or fewer.
  int multiprocessors = 132;
  std::uint64_t l2_bytes = std::uint64_t{60} << 20;
  int l2_parts = 2;         // each keeps what the multiprocessors beside it ask for: a line can be in both
  std::string_view part;    // "H200"
  std::string_view source;  // where the figures come from
  std::string_view
      unchecked{};  // which of these figures are taken over and not checked on such a GPU, in words
};

std::span<const GpuModel> gpu_models();
const GpuModel* find_gpu_model(std::string_view name);  // nullptr: unknown
const GpuModel& default_gpu_model();                    // sm_90, on which the rules were checked

}  // namespace warplens::memory
