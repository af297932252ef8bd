// What every run begins with: a program bound to a launch, and decoded.
#pragma once

#include <string>

#include "sim/machine/decode.h"

namespace warplens::sim {

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
