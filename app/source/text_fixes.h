// What a person would type to mend an access, typed for them: a padded row, a swizzled column, x and y
// swapped. Each gives the whole text, or nothing where it cannot be sure that the kernel stays what it is.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/program/program.h"

namespace warplens::app {

// `float tile[32][32]` -> `float tile[32][32 + 1]`: rows longer by so many elements, or shorter. Only where
// every use of the array has all its indices, so that nothing counts on where rows begin.
std::optional<std::string> with_padding(const std::string& text, const sim::SharedArray& array, int elements);

// `tile[r][c]` -> `tile[r][(c) ^ ((r) % 32)]` everywhere: the same elements in other columns. Of two
// dimensions, the inner one a power of two, and indices without side effects.
std::optional<std::string> with_swizzle(const std::string& text, const sim::SharedArray& array);

// threadIdx.x <-> threadIdx.y, and so for blockIdx, blockDim and gridDim, in the part of the text from
// `begin` to `end`: with the sides of block and grid swapped too, the same threads do the same work, in other
// warps. Nothing where there is no y.
std::optional<std::string> with_axes_swapped(const std::string& text, std::size_t begin, std::size_t end);

}  // namespace warplens::app
