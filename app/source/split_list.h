// A list as source text writes it: "a, f(b, c), d" has three parts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplens::app {

// At commas outside of brackets, without the space around each.
std::vector<std::string> split_list(std::string_view text);

}  // namespace warplens::app
