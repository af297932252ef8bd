// A kernel's arguments on the GPU: scalars packed as their types, buffers allocated and filled as the
// simulator fills them.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "kernels/gpu/device.h"

namespace warplens::gpu {

// The bytes of a buffer before the launch: element by element sim::fill_element, whatever its type.
std::vector<std::byte> filled_bytes(const measure::KernelArgument& argument);

// A scalar as it is passed: its type's bytes. Throws FailureError where it does not fit.
std::uint64_t scalar_bits(const measure::KernelArgument& argument);

class Arguments {
 public:
  // Throws FailureError: OutOfMemory with the size that would fit, BadRequest. `other_bytes` is what else has
  // to fit.
  Arguments(Gpu& gpu, const std::vector<measure::KernelArgument>& arguments, std::uint64_t other_bytes);

  void** pointers() { return pointers_.data(); }
  CUdeviceptr address(std::size_t buffer) const { return buffers_[buffer].buffer.address(); }
  // Puts every buffer back to what it was before the first launch.
  void refill(Gpu& gpu) const;
  std::vector<std::byte> read_back(Gpu& gpu, const std::string& name) const;

 private:
  struct Filled {
    std::string name;
    DeviceBuffer buffer;
    DeviceBuffer master;            // the filled state; empty where all is zero, or nothing can change
    bool is_zero_at_first = false;  // and can be written
  };
  std::deque<Filled> buffers_;
  std::deque<std::uint64_t> values_;
  std::deque<CUtensorMap> maps_;
  std::vector<void*> pointers_;
};

}  // namespace warplens::gpu
