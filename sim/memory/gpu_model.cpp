#include "sim/memory/gpu_model.h"

#include <algorithm>

namespace warplens::memory {

namespace {

constexpr std::string_view kGuide12 =
    "CUDA C++ Programming Guide 12, table of technical specifications per compute capability";
constexpr std::string_view kGuide13 =
    "CUDA Programming Guide 13, table of technical specifications per compute capability";
constexpr std::string_view kMeasured =
    "CUDA Programming Guide 13, table of technical specifications per compute capability; sectors, lines and "
    "banks "
    "checked on an NVIDIA H200 with Nsight Compute 2025.3.1";

constexpr GpuModel model(std::string_view name, std::string_view title, int major, int minor, int shared_kib,
                         std::string_view source) {
  GpuModel gpu;
  gpu.name = name;
  gpu.title = title;
  gpu.compute_major = major;
  gpu.compute_minor = minor;
  gpu.max_shared_bytes = shared_kib * 1024;
  gpu.source = source;
  return gpu;
}

constexpr GpuModel kModels[] = {
    model("sm_70", "Volta (V100)", 7, 0, 96, kGuide12),
    model("sm_72", "Volta (Jetson Xavier)", 7, 2, 96, kGuide12),
    model("sm_75", "Turing (T4, RTX 20)", 7, 5, 64, kGuide13),
    model("sm_80", "Ampere (A100)", 8, 0, 163, kGuide13),
    model("sm_86", "Ampere (A6000, RTX 30)", 8, 6, 99, kGuide13),
    model("sm_87", "Ampere (Jetson Orin)", 8, 7, 163, kGuide13),
    model("sm_89", "Ada (L40S, RTX 40)", 8, 9, 99, kGuide13),
    model("sm_90", "Hopper (H100, H200)", 9, 0, 227, kMeasured),
    model("sm_100", "Blackwell (B200)", 10, 0, 227, kGuide13),
    model("sm_103", "Blackwell Ultra (B300)", 10, 3, 227, kGuide13),
    model("sm_110", "Blackwell (Jetson Thor)", 11, 0, 227, kGuide13),
    model("sm_120", "Blackwell (RTX 50, RTX PRO 6000)", 12, 0, 99, kGuide13),
    model("sm_121", "Blackwell (DGX Spark)", 12, 1, 99, kGuide13),
};

}  // namespace

std::span<const GpuModel> gpu_models() {
  return kModels;
}

const GpuModel* find_gpu_model(std::string_view name) {
  const auto place = std::find_if(std::begin(kModels), std::end(kModels),
                                  [&](const GpuModel& gpu) { return gpu.name == name; });
  return place == std::end(kModels) ? nullptr : &*place;
}

const GpuModel& default_gpu_model() {
  return *find_gpu_model("sm_90");
}

}  // namespace warplens::memory
