// Barriers that CUDA forbids, and GPUs since Volta pass: a block has one barrier for all places in the text
// (PTX makes each __syncthreads() `barrier.sync 0`), and it opens once all warps wait that have not ended. So
// the halves of a block may wait in two places, and a warp has come as a whole, whichever of its lanes wait:
// thirteen kernels of which lanes go past a barrier ended on an H100. Of nine the requests were counted:
// seven made those that are counted here, in two nvcc lets the lanes meet later. Votes were of the lanes that
// waited.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "sim/base/message.h"
#include "sim/program/program.h"

namespace warplens::sim {

struct BarrierDivergence {
  std::int32_t here = -1;   // the instruction of a barrier, an index into Program::code
  std::int32_t there = -1;  // that of the other one; -1: the others come to none
  std::vector<memory::LaneMask> waiting{}, others{};  // threads here and there, warp by warp

  // Emscripten's vectors have no <=>.
  friend bool operator<(const BarrierDivergence& a, const BarrierDivergence& b) {
    return std::tie(a.here, a.there, a.waiting, a.others) < std::tie(b.here, b.there, b.waiting, b.others);
  }
};

const char* name_of_barrier(const Program& program, std::int32_t instr);  // "__syncthreads()"
Message name_lanes(memory::LaneMask lanes);                               // "lanes 0, 1, 5 to 31"

// "threads 0 to 127 wait at the __syncthreads() of line 7, threads 128 to 255 at that of line 8: ...";
// threads by their number in the block.
Message words_of(const Program& program, const BarrierDivergence& divergence);

}  // namespace warplens::sim
