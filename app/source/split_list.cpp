#include "app/source/split_list.h"

namespace warplens::app {

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  int depth = 0;
  std::string part;
  const auto finish = [&] {
    const std::size_t first = part.find_first_not_of(" \t\n"), last = part.find_last_not_of(" \t\n");
    parts.push_back(first == std::string::npos ? std::string() : part.substr(first, last - first + 1));
    part.clear();
  };
  for (const char c : text) {
    if (c == '(' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '}' || c == ']') --depth;
    if (c == ',' && depth <= 0) {
      finish();
    } else {
      part += c;
    }
  }
  finish();
  return parts;
}

}  // namespace warplens::app
