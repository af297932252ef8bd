#include "sim/base/hexadecimal.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace warplens {

std::string hexadecimal(std::uint64_t number, std::size_t least_digits) {
  char digits[16];
  const char* end = std::to_chars(std::begin(digits), std::end(digits), number, 16).ptr;
  const auto count = static_cast<std::size_t>(end - digits);
  return std::string(least_digits - std::min(least_digits, count), '0').append(digits, count);
}

}  // namespace warplens
