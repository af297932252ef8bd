// The launches of a file's host code as a launch form can take them: in numbers and in the kernel's own
// names.
#pragma once

#include <vector>

#include "app/source/kernel_facts.h"
#include "sim/cuda/parse/parse.h"

namespace warplens::app {

struct HostFacts {
  std::vector<KnownLaunch> launches;              // those of a run without arguments first, in turn
  std::map<std::string, std::int64_t> constants;  // const integers of the file
};
// `parsed`: with its host code read. `facts`: its kernels. Throws Stopped where the budget ends.
HostFacts read_host(const cuda::ParseResult& parsed, const FileFacts& facts, Budget& budget);

// What stands there in `text`, which the offsets refer to.
std::string piece(const std::string& text, const cuda::SourceRange& range);

}  // namespace warplens::app
