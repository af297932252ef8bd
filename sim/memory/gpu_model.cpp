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

// What differs between the architectures: the table's rows "maximum number of resident threads (blocks) per
// SM", "maximum amount of shared memory per SM" and "... per thread block", which is less by what the system
// keeps of each block. The units in which registers and shared memory are given out are those of the
// occupancy calculator (cuda_occupancy.h of the CUDA Toolkit 13).
struct Multiprocessor {
  int threads, blocks, shared_kib, unified_kib;
  std::array<std::uint8_t, 10> shared_sizes_kib;
  int shared_unit = 128, reserved_shared_bytes = 1024;
  int block_shared_kib = 0;  // the most that a block can have; 0: all but what is reserved
};
// The sizes that shared memory can take of the memory that it has in common with L1: the guide's sections on
// each architecture, "Shared Memory".
constexpr std::array<std::uint8_t, 10> kLargeSizes{0, 8, 16, 32, 64, 100, 132, 164},
    kSmallSizes{0, 8, 16, 32, 64, 100}, kHopperSizes{0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
// Shared memory and L1 are apart; what a block can have does not grow by opting in.
constexpr Multiprocessor kPascalLarge{2048, 32, 64, 0, {}, 256, 0, 48};
constexpr Multiprocessor kPascal{2048, 32, 96, 0, {}, 256, 0, 48};
constexpr Multiprocessor kVolta{2048, 32, 96, 128, {0, 8, 16, 32, 64, 96}, 256, 0};
constexpr Multiprocessor kTuring{1024, 16, 64, 96, {32, 64}, 256, 0};
constexpr Multiprocessor kAmpere{2048, 32, 164, 192, kLargeSizes};
constexpr Multiprocessor kSmallAmpere{1536, 16, 100, 128, kSmallSizes};
constexpr Multiprocessor kOrin{1536, 16, 164, 192, kLargeSizes};
constexpr Multiprocessor kAda{1536, 24, 100, 128, kSmallSizes};
constexpr Multiprocessor kHopper{2048, 32, 228, 256, kHopperSizes};
constexpr Multiprocessor kThor{1536, 24, 228, 256, kHopperSizes};
constexpr Multiprocessor kSmallBlackwell{1536, 24, 100, 128, kSmallSizes};

// How many multiprocessors a part has and how large its L2 cache is, from NVIDIA's paper on its architecture
// or the part's data sheet. The large ones since the A100 have their L2 cache in two parts.
struct Part {
  std::string_view name;
  int multiprocessors;
  int l2_kib;
  int l2_parts = 1;
};

constexpr GpuModel model(std::string_view name, std::string_view title, int major, int minor,
                         const Multiprocessor& has, const Part& part, std::string_view source) {
  GpuModel gpu;
  gpu.name = name;
  gpu.title = title;
  gpu.compute_major = major;
  gpu.compute_minor = minor;
  gpu.max_shared_bytes = has.block_shared_kib > 0 ? has.block_shared_kib * 1024
                                                  : has.shared_kib * 1024 - has.reserved_shared_bytes;
  gpu.multiprocessor_threads = has.threads;
  gpu.multiprocessor_blocks = has.blocks;
  gpu.multiprocessor_shared_bytes = has.shared_kib * 1024;
  gpu.unified_bytes = has.unified_kib * 1024;
  gpu.shared_sizes_kib = has.shared_sizes_kib;
  gpu.l2_bytes = static_cast<std::uint64_t>(part.l2_kib) * 1024;
  gpu.l2_parts = part.l2_parts;
  gpu.shared_unit = has.shared_unit;
  gpu.reserved_shared_bytes = has.reserved_shared_bytes;
  gpu.part = part.name;
  gpu.multiprocessors = part.multiprocessors;
  gpu.source = source;
  return gpu;
}

constexpr std::string_view kPascalSource =
    "CUDA C++ Programming Guide 12, technical specifications and section on compute capability 6.x";
// Two parts of a multiprocessor on compute capability 6.0, four on 6.1 (cuda_occupancy.h).
constexpr GpuModel pascal(GpuModel gpu, int parts, int l1_kib) {
  gpu.multiprocessor_parts = parts;
  gpu.own_l1_bytes = l1_kib * 1024;
  gpu.unchecked =
      "sectors, lines and banks follow compute capability 7.0 and later; transactions of loads, published "
      "figures";
  return gpu;
}

constexpr GpuModel kModels[] = {
    // GP100: 56 (Tesla P100 white paper).
    pascal(model("sm_60", "Pascal (P100)", 6, 0, kPascalLarge, {"P100", 56, 4096}, kPascalSource), 2, 24),
    // 1024 cores of 128 a multiprocessor (Quadro P2000 data sheet).
    pascal(model("sm_61", "Pascal (Quadro P2000, GTX 10)", 6, 1, kPascal, {"Quadro P2000", 8, 1280},
                 kPascalSource),
           4, 48),
    // GV100: 80 (Tesla V100 GPU Architecture).
    model("sm_70", "Volta (V100)", 7, 0, kVolta, {"V100", 80, 6144}, kGuide12),
    // 512 cores of 64 a multiprocessor (Jetson AGX Xavier data sheet).
    model("sm_72", "Volta (Jetson Xavier)", 7, 2, kVolta, {"Jetson AGX Xavier", 8, 512}, kGuide12),
    // TU104: 40 (Turing GPU Architecture).
    model("sm_75", "Turing (T4, RTX 20)", 7, 5, kTuring, {"T4", 40, 4096}, kGuide13),
    // GA100: 108 (A100 Tensor Core GPU Architecture).
    model("sm_80", "Ampere (A100)", 8, 0, kAmpere, {"A100", 108, 40960, 2}, kGuide13),
    // GA102: 84 (Ampere GA102 GPU Architecture).
    model("sm_86", "Ampere (A6000, RTX 30)", 8, 6, kSmallAmpere, {"RTX A6000", 84, 6144}, kGuide13),
    // 2048 cores of 128 a multiprocessor (Jetson AGX Orin data sheet).
    model("sm_87", "Ampere (Jetson Orin)", 8, 7, kOrin, {"Jetson AGX Orin", 16, 4096}, kGuide13),
    // 18176 cores of 128 a multiprocessor (L40S data sheet).
    model("sm_89", "Ada (L40S, RTX 40)", 8, 9, kAda, {"L40S", 142, 98304}, kGuide13),
    // H100 SXM and H200: 132 (H100 Tensor Core GPU Architecture), as the H200 reports itself.
    model("sm_90", "Hopper (H100, H200)", 9, 0, kHopper, {"H200", 132, 61440, 2}, kMeasured),
    // 148, as the B200 reports itself.
    model("sm_100", "Blackwell (B200)", 10, 0, kHopper, {"B200", 148, 129024, 2}, kGuide13),
    // 160, as NVIDIA's "Inside Blackwell Ultra" counts the whole chip.
    model("sm_103", "Blackwell Ultra (B300)", 10, 3, kHopper, {"B300", 160, 129024, 2}, kGuide13),
    // 2560 cores of 128 a multiprocessor (Jetson AGX Thor data sheet).
    model("sm_110", "Blackwell (Jetson Thor)", 11, 0, kThor, {"Jetson AGX Thor", 20, 32768}, kGuide13),
    // GB202: 170 (RTX Blackwell GPU Architecture).
    model("sm_120", "Blackwell (RTX 50, RTX PRO 6000)", 12, 0, kSmallBlackwell, {"RTX 5090", 170, 98304},
          kGuide13),
    // 6144 cores of 128 a multiprocessor (DGX Spark data sheet).
    model("sm_121", "Blackwell (DGX Spark)", 12, 1, kSmallBlackwell, {"GB10", 48, 24576}, kGuide13),
};

}  // namespace

std::span<const GpuModel> gpu_models() {
  return kModels;
}

const GpuModel* find_gpu_model(std::string_view name) {
  const auto place = std::ranges::find(kModels, name, &GpuModel::name);
  return place == std::end(kModels) ? nullptr : &*place;
}

const GpuModel& default_gpu_model() {
  return *find_gpu_model("sm_90");
}

}  // namespace warplens::memory
