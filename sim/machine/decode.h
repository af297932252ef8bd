// Program -> Code: register offsets, handlers, jumps between steps. An instruction becomes one step, or a few
// where its operands' kinds or a narrow type ask for it.
#pragma once

#include <string>
#include <vector>

#include "sim/machine/machine.h"

namespace warplens::sim {

struct DecodeOptions {
  bool counting = false;   // what Instr::keep says, no more
  bool variables = false;  // keep Program::variables, and note where they have a value
  bool check = false;  // accesses and warp-wide operations tell Machine::checker; variables may lack values
  Handler (*access)(const AccessStep&) = nullptr;  // nullptr: access_handler(), or the checked one
  Budget* budget = nullptr;                        // null: nothing ends it
};

// `error` says what the machine cannot run (an operation on a type that has none); a lowered program has no
// such.
struct DecodeResult {
  Code code;
  Message error;
};
// O(n log n) for n instructions. Throws Stopped.
DecodeResult decode(const Bound& bound, const DecodeOptions& options = {});

// What every run begins with: a program bound to a launch, and decoded.
struct Prepared {
  Bound bound;
  Code code;
  Message wrong;  // why nothing can run, or empty
};
// Throws Stopped. The program must outlive the result.
Prepared prepare(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                 const DecodeOptions& options);

RunError bad_launch(Message message);

}  // namespace warplens::sim
