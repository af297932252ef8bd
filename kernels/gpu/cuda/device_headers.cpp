#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "kernels/gpu/cuda/compile_kernel.h"
#include "kernels/protocol/as_written.h"
#include "sim/cuda/preprocess/preprocessor.h"

namespace warplens::gpu {
namespace {

constexpr const char* kPrelude = R"(#pragma once
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef signed long long int64_t;
typedef unsigned long long uint64_t;
typedef unsigned long long uintptr_t;
typedef signed long long intptr_t;
namespace std {}
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif
#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif
)";

constexpr const char* kAssert = R"(#pragma once
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : __trap())
#endif
)";

// What the driver's header has for kernels: a tensor map is a parameter that only copies look into.
constexpr const char* kDriver = R"(#pragma once
typedef struct alignas(64) CUtensorMap_st { unsigned long long opaque[16]; } CUtensorMap;
)";

// As the simulator has them.
std::string defined(std::initializer_list<std::string_view> names) {
  std::string text = "#pragma once\n";
  for (const std::string_view name : names)
    text += "#define " + std::string(name) + " " + std::string(cuda::predefined_macro(name)->body) + "\n";
  return text;
}

std::string stand_in(std::string_view name) {
  if (name == "cuda.h") return kDriver;
  if (name == "limits.h" || name == "climits")
    return defined({"CHAR_BIT", "INT_MAX", "INT_MIN", "UINT_MAX", "LONG_MAX", "LONG_MIN", "LLONG_MAX",
                    "LLONG_MIN", "ULLONG_MAX"});
  if (name == "float.h" || name == "cfloat")
    return defined({"FLT_MAX", "FLT_MIN", "FLT_EPSILON", "DBL_MAX", "DBL_MIN", "DBL_EPSILON"});
  if (name == "assert.h" || name == "cassert") return kAssert;
  return "#pragma once\n";
}

// Headers of the toolkit that are made for host compilers: what device code needs of them is built into
// NVRTC.
bool is_host_header(std::string_view name) {
  constexpr std::array<std::string_view, 6> kNames{
      "cuda_runtime.h", "cuda_runtime_api.h",         "cuda.h",
      "curand.h",       "device_launch_parameters.h", "cublas_v2.h"};
  return std::ranges::find(kNames, name) != kNames.end() || name.substr(0, 7) == "helper_";
}

// Without these a kernel that includes them cannot work, so NVRTC is left to say that they are missing.
bool is_device_library(std::string_view name) {
  return name.substr(0, 18) == "cooperative_groups" || name == "cuda_fp16.h" || name == "cuda_bf16.h" ||
         name == "cuda_fp8.h" || name == "mma.h" || name.substr(0, 5) == "cuda/" ||
         name.substr(0, 4) == "cub/" || name == "cuda_pipeline.h" || name == "curand_kernel.h" ||
         name == "math_constants.h";
}

bool is_in(const std::vector<std::string>& folders, const std::string& name) {
  std::error_code ignored;
  return std::ranges::any_of(folders, [&](const std::string& folder) {
    return std::filesystem::is_regular_file(std::filesystem::path(folder) / name, ignored);
  });
}

}  // namespace

std::vector<std::pair<std::string, std::string>> device_headers(
    const std::string& text, const std::vector<std::string>& include_folders) {
  std::vector<std::pair<std::string, std::string>> headers{{"warplens_prelude.h", kPrelude}};
  for (const std::string& name : measure::included_files(text)) {
    const bool known = std::ranges::any_of(headers, [&](const auto& h) { return h.first == name; });
    const bool from_toolkit =
        !is_host_header(name) && (is_device_library(name) || is_in(include_folders, name));
    if (!known && !from_toolkit) headers.emplace_back(name, stand_in(name));
  }
  return headers;
}

}  // namespace warplens::gpu
