// Where a kernel stands in its file.
#pragma once

#include <string>
#include <string_view>

#include "sim/cuda/parse/parse.h"

namespace warplens::sim {

// The kernel that "k<32>", "b::k<32>" or "::a::b::k<32>" means, taken apart. A compiler knows it by both
// only.
struct KernelPlace {
  std::string
      scope;         // the namespaces around it, "a::b", as far as they have names; empty: none, or not known
  std::string name;  // "k<32>"
};
KernelPlace place_of_kernel(std::string_view text, const std::string& kernel,
                            const cuda::Defines& defines = {}, const cuda::HeaderSet& headers = {});

}  // namespace warplens::sim
