// The names of CUDA C++ that need no declaration.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "sim/base/message.h"
#include "sim/scalar/types.h"

namespace warplens::cuda {

inline constexpr std::string_view kPart = "#part";  // of an object: a member that structured bindings name
bool is_keyword(std::string_view word);             // if, const, __global__, __shared__ ...; no type words
bool is_type_word(std::string_view word);  // unsigned, long, float ...: part of a built-in type's name
bool is_cuda_type(std::string_view word);  // float4, dim3, size_t, uint32_t ...

// Unsupported features, by the name that reveals them: the message and what to write instead.
struct Unsupported {
  std::string_view name;
  Message message, remedy;
};
const Unsupported* find_unsupported(std::string_view word);

// CUDA's own types by name. The parser, the lowering, the colours, the suggestions and docs/functions.md all
// use this list.

struct BuiltinType {
  // SignedChar: `signed char`, which is not `char`.
  // TensorMap: the result of cuTensorMapEncodeTiled(), which only a copy can read.
  enum class Kind { Scalar, SignedChar, Null, Vector, Texture, Surface, TensorMap };
  Kind kind = Kind::Scalar;
  sim::ScalarType scalar = sim::ScalarType::I32;  // of a vector: its components
  int components = 0;                             // of a vector: 1 to 4
  std::string record = {};                        // of a vector: the name that its aliases stand for
  bool is_long = false;  // 64 bits that are `long`, a type of its own beside `long long`; of a vector too
};

// "float", "unsigned int", "uint32_t", "size_t", "half", "float4", "dim3" ...
const std::map<std::string, BuiltinType, std::less<>>& builtin_types();
// "float4" for float and 4; empty if there is no such vector type.
std::string vector_name(sim::ScalarType scalar, int components);
// "float", "half": numbers with a fraction, by any of their names.
std::optional<sim::ScalarType> scalar_named(std::string_view name);  // of a builtin type
bool is_floating_type(std::string_view name);

}  // namespace warplens::cuda
