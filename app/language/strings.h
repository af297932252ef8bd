// Every word that a person reads in the app comes from assets/languages/*.json through here.
//
//   strings("bank.answer.conflict", {{"n", "16"}})   "{n}-way bank conflict"  ->  "16-way bank conflict"
//
// What the simulator, the parser and their like say travels as a Message; its English pattern is the key of
// its text in messages.LANGUAGE.json, and English has no such file.
//
// A language file is one flat JSON object, key -> text; {name} stands for a value. A key that a language
// lacks is taken from English; one that English lacks too is shown as the key, so that it is seen (a test
// finds it first).
#pragma once

#include <array>
#include <concepts>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/message.h"
#include "sim/base/numbers.h"

namespace warplens::language {

// What stands for {name}.
struct Value {
  Value(std::string_view name, std::string text) : first(name), second(std::move(text)) {}
  Value(std::string_view name, std::integral auto number) : Value(name, std::to_string(number)) {}
  std::string_view first;
  std::string second;
};

class Strings {
 public:
  // Reads `folder`/en.json and `folder`/`language`.json. On failure `error` says what and where, in words.
  static Strings load(const std::filesystem::path& folder, std::string_view language, std::string* error);

  std::string operator()(std::string_view key) const;
  std::string operator()(std::string_view key, std::initializer_list<Value> values) const {
    return with(key, {values.begin(), values.size()});
  }
  std::string with(std::string_view key,
                   std::span<const Value> values) const;  // that are not known beforehand

  // A message of the simulator: its pattern's text in this language, or else the English pattern.
  std::string operator()(const Message& message) const;
  // "what is wrong — what to do about it", which may be empty.
  std::string operator()(const Message& message, const Message& remedy) const;

  // Puts values that never change into all texts: {name}.
  void put_in(const std::map<std::string, std::string, std::less<>>& values);

  const std::string& language() const { return language_; }
  // All texts, for building a font's glyph ranges.
  const std::map<std::string, std::string, std::less<>>& texts() const { return texts_; }

 private:
  std::string language_ = "en";
  std::map<std::string, std::string, std::less<>> texts_;
};

// The languages that there are: those of assets/languages/*.LANGUAGE.json, English first.

inline constexpr std::array<const char*, 2> kLanguages{"en", "zh-CN"};

inline std::vector<std::string> languages() {
  return {kLanguages.begin(), kLanguages.end()};
}

// The one after `language`, round and round.
inline std::string next_language(std::string_view language) {
  for (std::size_t i = 0; i < kLanguages.size(); ++i) {
    if (kLanguages[i] == language) return kLanguages[(i + 1) % kLanguages.size()];
  }
  return kLanguages[0];
}

// "en or zh-CN"
inline std::string language_choice() {
  std::string text;
  for (std::size_t i = 0; i < kLanguages.size(); ++i)
    text += (i == 0 ? "" : i + 1 == kLanguages.size() ? " or " : ", ") + std::string(kLanguages[i]);
  return text;
}

// Where a line of text may end: between words, and between the characters of a script without spaces, but
// never before a closing mark or after an opening one.
//
//   "五个扇区，而不是“四个”。"  ->  五|个|扇|区，|而|不|是|“四|个”。

// The bytes of the character that begins at `at`; 1 where the text is not UTF-8.
std::size_t character_length(std::string_view text, std::size_t at);

// As much of a text as a screen may show, cut between two characters: what a file gives as a name
// or a word may be as long as the file.
std::string_view readable(std::string_view text);

// Where the piece that begins at `at` ends: the spaces there, and as much as must stay on one line. Greater
// than `at` where there is any text.
std::size_t piece_end(std::string_view text, std::size_t at);

// How wide a text will be, in any unit.
using Width = std::function<float(std::string_view)>;
// Between the parts of a text that can do without its last ones: "Grid · 4,096 blocks".
inline constexpr std::string_view kDot = " · ";
// Where the text is wider than `room`, its first parts that are not; where not even the first has room, that
// one with an ellipsis at its end. Empty where not one character fits.
std::string shortened(std::string_view text, float room, const Width& width);
// Lines no wider than `room`, as far as their pieces allow; a line's end in the text ends one too. The last
// of at most `most` has all the rest of its paragraph.
std::vector<std::string> wrapped(std::string_view text, float room, int most, const Width& width);

}  // namespace warplens::language
