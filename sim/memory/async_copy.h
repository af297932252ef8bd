// cp.async: each active lane copies `bytes` from global to shared memory, past the registers.
//
// Through L1 (.ca) the sectors are those of a load. Data moves in passes over the banks of shared memory: the
// first word of each bank, then the second, ..., as a store does it, by the groups of a store (32, 16 or 8
// lanes). A pass reads L1's data, which lies in 32 banks as well, and takes as many wavefronts as the most
// words that it needs of one bank there:
//
//   global  lanes 0, 1 in one bank       shared  lanes 0, 1 in two banks: one pass, of two wavefronts
//   global  lanes 0, 1 in two banks      shared  lanes 0, 1 in one bank:  two passes, of one each
//
// In which pass a word goes is known only where it does not matter, and not where lanes share an address:
// `wavefronts_exact` says whether.
//
// Past L1 (.cg) sectors are fetched for where they go: one for each pair of a global sector and the shared
// sector that it lands in; of lanes that write to one place the first alone counts. A wavefront moves, from
// one global line to one shared line, all whole sectors, or all first halves that go to first halves, or
// first halves to second ones, and so on.
//
// Found from 60 accesses of one warp on an NVIDIA H200 (tests/data/h200_matrix_and_async.json) and held
// against 160 more, at drawn addresses (tests/data/h200_async_copies.json): all sectors, and all wavefronts
// that are said to be exact, come out.
#pragma once

#include "sim/memory/access.h"

namespace warplens::memory {

struct AsyncCopy {
  int bytes = 4;         // per lane: 4, 8 or 16
  bool past_l1 = false;  // .cg, of 16 bytes
  LaneMask active = 0xffffffffu;
  LaneAddresses global{}, shared{};
};

struct AsyncCopyCost {
  int requests = 0;
  int sectors = 0;
  int wavefronts = 0;
  bool wavefronts_exact = true;
  friend bool operator==(const AsyncCopyCost&, const AsyncCopyCost&) = default;
};

// Precondition: active addresses are multiples of `bytes`.
AsyncCopyCost cost(const AsyncCopy& copy);

// The two halves of it as accesses: the load of global memory, the store to shared memory.
WarpAccess read_of(const AsyncCopy& copy);
WarpAccess write_of(const AsyncCopy& copy);

}  // namespace warplens::memory
