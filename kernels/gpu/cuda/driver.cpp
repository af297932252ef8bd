#include "kernels/gpu/cuda/driver.h"

#include <algorithm>

namespace warplens::gpu {
namespace {

using measure::Failure;
using measure::FailureKind;

// What a student is told about the errors that a kernel itself causes.
Message remedy_of(CUresult result) {
  switch (result) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
      return Message(
          "The kernel read or wrote outside its buffers. The simulator names the lane and the line "
          "(warplens-cli report).");
    case CUDA_ERROR_MISALIGNED_ADDRESS:
      return Message(
          "An address was not a multiple of the access's width. The simulator names the lane and the line.");
    case CUDA_ERROR_ASSERT:
      return Message("An assert in the kernel failed.");
    case CUDA_ERROR_LAUNCH_TIMEOUT:
      return Message("The display driver stopped the kernel because it ran too long.");
    case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
      return Message("A block needs more registers than the GPU has: use fewer threads a block.");
    default:
      return {};
  }
}

FailureKind kind_of(CUresult result) {
  if (result == CUDA_ERROR_OUT_OF_MEMORY) return FailureKind::OutOfMemory;
  if (result == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES || result == CUDA_ERROR_INVALID_VALUE)
    return FailureKind::Launch;
  if (is_sticky(result)) return FailureKind::Kernel;
  return FailureKind::Internal;
}

}  // namespace

bool is_sticky(CUresult result) {
  constexpr CUresult kSticky[] = {CUDA_ERROR_ECC_UNCORRECTABLE,    CUDA_ERROR_ILLEGAL_ADDRESS,
                                  CUDA_ERROR_LAUNCH_TIMEOUT,       CUDA_ERROR_ASSERT,
                                  CUDA_ERROR_HARDWARE_STACK_ERROR, CUDA_ERROR_ILLEGAL_INSTRUCTION,
                                  CUDA_ERROR_MISALIGNED_ADDRESS,   CUDA_ERROR_INVALID_ADDRESS_SPACE,
                                  CUDA_ERROR_INVALID_PC,           CUDA_ERROR_LAUNCH_FAILED,
                                  CUDA_ERROR_CONTEXT_IS_DESTROYED, CUDA_ERROR_UNKNOWN};
  return std::ranges::find(kSticky, result) != std::end(kSticky);
}

bool Driver::load(Message& reason) {
  library = SharedLibrary::open({"libcuda.so.1"},
                                {"/usr/local/nvidia/lib64", "/usr/lib/wsl/lib", "/usr/lib64-nvidia",
                                 "/usr/lib/x86_64-linux-gnu/nvidia/current"});
  if (!library) {
    reason = Message(
        "this machine has no NVIDIA driver (libcuda.so.1 was not found), so no GPU that can run CUDA "
        "kernels");
    return false;
  }
#define WARPLENS_LOOK_UP(member, type, name)                                          \
  member = reinterpret_cast<decltype(member)>(library.symbol(name));                  \
  if (member == nullptr) {                                                            \
    reason = Message("the NVIDIA driver is too old: it lacks the function {}", name); \
    return false;                                                                     \
  }
  WARPLENS_DRIVER_FUNCTIONS(WARPLENS_LOOK_UP)
#undef WARPLENS_LOOK_UP
  const CUresult started = init(0);
  if (started == CUDA_SUCCESS) return true;
  if (started == CUDA_ERROR_NO_DEVICE)
    reason = Message("the NVIDIA driver is installed, but it finds no GPU");
  else
    reason = failure_of(started, Message("the NVIDIA driver does not start")).message;
  return false;
}

Failure Driver::failure_of(CUresult result, const Message& what) const {
  const char* name = nullptr;
  const char* text = nullptr;
  if (error_name != nullptr) error_name(result, &name);
  if (error_text != nullptr) error_text(result, &text);
  Failure failure;
  failure.kind = kind_of(result);
  const std::string code = name != nullptr ? name : std::to_string(static_cast<int>(result));
  failure.message = text != nullptr ? Message("{}: {} ({})", what, text, code)
                                    : Message("{}: unknown error ({})", what, code);
  failure.remedy = remedy_of(result);
  failure.restart = is_sticky(result);
  return failure;
}

void Driver::check(CUresult result, Message::Text what) const {
  if (result != CUDA_SUCCESS) throw measure::FailureError(failure_of(result, Message(what)));
}

}  // namespace warplens::gpu
