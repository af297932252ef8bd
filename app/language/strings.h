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

#include <filesystem>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/message.h"
#include "sim/base/numbers.h"

namespace warplens::language {

using Value = std::pair<std::string_view, std::string>;

class Strings {
 public:
  // Reads `folder`/en.json and `folder`/`language`.json. On failure `error` says what and where, in words.
  static Strings load(const std::filesystem::path& folder, std::string_view language, std::string* error);

  std::string operator()(std::string_view key) const;
  std::string operator()(std::string_view key, std::initializer_list<Value> values) const;

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

}  // namespace warplens::language
