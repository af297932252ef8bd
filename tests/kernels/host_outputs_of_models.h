#pragma once

#include <optional>

#include "tests/kernels/host_outputs.h"

namespace warplens::test {

// The output of a kernel of that name, element by element; nothing where it is none of these.
std::optional<std::vector<double>> model_output(const scenario::Setup& s, const std::string& name,
                                                const Buffers& inputs);

}  // namespace warplens::test
