// A kernel lowered for one warp: a flat, typed register program. Templates are instantiated, device functions
// inlined, names gone. It does not depend on the launch: grid, block and arguments are registers.
//
// Registers. A uniform register holds one value for the warp, a varying one holds 32 (one a lane). Which it
// is was decided at lowering. Ordinary instructions compute all 32 lanes whatever the mask (a temporary is
// written once and its inactive lanes are never read); only Mov to a variable, memory accesses, Div, Rem,
// Assert, votes and shuffles look at the mask. Uniform registers are only written where all live lanes agree.
//
// Masks. `active` is the warp's mask. Structured control flow keeps the other lanes in numbered frames, whose
// numbers were given out at lowering:
//
//   If     f, a, target   f.pending = active & ~a; f.joined = 0; active &= a;        if none: goto target
//   Else   f, target      f.joined = active; active = f.pending; f.pending = 0;      if none: goto target
//   EndIf  f, target      active |= f.joined | f.pending;                            if none: goto target
//   Enter  f              f.exited = 0   (a loop, or what is left from its middle: a function, a switch, a
//   turn) Test   f, a, target   f.exited |= active & ~a; active &= a;                      if none: goto
//   target Exit   f, target      f.exited |= active; active = 0; goto target (break, continue, return in a
//   function) Leave  f, target      active = f.exited;  (Enter's lanes, less those that ended) if none: goto
//   target Branch a, target      uniform a is zero: goto target Jump   target Return                active
//   lanes end; goto target (the innermost join, or the program's end) End                   the warp has
//   ended
//
// A uniform condition uses Branch and Jump, and its loops need no frame unless a lane may leave on its own.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/cuda/text/diagnostic.h"
#include "sim/memory/access.h"
#include "sim/scalar/types.h"

namespace warplens::sim {

// r >= 0: varying register r. r < 0: uniform register ~r.
using Reg = std::int32_t;
inline constexpr Reg kNoReg = std::numeric_limits<Reg>::min();
constexpr bool is_uniform(Reg r) {
  return r < 0;
}
constexpr Reg uniform_reg(int index) {
  return ~index;
}
constexpr int reg_index(Reg r) {
  return r < 0 ? ~r : r;
}

// Registers that the machine fills before the first instruction.
inline constexpr Reg kGridDimX = uniform_reg(0), kGridDimY = uniform_reg(1),
                     kGridDimZ = uniform_reg(2);  // U32
inline constexpr Reg kBlockDimX = uniform_reg(3), kBlockDimY = uniform_reg(4),
                     kBlockDimZ = uniform_reg(5);  // U32
inline constexpr Reg kBlockIdxX = uniform_reg(6), kBlockIdxY = uniform_reg(7),
                     kBlockIdxZ = uniform_reg(8);  // U32
inline constexpr Reg kWarpIndex = uniform_reg(9);  // U32, in the block
inline constexpr int kFirstFreeUniform = 10;
inline constexpr Reg kThreadIdxX = 0, kThreadIdxY = 1, kThreadIdxZ = 2, kLaneIndex = 3;  // U32
inline constexpr int kFirstFreeVarying = 4;

enum class Opcode : std::uint8_t {
  // dst = op(a, b) on `type`; comparisons give Bool (0 or 1).
  Mov,      // masked where dst is varying: only active lanes are written
  Convert,  // dst: `to` from a: `type`, as static_cast; float to integer saturates as on the GPU
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  And,
  Or,
  Xor,
  Shl,
  Shr,
  Min,
  Max,
  MulHigh,  // a shift's amount b is of `type` too
  Neg,
  BitNot,
  Not,
  Abs,
  Lt,
  Le,
  Gt,
  Ge,
  Eq,
  Ne,
  Select,  // dst = a (Bool) ? b : c
  Fma,     // dst = a * b + c
  Math,    // dst = math(a, b); PopCount, CountLeadingZeros and FindFirstSet count in I32 whatever the type
  // address = a (U64) + b (index of type `index_type`, or kNoReg) * scale + offset, in bytes
  Load,     // dst .. dst + components - 1 (consecutive registers of one kind), each of `type`
  Store,    // values c .. c + components - 1
  Atomic,   // dst (or kNoReg) = old; value c; d: the new value of a compare-and-swap, c is compared with
  Shuffle,  // dst = a of the lane that `shuffle`, b (lane, delta or mask) and c (width, or kNoReg: 32) name;
            // b, c: U32
            // d: the lanes that take part (U32, or kNoReg: all); the value of one that does not is undefined
  MatrixDot,  // what mma.sync does to one register of the result, over 16 bytes of a row and a column each:
              // dst = c + the products of 32-bit registers a of lanes 4 (i / 4) + q, q = 0 .. 3, which hold
              // values of type `to`, with b of lanes 4 (2 (i mod 4) + function) + q, of `index_type`
  Vote,       // dst = vote(a): U32, for Any and All 0 or 1
  Barrier,    // __syncthreads; with a BlockVote: dst (uniform, I32) = a (Bool) of all threads that arrive
  SyncWarp,
  Pause,   // the warp's turn ends: others have theirs before it goes on
  Passed,  // what the warp has waited for has come: all before it in other warps comes before what follows
  Assert,  // an active lane with a == 0 is an error
  // masks and jumps, as described above
  If,
  Else,
  EndIf,
  Enter,
  Test,
  Exit,
  Leave,
  Branch,
  Jump,
  Return,
  End,
};

enum class MathFunction : std::uint8_t {
  Sqrt,
  Rsqrt,
  Exp,
  Exp2,
  Exp10,
  Log,
  Log2,
  Log10,
  Sin,
  Cos,
  Tan,
  Tanh,
  Pow,
  Floor,
  Ceil,
  Round,
  Trunc,
  Fmod,
  Rint,
  Erf,
  PopCount,
  CountLeadingZeros,
  FindFirstSet,
  BitReverse,
  Atan,
  Atan2,
  Asin,
  Acos,
  Sinh,
  Cosh,
  Asinh,
  Acosh,
  Atanh,
  Cbrt,
  Rcbrt,
  Hypot,
  Rhypot,
  SinPi,  // sin(pi a)
  CosPi,
  NormalDistribution,  // the share below a
  Erfc,
  Expm1,
  Log1p,
  Lgamma,
  Tgamma,
  Remainder,
  PositiveDifference,
  Ldexp,      // the second operand is a whole number
  Fraction,   // of frexp
  Exponent,   // of frexp
  FloatDown,  // of a double, the nearest float below; Up, Zero alike
  FloatUp,
  FloatToZero,
  HalfFromBits,  // of a float whose low 16 bits are a half's
  HalfToBits,    // rounded; ToBits: a float whose bits those are
  BrainToBits,
  E4M3FromBits,  // of a float whose low 8 bits are an fp8's
  E5M2FromBits,
  E4M3ToBits,  // rounded, and kept finite: the greatest number stands for what lies beyond it
  E5M2ToBits,
  E4M3ToBitsOpen,  // rounded: what lies beyond becomes a NaN, or for E5M2 infinite
  E5M2ToBitsOpen,
};
enum class AtomicFunction : std::uint8_t {
  Add,
  Min,
  Max,
  Exchange,
  CompareAndSwap,
  And,
  Or,
  Xor,
  Sub,
  Inc,
  Dec,
  AddHalves,  // on both halves of 32 bits by themselves
  AddBrains   // the same of bfloat16
};
enum class ShuffleMode : std::uint8_t { Index, Up, Down, Xor };
enum class VoteFunction : std::uint8_t { Any, All, Ballot, ActiveMask };
// What a barrier asks all threads of the block. Cluster: nothing; it is one of all blocks of the cluster.
enum class BlockVote : std::uint8_t { None, Count, All, Any, Cluster };

// What an Assert holds a kernel to. Written: what its text says.
enum class Claim : std::uint8_t {
  Written,
  BarrierIsThere,
  BarrierArrivals,
  TileAligned,
  RowAligned,
  Warpgroups
};

// Address windows tell the spaces apart, for generic pointers too. Parameter p's buffer begins at
// (p + 1) * kBufferSpacing; a shared address s (from 0) is kSharedWindow + s; a lane's local byte l is
// kLocalWindow + l. Reports and pictures show shared addresses from 0 and global ones from their buffer's
// base.
inline constexpr memory::Address kBufferSpacing = memory::Address{1} << 40;
inline constexpr memory::Address kSharedWindow = memory::Address{1} << 56;
inline constexpr memory::Address kLocalWindow = memory::Address{1} << 57;
// To a block, the shared memory of another one of its cluster begins at kSharedWindow + (rank + 1) *
// kPeerSpacing.
inline constexpr memory::Address kPeerSpacing = memory::Address{1} << 24;

constexpr memory::Address buffer_base(std::size_t parameter) {
  return (parameter + 1) * kBufferSpacing;
}
// The parameter whose buffer an address is meant for: half of the spacing lies before each base. More than
// there are parameters: none.
constexpr std::size_t nearest_buffer(memory::Address address) {
  return static_cast<std::size_t>((address + kBufferSpacing / 2) / kBufferSpacing) - 1;
}

// Memory that a pointer may lead to: a bit for every parameter's buffer (the last one stands for all from
// number 61 on), one for shared and one for local memory.
using Places = std::uint64_t;
inline constexpr Places kAnyPlace = ~Places{0};
inline constexpr Places kSharedPlace = Places{1} << 62, kLocalPlace = Places{1} << 63;
inline constexpr Places kAnyBuffer = kSharedPlace - 1;
constexpr Places place_of_parameter(std::size_t parameter) {
  constexpr std::size_t kLastBuffer = 61;
  return Places{1} << (parameter < kLastBuffer ? parameter : kLastBuffer);
}

// What is left of an instruction when only counting matters. Addresses: of an access those, of a barrier that
// the threads meet, without their vote.
enum class Keep : std::uint8_t { Nothing, Addresses, Everything };

// How an access came about. Matrix: the rows of an ldmatrix or stmatrix, see memory::WarpAccess. AsyncCopy:
// what cp.async reads of global memory, or writes to shared memory. Texture: a fetch through the texture
// path. Surface: of a surface. The others have values and no site, since what they cost is not known:
// Barrier: the words of a barrier in shared memory; Bulk: of what copies in bulk; Warpgroup: what wgmma reads
// of shared memory. No compiler merges any but plain ones with others.
enum class AccessForm : std::uint8_t { Plain, Matrix, AsyncCopy, Texture, Surface, Barrier, Bulk, Warpgroup };
constexpr bool is_priced(AccessForm form) {
  return form < AccessForm::Barrier;
}

struct Instr {
  Opcode op = Opcode::End;
  ScalarType type = ScalarType::I32;
  ScalarType to = ScalarType::I32;          // Convert
  ScalarType index_type = ScalarType::I32;  // Load, Store, Atomic
  std::uint8_t function = 0;  // a MathFunction, AtomicFunction, ShuffleMode, VoteFunction, BlockVote or Claim
  std::uint8_t components = 1;          // Load, Store: 1, 2, 4, 8 or 16
  AccessForm form = AccessForm::Plain;  // of an access without a site
  Reg dst = kNoReg, a = kNoReg, b = kNoReg, c = kNoReg, d = kNoReg;
  std::int32_t scale = 1;
  std::int64_t offset = 0;
  std::int32_t frame = -1;
  std::int32_t target = -1;  // index of an instruction
  std::int32_t site =
      -1;  // index into Program::sites; -1 for accesses to local and constant memory, and `form`
  std::int32_t place = -1;  // index into Program::places
  // What analyse() finds (sim/analyse).
  Keep keep = Keep::Everything;
  bool follows_block =
      true;  // it may do something else in another block: a register's value is another there
  Places leads_to = kAnyPlace;  // Load, Store, Atomic: what the pointer was made from
};

enum class SiteSpace : std::uint8_t { Global, Shared, Generic };  // Generic: seen only when it runs

// One load, store or atomic in the text, at one width. Inlining a function twice does not make two sites.
struct AccessSite {
  cuda::SourceRange range;
  std::string text;   // "tile[c][r]", white space folded
  std::string array;  // "tile", "in": the array or parameter it goes through, or empty
  SiteSpace space = SiteSpace::Global;
  memory::Op op = memory::Op::Load;
  int bytes = 4;  // per lane
  ScalarType element = ScalarType::F32;
  bool increments = false;  // as memory::WarpAccess::increments, where it goes to shared memory
  memory::AtomicWay way = memory::AtomicWay::Native;  // where it goes to shared memory
  AccessForm form = AccessForm::Plain;
  bool combined = false;  // as memory::WarpAccess::combined
  bool past_l1 = false;   // AsyncCopy, and the next: as memory::WarpAccess
  memory::CopySize copy_size = memory::CopySize::Whole;
  bool joinable = false;  // of PTX: ptxas may make wider loads of it and its neighbours, of shared memory
  int instruction = -1;   // of PTX: where it begins in that text, in bytes
};

// One number that a variable of the file holds before the kernel runs; what is not named is zero.
struct InitialValue {
  std::int64_t offset = 0;  // in bytes
  ScalarType type = ScalarType::I32;
  std::uint64_t bits = 0;  // as they lie in memory
};

struct KernelParameter {
  std::string name;
  bool is_pointer = false;
  ScalarType type =
      ScalarType::I32;    // of the value, or of what it points to (a vector's or struct's first member)
  int element_bytes = 4;  // of what it points to: 16 for float4*
  std::string type_text;  // "const float*"
  bool is_const = false;  // points to const
  Reg reg = kNoReg;       // uniform; a pointer is U64
  cuda::SourceRange range;
  // The size of a __constant__ or __device__ variable of the file, which the host would fill: it is a buffer
  // like others, but no argument of the launch. 0: an argument. Reads of __constant__ ones are not counted.
  std::int64_t symbol_elements = 0;
  std::shared_ptr<const std::vector<InitialValue>> initial;  // by offset; null: none, or zeros
  bool is_member = false;  // "p.x": a struct that is passed by value, one parameter a member
  int member_offset = 0;   // of such a one, in bytes from where the struct begins
  // A texture, surface or tensor map, or what the host says of one: "tex.width"
  bool is_texture = false;
  std::optional<std::int64_t> fallback = {};  // of a number that the launch need not give
};

struct SharedArray {
  std::string name;
  std::string element_text;  // "float"
  ScalarType element = ScalarType::F32;
  int element_bytes = 4;
  std::vector<std::int64_t> extents;      // outermost first; 0: dynamic (extern)
  std::vector<std::string> extent_texts;  // as written: "BY", "BX + PAD"
  std::int64_t offset = 0;                // bytes from the start of shared memory
  std::int64_t bytes = 0;
  cuda::SourceRange range;
};

// What the lane table shows: a named scalar (or a component of a vector or struct: "v.x").
struct Variable {
  std::string name;
  std::string type_text;
  ScalarType type = ScalarType::I32;
  bool is_pointer = false;
  Reg reg = kNoReg;
  int depth = 0;                       // 0: the kernel's own; more: of an inlined function
  bool given = true;                   // false: declared without a value
  bool read_early = false;             // perhaps where it has none (sim/analyse)
  int first_instr = 0, end_instr = 0;  // visible for instructions in [first, end)
  cuda::SourceRange range;
};

struct UniformConstant {
  Reg reg = kNoReg;
  std::uint64_t bits = 0;  // as it lies in the register: 32-bit types in the low half, F32 as its bit pattern
};

// A tensor map as a kernel uses it: what the launch says of it has to fit (check_launch).
struct TensorMapUse {
  std::size_t parameter = 0;  // the buffer; "map.width" and the others are parameters beside it
  int element_bytes = 2;
  int dimensions = 1;
};

struct Program {
  std::string kernel;
  bool compiled = false;  // PTX: its accesses are those that a compiler left, not a text's
  std::vector<Instr> code;
  int uniform_registers = kFirstFreeUniform;
  int varying_registers = kFirstFreeVarying;
  int frames = 0;
  int local_bytes = 0;  // per lane: local arrays, and variables whose address is taken
  std::int64_t static_shared_bytes = 0;
  bool uses_dynamic_shared = false;
  std::vector<UniformConstant> constants;
  std::vector<KernelParameter> parameters;
  std::vector<TensorMapUse> tensor_maps;
  std::vector<SharedArray> shared_arrays;
  std::vector<SharedArray>
      local_arrays;  // offsets in a lane's local memory; those of separate scopes may overlap
  // The local arrays whose index is known only at run time: registers cannot be indexed, so compilers mostly
  // keep these arrays in local memory, and each access to them goes through L1. They are not counted.
  std::vector<int> in_local_memory;
  std::vector<AccessSite> sites;
  std::vector<Variable> variables;
  std::vector<cuda::SourceRange> places;
  int max_threads_per_block = 0;                  // from __launch_bounds__; 0: not given
  std::vector<std::uint64_t> block = {};          // from .reqntid: the only one; empty: any
  std::array<std::uint32_t, 3> cluster{1, 1, 1};  // from __cluster_dims__, in blocks
  bool reaches_cluster = false;                   // to the shared memory of other blocks of it
  // All blocks of the grid wait for one another: they run together, as one cluster does.
  bool waits_for_grid = false;
  bool buffers_overlap = false;  // pointers of several parameters may lead to one buffer
  bool runs_together() const { return reaches_cluster || waits_for_grid; }

  // Of an instruction; 0: it has none.
  int line_of(int instr) const {
    const int place = code[static_cast<std::size_t>(instr)].place;
    return place >= 0 ? places[static_cast<std::size_t>(place)].begin.line : 0;
  }

  // What analyse() finds (sim/analyse), beside what it notes of instructions and variables.
  // A load whose value counts may read what a store or atomic of this kernel wrote to global memory, perhaps
  // one of another block: then the order of blocks may matter. The instruction of such a load, or -1.
  int reads_written_global = -1;
  // Registers that may be without a value somewhere, by what the program says: in counting runs, which follow
  // shuffles alone, and in traces and checking runs.
  std::vector<Reg> undefined_counting, undefined_checking;
};

}  // namespace warplens::sim
