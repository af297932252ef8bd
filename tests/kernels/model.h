// The gallery's kernels once more, in plain C++: which address each thread uses at each step. Written from
// the kernels' descriptions, one thread at a time, so that the simulator's warps, masks and types have
// nothing in it.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "sim/memory/access.h"
#include "tests/kernels/gallery.h"

namespace warplens::test {

struct Thread {
  std::int64_t block_x = 0, block_y = 0;  // blockIdx
  std::int64_t x = 0, y = 0;              // threadIdx
};

// One access of the kernel; `address` is empty for a thread that does not take part.
struct Step {
  memory::Space space = memory::Space::Global;
  memory::Op op = memory::Op::Load;
  int bytes = 4;
  std::function<std::optional<std::int64_t>(const Thread&)> address;
};

struct Model {
  std::int64_t grid_x = 1, grid_y = 1, block_x = 1, block_y = 1;
  std::vector<Step> steps;
};

// `values` complete, with defaults. Throws std::runtime_error for a scenario it does not know.
Model model_of(const std::string& scenario, const scenario::ParameterValues& values);

// Every thread of every block, warp by warp, priced by sim/memory.
KernelCounts model_counts(const Model& model);

}  // namespace warplens::test
