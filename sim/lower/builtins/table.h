// CUDA's own functions and variables by name. Lowering, syntax colours, suggestions and docs/functions.md go
// by this one table.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "sim/program/program.h"

namespace warplens::sim::lower {

// Which type a function computes in. Any: float for floats, double for doubles and integers, as in <cmath>.
// Common: as the operators do.
enum class Domain : std::uint8_t { Any, Common, Float, Double, Half, Int, Unsigned, Int64, Unsigned64 };

struct Builtin {
  enum class Kind : std::uint8_t {
    Barrier,
    SyncWarp,
    Trap,
    Assert,
    Clock,
    OfLibrary,  // what the texts of sim/cuda/library call
    Print,
    Nothing,  // of no consequence here: the arguments are evaluated, and needed
    Assume,   // likewise, and nothing needs them
    Load,
    Store,
    CopyBytes,       // memcpy()
    FillBytes,       // memset()
    SharedAddress,   // __cvta_generic_to_shared(): from the beginning of shared memory
    GenericAddress,  // back; of other memory an address is as it is
    CopyAsync,       // __pipeline_memcpy_async()
    Texture,         // code: how many coordinates, 0 for tex1Dfetch()
    Surface,         // code: how many coordinates; kWrites more where it writes
    Atomic,
    Shuffle,
    Vote,
    ActiveMask,
    Math,
    Arithmetic,
    Ldexp,
    Frexp,
    Match,   // __match_any_sync()
    Reduce,  // __reduce_add_sync()
    BitCast,
    Conversion,
    Make,
    GroupCopy,
    Move,      // std::move()
    Fragment,  // of nvcuda::wmma; code: a FragmentFunction
    NotSimulated,
    Refused,  // known, and an error in a kernel
    OfText,   // a function of the texts of sim/cuda/library
  };
  Kind kind = Kind::Nothing;
  std::uint8_t code = 0;  // an Opcode, MathFunction, AtomicFunction, ShuffleMode, VoteFunction, BlockVote,
                          // or Rounding
  Domain domain = Domain::Any;
  std::uint8_t arguments = 1;
  ScalarType from = ScalarType::I32,
             to = ScalarType::I32;  // BitCast, Conversion
  Message remedy = {};              // NotSimulated, Refused: what to write instead; Nothing: a warning

  bool runs() const { return kind < Kind::NotSimulated; }
  bool is_there() const { return runs() || kind == Kind::OfText; }
  template <class Code>
  Code as() const {
    return static_cast<Code>(code);
  }
};

// How a conversion from a floating type rounds; None: as _rn, and _rz to integers.
enum class Rounding : std::uint8_t { None, Nearest, Zero, Up, Down };
inline constexpr std::uint8_t kWrites = 8;  // of a Surface
// What cuda::atomic_ref (library/cuda_std.cpp) calls: made as it is written, whether its result is used or
// not.
inline constexpr std::string_view kAtomicReference = "__atomic_ref_";
enum class FragmentFunction : std::uint8_t { Load, Store, Fill, Multiply, Round };
const std::map<std::string, Builtin, std::less<>>& builtins();

struct BuiltinVariable {
  std::string_view name, type;
  Reg x, y, z;  // warpSize has none: it is a constant
};
inline constexpr BuiltinVariable kBuiltinVariables[] = {
    {"threadIdx", "uint3", kThreadIdxX, kThreadIdxY, kThreadIdxZ},
    {"blockIdx", "uint3", kBlockIdxX, kBlockIdxY, kBlockIdxZ},
    {"blockDim", "dim3", kBlockDimX, kBlockDimY, kBlockDimZ},
    {"gridDim", "dim3", kGridDimX, kGridDimY, kGridDimZ},
    {"warpSize", "int", kNoReg, kNoReg, kNoReg},
};

}  // namespace warplens::sim::lower
