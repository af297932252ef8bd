// CUDA's own functions and variables by name. Lowering, syntax colours, suggestions and docs/functions.md go
// by this one table.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cuda/parse/syntax.h"
#include "sim/program/program.h"

namespace warplens::sim::lower {

// Which type a function computes in. Any: float for floats, double for doubles and integers, as in <cmath>.
// Common: as the operators do.
enum class Domain : std::uint8_t { Any, Common, Float, Double, Half, Int, Unsigned, Int64, Unsigned64 };

class Lowering;
struct Result;
struct Builtin;
struct BuiltinCall {
  std::string_view name = {};
  const cuda::CallExpr* node = nullptr;
  const std::vector<cuda::TemplateArgument>* template_arguments = nullptr;
  cuda::SourceRange range = {};
};

struct Builtin {
  // What lowers a call; null: nothing does.
  Result (*work)(Lowering& lowering, const Builtin& f, const BuiltinCall& c) = nullptr;
  std::uint8_t code = 0;  // an Opcode, MathFunction, AtomicFunction, ShuffleMode, VoteFunction, BlockVote,
                          // or Rounding; of textures and surfaces how many coordinates
  Domain domain = Domain::Any;
  std::uint8_t arguments = 1, more = 0;                     // how many it takes, and may take
  ScalarType from = ScalarType::I32, to = ScalarType::I32;  // of conversions
  Message remedy = {};                                      // what to write instead; of what runs a warning
  bool is_text = false;                                     // a function of the texts of sim/cuda/library
  std::string_view group = {};  // where docs/functions.md has it; empty: no file names it itself

  bool runs() const { return work != nullptr; }
  bool is_there() const { return runs() || is_text; }
  template <class Code>
  Code as() const {
    return static_cast<Code>(code);
  }
};

// How a conversion from a floating type rounds; None: as _rn, and _rz to integers.
enum class Rounding : std::uint8_t { None, Nearest, Zero, Up, Down };
inline constexpr std::uint8_t kWrites = 8;  // of a surface that is written: in its code
// What cuda::atomic_ref (library/cuda_std.cpp) calls: made as it is written, whether its result is used or
// not.
inline constexpr std::string_view kAtomicReference = "__atomic_ref_";
const std::map<std::string, Builtin, std::less<>>& builtins();
bool computes(const Builtin& f);  // a number of numbers

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
