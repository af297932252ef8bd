// What a rule (OutputCheck) expects in a buffer, worked out by small kernels in the simulator: one for each
// step before, and one for the values themselves.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/gpu/watch.h"
#include "kernels/protocol/expected_rule.h"

namespace warplens::gpu {

struct Expected {
  const std::vector<std::byte>* bytes = nullptr;  // kept until other rules are asked for
  std::uint64_t elements = 0;                     // of which so many are to be compared
  std::string problem;                            // why there are none, in words
};
// `target`: the argument that the rule's buffer is.
Expected expected_values(const measure::MeasureRequest& request, const measure::KernelArgument& target,
                         const Watch& watch);

}  // namespace warplens::gpu
