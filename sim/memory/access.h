// One warp access: what 32 lanes ask of memory in one executed instruction.
//
//   lane       0    1    2   ...  31
//   address  0x00 0x04 0x08 ... 0x7c     active = 0xffffffff, bytes = 4
//
// Everything in sim/memory is a pure function of this value and of a GpuModel.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace warplens::memory {

inline constexpr int kWarpLanes = 32;
inline constexpr int kSectorBytes = 32;
inline constexpr int kLineBytes = 128;

using Address = std::uint64_t;   // in bytes
using LaneMask = std::uint32_t;  // bit i: lane i
using LaneAddresses = std::array<Address, kWarpLanes>;

// Calls visit(lane) for the lanes of the mask, the lowest first.
template <class Visit>
[[gnu::always_inline]] inline void each_lane(LaneMask mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(std::countr_zero(mask));
}

enum class Space : std::uint8_t { Global, Shared };

// A reduction is an atomic whose old value is not read; the hardware counts it separately (red, not atom).
// Async is what a copy past the registers (cp.async) reads from global memory or writes to shared memory.
enum class Op : std::uint8_t { Load, Store, Atomic, Reduction, Async };
inline constexpr std::array kAllOps{Op::Load, Op::Store, Op::Atomic, Op::Reduction, Op::Async};
inline constexpr std::size_t kOps = kAllOps.size();
constexpr bool is_atomic(Op op) {
  return op == Op::Atomic || op == Op::Reduction;
}
// The access reads global memory and changes nothing there.
constexpr bool only_reads(Op op) {
  return op == Op::Load || op == Op::Async;
}

// How many bytes of its source each lane of a copy reads: all; none or all, which the compiler knows, so the
// instruction has a predicate for it; or a number that is known at run time. Lanes that read none write
// zeros.
enum class CopySize : std::uint8_t { Whole, NoneOrWhole, AnyNumber };

// How an H200 executes an atomic in shared memory (tests/data/h200_shared_atomics.json). Native: its unit
// executes it, in one wavefront for each turn. Swap: a compare-and-swap, in two. Loop: sums of floats, and
// all 64-bit operations except exchange, are a loop of a load and a swap (LDS, ATOMS.CAST.SPIN) until every
// lane has had its turn.
enum class AtomicWay : std::uint8_t { Native, Swap, Loop };
constexpr int wavefronts_a_turn(AtomicWay way) {
  return way == AtomicWay::Native ? 1 : way == AtomicWay::Swap ? 2 : 3;
}

struct WarpAccess {
  Space space = Space::Global;
  Op op = Op::Load;
  int bytes = 4;  // per lane: 1, 2, 4, 8 or 16
  LaneMask active = 0xffffffffu;
  LaneAddresses addresses{};  // those of inactive lanes have no meaning
  // An atomic in shared memory that adds the constant one to 32-bit words and whose old value is not read:
  // the compiler turns it into ATOMS.POPC.INC, which counts the lanes of a word at once.
  bool increments = false;
  AtomicWay way = AtomicWay::Native;  // of an atomic in shared memory
  // An atomic of integers at an address that the compiler knows to be the same for the whole warp: it
  // combines the lanes' values first (VOTE, REDUX), and one lane goes to memory for all.
  bool combined = false;
  // ldmatrix or stmatrix: lane 8 j + r has the address of row r of 8x8 matrix j, and `bytes` is a row's 16.
  // Each matrix is a group of its own, whatever its neighbours ask for.
  bool matrix = false;
  // A load through the texture path, which asks for the sectors of eight lanes at a time: see coalescing.h.
  bool texture = false;
  // Async alone: the copy's other half, on which the cost of this one depends (see async_copy.h). For the
  // half that reads: where every lane writes. For the half that writes: where those lanes read that read at
  // all; the others write zeros.
  bool past_l1 = false;
  CopySize size = CopySize::Whole;
  LaneMask other_active = 0;
  LaneAddresses other_addresses{};
};

}  // namespace warplens::memory
