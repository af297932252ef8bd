#include "sim/cuda/text/builtin_types.h"

#include <iterator>

namespace warplens::cuda {
namespace {

using sim::ScalarType;
using Kind = BuiltinType::Kind;

struct Named {
  const char* name;
  ScalarType type;
};

// Beside the scalar types' own names.
constexpr Named kAliases[] = {
    {"long", ScalarType::I64},
    {"unsigned long", ScalarType::U64},
    {"unsigned", ScalarType::U32},
    {"half", ScalarType::F16},
    {"uint8_t", ScalarType::U8},
    {"int16_t", ScalarType::I16},
    {"uint16_t", ScalarType::U16},
    {"int32_t", ScalarType::I32},
    {"uint32_t", ScalarType::U32},
    {"int64_t", ScalarType::I64},
    {"uint64_t", ScalarType::U64},
    {"size_t", ScalarType::U64},
    {"ssize_t", ScalarType::I64},
    {"ptrdiff_t", ScalarType::I64},
    {"intptr_t", ScalarType::I64},
    {"uintptr_t", ScalarType::U64},
    {"intmax_t", ScalarType::I64},
    {"uintmax_t", ScalarType::U64},
    {"int_fast32_t", ScalarType::I64},
    {"uint_fast32_t", ScalarType::U64},
    {"uchar", ScalarType::U8},
    {"ushort", ScalarType::U16},
    {"uint", ScalarType::U32},
    {"ulong", ScalarType::U64},
    {"clock_t", ScalarType::I64},
    {"nv_bfloat16", ScalarType::BF16},
    {"__half_raw", ScalarType::F16},
    {"__nv_fp8_storage_t", ScalarType::U8},
    {"__nv_fp8x2_storage_t", ScalarType::U16},
    {"__nv_fp8x4_storage_t", ScalarType::U32},
};

// "float1 float2 float3 float4 ..." of CUDA's vector_types.h.
constexpr Named kVectors[] = {
    {"char", ScalarType::I8},       {"uchar", ScalarType::U8},  {"short", ScalarType::I16},
    {"ushort", ScalarType::U16},    {"int", ScalarType::I32},   {"uint", ScalarType::U32},
    {"long", ScalarType::I64},      {"ulong", ScalarType::U64}, {"longlong", ScalarType::I64},
    {"ulonglong", ScalarType::U64}, {"float", ScalarType::F32}, {"double", ScalarType::F64}};

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
  for (const std::string format : {"e4m3", "e5m2"}) {
    types["__nv_fp8_" + format] = {Kind::Fp8, ScalarType::U8, 1};
    types["__nv_fp8x2_" + format] = {Kind::Fp8, ScalarType::U16, 2};
    types["__nv_fp8x4_" + format] = {Kind::Fp8, ScalarType::U32, 4};
  }
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

bool is_floating_type(std::string_view name) {
  const auto found = builtin_types().find(name);
  return found != builtin_types().end() && found->second.kind == BuiltinType::Kind::Scalar &&
         sim::is_floating(found->second.scalar);
}

}  // namespace warplens::cuda
