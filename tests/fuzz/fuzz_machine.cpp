// libFuzzer: a text through parser, lowering and a small launch.
#include "tests/fuzz/drive.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  warplens::fuzz::front_end_and_machine({reinterpret_cast<const char*>(data), size});
  return 0;
}
