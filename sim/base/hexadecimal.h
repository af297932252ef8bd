#pragma once

#include <cstdint>
#include <string>

namespace warplens {

// Lower-case digits, at least `least_digits` of them.
std::string hexadecimal(std::uint64_t number, std::size_t least_digits = 1);

}  // namespace warplens
