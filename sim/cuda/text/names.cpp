#include "sim/cuda/text/names.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "sim/cuda/text/builtin_types.h"

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

constexpr std::array<Unsupported, 30> kUnsupported = {{
    {"goto", "goto is not supported in a kernel", "use a loop, if, break or continue"},
    {"asm", "inline PTX is not supported", "write the CUDA C++ intrinsic for it, or plain C++"},
    {"__asm__", "inline PTX is not supported", "write the CUDA C++ intrinsic for it, or plain C++"},
    {"__asm", "inline PTX is not supported", "write the CUDA C++ intrinsic for it, or plain C++"},
    {"new", "new is not supported in a kernel",
     "use a local or __shared__ array, or a buffer that is a parameter"},
    {"delete", "delete is not supported in a kernel", "use a local or __shared__ array"},
    {"malloc", "malloc is not supported in a kernel",
     "use a local or __shared__ array, or a buffer parameter"},
    {"free", "free is not supported in a kernel", "use a local or __shared__ array"},
    {"try", "exceptions are not supported in device code", "return an error value instead"},
    {"catch", "exceptions are not supported in device code", "return an error value instead"},
    {"throw", "exceptions are not supported in device code", "return an error value instead"},
    {"virtual", "virtual functions are not supported", "call a function directly"},
    {"dynamic_cast", "dynamic_cast is not supported in device code", "use static_cast or reinterpret_cast"},
    {"typeid", "typeid is not supported in device code", ""},
    {"decltype", "decltype is not supported", "name the type, or use auto"},
    {"typeof", "typeof is not supported", "name the type, or use auto"},
    {"alignof", "alignof is not supported", "write the number"},
    {"co_await", "coroutines are not supported in device code", ""},
    {"thread_local", "thread_local is not supported in device code", "a local variable is each thread's own"},
    {"tex1D", "textures are not supported", "read the array through a pointer"},
    {"tex1Dfetch", "textures are not supported", "read the array through a pointer"},
    {"tex2D", "textures are not supported", "read the array through a pointer"},
    {"tex3D", "textures are not supported", "read the array through a pointer"},
    {"texture", "textures are not supported", "read the array through a pointer"},
    {"cudaTextureObject_t", "textures are not supported", "read the array through a pointer"},
    {"cudaSurfaceObject_t", "surfaces are not supported", "write the array through a pointer"},
    {"surf2Dread", "surfaces are not supported", "read the array through a pointer"},
    {"surf2Dwrite", "surfaces are not supported", "write the array through a pointer"},
    {"nvcuda", "tensor cores (wmma) are not modelled", "use the plain multiply-add form"},
    {"wmma", "tensor cores (wmma) are not modelled", "use the plain multiply-add form"},
}};

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
  static const WordSet words =
      words_of("void bool char short int long float double signed unsigned __half __int64 __signed__");
  return words.count(word) > 0;
}

bool is_cuda_type(std::string_view word) {
  return builtin_types().contains(word);
}

bool is_cooperative_type(std::string_view word) {
  static const WordSet words =
      words_of("thread_block thread_block_tile coalesced_group grid_group thread_group cluster_group");
  return words.count(word) > 0;
}

bool is_cooperative_name(std::string_view word) {
  static const WordSet words = words_of(
      "this_thread_block this_grid tiled_partition coalesced_threads this_cluster reduce sync plus "
      "greater less memcpy_async wait inclusive_scan exclusive_scan binary_partition "
      "labeled_partition this_thread");
  return words.count(word) > 0 || is_cooperative_type(word);
}

const Unsupported* find_unsupported(std::string_view word) {
  for (const Unsupported& entry : kUnsupported) {
    if (entry.name == word) return &entry;
  }
  return nullptr;
}

}  // namespace warplens::cuda
