// From a subject's text to machine code: the mode's changes, host code out of the way, errors at the text's
// lines.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/gpu/device.h"
#include "kernels/protocol/protocol.h"

namespace warplens::gpu {

struct KernelImage {
  std::string image;  // cubin or PTX, for the driver
  std::string lowered_name;
  std::string as_written;  // how the mode was reached, in words
};

// Throws FailureError (Compile) with diagnostics.
KernelImage compile_kernel(const Nvrtc& nvrtc, const measure::Subject& subject, int major, int minor);

// As optimised, as PTX. Throws FailureError.
measure::Ptx compile_to_ptx(const measure::PtxRequest& request);

// A helper of this program's own.
std::unique_ptr<Kernel> helper_kernel(Gpu& gpu, const std::string& text, const std::string& kernel);

// "transpose<32, 8>"
std::string name_expression(const std::string& kernel, const std::vector<std::string>& template_arguments);

// Headers that a kernel's text may include and NVRTC has not: stand-ins that declare what device code uses of
// them.

// The prelude, which goes before every text as nvcc puts cuda_runtime.h before it, and a stand-in for each
// include of `text` that is not in one of the folders.
std::vector<std::pair<std::string, std::string>> device_headers(
    const std::string& text, const std::vector<std::string>& include_folders);

}  // namespace warplens::gpu
