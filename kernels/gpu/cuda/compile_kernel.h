// From a subject's text to machine code: the mode's changes, host code out of the way, errors at the text's
// lines.
#pragma once

#include "kernels/gpu/cuda/nvrtc.h"
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
KernelImage compile_helper(const Nvrtc& nvrtc, const std::string& text, const std::string& kernel, int major,
                           int minor);

// "transpose<32, 8>"
std::string name_expression(const std::string& kernel, const std::vector<std::string>& template_arguments);

}  // namespace warplens::gpu
