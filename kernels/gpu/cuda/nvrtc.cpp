#include "kernels/gpu/cuda/nvrtc.h"

#include <algorithm>
#include <cstdlib>

namespace warplens::gpu {
namespace {

std::vector<std::string> library_names(int driver_major) {
  std::vector<std::string> names;
  if (const char* named = std::getenv("WARPLENS_NVRTC"); named != nullptr && *named != '\0') return {named};
  for (int major = 14; major >= 12; --major)
    if (driver_major == 0 || major <= driver_major) names.push_back("libnvrtc.so." + std::to_string(major));
  if (driver_major == 0 || driver_major >= 11) names.push_back("libnvrtc.so.11.2");
  return names;
}

}  // namespace

bool Nvrtc::load(int driver_major, Message& reason) {
  library_ = SharedLibrary::open(library_names(driver_major), cuda_library_folders());
  if (!library_) {
    reason =
        driver_major > 0
            ? Message("NVRTC, the compiler for kernels, was not found (libnvrtc.so of CUDA up to {})",
                      driver_major)
            : Message("NVRTC, the compiler for kernels, was not found (libnvrtc.so of CUDA 11.2 or newer)");
    return false;
  }
#define WARPLENS_LOOK_UP(name) &&library_.look_up(#name, name##_)
  const bool complete = true WARPLENS_NVRTC_FUNCTIONS(WARPLENS_LOOK_UP);
#undef WARPLENS_LOOK_UP
  if (!complete) {
    reason = Message("{} is not an NVRTC that this program can use", library_.path());
    return false;
  }
  int major = 0, minor = 0;
  nvrtcVersion_(&major, &minor);
  version_ = std::to_string(major) + "." + std::to_string(minor);
  include_folders_ = cuda_include_folders(library_.path());
  return true;
}

int Nvrtc::newest_architecture(int wanted) const {
  int count = 0;
  if (nvrtcGetNumSupportedArchs_(&count) != NVRTC_SUCCESS || count <= 0) return wanted;
  std::vector<int> known(static_cast<std::size_t>(count));
  nvrtcGetSupportedArchs_(known.data());
  int best = 0;
  for (const int architecture : known)
    if (architecture <= wanted) best = std::max(best, architecture);
  return best;
}

CompileOutput Nvrtc::compile(const CompileInput& input, int major, int minor, bool want_ptx) const {
  CompileOutput output;
  const int wanted = major * 10 + minor;
  const int known = newest_architecture(wanted);
  if (known == 0) {
    output.log = "NVRTC " + version_ + " no longer compiles for compute capability " + std::to_string(major) +
                 "." + std::to_string(minor);
    return output;
  }
  output.is_ptx = want_ptx || known != wanted;
  std::vector<std::string> options{
      "--gpu-architecture=" + std::string(output.is_ptx ? "compute_" : "sm_") + std::to_string(known) +
          (known == wanted && measure::needs_this_architecture(input.text) ? "a" : ""),
      "--device-as-default-execution-space", "--generate-line-info", "--pre-include=warplens_prelude.h"};
  for (const auto& [name, value] : input.defines)
    options.push_back("--define-macro=" + name + (value.empty() ? "" : "=" + value));
  for (const std::string& folder : input.folders) options.push_back("--include-path=" + folder);
  for (const std::string& folder : include_folders_) options.push_back("--include-path=" + folder);

  std::vector<const char*> words, header_texts, header_names;
  for (const std::string& option : options) words.push_back(option.c_str());
  for (const auto& [name, text] : input.headers) {
    header_names.push_back(name.c_str());
    header_texts.push_back(text.c_str());
  }
  nvrtcProgram program = nullptr;
  if (nvrtcCreateProgram_(&program, input.text.c_str(), input.file_name.c_str(),
                          static_cast<int>(header_names.size()), header_texts.data(),
                          header_names.data()) != NVRTC_SUCCESS) {
    output.log = "NVRTC takes no such program";
    return output;
  }
  nvrtcAddNameExpression_(program, input.name_expression.c_str());
  output.done = nvrtcCompileProgram_(program, static_cast<int>(words.size()), words.data()) == NVRTC_SUCCESS;
  std::size_t size = 0;
  if (nvrtcGetProgramLogSize_(program, &size) == NVRTC_SUCCESS && size > 1) {
    output.log.resize(size);
    nvrtcGetProgramLog_(program, output.log.data());
    output.log.resize(size - 1);
  }
  const char* lowered = nullptr;
  if (output.done && nvrtcGetLoweredName_(program, input.name_expression.c_str(), &lowered) == NVRTC_SUCCESS)
    output.lowered_name = lowered;
  if (output.done) {
    (output.is_ptx ? nvrtcGetPTXSize_ : nvrtcGetCUBINSize_)(program, &size);
    output.image.resize(size);
    (output.is_ptx ? nvrtcGetPTX_ : nvrtcGetCUBIN_)(program, output.image.data());
  }
  nvrtcDestroyProgram_(&program);
  return output;
}

}  // namespace warplens::gpu
