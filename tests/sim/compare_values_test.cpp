// What agrees with what, type by type.
#include "sim/count/compare_values.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace warplens::sim {
namespace compare_values_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::uint64_t bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}
std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

template <typename T>
std::vector<std::byte> bytes(const std::vector<T>& values) {
  std::vector<std::byte> result(values.size() * sizeof(T));
  std::memcpy(result.data(), values.data(), result.size());
  return result;
}

TEST(CompareValues, AnInfinityIsNearNothingButItself) {
  const float f = INFINITY;
  for (const double tolerance : {0.0, 1e-5, 1e300}) {
    EXPECT_TRUE(values_agree(ScalarType::F32, bits(f), bits(f), tolerance));
    EXPECT_FALSE(values_agree(ScalarType::F32, bits(f), bits(7.0F), tolerance));
    EXPECT_FALSE(values_agree(ScalarType::F32, bits(7.0F), bits(f), tolerance));
    EXPECT_FALSE(values_agree(ScalarType::F32, bits(f), bits(-f), tolerance));
    EXPECT_FALSE(values_agree(ScalarType::F64, bits(kInfinity), bits(7.0), tolerance));
    EXPECT_FALSE(values_agree(ScalarType::F16, 0x7c00, 0x4700, tolerance));
  }
}

TEST(CompareValues, TheToleranceIsRelativeToWhatIsExpected) {
  EXPECT_TRUE(values_agree(ScalarType::F64, bits(100.0), bits(101.0), 0.01));
  EXPECT_FALSE(values_agree(ScalarType::F64, bits(100.0), bits(101.5), 0.01));
  EXPECT_FALSE(values_agree(ScalarType::F64, bits(0.0), bits(1e-9), 0.01));
  EXPECT_TRUE(values_agree(ScalarType::F64, bits(0.0), bits(1e-9), 0.01, 1e-9)) << "but for a margin";
  EXPECT_FALSE(values_agree(ScalarType::F64, bits(0.0), bits(2e-9), 0.01, 1e-9));
  EXPECT_FALSE(values_agree(ScalarType::F64, bits(1e9), bits(1e9 + 1), 0, 1e-9));
  EXPECT_TRUE(values_agree(ScalarType::F64, bits(0.0), bits(-0.0), 0));
  EXPECT_TRUE(values_agree(ScalarType::F32, bits(NAN), bits(-NAN), 0));
  EXPECT_FALSE(values_agree(ScalarType::F32, bits(NAN), bits(1.0F), 1));
  EXPECT_FALSE(values_agree(ScalarType::F32, bits(1.0F), bits(NAN), 1));
  EXPECT_FALSE(values_agree(ScalarType::I32, 100, 101, 0.5));
}

TEST(CompareValues, ElementsAreCountedWhole) {
  const auto expected = bytes<std::int64_t>({1, 2, 3, -4, 5, 6}),
             got = bytes<std::int64_t>({1, 2, 3, -5, 5, 7});
  const ValueDifference difference = compare_values(expected, got, ScalarType::I64, 2, 3, 1);
  EXPECT_EQ(difference.compared, 3u);
  EXPECT_EQ(difference.differing, 2u);
  EXPECT_EQ(difference.element, 1u);
  EXPECT_EQ(difference.scalar, 1);
  EXPECT_EQ(difference.expected, "-4");
  EXPECT_EQ(difference.got, "-5");
}

TEST(CompareValues, WhatIsMissingDiffers) {
  const auto four = bytes<float>({1, 2, 3, 4});
  const ValueDifference none = compare_values(four, {}, ScalarType::F32, 1, 4, 1);
  EXPECT_EQ(none.differing, 4u);
  EXPECT_EQ(none.expected, "1");
  EXPECT_EQ(none.got, "nothing");
  const ValueDifference short_by_one =
      compare_values(four, std::span(four).first(15), ScalarType::F32, 1, 4, 1);
  EXPECT_EQ(short_by_one.differing, 1u);
  EXPECT_EQ(short_by_one.element, 3u);
  EXPECT_EQ(compare_values({}, {}, ScalarType::F32, 1, 0, 0).compared, 0u);
}

TEST(CompareValues, AreShownAsTheirTypeHasThem) {
  EXPECT_EQ(value_text(ScalarType::I8, 0xff), "-1");
  EXPECT_EQ(value_text(ScalarType::U8, 0xff), "255");
  EXPECT_EQ(value_text(ScalarType::I64, ~std::uint64_t{0}), "-1");
  EXPECT_EQ(value_text(ScalarType::U64, ~std::uint64_t{0}), "18446744073709551615");
  EXPECT_EQ(value_text(ScalarType::F16, 0x3e00), "1.5");
  EXPECT_EQ(value_text(ScalarType::F32, bits(-0.5F)), "-0.5");
}

}  // namespace compare_values_test
}  // namespace warplens::sim
