#include "sim/cuda/text/operators.h"

#include <limits>

namespace warplens::cuda {
namespace {

using Fault = IntegerValue::Fault;

IntegerValue divided(BinaryOp op, std::int64_t x, std::int64_t y) {
  if (y == 0) return {0, Fault::ZeroDivisor};
  const bool overflows = x == std::numeric_limits<std::int64_t>::min() && y == -1;
  if (op == BinaryOp::Rem) return {overflows ? 0 : x % y};
  return overflows ? IntegerValue{x, Fault::Overflow} : IntegerValue{x / y};
}

IntegerValue shifted(BinaryOp op, std::int64_t x, std::int64_t y) {
  const auto amount = static_cast<unsigned>(y) & 63u;
  const Fault fault = y < 0 || y > 63 ? Fault::ShiftAmount : Fault::None;
  if (op == BinaryOp::Shr) return {x >> amount, fault};
  const auto left = static_cast<std::int64_t>(static_cast<std::uint64_t>(x) << amount);
  const bool fits = left >> amount == x && (amount < 63 || x == 0);
  return {left, fault == Fault::None && !fits ? Fault::Overflow : fault};
}

}  // namespace

IntegerValue apply(BinaryOp op, std::int64_t x, std::int64_t y) {
  IntegerValue result;
  const auto flagged = [&](bool overflows) {
    result.fault = overflows ? Fault::Overflow : Fault::None;
    return result;
  };
  switch (op) {
    case BinaryOp::Add:
      return flagged(__builtin_add_overflow(x, y, &result.value));
    case BinaryOp::Sub:
      return flagged(__builtin_sub_overflow(x, y, &result.value));
    case BinaryOp::Mul:
      return flagged(__builtin_mul_overflow(x, y, &result.value));
    case BinaryOp::Div:
    case BinaryOp::Rem:
      return divided(op, x, y);
    case BinaryOp::Shl:
    case BinaryOp::Shr:
      return shifted(op, x, y);
    case BinaryOp::Lt:
      return {x < y};
    case BinaryOp::Le:
      return {x <= y};
    case BinaryOp::Gt:
      return {x > y};
    case BinaryOp::Ge:
      return {x >= y};
    case BinaryOp::Eq:
      return {x == y};
    case BinaryOp::Ne:
      return {x != y};
    case BinaryOp::BitAnd:
      return {x & y};
    case BinaryOp::BitXor:
      return {x ^ y};
    case BinaryOp::BitOr:
      return {x | y};
    case BinaryOp::And:
      return {x != 0 && y != 0};
    case BinaryOp::Or:
      return {x != 0 || y != 0};
    case BinaryOp::Comma:
      break;
  }
  return {y};
}

}  // namespace warplens::cuda
