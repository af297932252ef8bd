#include <algorithm>
#include <array>
#include <utility>

#include "kernels/gpu/device.h"

namespace warplens::gpu {
namespace {

// From NVML's documentation; its header is not part of every toolkit.
constexpr unsigned kClockSm = 1, kClockMemory = 2;
constexpr std::array<std::pair<unsigned long long, const char*>, 5> kSlowdowns{
    {{0x04, "power limit"},
     {0x08, "hardware slowdown"},
     {0x20, "temperature (software)"},
     {0x40, "temperature (hardware)"},
     {0x80, "power brake"}}};

void add_words(const char* words, std::string& list) {
  if (list.find(words) == std::string::npos) list += (list.empty() ? "" : ", ") + std::string(words);
}

}  // namespace

void ClockObserver::start(const std::string& bus_id) {
  library_ = SharedLibrary::open({"libnvidia-ml.so.1"}, {"/usr/local/nvidia/lib64", "/usr/lib/wsl/lib"});
  int (*init)() = nullptr;
  int (*by_bus)(const char*, void**) = nullptr;
  if (!library_.look_up("nvmlInit_v2", init) ||
      !library_.look_up("nvmlDeviceGetHandleByPciBusId_v2", by_bus) || init() != 0)
    return;
  library_.look_up("nvmlDeviceGetClockInfo", clock_info_);
  if (!library_.look_up("nvmlDeviceGetCurrentClocksThrottleReasons", throttle_reasons_))
    library_.look_up("nvmlDeviceGetCurrentClocksEventReasons", throttle_reasons_);
  library_.look_up("nvmlSystemGetDriverVersion", driver_version_);
  if (by_bus(bus_id.c_str(), &device_) != 0) device_ = nullptr;
}

std::optional<ClockReading> ClockObserver::read() const {
  if (device_ == nullptr || clock_info_ == nullptr) return std::nullopt;
  ClockReading reading;
  unsigned sm = 0, memory = 0;
  if (clock_info_(device_, kClockSm, &sm) != 0) return std::nullopt;
  if (clock_info_(device_, kClockMemory, &memory) == 0) reading.memory_mhz = static_cast<int>(memory);
  reading.sm_mhz = static_cast<int>(sm);
  if (throttle_reasons_ != nullptr && throttle_reasons_(device_, &reading.throttle_reasons) != 0)
    reading.throttle_reasons = 0;
  return reading;
}

std::string ClockObserver::driver_version() const {
  std::array<char, 96> text{};
  if (driver_version_ == nullptr || driver_version_(text.data(), static_cast<unsigned>(text.size())) != 0)
    return {};
  return text.data();
}

void ClockObserver::observe(measure::ClockRecord& record) const {
  if (const auto reading = read()) note_reading(*reading, record);
}

void note_reading(const ClockReading& reading, measure::ClockRecord& record) {
  constexpr double kFallen = 0.95;
  if (record.sm_mhz_most > 0 && reading.sm_mhz < kFallen * record.sm_mhz_most) {
    record.throttled = true;
    add_words("the clock fell", record.throttle_reasons);
  }
  record.sm_mhz_most = std::max(record.sm_mhz_most, reading.sm_mhz);
  record.sm_mhz_least =
      record.sm_mhz_least == 0 ? reading.sm_mhz : std::min(record.sm_mhz_least, reading.sm_mhz);
  for (const auto& [bit, words] : kSlowdowns) {
    if ((reading.throttle_reasons & bit) == 0) continue;
    record.throttled = true;
    add_words(words, record.throttle_reasons);
  }
}

}  // namespace warplens::gpu
