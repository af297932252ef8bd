#include "app/source/host/words.h"

#include <algorithm>
#include <set>

#include "app/source/host/changes.h"
#include "app/source/host/values.h"
#include "sim/cuda/text/lexer.h"
#include "sim/text/scan.h"

namespace warplens::app {

Words words_of(std::string_view text) {
  Words words;
  cuda::SpellingArena arena;
  cuda::Lexer lexer(text, arena);
  for (cuda::Token token = lexer.next(); token.kind != cuda::TokenKind::End; token = lexer.next()) {
    const auto begin = static_cast<std::size_t>(token.begin), end = static_cast<std::size_t>(token.end);
    if (token.line_start && !words.empty()) words.emplace_back("\n");
    if (token.kind == cuda::TokenKind::Punct) {
      for (std::size_t i = begin; i < end; ++i) words.push_back(text.substr(i, 1));
    } else if (token.kind != cuda::TokenKind::String && token.kind != cuda::TokenKind::Bad) {
      words.push_back(text.substr(begin, end - begin));
    }
  }
  return words;
}

bool is_name(std::string_view word) {
  return !word.empty() && (text::is_letter(word[0]) || word[0] == '_');
}

bool is_count(const Words& words, std::size_t i) {
  if (i + 1 >= words.size() || (words[i] != "+" && words[i] != "-")) return false;
  return words[i + 1] == words[i] && words[i + 1].data() == words[i].data() + 1;  // a - -b has a space
}

int nesting(std::string_view word) {
  if (word.size() != 1) return 0;
  return word == "(" || word == "[" || word == "{" ? 1 : word == ")" || word == "]" || word == "}" ? -1 : 0;
}

std::size_t closing(const Words& words, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < words.size(); ++i) {
    const int step = nesting(words[i]);
    depth += step;
    if (step < 0 && depth == 0) return i;
  }
  return words.size();
}

std::string join(const Words& words, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < end && i < words.size(); ++i) {
    if (words[i] == "\n") continue;
    if (!text.empty() && text::is_word(text.back()) && text::is_word(words[i].front())) text += ' ';
    text += words[i];
  }
  return text;
}

bool is_enclosed(const std::string& text) {
  if (text.size() < 2 || text.front() != '(') return false;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(';
    depth -= text[i] == ')';
    if (depth == 0) return i + 1 == text.size();
  }
  return false;
}

bool is_plain(const std::string& value) {
  return value.find_first_of(" +-*/%<>?&|^,") == std::string::npos || is_enclosed(value);
}

// What a whole file says beside the text that a launch sees.
namespace {

// Whether what stands before the i-th word, `const size_t` of a parameter or `inline int` of a function, is
// an integer's type that nothing is lost in.
bool is_wide_integer(const Words& words, std::size_t i) {
  static const std::set<std::string_view> kWide{"int",     "unsigned", "long",     "size_t", "int32_t",
                                                "int64_t", "uint32_t", "uint64_t", "T",      "auto"};
  while (i > 0 && (words[i - 1] == "\n" || words[i - 1] == "const" || words[i - 1] == "&")) --i;
  return i > 0 && kWide.contains(words[i - 1]);
}

// Whether the expression has no other names than these, and functions'.
bool is_over(const std::string& expression, const std::vector<std::string>& names) {
  const Words words = words_of(expression);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_call = i + 1 < words.size() && words[i + 1] == "(";
    if (is_name(words[i]) && !is_call && std::find(names.begin(), names.end(), words[i]) == names.end())
      return false;
  }
  return true;
}

}  // namespace

FileWords words_of_file(std::string_view text) {
  const Words words = words_of(text);
  FileWords file{changed_in_functions(words), {}};
  // `int blocks_of(int n) { return (n + 255) / 256; }`
  for (std::size_t i = 1; i + 5 < words.size(); ++i) {
    if (words[i] != "(" || !is_name(words[i - 1])) continue;
    std::size_t open = closing(words, i) + 1;
    while (open < words.size() &&
           (words[open] == "\n" || words[open] == "const" || words[open] == "noexcept"))
      ++open;
    if (open >= words.size() || words[open] != "{") continue;
    Macro function;
    bool is_of_integers = is_wide_integer(words, i - 1);
    for (const std::string& parameter : text::split_list(join(words, i + 1, closing(words, i)))) {
      const std::string declared = parameter.substr(0, parameter.find_first_of("=["));
      const Words parts = words_of(declared);
      function.parameters.emplace_back(parts.empty() ? std::string_view() : parts.back());
      is_of_integers = is_of_integers && !parts.empty() && is_wide_integer(parts, parts.size() - 1);
    }
    std::size_t first = open + 1;
    while (first < words.size() && words[first] == "\n") ++first;
    const auto end = std::find(words.begin() + static_cast<std::ptrdiff_t>(std::min(first, words.size())),
                               words.end(), ";") -
                     words.begin();
    std::size_t behind = static_cast<std::size_t>(end) + 1;
    while (behind < words.size() && words[behind] == "\n") ++behind;
    const bool only_returns =
        first < words.size() && words[first] == "return" && behind == closing(words, open);
    // Of another one nothing is known, whatever its name says: not what it converts to what, nor which n it
    // means.
    const std::string body =
        only_returns ? join(words, first + 1, static_cast<std::size_t>(end)) : std::string();
    const bool is_known =
        only_returns && is_of_integers && !has_floating_numbers(body) && is_over(body, function.parameters);
    function.body = is_known ? body : "?";
    function.is_function = true;
    file.functions[std::string(words[i - 1])] = std::move(function);
  }
  return file;
}

}  // namespace warplens::app
