// The GPU in hand: driver, compiler, context, stream, and owners of what lives on it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/gpu/cuda/driver.h"
#include "kernels/gpu/cuda/nvrtc.h"
#include "kernels/gpu/cuda/shared_library.h"
#include "kernels/gpu/watch.h"
#include "kernels/protocol/measurement.h"

namespace warplens::gpu {

// The GPU's clocks and the reasons for which it holds them back, through NVML, where that is available.

struct ClockReading {
  int sm_mhz = 0, memory_mhz = 0;
  unsigned long long throttle_reasons = 0;  // NVML's bits
};

class ClockObserver {
 public:
  // `bus_id` as the driver gives it: "0000:17:00.0". Without NVML the observer reads nothing.
  void start(const std::string& bus_id);
  std::optional<ClockReading> read() const;
  std::string driver_version() const;  // "580.159.03", or empty

  // Notes a reading: the range of clocks, and whether the GPU was slowed down.
  void observe(measure::ClockRecord& record) const;

 private:
  SharedLibrary library_;
  void* device_ = nullptr;
  int (*clock_info_)(void*, unsigned, unsigned*) = nullptr;
  int (*throttle_reasons_)(void*, unsigned long long*) = nullptr;
  int (*driver_version_)(char*, unsigned) = nullptr;
};

// Takes one reading into the record: the range of clocks, and whether the GPU was slowed down: by its own
// account, or because its clock fell by more than a twentieth while it was busy.
void note_reading(const ClockReading& reading, measure::ClockRecord& record);

using Held = std::shared_ptr<const void>;

// Memory on the GPU, given back when it goes out of scope.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  DeviceBuffer(const Driver& driver, std::size_t bytes);  // throws FailureError
  void reset() { *this = {}; }
  CUdeviceptr address() const { return address_; }
  std::size_t bytes() const { return bytes_; }

 private:
  Held held_;
  CUdeviceptr address_ = 0;
  std::size_t bytes_ = 0;
};

// Two events around a piece of work.
class EventPair {
 public:
  explicit EventPair(const Driver& driver);
  void record_begin(CUstream stream) const;
  void record_end(CUstream stream) const;
  double seconds() const;  // once both have passed

 private:
  const Driver* driver_;
  CUevent begin_ = nullptr, end_ = nullptr;
  Held begin_held_, end_held_;
};

// A loaded kernel.
class Kernel {
 public:
  Kernel(const Driver& driver, const std::string& image, const std::string& lowered_name);
  Kernel(const Kernel&) = delete;
  ~Kernel();
  int attribute(CUfunction_attribute attribute) const;
  void allow_shared(std::uint64_t dynamic_bytes) const;
  // `arguments`: pointers to the values, in order. Asynchronous; throws where the GPU refuses the launch.
  void launch(sim::Dim3 grid, sim::Dim3 block, std::uint64_t shared_bytes, CUstream stream,
              void** arguments) const;

 private:
  const Driver* driver_;
  CUmodule module_ = nullptr;
  CUfunction function_ = nullptr;
};

class Gpu {
 public:
  // nullptr, with `reason` in words, where there is none.
  static std::unique_ptr<Gpu> open(Message& reason);
  ~Gpu();

  const Driver& driver() const { return driver_; }
  const Nvrtc& nvrtc();  // throws FailureError (NoCompiler)
  CUstream stream() const { return stream_; }
  CUcontext context() const { return context_; }
  const ClockObserver& clocks() const { return clocks_; }
  measure::DeviceInfo info();
  int major() const { return info_.compute_major; }
  int minor() const { return info_.compute_minor; }
  std::uint64_t l2_bytes() const { return info_.l2_bytes; }
  std::uint64_t free_bytes() const;
  int attribute(CUdevice_attribute attribute) const;

  // Waits until the stream is empty. Throws Deadline or Cancelled (then the process has to end: a running
  // kernel cannot be stopped otherwise), or the kernel's own error.
  void wait(const Watch& watch) const;

 private:
  Gpu() = default;
  void read_info();

  Driver driver_;
  Nvrtc nvrtc_;
  bool has_nvrtc_ = false;
  Message no_nvrtc_;
  int driver_major_ = 0;
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
  CUstream stream_ = nullptr;
  ClockObserver clocks_;
  measure::DeviceInfo info_;
};

}  // namespace warplens::gpu
