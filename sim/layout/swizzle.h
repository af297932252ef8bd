// Swizzle<B, M, S>, as CuTe has it: B bits of an index, from bit M on, are flipped by the B bits that lie S
// higher.
//
//   Swizzle<3, 4, 3> of bytes:   0bxxxx'YYY'ZZZ'0000   ZZZ becomes ZZZ ^ YYY
//
// That one is the 128-byte swizzle of TMA: a chunk of 16 bytes is put at its number XOR the row of 128 bytes.
#pragma once

#include <cstdint>

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

}  // namespace warplens::layout
