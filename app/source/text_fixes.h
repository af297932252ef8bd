// What a person would type to mend an access, typed for them: a padded row, a swizzled column, x and y
// swapped. Each gives the whole text, or nothing where it cannot be sure that the kernel stays what it is.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/cuda/text/diagnostic.h"
#include "sim/layout/layout.h"
#include "sim/program/program.h"

// The line `#define INDEX (expression)` of a kernel's text: an index that one types, to see where it leads.

namespace warplens::app {

struct IndexExpression {
  std::string text;        // without the parentheses around it
  int begin = 0, end = 0;  // of `text` in the kernel's
};
std::optional<IndexExpression> find_index(std::string_view kernel_text);

// The kernel's text with another expression; line breaks become spaces. Unchanged where there is no such
// line.
std::string with_index(std::string_view kernel_text, std::string_view expression);

// The expression of the text that is shown, where the one asked for has another.
std::optional<std::string> other_index(std::string_view shown_text, std::string_view asked_text);

// Of a tile's element: the kernel has it in a function of `int row, int column`. There a layout can be typed
// too (sim/layout/layout.h), which is an index over both.
bool is_of_tile(std::string_view kernel_text);
struct TypedIndex {
  std::string expression;                // as typed, or what the layout comes to
  std::optional<layout::Layout> layout;  // where one was typed that is sound
};
TypedIndex typed_index(std::string_view kernel_text, std::string_view typed, int element_bytes);

// What is wrong with what was typed by itself, its place counted in its own text.
std::optional<cuda::Diagnostic> index_problem(std::string_view expression);

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
