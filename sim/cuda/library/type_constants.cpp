#include "sim/cuda/library/library.h"

namespace warplens::cuda {

// <type_traits>: constants that are types. bool_constant is a struct of its own, so that functions can tell
// `bool_constant<b>` from what they are given.
const LibraryText kTypeConstants = {
    "type_traits", {"_constant<", "true_type", "false_type"}, "struct integral_constant", R"(
template <typename T, T v>
struct integral_constant {
  static constexpr T value = v;
  typedef T value_type;
  __host__ __device__ constexpr operator T() const { return v; }
  __host__ __device__ constexpr T operator()() const { return v; }
};
template <bool b>
struct bool_constant {
  static constexpr bool value = b;
  typedef bool value_type;
  __host__ __device__ constexpr operator bool() const { return b; }
  __host__ __device__ constexpr bool operator()() const { return b; }
};
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;
)"};

// driver_types.h: what kernels are given of an image's size and place.
const LibraryText kExtents = {
    "driver_types.h", {"cudaExtent", "cudaPos", "cudaPitchedPtr", "cudaGraph"}, "struct cudaExtent", R"(
typedef unsigned long long cudaGraphConditionalHandle;
__device__ inline void cudaGraphSetConditional(cudaGraphConditionalHandle, unsigned int) {}  // of the next launch
struct cudaPitchedPtr {
  void* ptr;
  size_t pitch, xsize, ysize;
};
struct cudaExtent {
  size_t width, height, depth;
};
struct cudaPos {
  size_t x, y, z;
};
)"};

}  // namespace warplens::cuda
