// What the lexer makes of a text, and what the preprocessor hands to the parser.
#pragma once

#include <cstdint>
#include <string_view>

namespace warplens::cuda {

enum class TokenKind : std::uint8_t {
  End,
  Identifier,
  Number,   // a preprocessing number: 1, 0x1Fu, 1.5e-3f, 1'000
  Char,     // 'a'
  String,   // "text", R"(text)"
  Punct,    // one operator or bracket; `<<<` is one token, `>>>` is `>>` and `>`
  Comment,  // only from a lexer asked to keep comments
  Bad       // a stray character, or a literal or comment that does not end
};

struct Token {
  TokenKind kind = TokenKind::End;
  bool line_start = false;    // the first of its line
  bool space_before = false;  // for '#'
  bool painted = false;       // a macro's own name inside its expansion: never expanded again
  std::string_view text;      // the spelling, line splices removed
  int begin = 0, end = 0;     // offsets in the file; for a token that a macro made, of the macro's use

  bool is(std::string_view spelling) const {
    return text == spelling && (kind == TokenKind::Punct || kind == TokenKind::Identifier);
  }
};

}  // namespace warplens::cuda
