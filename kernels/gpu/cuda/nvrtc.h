// NVRTC, NVIDIA's run-time compiler, opened while the program runs.
#pragma once

#include <nvrtc.h>

#include <string>
#include <utility>
#include <vector>

#include "kernels/gpu/cuda/shared_library.h"
#include "kernels/protocol/failure.h"

namespace warplens::gpu {

// What to compile. Every include of `text` must be in `headers` or in an include folder.
struct CompileInput {
  std::string text, file_name;
  std::string name_expression;  // "transpose<32, 8>"
  std::vector<std::pair<std::string, std::string>> defines;
  std::vector<std::pair<std::string, std::string>> headers;  // name, text
  std::vector<std::string> folders;                          // with more of them
};

struct CompileOutput {
  bool done = false;
  std::string image;  // cubin or PTX
  bool is_ptx = false;
  std::string lowered_name;  // of the kernel in the image
  std::string log;
};

class Nvrtc {
 public:
  // Libraries of a major version above `driver_major` are passed over: their code needs a newer driver. 0:
  // any.
  bool load(int driver_major, Message& reason);
  std::string version() const { return version_; }
  const std::vector<std::string>& include_folders() const { return include_folders_; }

  // For compute capability major.minor. `want_ptx` gives text to rewrite; else machine code where the
  // compiler knows the GPU.
  CompileOutput compile(const CompileInput& input, int major, int minor, bool want_ptx) const;

 private:
  int newest_architecture(int wanted) const;

  SharedLibrary library_;
  std::string version_;
  std::vector<std::string> include_folders_;
#define WARPLENS_NVRTC_FUNCTIONS(X)                                                     \
  X(nvrtcVersion)                                                                       \
  X(nvrtcGetNumSupportedArchs)                                                          \
  X(nvrtcGetSupportedArchs)                                                             \
  X(nvrtcCreateProgram)                                                                 \
  X(nvrtcDestroyProgram)                                                                \
  X(nvrtcCompileProgram)                                                                \
  X(nvrtcGetPTXSize)                                                                    \
  X(nvrtcGetPTX)                                                                        \
  X(nvrtcGetCUBINSize) X(nvrtcGetCUBIN) X(nvrtcGetProgramLogSize) X(nvrtcGetProgramLog) \
      X(nvrtcAddNameExpression) X(nvrtcGetLoweredName)
#define WARPLENS_MEMBER(name) decltype(&::name) name##_ = nullptr;
  WARPLENS_NVRTC_FUNCTIONS(WARPLENS_MEMBER)
#undef WARPLENS_MEMBER
};

}  // namespace warplens::gpu
