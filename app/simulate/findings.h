// What a checking tool found in the kernel on screen, by line of its text. It belongs to the settings it was
// looked for with, and is not shown beside others.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/state.h"
#include "sim/cuda/text/diagnostic.h"

namespace warplens::app {

struct Finding {
  int line = 0;       // from 1; 0: no place
  std::string words;  // as the tool told it
};
struct Findings {
  Settings settings;
  std::string tool;  // "compute-sanitizer"
  std::vector<Finding> list;
};

// What is written in a line (from 1), without the white space around it; nothing where there is no such line.
std::optional<cuda::SourceRange> line_range(std::string_view text, int line);

}  // namespace warplens::app
