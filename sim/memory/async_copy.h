// cp.async: each active lane copies `bytes` from global to shared memory, past the registers.
//
// Through L1 (.ca) the sectors are those of a load. Data moves in groups of lanes as a store's (32, 16 or 8
// lanes), from the banks of L1's data, which lies in 32 of them as well, to those of shared memory. Two lanes
// meet where they read from one bank or write to one bank, also where they share a word. Each lane of those
// that meet has a wavefront of its own: a group takes as many as the most that any lane meets, itself among
// them.
//
//   lanes 0, 1 read from one bank                                two wavefronts
//   lanes 0, 1 read from one bank, lanes 1, 2 write to one bank  three: lane 1 meets both others
//
// Past L1 (.cg) sectors are fetched for where they go: one for each pair of a global sector and the shared
// sector that it lands in, two where one half of it goes to both halves there; of lanes that write to one
// place the first alone counts. A wavefront moves, from one global line to one shared line, sectors that keep
// whether they are even or odd ones, or all those that change it, each global sector once: whole ones, or all
// first halves that go to first halves, or first halves to second ones, and so on. Where a sector goes to
// several of a line, and others could go beside it, their order decides, which is not known:
// `wavefronts_exact` says so.
//
// A lane whose source size is 0 reads nothing and writes zeros: it adds no sector, and it meets others only
// where it writes. What Nsight Compute counts of a copy past L1 with such a predicate depends on the register
// that the assembler keeps it in: one in P0, as of most kernels with one guarded copy, it takes for a copy of
// which no lane reads, which takes the wavefronts of what it writes, of 8 lanes at a time; one with !P0 for a
// copy without a size; P1 to P6 it reads as they are: a copy without a size where all lanes read, the
// wavefronts of what is written where none does, and where some do, those that read without a size and then,
// 8 lanes at a time, as many as through L1 (50 of 56 accesses, tests/data/h100_async_predicates.json). The
// first is given here, and said to be exact where it is the same for all of them. With a size that the
// compiler does not know a copy takes twice as many as that, or as the lanes that read take without a size,
// whichever are more: so in 24 of 26 accesses, not said to be exact either.
//
// Nsight Compute counts copies among global loads (op_ld) too: through L1 their sectors, past it one for each
// pair of a global line and a shared sector, of lanes that write to one place the last one.
//
// Found from 700 accesses of one warp on an NVIDIA H200 (tests/data: 60 of h200_matrix_and_async.json, 160 of
// h200_async_copies.json at drawn addresses, 480 of h200_async_few.json with few lanes in few banks) and 716
// on an H100, most with source sizes (h100_async_sizes.json): all sectors, all 1,040 wavefronts through L1,
// and those past it that are said to be exact, come out.
#pragma once

#include "sim/memory/access.h"
#include "sim/memory/banks.h"
#include "sim/memory/cost.h"

namespace warplens::memory {

struct AsyncCopy {
  int bytes = 4;         // per lane: 4, 8 or 16
  bool past_l1 = false;  // .cg, of 16 bytes
  LaneMask active = 0xffffffffu;
  CopySize size = CopySize::Whole;
  LaneMask zeros = 0;  // of the active ones, those whose source size is 0
  LaneAddresses global{}, shared{};

  LaneMask reading() const { return active & ~zeros; }
};

// Precondition of all of these: active addresses are multiples of `bytes`.

struct AsyncCopyCost {
  int requests = 0;  // 1 where any lane reads
  int sectors = 0;
  int wavefronts = 0;
  bool wavefronts_exact = true;
  friend bool operator==(const AsyncCopyCost&, const AsyncCopyCost&) = default;
};
AsyncCopyCost cost(const AsyncCopy& copy);

// Its two halves as accesses, each of which knows the other: what it reads of global memory (no active lane
// where none reads), what it writes to shared memory; and back.
WarpAccess read_of(const AsyncCopy& copy);
WarpAccess write_of(const AsyncCopy& copy);
AsyncCopy copy_of(const WarpAccess& half);

// What a half of it costs, with load_sectors and exact. Ideal wavefronts are those that the written bytes
// need: one for each group with a lane in it, past L1 one for each 128 bytes where sectors move, and not
// lanes.
Cost cost_of_half(const WarpAccess& half);

// In which wavefront each lane's bytes arrive, as many as cost() has. Where lanes wait for one another their
// order is not known: it is taken to be that of the lanes.
BankPlan plan_of(const AsyncCopy& copy);

}  // namespace warplens::memory
