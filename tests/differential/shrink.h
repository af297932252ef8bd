// Makes a kernel that shows a fault smaller, as long as it still shows one.
#pragma once

#include <functional>

#include "tests/differential/random_kernel.h"

namespace warplens::differential {

// Drops statements, puts parts in the place of wholes and constants in that of expressions, makes the launch
// smaller and plainer; tries at most `tries` kernels.
RandomKernel shrink(RandomKernel kernel, const std::function<bool(const RandomKernel&)>& shows_fault,
                    int tries = 4000);

}  // namespace warplens::differential
