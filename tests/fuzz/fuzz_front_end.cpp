// libFuzzer: a text through parser and lowering.
#include "tests/fuzz/drive.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  warplens::fuzz::front_end({reinterpret_cast<const char*>(data), size});
  return 0;
}
