#include "tests/differential/feature.h"

#include <cctype>
#include <string_view>

namespace warplens::differential {

#define WARPLENS_TEXT(...) #__VA_ARGS__
#define WARPLENS_TEXT_OF(...) WARPLENS_TEXT(__VA_ARGS__)

std::string name_of(Feature feature) {
  std::string_view names = WARPLENS_TEXT_OF(WARPLENS_FEATURES);
  for (auto before = static_cast<std::size_t>(feature); before > 0; --before)
    names.remove_prefix(names.find(' ') + 1);
  std::string words;
  for (const char c : names.substr(0, names.find(','))) {
    const bool begins = std::isupper(c) != 0 || std::isdigit(c) != 0;
    if (begins && !words.empty() && std::islower(words.back()) != 0) words += ' ';
    words += static_cast<char>(std::tolower(c));
  }
  return words;
}

}  // namespace warplens::differential
