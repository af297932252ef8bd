#include "kernels/protocol/source_scan.h"

#include "sim/cuda/text/lexer.h"

namespace warplens::measure {

std::vector<ScanToken> scan_tokens(std::string_view text) {
  using Kind = ScanToken::Kind;
  using Lexed = cuda::TokenKind;
  std::vector<ScanToken> tokens;
  cuda::SpellingArena arena;
  cuda::Lexer lexer(text, arena);
  for (cuda::Token token = lexer.next(); token.kind != cuda::TokenKind::End; token = lexer.next()) {
    const auto begin = static_cast<std::size_t>(token.begin);
    auto end = static_cast<std::size_t>(token.end);
    const bool is_directive = token.line_start && token.is("#");
    while (is_directive && !lexer.peek().line_start) end = static_cast<std::size_t>(lexer.next().end);
    const Kind kind = is_directive                                               ? Kind::Directive
                      : token.kind == Lexed::Identifier                          ? Kind::Word
                      : token.kind == Lexed::Number                              ? Kind::Number
                      : token.kind == Lexed::Char || token.kind == Lexed::String ? Kind::Literal
                                                                                 : Kind::Punctuation;
    tokens.push_back({kind, begin, end, text.substr(begin, end - begin)});
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
