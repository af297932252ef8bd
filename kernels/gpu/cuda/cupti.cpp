#include "kernels/gpu/cuda/cupti.h"

#ifdef WARPLENS_CUPTI

#include <cstdlib>

namespace warplens::gpu {

Cupti::Cupti(Gpu& gpu) {
  std::vector<std::string> files;
  for (int major = std::atoi(gpu.info().cuda.c_str()); major >= 12; --major)
    files.push_back("libcupti.so." + std::to_string(major));
  library_ = SharedLibrary::open(files, cuda_library_folders());
  if (!library_) throw NoCounters{Message("CUPTI (libcupti.so of the CUDA Toolkit) was not found")};
}

void* Cupti::symbol(const char* name) const {
  void* found = library_.symbol(name);
  if (found == nullptr)
    throw NoCounters{Message("{} is too old: it has no {} (CUDA Toolkit 12.6)", library_.path(), name)};
  return found;
}

void Cupti::check(CUptiResult result, const char* what) const {
  if (result == CUPTI_SUCCESS) return;
  if (result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)
    throw NoCounters{Message(
        "this user may not read the GPU's counters. An administrator can allow it with the driver option "
        "NVreg_RestrictProfilingToAdminUsers=0 (modprobe nvidia), or run warplens-gpu as root")};
  decltype(&cuptiGetErrorMessage) message = nullptr;
  look_up("cuptiGetErrorMessage", message);
  const char* words = nullptr;
  message(result, &words);
  throw NoCounters{Message("CUPTI failed {}: {} ({})", what, words != nullptr ? words : "unknown error",
                           static_cast<int>(result))};
}

}  // namespace warplens::gpu

#endif
