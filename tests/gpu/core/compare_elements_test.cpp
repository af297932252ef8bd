// Element by element: what is alike, what is not, and how the first difference is told.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/gpu/output_check.h"
#include "tests/gpu/core/bytes.h"

namespace warplens::gpu {
namespace {

using measure::OutputResult;
using sim::ScalarType;

template <typename T>
OutputResult compared(ScalarType type, const std::vector<T>& expected, const std::vector<T>& got,
                      double tolerance, int scalars_each = 1) {
  OutputResult result;
  compare_elements(bytes(expected), bytes(got), type,
                   expected.size() / static_cast<std::size_t>(scalars_each), scalars_each, tolerance, result);
  return result;
}

TEST(CompareElements, TheToleranceIsOfTheExpectedValue) {
  const std::vector<double> expected{1000, 0.001, -1000};
  EXPECT_EQ(compared<double>(ScalarType::F64, expected, {1000.9, 0.0010009, -1000.9}, 1e-3).differing, 0u);
  EXPECT_EQ(compared<double>(ScalarType::F64, expected, {1001.1, 0.0010011, -1001.1}, 1e-3).differing, 3u);
  EXPECT_EQ(compared<double>(ScalarType::F64, expected, {1000.9, 0.0010009, -1000.9}, 0).differing, 3u);
  EXPECT_EQ(compared<double>(ScalarType::F64, {0.0}, {1e-300}, 1e-3).differing,
            1u);  // of zero there is no share
}

TEST(CompareElements, ANanIsLikeANanAlone) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(compared<float>(ScalarType::F32, {nan}, {-nan}, 0).differing, 0u);
  EXPECT_EQ(compared<float>(ScalarType::F32, {nan}, {1}, 1e9).differing, 1u);
  EXPECT_EQ(compared<float>(ScalarType::F32, {1}, {nan}, 1e9).differing, 1u);
}

TEST(CompareElements, TheFirstDifferenceIsNamedAndElementsAreCountedOnce) {
  const OutputResult result =
      compared<int>(ScalarType::I32, {0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, -2, -3, 4, 5, 6, -7}, 0, 2);
  EXPECT_EQ(result.compared, 4u);
  EXPECT_EQ(result.differing, 2u);
  EXPECT_EQ(result.element, 1u);
  EXPECT_EQ(result.expected, "2");
  EXPECT_EQ(result.got, "-2");
}

TEST(CompareElements, OfSeveralBuffersTheFirstThatDiffersIsNamed) {
  OutputResult result;
  for (const int got : {2, 3})
    compare_elements(bytes<int>({1, 1}), bytes<int>({1, got}), ScalarType::I32, 2, 1, 0, result);
  EXPECT_EQ(result.compared, 4u);
  EXPECT_EQ(result.differing, 2u);
  EXPECT_EQ(result.got, "2");
}

TEST(CompareElements, ValuesAreShownAsTheirTypeHasThem) {
  const auto got = [](ScalarType type, auto value) {
    return compared<decltype(value)>(type, {0}, {value}, 0).got;
  };
  EXPECT_EQ(got(ScalarType::I8, std::int8_t{-1}), "-1");
  EXPECT_EQ(got(ScalarType::U8, std::uint8_t{255}), "255");
  EXPECT_EQ(got(ScalarType::I16, std::int16_t{-300}), "-300");
  EXPECT_EQ(got(ScalarType::U32, std::uint32_t{4000000000}), "4000000000");
  EXPECT_EQ(got(ScalarType::I64, std::int64_t{-5000000000}), "-5000000000");
  EXPECT_EQ(got(ScalarType::U64, ~std::uint64_t{0}), "18446744073709551615");
  EXPECT_EQ(got(ScalarType::F32, 0.1f), "0.100000001");
  EXPECT_EQ(got(ScalarType::F64, 0.1), "0.10000000000000001");
  // Halves: sign, five bits of exponent, ten of mantissa.
  EXPECT_EQ(got(ScalarType::F16, std::uint16_t{0xbc00}), "-1");
  EXPECT_EQ(got(ScalarType::F16, std::uint16_t{0x4248}), "3.140625");
  EXPECT_EQ(got(ScalarType::F16, std::uint16_t{0x0200}),
            "3.05175781e-05");  // 2^-15, below the least normal one
  EXPECT_EQ(got(ScalarType::F16, std::uint16_t{0x7c00}), "inf");
}

}  // namespace
}  // namespace warplens::gpu
