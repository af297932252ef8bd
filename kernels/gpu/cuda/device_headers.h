// Headers that a kernel's text may include and NVRTC has not: stand-ins that declare what device code uses of
// them.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace warplens::gpu {

// The prelude, which goes before every text as nvcc puts cuda_runtime.h before it, and a stand-in for each
// include of `text` that is not in one of the folders.
std::vector<std::pair<std::string, std::string>> device_headers(
    const std::string& text, const std::vector<std::string>& include_folders);

}  // namespace warplens::gpu
