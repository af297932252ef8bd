#include <array>
#include <unordered_map>

#include "sim/cuda/preprocess/preprocessor.h"

namespace warplens::cuda {

namespace {

constexpr auto kPredefined = std::to_array<PredefinedMacro>({
    // The compiler: nvcc compiling for compute capability 9.0, C++17.
    {"__CUDACC__", "", "1"},
    {"__NVCC__", "", "1"},
    {"__CUDA_ARCH__", "", "900"},
    {"__CUDACC_VER_MAJOR__", "", "12"},
    {"__CUDACC_VER_MINOR__", "", "4"},
    {"CUDART_VERSION", "", "12040"},
    {"CUDA_VERSION", "", "12040"},
    {"__cplusplus", "", "201703L"},
    {"__linux__", "", "1"},
    // Written in front of things, of no consequence here.
    {"_Pragma", "(x)", ""},
    {"__attribute__", "(x)", "__attribute_words__ x"},  // see attributes.h
    {"__declspec", "(x)", ""},
    {"__extension__", "", ""},
    {"__const__", "", "const"},  // GNU's other spellings
    {"__const", "", "const"},
    {"__builtin_expect", "(x, expected)", "(x)"},
    {"NULL", "", "0"},
    // <climits>, <cstdint>
    {"CHAR_BIT", "", "8"},
    {"SCHAR_MIN", "", "(-128)"},
    {"SCHAR_MAX", "", "127"},
    {"CHAR_MIN", "", "(-128)"},
    {"CHAR_MAX", "", "127"},
    {"UCHAR_MAX", "", "255"},
    {"SHRT_MIN", "", "(-32768)"},
    {"SHRT_MAX", "", "32767"},
    {"USHRT_MAX", "", "65535"},
    {"INT_MIN", "", "(-2147483647 - 1)"},
    {"INT_MAX", "", "2147483647"},
    {"UINT_MAX", "", "4294967295U"},
    {"LONG_MIN", "", "(-9223372036854775807L - 1)"},
    {"LONG_MAX", "", "9223372036854775807L"},
    {"ULONG_MAX", "", "18446744073709551615UL"},
    {"LLONG_MIN", "", "(-9223372036854775807LL - 1)"},
    {"LLONG_MAX", "", "9223372036854775807LL"},
    {"ULLONG_MAX", "", "18446744073709551615ULL"},
    {"INT8_MIN", "", "(-128)"},
    {"INT8_MAX", "", "127"},
    {"UINT8_MAX", "", "255"},
    {"INT16_MIN", "", "(-32768)"},
    {"INT16_MAX", "", "32767"},
    {"UINT16_MAX", "", "65535"},
    {"INT32_MIN", "", "(-2147483647 - 1)"},
    {"INT32_MAX", "", "2147483647"},
    {"UINT32_MAX", "", "4294967295U"},
    {"INT64_MIN", "", "(-9223372036854775807L - 1)"},
    {"INT64_MAX", "", "9223372036854775807L"},
    {"UINT64_MAX", "", "18446744073709551615UL"},
    {"SIZE_MAX", "", "18446744073709551615UL"},
    {"INT8_C", "(x)", "x"},
    {"INT16_C", "(x)", "x"},
    {"INT32_C", "(x)", "x"},
    {"INT64_C", "(x)", "x##L"},
    {"UINT8_C", "(x)", "x"},
    {"UINT16_C", "(x)", "x"},
    {"UINT32_C", "(x)", "x##U"},
    {"UINT64_C", "(x)", "x##UL"},
    // <cfloat>
    {"FLT_MAX", "", "3.402823466e+38f"},
    {"FLT_MIN", "", "1.175494351e-38f"},
    {"FLT_EPSILON", "", "1.192092896e-07f"},
    {"DBL_MAX", "", "1.7976931348623157e+308"},
    {"DBL_MIN", "", "2.2250738585072014e-308"},
    {"DBL_EPSILON", "", "2.2204460492503131e-16"},
    // <cmath>, <math_constants.h>
    {"INFINITY", "", "1e999f"},
    {"HUGE_VALF", "", "1e999f"},
    {"HUGE_VAL", "", "1e999"},
    {"NAN", "", "__int_as_float(0x7fffffff)"},
    {"M_E", "", "2.7182818284590452354"},
    {"M_LOG2E", "", "1.4426950408889634074"},
    {"M_LOG10E", "", "0.43429448190325182765"},
    {"M_LN2", "", "0.69314718055994530942"},
    {"M_LN10", "", "2.30258509299404568402"},
    {"M_PI", "", "3.14159265358979323846"},
    {"M_PI_2", "", "1.57079632679489661923"},
    {"M_PI_4", "", "0.78539816339744830962"},
    {"M_1_PI", "", "0.31830988618379067154"},
    {"M_2_PI", "", "0.63661977236758134308"},
    {"M_2_SQRTPI", "", "1.12837916709551257390"},
    {"M_SQRT2", "", "1.41421356237309504880"},
    {"M_SQRT1_2", "", "0.70710678118654752440"},
    {"CUDART_INF_F", "", "1e999f"},
    {"CUDART_INF", "", "1e999"},
    {"CUDART_NAN_F", "", "__int_as_float(0x7fffffff)"},
    {"CUDART_PI_F", "", "3.141592654f"},
    {"CUDART_PI", "", "3.1415926535897931e+0"},
    {"CUDART_MAX_NORMAL_F", "", "3.402823466e+38f"},
    {"CUDART_MIN_DENORM_F", "", "1.401298464e-45f"},
});

}  // namespace

const PredefinedMacro* predefined_macro(std::string_view name) {
  static const auto by_name = [] {
    std::unordered_map<std::string_view, const PredefinedMacro*> table;
    for (const PredefinedMacro& macro : kPredefined) table.emplace(macro.name, &macro);
    return table;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

bool same_definition(const Macro& a, const Macro& b) {
  if (a.function_like != b.function_like || a.variadic != b.variadic || a.parameters != b.parameters ||
      a.body.size() != b.body.size()) {
    return false;
  }
  for (std::size_t i = 0; i < a.body.size(); ++i) {
    if (a.body[i].text != b.body[i].text) return false;
  }
  return true;
}

}  // namespace warplens::cuda
