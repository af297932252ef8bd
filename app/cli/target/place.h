// Places in a launch that a command line names.
#pragma once

#include <string>

#include "sim/scenario/target.h"

namespace warplens::cli {

// The warp itself, where a block of that many threads has it. Throws CommandFailure.
int warp_index(int warp, std::uint64_t threads, const std::string& what = "--warp");
// A pasted target may name a block and a warp that this launch does not have. Throws CommandFailure.
void check_place(const scenario::Target& target, const scenario::Prepared& prepared, Budget& budget);

}  // namespace warplens::cli
