#include "sim/cuda/text/names.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <vector>

#include "sim/cuda/text/headers.h"

namespace warplens::cuda {

namespace {

using WordSet = std::unordered_set<std::string_view>;

// The words of a text, which lives as long as the program.
WordSet words_of(std::string_view text) {
  WordSet words;
  while (!text.empty()) {
    std::size_t space = std::min(text.find(' '), text.size());
    if (space > 0) words.insert(text.substr(0, space));
    text.remove_prefix(std::min(space + 1, text.size()));
  }
  return words;
}

const std::vector<Unsupported>& unsupported() {
  static const std::vector<Unsupported> all{
      {"goto", Message("goto is not supported in a kernel"), Message("use a loop, if, break or continue")},
      {"new", Message("new is not supported in a kernel"),
       Message("use a local or __shared__ array, or a buffer that is a parameter")},
      {"delete", Message("delete is not supported in a kernel"), Message("use a local or __shared__ array")},
      {"malloc", Message("malloc is not supported in a kernel"),
       Message("use a local or __shared__ array, or a buffer parameter")},
      {"free", Message("free is not supported in a kernel"), Message("use a local or __shared__ array")},
      {"try", Message("exceptions are not supported in device code"),
       Message("return an error value instead")},
      {"catch", Message("exceptions are not supported in device code"),
       Message("return an error value instead")},
      {"throw", Message("exceptions are not supported in device code"),
       Message("return an error value instead")},
      {"virtual", Message("virtual functions and virtual bases are not supported"),
       Message("call a function directly")},
      {"dynamic_cast", Message("dynamic_cast is not supported in device code"),
       Message("use static_cast or reinterpret_cast")},
      {"typeid", Message("typeid is not supported in device code"), {}},
      {"co_await", Message("coroutines are not supported in device code"), {}},
      {"thread_local", Message("thread_local is not supported in device code"),
       Message("a local variable is each thread's own")},
  };
  return all;
}

}  // namespace

bool is_keyword(std::string_view word) {
  static const WordSet words = words_of(
      "alignas alignof asm auto break case catch class const const_cast constexpr continue decltype "
      "default delete do dynamic_cast else enum explicit export extern false for friend goto if "
      "inline mutable namespace new noexcept nullptr operator private protected public register "
      "reinterpret_cast return sizeof static static_assert static_cast struct switch template this "
      "thread_local throw true try typedef typeid typename union using virtual volatile while "
      "__global__ __device__ __host__ __shared__ __constant__ __managed__ __restrict__ __restrict "
      "restrict __forceinline__ __noinline__ __inline__ __launch_bounds__ __align__ "
      "__grid_constant__ __asm__ __asm __cluster_dims__ __maxnreg__ __volatile__");
  return words.count(word) > 0;
}

bool is_type_word(std::string_view word) {
  static const WordSet words = words_of(
      "void bool char short int long float double signed unsigned __half __nv_bfloat16 __int64 __signed__");
  return words.count(word) > 0;
}

bool is_cuda_type(std::string_view word) {
  return builtin_types().contains(word);
}

const Unsupported* find_unsupported(std::string_view word) {
  for (const Unsupported& entry : unsupported()) {
    if (entry.name == word) return &entry;
  }
  return nullptr;
}

namespace {

using sim::ScalarType;
using Kind = BuiltinType::Kind;

struct Named {
  const char* name;
  ScalarType type;
};

// Beside the scalar types' own names.
constexpr Named kAliases[] = {
    {"long", ScalarType::I64},         {"unsigned long", ScalarType::U64}, {"unsigned", ScalarType::U32},
    {"half", ScalarType::F16},         {"uint8_t", ScalarType::U8},        {"int16_t", ScalarType::I16},
    {"uint16_t", ScalarType::U16},     {"int32_t", ScalarType::I32},       {"uint32_t", ScalarType::U32},
    {"int64_t", ScalarType::I64},      {"uint64_t", ScalarType::U64},      {"size_t", ScalarType::U64},
    {"ssize_t", ScalarType::I64},      {"ptrdiff_t", ScalarType::I64},     {"intptr_t", ScalarType::I64},
    {"uintptr_t", ScalarType::U64},    {"intmax_t", ScalarType::I64},      {"uintmax_t", ScalarType::U64},
    {"int_fast32_t", ScalarType::I64}, {"uint_fast32_t", ScalarType::U64}, {"uchar", ScalarType::U8},
    {"ushort", ScalarType::U16},       {"uint", ScalarType::U32},          {"ulong", ScalarType::U64},
    {"clock_t", ScalarType::I64},      {"nv_bfloat16", ScalarType::BF16},  {"__half_raw", ScalarType::F16},
};

// "float1 float2 float3 float4 ..." of CUDA's vector_types.h; of one scalar, the name to say first.
constexpr Named kVectors[] = {
    {"char", ScalarType::I8},      {"uchar", ScalarType::U8},      {"short", ScalarType::I16},
    {"ushort", ScalarType::U16},   {"int", ScalarType::I32},       {"uint", ScalarType::U32},
    {"longlong", ScalarType::I64}, {"ulonglong", ScalarType::U64}, {"long", ScalarType::I64},
    {"ulong", ScalarType::U64},    {"float", ScalarType::F32},     {"double", ScalarType::F64}};

std::map<std::string, BuiltinType, std::less<>> build() {
  std::map<std::string, BuiltinType, std::less<>> types;
  for (std::size_t i = 0; i < std::size(sim::kScalarTraits); ++i)
    types[sim::kScalarTraits[i].name] = {Kind::Scalar, static_cast<ScalarType>(i)};
  for (const Named& alias : kAliases)  // those of 64 bits are long, as Linux has them
    types[alias.name] = {.scalar = alias.type, .is_long = sim::size_of(alias.type) == 8};
  types["signed char"] = types["int8_t"] = {Kind::SignedChar, ScalarType::I8};
  types["nullptr_t"] = {Kind::Null};
  const auto vector = [&](const std::string& name, ScalarType type, int components,
                          const std::string& record) {
    const bool is_long = record.starts_with("long") || record.starts_with("ulong");
    types[name] = {Kind::Vector, type, components, record,
                   is_long && record.find("longlong") == std::string::npos};
  };
  for (const Named& base : kVectors) {
    for (int components = 1; components <= 4; ++components) {
      const std::string name = base.name + std::to_string(components);
      vector(name, base.type, components, name);
    }
  }
  for (const char* name : {"__half2", "half2", "__half2_raw"}) vector(name, ScalarType::F16, 2, "__half2");
  for (const char* name : {"__nv_bfloat162", "nv_bfloat162"})
    vector(name, ScalarType::BF16, 2, "__nv_bfloat162");
  vector("dim3", ScalarType::U32, 3, "dim3");
  for (const char* name : {"cudaTextureObject_t", "CUtexObject"}) types[name] = {Kind::Texture};
  for (const char* name : {"cudaSurfaceObject_t", "CUsurfObject"}) types[name] = {Kind::Surface};
  types["CUtensorMap"] = {Kind::TensorMap};
  return types;
}

}  // namespace

const std::map<std::string, BuiltinType, std::less<>>& builtin_types() {
  static const auto types = build();
  return types;
}

std::string vector_name(ScalarType scalar, int components) {
  for (const Named& base : kVectors)
    if (base.type == scalar) return base.name + std::to_string(components);
  return {};
}

std::optional<ScalarType> scalar_named(std::string_view name) {
  const auto found = builtin_types().find(name);
  const bool is_scalar = found != builtin_types().end() && found->second.kind == BuiltinType::Kind::Scalar;
  return is_scalar ? std::optional(found->second.scalar) : std::nullopt;
}

bool is_floating_type(std::string_view name) {
  const auto scalar = scalar_named(name);
  return scalar && sim::is_floating(*scalar);
}

bool is_of_toolchain(std::string_view name) {
  static const std::set<std::string_view> kOfC{
      "assert.h",   "complex.h", "ctype.h",  "errno.h",         "fenv.h",         "float.h",
      "inttypes.h", "limits.h",  "locale.h", "malloc.h",        "math.h",         "memory.h",
      "omp.h",      "setjmp.h",  "signal.h", "stdarg.h",        "stdbool.h",      "stddef.h",
      "stdint.h",   "stdio.h",   "stdlib.h", "string.h",        "strings.h",      "time.h",
      "unistd.h",   "wchar.h",   "mma.h",    "builtin_types.h", "vector_types.h", "vector_functions.h"};
  static constexpr std::string_view kToolkit[] = {
      "cuda",     "cooperative_groups", "cub/",     "thrust/",   "nv",    "curand",    "cublas",  "cufft",
      "cusparse", "cusolver",           "cudnn",    "cutensor.", "cupti", "cuComplex", "device_", "math_",
      "sm_",      "texture_",           "surface_", "sys/",      "host_"};
  // `cuda_help.hpp` is somebody's own.
  const bool may_be_toolkit = name.ends_with(".h") || name.find('/') != std::string_view::npos;
  return name.find('.') == std::string_view::npos || kOfC.contains(name) ||
         (may_be_toolkit &&
          std::ranges::any_of(kToolkit, [&](std::string_view begin) { return name.starts_with(begin); }));
}

}  // namespace warplens::cuda
