// What a measurement is held against, on the GPU: a device-to-device copy of the useful bytes, or cuBLAS on
// the same product. It owns its buffers.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>

#include "kernels/gpu/arguments.h"
#include "kernels/gpu/device.h"
#include "kernels/protocol/protocol.h"

namespace warplens::gpu {

// cuBLAS, opened while the program runs: the reference that matrix products are held against.
class Cublas {
 public:
  // nullptr, with `reason` in words, where it is not available. WARPLENS_CUBLAS names another library.
  // `cuda_major` is the driver's: newer libraries are passed over.
  static std::unique_ptr<Cublas> open(int cuda_major, CUstream stream, std::string& reason);
  // Its state lives on the GPU; the process ends soon after, so it is left where it is.

  // C = A B, all row by row in memory; {m, n, k}: C is m x n, A m x k, B k x n. A and B are of F16, F32 or
  // F64; C too, but of halves the sums and C are floats. Asynchronous. FP32 is FP32: no TF32. Throws
  // FailureError.
  void product(const std::array<std::uint64_t, 3>& sizes, sim::ScalarType type, CUdeviceptr c, CUdeviceptr a,
               CUdeviceptr b) const;

 private:
  Cublas() = default;
  bool look_up();

  SharedLibrary lt_, library_;
  void* handle_ = nullptr;
  int (*create_)(void**) = nullptr;
  int (*set_stream_)(void*, CUstream) = nullptr;
  int (*set_math_mode_)(void*, int) = nullptr;
  int (*gemm_)(void*, int, int, int, int, int, const void*, const void*, int, int, const void*, int, int,
               const void*, void*, int, int, int, int) = nullptr;
  int (*sgemm_)(void*, int, int, int, int, int, const float*, const void*, int, const void*, int,
                const float*, void*, int) = nullptr;
  int (*dgemm_)(void*, int, int, int, int, int, const double*, const void*, int, const void*, int,
                const double*, void*, int) = nullptr;
};

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
