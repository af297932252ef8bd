// A macro as defined, and the macros that are there before the first line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/cuda/text/token.h"

namespace warplens::cuda {

struct Macro {
  enum class Origin { Predefined, CommandLine, Text };

  std::string_view name;
  bool function_like = false;
  bool variadic = false;  // the last parameter takes the rest
  std::vector<std::string_view> parameters;
  std::vector<Token> body;
  Origin origin = Origin::Text;
  int being_expanded = 0;
};

bool same_definition(const Macro& a, const Macro& b);

// "INT_MAX" -> "2147483647": the constants of the standard and CUDA headers, which #include would bring. A
// text that defines one itself replaces it without a word.
struct PredefinedMacro {
  std::string_view name, parameters, body;  // parameters: "(x)" or empty
};
const PredefinedMacro* predefined_macro(std::string_view name);  // null where there is none

}  // namespace warplens::cuda
