#include "kernels/protocol/source_scan.h"

#include "sim/cuda/text/lexer.h"

namespace warplens::measure {
namespace {

ScanToken::Kind kind_of(cuda::TokenKind kind) {
  using Kind = ScanToken::Kind;
  switch (kind) {
    case cuda::TokenKind::Identifier:
      return Kind::Word;
    case cuda::TokenKind::Number:
      return Kind::Number;
    case cuda::TokenKind::Char:
    case cuda::TokenKind::String:
      return Kind::Literal;
    default:
      return Kind::Punctuation;
  }
}

}  // namespace

std::vector<ScanToken> scan_tokens(std::string_view text) {
  std::vector<ScanToken> tokens;
  cuda::SpellingArena arena;
  cuda::Lexer lexer(text, arena);
  for (cuda::Token token = lexer.next(); token.kind != cuda::TokenKind::End; token = lexer.next()) {
    const auto begin = static_cast<std::size_t>(token.begin);
    auto end = static_cast<std::size_t>(token.end);
    const bool is_directive = token.line_start && token.is("#");
    while (is_directive && !lexer.peek().line_start) end = static_cast<std::size_t>(lexer.next().end);
    tokens.push_back({is_directive ? ScanToken::Kind::Directive : kind_of(token.kind), begin, end,
                      text.substr(begin, end - begin)});
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
