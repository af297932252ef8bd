// ASCII letters and what consists of them: names, lists, surrounding space. Independent of the locale; bytes
// of other scripts are neither letters nor digits here.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// UTF-8 that may be invalid.

namespace warplens::text {

inline constexpr char32_t kReplacement = 0xfffd;

// Whether a byte continues a character that an earlier byte began.
constexpr bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u;
}

// The code point at `*at`, which moves on to the next. A byte that begins no whole and shortest sequence of a
// Unicode character is passed over alone, and gives kReplacement.
char32_t next_code_point(std::string_view text, std::size_t* at);

bool is_utf8(std::string_view text);

void append_utf8(char32_t code, std::string* text);

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
// Whether a character belongs to a name or a number.
constexpr bool is_word(char c) {
  return is_letter(c) || is_digit(c) || c == '_';
}
constexpr bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

bool is_identifier(std::string_view text);
// Whether the text contains the word by itself, not as a part of a longer name.
bool names_word(std::string_view text, std::string_view word);

// The text in lower case; anything but letters stays.
std::string lower_case(std::string_view text);
// The text without surrounding space.
std::string_view trimmed(std::string_view text, std::string_view around = " \t\r\n\v\f");
std::string without_spaces(std::string_view text);

// A list as source text writes it, "a, f(b, c), d" has three parts: at commas outside of brackets, without
// the space around each. Of `opening` each bracket nests.
std::vector<std::string> split_list(std::string_view text, std::string_view opening = "([{");

// "a, b, c", each as `word` renders it.
template <class All, class Word = std::identity>
std::string joined(const All& all, Word word = {}) {
  std::string text;
  bool is_first = true;
  for (const auto& one : all) text += (std::exchange(is_first, false) ? "" : ", ") + std::invoke(word, one);
  return text;
}

// What a mistyped name was meant to be: the candidate that needs the fewest letters inserted, dropped or
// replaced, or neighbours swapped, at most `most`, ignoring case; of several, the one with the longest common
// beginning, then the first. Empty if there is none.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates, std::size_t most);

}  // namespace warplens::text
