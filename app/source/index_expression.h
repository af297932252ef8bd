// The line `#define INDEX (expression)` of a kernel's text: an index that one types, to see where it leads.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/cuda/text/diagnostic.h"
#include "sim/layout/layout.h"

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

}  // namespace warplens::app
