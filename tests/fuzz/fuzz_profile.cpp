// libFuzzer's entry: any bytes as what ncu printed.
#include "tests/fuzz/drive.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  warplens::fuzz::profile({reinterpret_cast<const char*>(data), size});
  return 0;
}
