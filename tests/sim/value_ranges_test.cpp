// Between which numbers an operation's result lies.
#include "sim/analyse/value_ranges.h"

#include <gtest/gtest.h>

namespace warplens::sim {
namespace value_ranges_test {

struct Row {
  const char* what;
  Opcode opcode;
  MaybeRange a, b, c, result;
};

TEST(ValueRanges, FollowFromTheOperands) {
  using O = Opcode;
  const ValueRange thread{0, 1023, 1}, around{-3, 4, 1}, small{1, 4, 1}, below{-8, -1, 1}, five{5, 5, 0};
  const MaybeRange none;
  const Row table[] = {
      {"sum", O::Add, around, ValueRange{0, 15, 1}, none, ValueRange{-3, 19, 1}},
      {"difference", O::Sub, ValueRange{0, 7, 1}, small, none, ValueRange{-4, 6, 1}},
      {"product", O::Mul, around, ValueRange{-8, 7, 1}, none, ValueRange{-32, 28, 1}},
      {"product of what is negative", O::Mul, below, ValueRange{-4, -1, 1}, none, ValueRange{1, 32, 1}},
      {"product by a constant", O::Mul, around, five, none, ValueRange{-15, 20, 5}},
      {"product and sum", O::Fma, around, five, five, ValueRange{-10, 25, 5}},
      {"quotient", O::Div, ValueRange{8, 15, 1}, small, none, ValueRange{2, 15, 1}},
      {"quotient of what is negative", O::Div, below, small, none, none},
      {"remainder", O::Rem, thread, small, none, ValueRange{0, 3, 1}},
      {"least", O::Min, thread, five, none, ValueRange{0, 5, 1}},
      {"most", O::Max, around, ValueRange{2, 2, 0}, none, ValueRange{2, 4, 1}},
      {"bits of either", O::Or, ValueRange{0, 5, 1}, ValueRange{0, 1, 1}, none, ValueRange{0, 7, 1}},
      {"bits of both, one negative", O::And, below, ValueRange{7, 7, 0}, none, ValueRange{0, 7, 1}},
      {"bits of both, negative", O::And, below, below, none, none},
      {"shift to the left", O::Shl, small, ValueRange{2, 2, 0}, none, ValueRange{4, 16, 4}},
      {"shift to the right", O::Shr, thread, small, none, ValueRange{0, 511, 1}},
      {"choice", O::Select, none, ValueRange{0, 7, 1}, below, ValueRange{-8, 7, 1}},
      {"copy", O::Mov, around, none, none, around},
      {"wraps", O::Mul, thread, ValueRange{1 << 22, 1 << 22, 0}, none, none},
  };
  for (const Row& row : table) {
    const Instr instr{.op = row.opcode, .type = ScalarType::I32};
    EXPECT_EQ(range_of_result(instr, row.a, row.b, row.c), row.result) << row.what;
  }
}

}  // namespace value_ranges_test
}  // namespace warplens::sim
