#include "kernels/protocol/source_scan.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace warplens::measure {
namespace {

bool starts_word(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// The end of a comment, line or literal that begins at `at`; always beyond it.
std::size_t skip_line(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] != '\n') at += text[at] == '\\' && at + 1 < text.size() ? 2 : 1;
  return std::min(at, text.size());
}
std::size_t skip_block_comment(std::string_view text, std::size_t at) {
  const std::size_t end = text.find("*/", at + 2);
  return end == std::string_view::npos ? text.size() : end + 2;
}
std::size_t skip_literal(std::string_view text, std::size_t at) {
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote && text[at] != '\n') at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}
// R"tag( ... )tag"
std::size_t skip_raw_literal(std::string_view text, std::size_t quote) {
  const std::size_t open = text.find('(', quote);
  if (open == std::string_view::npos) return text.size();
  const std::string close = ")" + std::string(text.substr(quote + 1, open - quote - 1)) + "\"";
  const std::size_t end = text.find(close, open);
  return end == std::string_view::npos ? text.size() : end + close.size();
}

}  // namespace

std::vector<ScanToken> scan_tokens(std::string_view text) {
  using Kind = ScanToken::Kind;
  std::vector<ScanToken> tokens;
  bool line_begins = true;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const std::size_t begin = at;
    Kind kind = Kind::Punctuation;
    if (c == '\n' || c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      line_begins = line_begins || c == '\n';
      ++at;
      continue;
    }
    if (text.substr(at, 2) == "//") {
      at = skip_line(text, at);
      continue;
    }
    if (text.substr(at, 2) == "/*") {
      at = skip_block_comment(text, at);
      continue;
    }
    if (c == '#' && line_begins) {
      kind = Kind::Directive;
      at = skip_line(text, at);
    } else if (starts_word(c)) {
      kind = Kind::Word;
      while (at < text.size() && in_word(text[at])) ++at;
      const bool raw = at < text.size() && text[at] == '"' && text[at - 1] == 'R';
      if (raw) {
        kind = Kind::Literal;
        at = skip_raw_literal(text, at);
      }
    } else if (std::isdigit(static_cast<unsigned char>(c))) {
      kind = Kind::Number;
      while (at < text.size() && (in_word(text[at]) || text[at] == '.' || text[at] == '\'')) ++at;
    } else if (c == '"' || c == '\'') {
      kind = Kind::Literal;
      at = skip_literal(text, at);
    } else {
      const std::string_view two = text.substr(at, 2);
      at += two == "::" || two == "->" ? 2 : 1;
    }
    line_begins = false;
    tokens.push_back({kind, begin, at, text.substr(begin, at - begin)});
  }
  return tokens;
}

std::size_t closing_token(const std::vector<ScanToken>& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    const std::string_view t = tokens[i].text;
    if (t == "(" || t == "[" || t == "{") ++depth;
    if (t == ")" || t == "]" || t == "}") --depth;
    if (depth == 0) return i;
  }
  return tokens.size();
}

}  // namespace warplens::measure
