// Words of a file's host code, which nobody parses: constants of CUDA that say how something is set up.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/text/scan.h"

namespace warplens::sim::lower {

// What the one word stands for that the text names; `none` where it names none of them, empty where it names
// several that stand for different things.
template <class Meaning, class Words>
std::optional<Meaning> the_one_named(std::string_view text, const Words& words, std::optional<Meaning> none) {
  std::optional<Meaning> found;
  for (const auto& [word, meaning] : words) {
    if (!text::names_word(text, word)) continue;
    if (found && *found != meaning) return {};
    found = meaning;
  }
  return found ? found : none;
}

}  // namespace warplens::sim::lower
