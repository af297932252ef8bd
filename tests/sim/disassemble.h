// A program as text.
#pragma once

#include <string>

#include "sim/program/program.h"

namespace warplens::sim {

// One line an instruction:
//
//   3  mul.u32        u12 = blockIdx.y, blockDim.y
//   7  load.f32       v9 = [u10 + v6:i32 * 4 + 16]        ; in[offset]
//   9  if             v11 -> 14                           ; frame 0
std::string disassemble(const Program& program);

}  // namespace warplens::sim
