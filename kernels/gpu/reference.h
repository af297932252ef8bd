// What a measurement is held against, on the GPU: a device-to-device copy of the useful bytes, or cuBLAS on
// the same product. It owns its buffers.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "kernels/gpu/arguments.h"
#include "kernels/gpu/cuda/cublas.h"
#include "kernels/gpu/device.h"
#include "kernels/protocol/protocol.h"

namespace warplens::gpu {

class Reference {
 public:
  explicit Reference(Gpu& gpu) : gpu_(gpu) {}

  // What `prepare` will allocate.
  static std::uint64_t bytes(const measure::MeasureRequest& request);
  // Fills in what and bytes of `result`, or why there is none.
  void prepare(const measure::MeasureRequest& request, measure::Measurement& result);
  void release();  // its buffers
  explicit operator bool() const { return launch_ != nullptr; }
  void launch() const { launch_(); }  // puts it on the GPU's stream

 private:
  void prepare_copy(const measure::MeasureRequest& request, measure::Measurement& result);
  void prepare_product(const measure::MeasureRequest& request, measure::Measurement& result);

  Gpu& gpu_;
  std::unique_ptr<Cublas> cublas_;
  std::string no_cublas_;
  DeviceBuffer from_, to_;
  std::unique_ptr<Arguments> matrices_;
  std::function<void()> launch_;
};

}  // namespace warplens::gpu
