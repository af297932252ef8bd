// SHA-256 (FIPS 180-4), to name a kernel's text and a measurement's key by their content.
#pragma once

#include <string>
#include <string_view>

namespace warplens::measure {

// 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace warplens::measure
