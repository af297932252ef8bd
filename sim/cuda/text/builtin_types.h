// CUDA's own types by name: what the parser takes for a type and the lowering makes one of, what is coloured,
// suggested, and listed in docs/language.md.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "sim/scalar/types.h"

namespace warplens::cuda {

struct BuiltinType {
  // SignedChar: `signed char`, which is not `char`. Fp8: eight bits that convert to and from float.
  // TensorMap: what cuTensorMapEncodeTiled() makes, and nothing but a copy can look into.
  enum class Kind { Scalar, SignedChar, Null, Vector, Fp8, Texture, Surface, TensorMap };
  Kind kind = Kind::Scalar;
  sim::ScalarType scalar = sim::ScalarType::I32;  // of a vector: its components; of fp8: its bits
  int components = 0;                             // of a vector: 1 to 4; of fp8: in these bits
  std::string record = {};                        // of a vector: the name that its aliases stand for
  bool is_long = false;  // 64 bits that are `long`, a type of its own beside `long long`; of a vector too
};

// "float", "unsigned int", "uint32_t", "size_t", "half", "float4", "dim3" ...
const std::map<std::string, BuiltinType, std::less<>>& builtin_types();
// "float", "half": numbers with a fraction, by any of their names.
bool is_floating_type(std::string_view name);

}  // namespace warplens::cuda
