// cp.async: each active lane copies `bytes` from global to shared memory, past the registers.
//
// Through L1 (.ca) the sectors are those of a load. Data moves in groups of lanes as a store's (32, 16 or 8 lanes), from
// the banks of L1's data, which lies in 32 of them as well, to those of shared memory. Two lanes meet where they read
// from one bank or write to one bank, also where they share a word. Each lane of those that meet has a wavefront of its
// own: a group takes as many as the most that any lane meets, itself among them.
//
//   lanes 0, 1 read from one bank                                two wavefronts
//   lanes 0, 1 read from one bank, lanes 1, 2 write to one bank  three: lane 1 meets both others
//
// Past L1 (.cg) sectors are fetched for where they go: one for each pair of a global sector and the shared
// sector that it lands in, two where one half of it goes to both halves there; of lanes that write to one place the
// first alone counts. A wavefront moves, from one global line to one shared line, sectors that keep whether they are
// even or odd ones, or all those that change it, each global sector once: whole ones, or all first halves that go to
// first halves, or first halves to second ones, and so on. Where a sector goes to several of a line, and others could
// go beside it, their order decides, which is not known: `wavefronts_exact` says so.
//
// Found from 700 accesses of one warp on an NVIDIA H200 (tests/data: 60 of h200_matrix_and_async.json, 160 of
// h200_async_copies.json at drawn addresses, 480 of h200_async_few.json with few lanes in few banks): all sectors,
// all 503 wavefronts through L1, and of the 197 past it the 177 that are said to be exact, come out.
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
