// Follows variables that were declared without a value: through arithmetic, copies and selections, up to
// where such a value would count: an address, a stored value, a decision, a divisor, a vote. There the run
// fails.
//
//   float x;                 every active lane of x has no value
//   if (i < n) x = in[i];    lanes inside have one
//   float y = x + 1;         y has none where x has none: no finding yet
//   out[i] = y;              a finding, in the lanes that got here without one
//
// What `&&`, `||` and ?: do not look at need have no value. A kernel in which no read can come before a write
// has no extra steps. Only checking runs follow values.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/warp/machine.h"

namespace warplens::warp {

// A register's slot among the registers: low half the lanes without a value, high half the variable's number.
struct UndefinedOperand {
  std::int32_t slot = -1;   // -1: it always has a value
  std::int32_t value = -1;  // where the register itself lies
  bool uniform = false;
};

struct UndefinedStep {
  enum class Kind : std::uint8_t { Declare, Check, Pass, Select, And, Or };
  Kind kind = Kind::Pass;
  bool masked = false;  // the instruction writes active lanes only
  bool dst_uniform = false;
  std::int32_t dst = -1;       // slot
  std::int32_t variable = -1;  // Declare
  std::vector<UndefinedOperand> operands;
};

// Registers that may be without a value somewhere, by what the program says; both empty: none.
struct MaybeUndefined {
  std::vector<char> uniform, varying;
  std::vector<int> declared;  // variables, index into Program::variables
  bool any() const { return !declared.empty(); }
  bool has(Reg r) const {
    const auto at = static_cast<std::size_t>(reg_index(r));
    const auto& of = is_uniform(r) ? uniform : varying;
    return r != kNoReg && at < of.size() && of[at] != 0;
  }
};
MaybeUndefined find_maybe_undefined(const Program& program);

Handler undefined_handler();  // Step::immediate: the UndefinedStep's address

}  // namespace warplens::warp
