// Which handler does an instruction's work. Every function gives nullptr for what the instruction set lacks.
#pragma once

#include "sim/machine/machine.h"
#include "sim/scalar/types.h"

namespace warplens::sim {

// Where an operation's operands and result lie. A uniform result has uniform operands only (see decode).
struct Shape {
  bool dst_uniform = false, a_uniform = false, b_uniform = false, c_uniform = false;
};

// Add ... Max, MulHigh, Fma, Div, Rem, Neg, BitNot, Not, Abs, and comparisons but Gt and Ge (operands
// swapped).
Handler operation_handler(Opcode op, LaneClass type, Shape shape);
Handler select_handler(LaneClass type, Shape shape);
Handler move_handler(LaneClass type, Shape shape);  // masked where dst is varying
Handler broadcast_handler(LaneClass type);          // all lanes of dst = uniform a
Handler first_lane_handler(LaneClass type);         // uniform dst = a of the first active lane
Handler convert_handler(LaneClass from, LaneClass to, bool uniform);
Handler narrow_handler(ScalarType to,
                       bool uniform);  // in place: wrap to 8 or 16 bits, round to a small float
Handler small_float_handler(ScalarType to, LaneClass from, bool uniform);  // F16 or BF16, rounded once
Handler bool_handler(LaneClass from, bool uniform);                        // != 0
Handler small_mul_add_handler(ScalarType type, bool uniform);  // dst, a, b, c all varying, or all uniform
Handler math_handler(LaneClass type, bool uniform);            // Step::immediate: the MathFunction
// The lane that `lane` takes its value from.
int shuffle_source(ShuffleMode mode, int lane, std::uint32_t operand, std::uint32_t width);
Handler shuffle_handler(LaneClass type);                       // all varying; immediate: the ShuffleMode
Handler matrix_dot_handler(ScalarType of_a, ScalarType of_b);  // all varying; immediate: the column's parity
Handler vote_handler(bool dst_uniform, bool a_uniform);        // Step::immediate: the VoteFunction
Handler define_handler(bool uniform);  // a variable's mask at dst: the active lanes have a value, or all
Handler assert_handler(bool uniform);  // Step::immediate: the Claim
Handler control_handler(Opcode op, bool a_uniform);  // masks and jumps, Barrier, SyncWarp, End
Handler vote_barrier_handler(bool a_uniform);        // Step::immediate: the BlockVote
Handler access_handler();                            // loads, stores, atomics, with values
Handler checked_access_handler();                    // the same, after asking Machine::checker
Handler sync_warp_handler();                         // tells Machine::checker
Handler undefined_handler();                         // Step::immediate: index into Code::undefined

}  // namespace warplens::sim
