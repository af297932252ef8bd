// Stands in for libnvidia-ml.so.1. STAND_IN_NVML says what it tells: "throttled" by power, or "falling"
// clocks; otherwise a GPU at ease.
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

bool tells(const char* what) {
  const char* told = std::getenv("STAND_IN_NVML");
  return told != nullptr && std::string(told) == what;
}

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT int nvmlInit_v2() {
  return 0;
}
EXPORT int nvmlDeviceGetHandleByPciBusId_v2(const char*, void** device) {
  static int one = 0;
  return *device = &one, 0;
}
EXPORT int nvmlDeviceGetClockInfo(void*, unsigned kind, unsigned* mhz) {
  static unsigned sm = 1980;
  if (kind == 2) return *mhz = 3201, 0;
  *mhz = sm;
  if (tells("falling")) sm = sm > 800 ? sm - 300 : sm;
  return 0;
}
EXPORT int nvmlDeviceGetCurrentClocksEventReasons(void*, unsigned long long* reasons) {
  return *reasons = tells("throttled") ? 0x04 : 0x01, 0;
}
EXPORT int nvmlSystemGetDriverVersion(char* text, unsigned length) {
  return std::strncpy(text, "1.2.3", length), 0;
}
