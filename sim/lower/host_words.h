// Words of a file's host code, which nobody parses: constants of CUDA that say how something is set up.
#pragma once

#include <cctype>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace warplens::sim::lower {

inline bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// As a word of its own.
inline bool names_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_word_character(text[at - 1]);
    if (begins && (end == text.size() || !is_word_character(text[end]))) return true;
  }
  return false;
}

// What the one word stands for that the text names; `none` where it names none of them, empty where it names
// several that stand for different things.
template <class Meaning, class Words>
std::optional<Meaning> the_one_named(std::string_view text, const Words& words, std::optional<Meaning> none) {
  std::optional<Meaning> found;
  for (const auto& [word, meaning] : words) {
    if (!names_word(text, word)) continue;
    if (found && *found != meaning) return {};
    found = meaning;
  }
  return found ? found : none;
}

}  // namespace warplens::sim::lower
