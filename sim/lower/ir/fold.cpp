#include "sim/lower/ir/fold.h"

#include "sim/program/operands.h"
#include "sim/program/operations.h"

namespace warplens::sim::lower {
namespace {

using Folded = std::optional<std::uint64_t>;

// The operands' bits as an operation's arguments.
template <class Op, class T>
std::uint64_t applied(T x, T y, T z) {
  if constexpr (Op::kOperands == 1)
    return to_bits(Op::of(x));
  else if constexpr (Op::kOperands == 2)
    return to_bits(Op::of(x, y));
  else
    return to_bits(Op::of(x, y, z));
}

}  // namespace

Folded fold(const Instr& instr, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  if (instr.op == Opcode::Mov) return a;
  if (instr.op == Opcode::Convert) return convert_bits(a, instr.type, instr.to);
  if (instr.op == Opcode::Select) return a != 0 ? b : c;
  if (is_small_float(instr.type) && instr.op == Opcode::Fma) {
    return to_bits(
        ops::small_mul_add(instr.type, from_bits<float>(a), from_bits<float>(b), from_bits<float>(c)));
  }
  const Instr known = without_greater(instr);
  if (known.op != instr.op) std::swap(a, b);
  const bool divides = known.op == Opcode::Div || known.op == Opcode::Rem;
  if (divides && (is_floating(known.type) ? known.op == Opcode::Rem : b == 0)) return {};
  const Folded result = with_typed_operation(
      known.op, lane_class(known.type), Folded{}, [&]<class Op, class T>(Op, T) -> Folded {
        return applied<Op>(from_bits<T>(a), from_bits<T>(b), from_bits<T>(c));
      });
  return result && result_type(known) != ScalarType::Bool ? narrowed(known.type, *result) : result;
}

}  // namespace warplens::sim::lower
