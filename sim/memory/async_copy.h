// cp.async: each active lane copies `bytes` from global to shared memory, past the registers.
//
// Through L1 (.ca) the sectors are those of a load. Data moves in groups of lanes, as in a store (32, 16 or 8
// lanes), from the 32 banks of L1's data to those of shared memory. Two lanes meet if they read from one bank
// or write to one bank, even if they share a word. Lanes that meet need a wavefront each, so a group takes as
// many wavefronts as the largest number of lanes that any one lane meets, itself included.
//
//   lanes 0, 1 read from one bank                                two wavefronts
//   lanes 0, 1 read from one bank, lanes 1, 2 write to one bank  three: lane 1 meets both others
//
// Past L1 (.cg) each pair of a global sector and the shared sector that it goes to is fetched once, or twice
// if one half of it goes to both halves there; of lanes that write to one place only the first counts. A
// wavefront moves sectors from one global line to one shared line: those that keep their parity (even or
// odd), or all those that change it; each global sector once; and either whole sectors, or all first halves
// that go to first halves, or first halves to second ones, and so on. If a sector goes to several of a line,
// and others could go beside it, the cost depends on their order, which is not known: `wavefronts_exact`.
//
// A lane whose source size is 0 reads nothing and writes zeros: it adds no sector, and it meets others only
// where it writes. What Nsight Compute counts for a copy past L1 with such a predicate depends on the
// register that the assembler chooses. P0, which most kernels with one guarded copy use, counts as a copy of
// which no lane reads: the wavefronts of what it writes, 8 lanes at a time. !P0 counts as a copy without a
// size. P1 to P6 count correctly: as a copy without a size if all lanes read; as the wavefronts of what is
// written if none does; and if some do, those of the lanes that read, without a size, and then, 8 lanes at a
// time, as many as through L1 (50 of 56 accesses, tests/data/h100_async_predicates.json). This file gives the
// count for P0, and calls it exact if it is the same for all of them. With a size that the compiler does not
// know, a copy takes twice that count, or twice what the lanes that read take without a size, whichever is
// more (24 of 26 accesses); this is not called exact either.
//
// Nsight Compute counts copies among global loads (op_ld) too: through L1 their sectors, past it one for each
// pair of a global line and a shared sector; of lanes that write to one place, the last one.
//
// Found from 700 accesses of one warp on an NVIDIA H200 (tests/data: 60 of h200_matrix_and_async.json, 160 of
// h200_async_copies.json at random addresses, 480 of h200_async_few.json with few lanes in few banks) and 716
// on an H100, most with source sizes (h100_async_sizes.json): all sectors, all 1,040 wavefronts through L1,
// and all wavefronts past it that are called exact are equal.
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
  int requests = 0;  // 1 if any lane reads
  int sectors = 0;
  int wavefronts = 0;
  bool wavefronts_exact = true;
  friend bool operator==(const AsyncCopyCost&, const AsyncCopyCost&) = default;
};
AsyncCopyCost cost(const AsyncCopy& copy);

// Its two halves as accesses that know each other: what it reads from global memory (without an active lane
// if none reads), and what it writes to shared memory; and back.
WarpAccess read_of(const AsyncCopy& copy);
WarpAccess write_of(const AsyncCopy& copy);
AsyncCopy copy_of(const WarpAccess& half);

// What one half costs, with load_sectors and exact. The ideal is the wavefronts that the written bytes need:
// one for each group with a lane in it; past L1, where sectors move and not lanes, one for each 128 bytes.
Cost cost_of_half(const WarpAccess& half);

// The wavefront in which each lane's bytes arrive; there are as many as cost() has. The order of lanes that
// wait for one another is not known and assumed to be that of the lanes.
BankPlan plan_of(const AsyncCopy& copy);

}  // namespace warplens::memory
