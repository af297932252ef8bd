// Facts of a GPU architecture, as data: the rules read them and never branch on a name.
#pragma once

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
  std::string_view source;              // where the figures come from
};

std::span<const GpuModel> gpu_models();
const GpuModel* find_gpu_model(std::string_view name);  // nullptr: unknown
const GpuModel& default_gpu_model();                    // sm_90, on which the rules were checked

}  // namespace warplens::memory
