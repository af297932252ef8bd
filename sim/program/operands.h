// Which registers an instruction reads and writes, and as what: one list for decoding, slicing and tracking.
#pragma once

#include "sim/program/program.h"

namespace warplens::sim {

constexpr Reg next_reg(Reg r, int count) {
  return is_uniform(r) ? r - count : r + count;
}

constexpr bool is_access(Opcode op) {
  return op == Opcode::Load || op == Opcode::Store || op == Opcode::Atomic;
}
constexpr bool is_comparison(Opcode op) {
  return op >= Opcode::Lt && op <= Opcode::Ne;
}
constexpr bool is_control(Opcode op) {
  return op >= Opcode::If;
}

// Where a warp meets others, or its lanes each other.
constexpr bool is_meeting(Opcode op) {
  return op == Opcode::Barrier || op == Opcode::SyncWarp || op == Opcode::Pause || op == Opcode::Passed;
}

// The type of what `instr` writes.
constexpr ScalarType result_type(const Instr& instr) {
  if (is_comparison(instr.op) || instr.op == Opcode::Not) return ScalarType::Bool;
  if (instr.op == Opcode::Convert) return instr.to;
  if (instr.op == Opcode::Vote) return ScalarType::U32;
  if (instr.op == Opcode::Barrier) return ScalarType::I32;
  if (instr.op == Opcode::Math) {
    const auto function = static_cast<MathFunction>(instr.function);
    const bool counts = function == MathFunction::PopCount || function == MathFunction::CountLeadingZeros ||
                        function == MathFunction::FindFirstSet;
    return counts ? ScalarType::I32 : instr.type;
  }
  return instr.type;
}

// Calls visit(register, type) for every register that `instr` writes.
template <class Visit>
void each_written(const Instr& instr, Visit visit) {
  if (is_control(instr.op) || instr.op == Opcode::Store || instr.dst == kNoReg) return;
  const int count = instr.op == Opcode::Load ? instr.components : 1;
  for (int j = 0; j < count; ++j) visit(next_reg(instr.dst, j), result_type(instr));
}

// Calls visit(register, type) for the registers that give an access its address.
template <class Visit>
void each_address(const Instr& instr, Visit visit) {
  if (!is_access(instr.op)) return;
  if (instr.a != kNoReg) visit(instr.a, ScalarType::U64);
  if (instr.b != kNoReg) visit(instr.b, instr.index_type);
}

// Calls visit(register, type) for the registers that give a store or atomic its values.
template <class Visit>
void each_stored(const Instr& instr, Visit visit) {
  if (instr.op == Opcode::Store) {
    for (int j = 0; j < instr.components; ++j) visit(next_reg(instr.c, j), instr.type);
  } else if (instr.op == Opcode::Atomic) {
    if (instr.c != kNoReg) visit(instr.c, instr.type);
    if (instr.d != kNoReg) visit(instr.d, instr.type);
  }
}

// Calls visit(register, type) for every register that `instr` reads.
template <class Visit>
void each_read(const Instr& instr, Visit visit) {
  const auto given = [&](Reg r, ScalarType type) {
    if (r != kNoReg) visit(r, type);
  };
  switch (instr.op) {
    case Opcode::Load:
    case Opcode::Store:
    case Opcode::Atomic:
      each_address(instr, visit);
      each_stored(instr, visit);
      return;
    case Opcode::Select:
      given(instr.a, ScalarType::Bool);
      given(instr.b, instr.type);
      given(instr.c, instr.type);
      return;
    case Opcode::Shuffle:
      given(instr.a, instr.type);
      given(instr.b, ScalarType::U32);
      given(instr.c, ScalarType::U32);
      given(instr.d, ScalarType::U32);
      return;
    case Opcode::MatrixDot:
      given(instr.a, ScalarType::U32);
      given(instr.b, ScalarType::U32);
      given(instr.c, instr.type);
      return;
    case Opcode::Vote:
    case Opcode::Barrier:
    case Opcode::Assert:
    case Opcode::If:
    case Opcode::Test:
    case Opcode::Branch:
      given(instr.a, ScalarType::Bool);
      return;
    case Opcode::SyncWarp:
    case Opcode::Pause:
    case Opcode::Passed:
      return;
    default:
      break;
  }
  if (is_control(instr.op)) return;
  given(instr.a, instr.type);
  given(instr.b, instr.type);
  given(instr.c, instr.type);
}

constexpr bool jumps(Opcode op) {
  switch (op) {
    case Opcode::If:
    case Opcode::Else:
    case Opcode::EndIf:
    case Opcode::Test:
    case Opcode::Exit:
    case Opcode::Leave:
    case Opcode::Branch:
    case Opcode::Jump:
    case Opcode::Return:
      return true;
    default:
      return false;
  }
}

}  // namespace warplens::sim
