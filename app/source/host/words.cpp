#include "app/source/host/words.h"

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

}  // namespace warplens::app
