// Bytes packed as PNG wants them: a zlib stream (RFC 1950) of one block with fixed codes (RFC 1951), for the
// large even areas that pictures here are made of. Unlike libraries that pack in one call, it goes by a
// budget.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/budget.h"

namespace warplens::scene {

std::vector<std::uint8_t> zlib_packed(std::span<const std::uint8_t> bytes, Budget& budget);  // throws Stopped

}  // namespace warplens::scene
