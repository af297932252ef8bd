// The types of what host code passes to a kernel, as its declarations and casts say them.
#pragma once

#include <string>

#include "app/source/host/words.h"

namespace warplens::app {

struct HostType {
  std::string base;  // "double", "unsigned char", without const
  int pointers = 0;  // stars behind it
};

// "const double* __restrict__" is double with one star; base is empty: it is no simple type.
HostType host_type(const std::string& text);

// Of an argument: `(float4*)a`, `reinterpret_cast<float4*>(a)`, `a + 1`, `&a[3]`, `2.0f`, `n` with the last
// declaration of the name in `seen`. Base is empty: none says it.
HostType argument_type(const std::string& argument, const Words& seen);

}  // namespace warplens::app
