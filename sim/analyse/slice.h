// The counting slice: what is left of a program when only its accesses, masks and errors matter. The
// multiply-adds of a matmul vanish, and so do the values that its loads bring.
//
// Kept: what feeds an address, a condition, an assertion, an integer divisor. A load brings its value only
// where that value feeds one of these; a store writes its value only where such a load may read it. Left out:
// local arrays at places that are known to be theirs (known_values.h), and loops of which then nothing is
// left but their counter (idle_loops.h).
#pragma once

#include <vector>

#include "sim/base/budget.h"
#include "sim/program/operands.h"

namespace warplens::warp {

struct Slice {
  std::vector<Keep> keep;  // per instruction
  // A load whose value counts may read what a store or atomic of this kernel wrote to global memory, perhaps
  // one of another block: then the order of blocks may matter. The instruction of such a load, or -1.
  int reads_written_global = -1;
};

// Every instruction is looked at again only where something that it feeds or stores to has come to count: O(n
// * (d
// + log n)) for n instructions in loops at most d deep. Throws Stopped.
Slice counting_slice(const Program& program, Budget& budget = Budget::endless());

}  // namespace warplens::warp
