// Which arithmetic an opcode stands for: one table for the machine, which runs it, and for folding constants.
#pragma once

#include <utility>

#include "sim/program/program.h"
#include "sim/scalar/ops.h"

namespace warplens::sim {

// Gives f(Op{}), Op of sim/scalar/ops.h; `otherwise` for opcodes that are no arithmetic. Gt and Ge are none:
// see without_greater().
template <class R, class F>
R with_operation(Opcode opcode, R otherwise, F f) {
  switch (opcode) {
    case Opcode::Add:
      return f(ops::Add{});
    case Opcode::Sub:
      return f(ops::Sub{});
    case Opcode::Mul:
      return f(ops::Mul{});
    case Opcode::MulHigh:
      return f(ops::MulHigh{});
    case Opcode::Div:
      return f(ops::Div{});
    case Opcode::Rem:
      return f(ops::Rem{});
    case Opcode::And:
      return f(ops::And{});
    case Opcode::Or:
      return f(ops::Or{});
    case Opcode::Xor:
      return f(ops::Xor{});
    case Opcode::Shl:
      return f(ops::Shl{});
    case Opcode::Shr:
      return f(ops::Shr{});
    case Opcode::Min:
      return f(ops::Min{});
    case Opcode::Max:
      return f(ops::Max{});
    case Opcode::Neg:
      return f(ops::Neg{});
    case Opcode::BitNot:
      return f(ops::BitNot{});
    case Opcode::Not:
      return f(ops::Not{});
    case Opcode::Abs:
      return f(ops::Abs{});
    case Opcode::Lt:
      return f(ops::Lt{});
    case Opcode::Le:
      return f(ops::Le{});
    case Opcode::Eq:
      return f(ops::Eq{});
    case Opcode::Ne:
      return f(ops::Ne{});
    case Opcode::Fma:
      return f(ops::MulAdd{});
    default:
      return otherwise;
  }
}

// a > b as b < a, a >= b as b <= a.
inline Instr without_greater(Instr instr) {
  if (instr.op != Opcode::Gt && instr.op != Opcode::Ge) return instr;
  std::swap(instr.a, instr.b);
  instr.op = instr.op == Opcode::Gt ? Opcode::Lt : Opcode::Le;
  return instr;
}

// Gives f(Op{}, T{}), T the type in which the operation is computed for `lanes`; `otherwise` where there is
// none.
template <class R, class F>
R with_typed_operation(Opcode opcode, LaneClass lanes, R otherwise, F f) {
  return with_operation(opcode, otherwise, [&]<class Op>(Op op) {
    return with_lane_type(lanes, [&]<class T>(T) {
      if constexpr (Op::kIntegersOnly && !std::is_integral_v<T>)
        return otherwise;
      else if constexpr (Op::kIgnoresSign && std::is_integral_v<T>)
        return f(op, std::make_unsigned_t<T>{});
      else
        return f(op, T{});
    });
  });
}

}  // namespace warplens::sim
