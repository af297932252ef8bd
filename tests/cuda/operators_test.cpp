// What operators give of two integers, and what is wrong with it.
#include "sim/cuda/text/operators.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace warplens::cuda {
namespace {

using Fault = IntegerValue::Fault;
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

void expect(BinaryOp op, std::int64_t x, std::int64_t y, std::int64_t value, Fault fault) {
  const IntegerValue got = apply(op, x, y);
  EXPECT_EQ(got.value, value) << x << spelling(op) << y;
  EXPECT_EQ(got.fault, fault) << x << spelling(op) << y;
}

TEST(Operators, OfTwoIntegers) {
  expect(BinaryOp::Add, kMost, 1, kLeast, Fault::Overflow);
  expect(BinaryOp::Sub, 1, 2, -1, Fault::None);
  expect(BinaryOp::Mul, kLeast, -1, kLeast, Fault::Overflow);
  expect(BinaryOp::Div, 7, 0, 0, Fault::ZeroDivisor);
  expect(BinaryOp::Div, kLeast, -1, kLeast, Fault::Overflow);
  expect(BinaryOp::Rem, kLeast, -1, 0, Fault::None);
  expect(BinaryOp::Rem, -7, 2, -1, Fault::None);
  expect(BinaryOp::Shl, 3, 62, std::int64_t(std::uint64_t{3} << 62), Fault::Overflow);
  expect(BinaryOp::Shl, -1, 62, -(std::int64_t{1} << 62), Fault::None);
  expect(BinaryOp::Shl, 1, 64, 1, Fault::ShiftAmount);
  expect(BinaryOp::Shr, -8, 1, -4, Fault::None);
  expect(BinaryOp::And, 2, 4, 1, Fault::None);
  expect(BinaryOp::Comma, 2, 4, 4, Fault::None);
}

TEST(Operators, AreFoundAsTheyAreWritten) {
  for (int i = 0; i < static_cast<int>(BinaryOp::Comma); ++i) {
    BinaryOp found = BinaryOp::Comma;
    ASSERT_TRUE(find_binary(spelling(static_cast<BinaryOp>(i)), found));
    EXPECT_EQ(found, static_cast<BinaryOp>(i));
  }
  BinaryOp none = BinaryOp::Comma;
  EXPECT_FALSE(find_binary("=", none));
}

}  // namespace
}  // namespace warplens::cuda
