// Tensor copies (TMA, cp.async.bulk.tensor): a box of up to three dimensions between global and shared
// memory, as a tensor map describes it.
//
//   global   (c0, c1, c2) lies at base + c0 · element + c1 · pitch + c2 · slice
//   shared   the box's rows one behind the other, without gaps; of swizzle 32, 64 or 128 the 16 bytes at
//   address a
//            lie at a ^ ((a >> 7) & 1, 3 or 7) << 4
//
// Elements outside of the tensor are zeros in shared memory, and are not stored (PTX ISA, "Tensors"; CUDA C++
// Programming Guide, "Using TMA to transfer multi-dimensional arrays"). Five boxes of
// two dimensions lay so on an NVIDIA H200: each swizzle, and one beyond two edges.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/lower/ir/number.h"

// Copies from global to shared memory past the registers: cp.async, as PTX and as the functions made of it.

namespace warplens::sim::lower {

struct AsyncCopyParts {
  Address to, from;
  AccessText to_text, from_text;
  int bytes = 4;               // 4, 8 or 16
  Value source_bytes = kNone;  // U32: of those the first are copied, the others are zeros; kNone: all
  bool past_l1 = false;        // .cg
};

// A load and a store. The copy is there at once: when it is waited for changes nothing that is counted.
void copy_async(Builder& b, AsyncCopyParts parts);

// A copy that the threads of a group make together.
struct GroupCopy {
  Address to, from;
  AccessText to_text, from_text;
  Value rank = kNone, threads = kNone, bytes = kNone;  // U32
  std::int64_t element = 1;                            // bytes of what the pointers lead to
  int chunk = 4;                                       // bytes that a thread copies at once
  AccessForm form = AccessForm::AsyncCopy;
  bool in_step = false;  // all threads of a tile take part in every turn
  // What a reduction into global memory does with each element of `chunk` bytes.
  std::optional<AtomicFunction> combines = {};
  ScalarType type = ScalarType::U32;
};

// A kernel's parameter, and what the host says of it, as numbers of the launch. Its address, which tells it
// from others, is that of its elements.
struct TensorMap {
  std::string name;
  std::size_t parameter = 0;  // the buffer of its elements, by its place among the program's parameters
  Value base = kNone;
  ScalarType element = ScalarType::F16;
  int dimensions = 0;  // of the copies that use it
};

// What the host code of a file says of its maps, where it says one thing throughout.
struct TensorMapSettings {
  std::optional<ScalarType> element;
  std::optional<std::int64_t> swizzle;  // 0, 32, 64 or 128
  bool is_interleaved = false, fills_nan = false;
};
TensorMapSettings tensor_map_settings(std::string_view text);

struct TensorCopy {
  struct Numbers {
    std::vector<Number> extents, box;  // I32, by dimension
    Number pitch, slice;               // I64, bytes; of rows and of slices
    Number swizzle;                    // I32
  };
  Value base = kNone;
  int bytes = 2;  // of an element
  ScalarType element = ScalarType::F16;
  Numbers numbers = {};
  std::vector<Number> coordinates = {};  // I32, by dimension
  Number shared = {};                    // U32, from the beginning of shared memory
  bool to_shared = true;
  std::optional<AtomicFunction> combines = {};  // of a reduction into global memory
  AccessText text = {};
};

// The bytes of the box, U32.
Number copy_tensor(Builder& b, const TensorCopy& copy);

}  // namespace warplens::sim::lower
