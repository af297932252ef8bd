// Scalars as bits: what a type can hold, and halves.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "sim/scalar/bits.h"
#include "sim/scalar/ops.h"

namespace warplens::sim {
namespace {

std::uint16_t to_half(double value) {
  return ops::to_small(ScalarType::F16, value);
}

std::uint16_t to_bfloat(double value) {
  return ops::to_small(ScalarType::BF16, value);
}

TEST(ScalarBits, HalvesAreRoundedToNearestEven) {
  EXPECT_EQ(to_half(-1.0), 0xbc00u);
  EXPECT_EQ(to_half(-0.0), 0x8000u);
  EXPECT_EQ(to_half(2049.0), 0x6800u);  // 2048: between 2048 and 2050
  EXPECT_EQ(to_half(2051.0), 0x6802u);  // 2052: between 2050 and 2052
  EXPECT_EQ(to_half(65519.0), 0x7bffu);
  EXPECT_EQ(to_half(65520.0), 0x7c00u);  // no nearer to 65504 than to what would come next
  EXPECT_EQ(to_half(0x1.8p-24), 0x0002u);
  EXPECT_EQ(to_half(INFINITY), 0x7c00u);
  EXPECT_EQ(to_half(-std::numeric_limits<double>::max()), 0xfc00u);
  EXPECT_EQ(to_half(0x1p-25), 0u);  // half of the least: to even
  EXPECT_EQ(to_half(0x1.8p-25), 1u);
  EXPECT_EQ(to_half(std::numeric_limits<double>::denorm_min()), 0u);
  EXPECT_EQ(to_half(NAN), 0x7fffu);
  EXPECT_EQ(to_bfloat(std::numeric_limits<double>::max()), 0x7f80u);
}

TEST(ScalarBits, RangesOfTheIntegerTypes) {
  EXPECT_EQ(integer_range(ScalarType::Bool).most, 1u);
  EXPECT_EQ(integer_range(ScalarType::I8).least, -128);
  EXPECT_EQ(integer_range(ScalarType::I8).most, 127u);
  EXPECT_EQ(integer_range(ScalarType::U32).least, 0);
  EXPECT_EQ(integer_range(ScalarType::U32).most, 0xffffffffu);
  EXPECT_EQ(integer_range(ScalarType::I64).least, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(integer_range(ScalarType::U64).most, std::numeric_limits<std::uint64_t>::max());
}

TEST(ScalarBits, WhatATypeCannotHoldDoesNotFit) {
  for (const ScalarType type : {ScalarType::Bool, ScalarType::I8, ScalarType::U8, ScalarType::I16,
                                ScalarType::U16, ScalarType::I32, ScalarType::U32}) {
    const std::int64_t least = integer_range(type).least,
                       most = static_cast<std::int64_t>(integer_range(type).most);
    for (const Number held : {Number(least), Number(most), Number(static_cast<double>(most))})
      EXPECT_TRUE(fitting_bits(type, held)) << name_of(type);
    for (const Number not_held : {Number(least - 1), Number(most + 1), Number(0.5)})
      EXPECT_FALSE(fitting_bits(type, not_held)) << name_of(type);
  }
  EXPECT_EQ(fitting_bits(ScalarType::I8, std::int64_t{-128}), 0xffffff80u);
  EXPECT_EQ(fitting_bits(ScalarType::I8, std::int64_t{-129}), std::nullopt);
  EXPECT_EQ(fitting_bits(ScalarType::U64, std::int64_t{-1}), std::nullopt);
  EXPECT_EQ(fitting_bits(ScalarType::I32, 2.0), 2u);
  EXPECT_EQ(fitting_bits(ScalarType::I32, 2.5), std::nullopt);
  EXPECT_EQ(fitting_bits(ScalarType::I64, NAN), std::nullopt);
  EXPECT_EQ(fitting_bits(ScalarType::I64, 0x1p63), std::nullopt);
  EXPECT_EQ(fitting_bits(ScalarType::F16, 65504.0), 0x477fe000u);  // as a float
  EXPECT_EQ(fitting_bits(ScalarType::F16, 70000.0), std::nullopt);
  EXPECT_EQ(fitting_bits(ScalarType::F32, 1e300), std::nullopt);
  EXPECT_EQ(fitting_bits(ScalarType::F32, HUGE_VAL), 0x7f800000u);
}

// As the machine does it, so that a constant and a value at run time come out alike.
TEST(ScalarBits, ConversionsSaturateInTheRegister) {
  const auto converted = [](double value, ScalarType to) {
    return convert_bits(bits_of(ScalarType::F32, value), ScalarType::F32, to);
  };
  EXPECT_EQ(converted(-3, ScalarType::U8), 0u);
  EXPECT_EQ(converted(300, ScalarType::U8), 44u);
  EXPECT_EQ(converted(-3, ScalarType::I8), 0xfffffffdu);
  EXPECT_EQ(converted(1e20, ScalarType::I32), 0x7fffffffu);
  EXPECT_EQ(converted(0.5, ScalarType::Bool), 1u);
  EXPECT_EQ(convert_bits(0xffffffffu, ScalarType::I32, ScalarType::U64), ~std::uint64_t{0});
  EXPECT_EQ(convert_bits(0xffffffffu, ScalarType::U32, ScalarType::I64), 0xffffffffu);
}

// Every finite half, those below 2^-14 in steps of 2^-24 too, is the float that IEEE 754 says, and the way
// back leads to it.
TEST(ScalarBits, HalvesAreWhatTheirBitsSay) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const int exponent = static_cast<int>(bits >> 10 & 31);
    if (exponent == 31) continue;
    const double steps = (bits & 0x3ff) + (exponent > 0 ? 1024 : 0);
    const double value = std::ldexp(steps, std::max(exponent, 1) - 25) * (bits < 0x8000 ? 1 : -1);
    ASSERT_EQ(ops::from_small(ScalarType::F16, static_cast<std::uint16_t>(bits)), static_cast<float>(value))
        << bits;
    ASSERT_EQ(to_half(value), bits);
  }
}

// The upper half of a float: every one is, and every float is rounded to the nearest by the half cut off.
TEST(ScalarBits, BfloatsAreTheUpperHalvesOfFloats) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = std::bit_cast<float>(bits << 16);
    if (std::isnan(value)) continue;
    ASSERT_EQ(ops::from_small(ScalarType::BF16, static_cast<std::uint16_t>(bits)), value) << bits;
    ASSERT_EQ(to_bfloat(value), bits);
  }
  std::uint32_t bits = 1;
  for (int i = 0; i < 200'000; ++i) {
    bits = bits * 1664525u + 1013904223u;
    const std::uint32_t given = i % 2 == 0 ? bits : (bits & 0xffff0000u) | 0x8000u;  // every other one a tie
    const float value = std::bit_cast<float>(given);
    if (std::isnan(value)) continue;
    ASSERT_EQ(to_bfloat(value), (given + 0x7fffu + (given >> 16 & 1u)) >> 16) << given;
  }
  EXPECT_EQ(to_bfloat(NAN), 0x7fffu);
  EXPECT_EQ(to_bfloat(1e300), 0x7f80u);
  EXPECT_EQ(to_bfloat(-1e-300), 0x8000u);
  // Just above a tie, by less than a float can tell.
  EXPECT_EQ(to_bfloat(1.0 + 0x1p-8 + 0x1p-40), 0x3f81u);
}

// The exact sum is just above a tie; rounded to a double first, it would be taken for one.
TEST(ScalarBits, ProductAndSumAreRoundedOnce) {
  const float one_and_more = 1.0f + 0x1p-7f;
  EXPECT_EQ(ops::small_mul_add(ScalarType::BF16, 0x1p-8f, 1.0f, 1.0f), 1.0f);
  EXPECT_EQ(ops::small_mul_add(ScalarType::BF16, 0x1p-8f, one_and_more, 1.0f), one_and_more);
  EXPECT_EQ(ops::small_mul_add(ScalarType::BF16, 0x1p-60f, 0x1p-60f, one_and_more + 0x1p-8f - 0x1p-8f),
            one_and_more);
  EXPECT_EQ(ops::small_mul_add(ScalarType::BF16, 1.0f + 0x1p-7f, 0x1p-8f, 0x1p-80f), 0x1p-8f * one_and_more);
}

TEST(ScalarBits, BfloatsReachAsFarAsFloats) {
  EXPECT_EQ(greatest(ScalarType::BF16), 0x1.fep127);
  EXPECT_EQ(fitting_bits(ScalarType::BF16, 3.3e38), std::bit_cast<std::uint32_t>(0x1.fp127f));
  EXPECT_EQ(fitting_bits(ScalarType::BF16, 3.4e38), std::nullopt);
  EXPECT_EQ(convert_bits(bits_of(ScalarType::F32, 257), ScalarType::F32, ScalarType::BF16),
            bits_of(ScalarType::F32, 256));
}

}  // namespace
}  // namespace warplens::sim
