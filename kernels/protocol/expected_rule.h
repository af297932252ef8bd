// What a rule (OutputCheck) expects in a buffer, written as small kernels: one for each step before, and one
// for the values themselves. The GPU's process runs them in the simulator; `validate` asks whether they
// compile.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/protocol/protocol.h"

namespace warplens::measure {

inline constexpr const char* kExpectedKernel = "warplens_expected_values";

// A kernel that fills `warplens_expected`, its first parameter, a thread an element, or for each of what is
// counted.
struct ExpectedPart {
  std::string name;  // of the values; of the rule itself: empty
  std::string type;  // of an element
  std::uint64_t elements = 0, threads = 0;
  std::vector<std::string> expressions;  // all that the kernel works out
  std::string body;                      // the same, as statements over `i`
  std::string text;                      // of the whole kernel
  std::vector<std::string> buffers;      // that it reads: of the subject, and parts before
};

struct ExpectedRule {
  std::vector<ExpectedPart> parts;  // in the order in which they run; the last is the rule's own
  std::uint64_t elements = 0;       // of the buffer, from its start, that are compared
  std::string problem;              // why there is no kernel for it, in words
};
// `target`: the argument that the rule's buffer is.
ExpectedRule expected_rule(const MeasureRequest& request, const KernelArgument& target);

int scalars_each(const KernelArgument& buffer);

}  // namespace warplens::measure
