// Between which numbers integers lie, by what computes them.
#include <gtest/gtest.h>

#include <functional>

#include "sim/lower/ir/ir.h"

namespace warplens::sim::lower {
namespace lower_ranges_test {

constexpr ScalarType kI = ScalarType::I32;

// A program of one value after another.
class Written {
 public:
  Value constant(std::int64_t number) { return ir.constant(kI, static_cast<std::uint32_t>(number)); }
  Value thread() { return ir.input(kThreadIdxX, kI); }
  Value op(Opcode opcode, Value a, Value b = kNone, Value c = kNone) {
    const Value dst = ir.temp(kI);
    write(dst, opcode, a, b, c);
    return dst;
  }
  void write(Value dst, Opcode opcode, Value a, Value b = kNone, Value c = kNone) {
    Node node;
    node.op.instr = {.op = opcode, .type = kI, .dst = dst, .a = a, .b = b, .c = c};
    ir.body.push_back(std::move(node));
  }
  // threadIdx.x & (most - least), and `least` more: for most - least of 2^n - 1.
  Value between(std::int64_t least, std::int64_t most) {
    return op(Opcode::Add, op(Opcode::And, thread(), constant(most - least)), constant(least));
  }

  Ir ir;
};

struct Expected {
  const char* what;
  std::function<Value(Written&)> make;
  std::int64_t least, most;
};

TEST(NumberRanges, FollowFromWhatComputesThem) {
  using O = Opcode;
  const ValueRange all = *range_of_type(kI);
  const Expected table[] = {
      {"thread", [](Written& w) { return w.thread(); }, 0, 1023},
      {"constant", [](Written& w) { return w.constant(-7); }, -7, -7},
      {"-3..4", [](Written& w) { return w.between(-3, 4); }, -3, 4},
      {"sum", [](Written& w) { return w.op(O::Add, w.between(-3, 4), w.between(0, 15)); }, -3, 19},
      {"difference", [](Written& w) { return w.op(O::Sub, w.between(0, 7), w.between(1, 4)); }, -4, 6},
      {"product", [](Written& w) { return w.op(O::Mul, w.between(-3, 4), w.between(-8, 7)); }, -32, 28},
      {"product of what is negative",
       [](Written& w) { return w.op(O::Mul, w.between(-8, -1), w.between(-4, -1)); }, 1, 32},
      {"quotient", [](Written& w) { return w.op(O::Div, w.between(8, 15), w.between(1, 4)); }, 2, 15},
      {"remainder", [](Written& w) { return w.op(O::Rem, w.thread(), w.between(1, 4)); }, 0, 3},
      {"least", [](Written& w) { return w.op(O::Min, w.thread(), w.constant(5)); }, 0, 5},
      {"most", [](Written& w) { return w.op(O::Max, w.between(-3, 4), w.constant(2)); }, 2, 4},
      {"bits of either",
       [](Written& w) { return w.op(O::Or, w.op(O::Min, w.thread(), w.constant(5)), w.between(0, 1)); }, 0,
       7},
      {"bits of both, one negative",
       [](Written& w) { return w.op(O::And, w.between(-8, -1), w.constant(7)); }, 0, 7},
      {"bits of both, negative",
       [](Written& w) { return w.op(O::And, w.between(-8, -1), w.between(-8, -1)); }, all.least, all.most},
      {"shift to the right", [](Written& w) { return w.op(O::Shr, w.thread(), w.between(1, 4)); }, 0, 511},
      {"choice",
       [](Written& w) { return w.op(O::Select, w.constant(1), w.between(0, 7), w.between(-8, -1)); }, -8, 7},
      {"wraps", [](Written& w) { return w.op(O::Mul, w.thread(), w.constant(1 << 22)); }, all.least,
       all.most},
  };
  for (const Expected& expected : table) {
    SCOPED_TRACE(expected.what);
    Written written;
    const auto value = static_cast<std::size_t>(expected.make(written));
    EXPECT_EQ(number_ranges(written.ir)[value].least, expected.least);
    EXPECT_EQ(number_ranges(written.ir)[value].most, expected.most);
  }
}

TEST(NumberRanges, AVariableThatIsAssignedTwiceMayBeAnything) {
  Written written;
  const Value once = written.ir.variable(kI, 0), twice = written.ir.variable(kI, 0);
  written.write(once, Opcode::Mov, written.constant(3));
  written.write(twice, Opcode::Mov, written.constant(4000));
  written.write(twice, Opcode::Mov, written.thread());
  const std::vector<ValueRange> ranges = number_ranges(written.ir);
  EXPECT_EQ(ranges[static_cast<std::size_t>(once)], (ValueRange{3, 3, 0}));
  EXPECT_EQ(ranges[static_cast<std::size_t>(twice)], *range_of_type(kI));
}

}  // namespace lower_ranges_test
}  // namespace warplens::sim::lower
