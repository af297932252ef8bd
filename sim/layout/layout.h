// Where the elements of a tile lie: CuTe's shapes and strides, with a swizzle over them.
//
//   Layout l = *parse_layout("Swizzle<3,0,3> o (8,(4,2)):(1,(8,64))").layout;
//   l.at(row, column)        elements from the tile's first
//
// A mode counts its coordinate innermost first: mode (4,2):(8,64) puts coordinate 5 at 5 % 4 * 8 + 5 / 4
// * 64. Rows are the first mode, columns all others, as one coordinate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/message.h"

// Swizzle<B, M, S>, as CuTe has it: B bits of an index, from bit M on, are flipped by the B bits that lie S
// higher.
//
//   Swizzle<3, 4, 3> of bytes:   0bxxxx'YYY'ZZZ'0000   ZZZ becomes ZZZ ^ YYY
//
// That one is the 128-byte swizzle of TMA: a chunk of 16 bytes is put at its number XOR the row of 128 bytes.

namespace warplens::layout {

struct Swizzle {
  int bits = 0, base = 0, shift = 0;  // B, M, S; S may be negative, then those that lie lower flip
  bool of_bytes = false;              // flips bits of the byte's address, not of the element's index

  std::int64_t operator()(std::int64_t index) const;
  // The same swizzle as a function of element indices. Precondition: fits(element_bytes).
  Swizzle of_elements(int element_bytes) const;
  // Whether the swizzle leaves every element of this size whole.
  bool fits(int element_bytes) const;
  friend bool operator==(const Swizzle&, const Swizzle&) = default;
};

// What CuTe takes: 0 <= B, 0 <= M, B <= |S|, and no bit beyond the 30th.
bool is_swizzle(int bits, int base, int shift);
// The swizzle of TMA with rows of 32, 64 or 128 bytes; of 0 bits for any other number.
Swizzle tma_swizzle(int row_bytes);

struct Factor {
  std::int64_t extent = 1, stride = 0;
  friend bool operator==(const Factor&, const Factor&) = default;
};
using Mode = std::vector<Factor>;  // innermost first; nested ones are one after another

std::int64_t size_of(const Mode& mode);
std::int64_t offset_of(const Mode& mode, std::int64_t coordinate);

struct Layout {
  std::vector<Mode> modes;  // one at least
  Swizzle swizzle;          // of 0 bits: none

  std::int64_t rows() const { return size_of(modes.front()); }
  std::int64_t columns() const { return size_of(column_mode()); }
  Mode column_mode() const;
  // Precondition: swizzle.fits(element_bytes). A swizzle of elements needs no element's bytes.
  std::int64_t at(std::int64_t row, std::int64_t column, int element_bytes = 1) const;
  friend bool operator==(const Layout&, const Layout&) = default;
};

// The most elements that a layout may have, and the furthest that one may lie.
inline constexpr std::int64_t kMostElements = std::int64_t{1} << 20, kMostSpan = std::int64_t{1} << 30;

struct ParsedLayout {
  std::optional<Layout> layout;
  Message error;       // where there is none
  std::size_t at = 0;  // of the error in the text, in bytes
};
// As CuTe prints and CUDA C++ spells them: "(8,(4,2)):(1,(8,64))", "(_8,_64)" (strides left out: columns one
// after another), "Swizzle<3,4,3> o (8,64):(64,1)" or "Sw<3,4,3> o smem_ptr[16b](unset) o ...", and
// "SW128 o (8,64):(64,1)" for TMA's swizzle of 32, 64 or 128 bytes.
ParsedLayout parse_layout(std::string_view text);
// Begins as a layout does, not as an expression: a swizzle, or parentheses with a colon behind them.
bool looks_like_layout(std::string_view text);

// The place of element (row, column) as an expression of CUDA C++: "row * 32 + column".
std::string index_text(const Layout& layout, int element_bytes);

}  // namespace warplens::layout
