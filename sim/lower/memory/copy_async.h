// Copies from global to shared memory past the registers: cp.async, as PTX and as the functions made of it.
#pragma once

#include <optional>
#include <utility>

#include "sim/lower/ir/builder.h"

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

}  // namespace warplens::sim::lower
