// Whether a buffer holds the values that it should. The grader, the check of what a GPU wrote, and the tests
// all use this comparison.
//
//   compare_values(expected, got, ScalarType::F32, 4, 1000, 1e-5)   // of 1000 float4
//
// Integers and truth values must be equal. Floating values may differ by `tolerance` times the expected
// value plus `margin`; an infinity equals only itself, and a NaN equals any NaN.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "sim/program/program.h"

namespace warplens::sim {

// `bits`: as the value lies in memory.
std::string value_text(ScalarType type, std::uint64_t bits);
bool values_agree(ScalarType type, std::uint64_t expected, std::uint64_t got, double tolerance,
                  double margin = 0);

struct ValueDifference {
  std::uint64_t compared = 0, differing = 0;  // elements
  std::uint64_t element = 0;                  // the first that differs
  int scalar = 0;                             // which of its scalars does
  std::string expected, got;                  // that scalar, in words; "nothing" where a side ends before it
};

// Compares `elements` elements of `scalars_each` scalars. If one side is too short, the elements that it
// lacks count as different.
ValueDifference compare_values(std::span<const std::byte> expected, std::span<const std::byte> got,
                               ScalarType type, int scalars_each, std::uint64_t elements, double tolerance,
                               double margin = 0);

}  // namespace warplens::sim
