// What is said of single lines beside their counts.
#pragma once

#include <vector>

#include "sim/base/message.h"
#include "sim/program/program.h"

namespace warplens::report {

struct LineNotes {
  int line = 1;
  std::vector<Message> words;
};

// Fetches through the texture path, which asks for sectors otherwise than a load does.
std::vector<LineNotes> texture_lines(const sim::Program& program);

// Loads of shared memory in PTX that ptxas may join with their neighbours into accesses of 8 or 16 bytes.
std::vector<LineNotes> joinable_lines(const sim::Program& program);

// Arrays of a thread that compilers mostly keep in local memory, whose accesses are not counted; at their
// declarations.
std::vector<LineNotes> local_memory_lines(const sim::Program& program);

}  // namespace warplens::report
