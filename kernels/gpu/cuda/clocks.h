// The GPU's clocks and the reasons for which it holds them back, through NVML, where that is available.
#pragma once

#include <optional>
#include <string>

#include "kernels/gpu/cuda/shared_library.h"
#include "kernels/protocol/measurement.h"

namespace warplens::gpu {

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

}  // namespace warplens::gpu
