// What compilers make of the accesses in the text, line by line: which are not made, which are made together.
#pragma once

#include <vector>

#include "sim/base/message.h"
#include "sim/program/program.h"

namespace warplens::report {

struct IssuedLine {
  int line = 1;
  std::vector<Message> words;   // "4 loads, issued as one of 16 bytes"
  int written = 0, issued = 0;  // accesses in the text, and how many are made of them; equal: they are moved
};

// By line; lines whose accesses are all made as they are written have none.
std::vector<IssuedLine> issued_lines(const sim::Program& program);

// Fetches through the texture path, which asks for sectors otherwise than a load does.
std::vector<IssuedLine> texture_lines(const sim::Program& program);

// Loads of shared memory that the assembler may join with their neighbours into accesses of 16 bytes.
std::vector<IssuedLine> joinable_lines(const sim::Program& program);

// Arrays of a thread that compilers mostly keep in local memory, whose accesses are not counted; at their
// declarations.
std::vector<IssuedLine> local_memory_lines(const sim::Program& program);

const char* name_of(sim::UnissuedAccess::Why why);  // "unread", "known", ...

}  // namespace warplens::report
