#include "kernels/protocol/sha256.h"

#include <sys/types.h>
// libmd's, which is C.
#include <sha2.h>

#include <array>
#include <cstdint>

#include "sim/scenario/launch_document.h"

namespace warplens::measure {

std::string sha256(std::string_view bytes) {
  SHA2_CTX context;
  std::array<std::uint8_t, SHA256_DIGEST_LENGTH> digest{};
  SHA256Init(&context);
  SHA256Update(&context, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  SHA256Final(digest.data(), &context);
  return scenario::to_hex({digest.begin(), digest.end()});
}

}  // namespace warplens::measure
