// Text -> preprocessing tokens. Never fails: what is no token becomes one of kind Bad, so that a mistake in
// skipped host code does no harm.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <variant>

#include "sim/base/message.h"
#include "sim/cuda/parse/syntax.h"

namespace warplens::cuda {

// What the lexer makes of a text, and what the preprocessor hands to the parser.
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

// Keeps the spellings that are not a piece of the text: tokens with line splices, pasted and stringized
// tokens.
class SpellingArena {
 public:
  std::string_view keep(std::string spelling) { return spellings_.emplace_back(std::move(spelling)); }

 private:
  std::deque<std::string> spellings_;
};

class Lexer {
 public:
  // Places are offsets in `text`; what stands before `begin` is not read.
  Lexer(std::string_view text, SpellingArena& arena, bool keep_comments = false, std::size_t begin = 0);

  Token next();  // End for ever after the last one
  const Token& peek();

 private:
  bool at_end() const { return position_ >= text_.size(); }
  char current() const { return at_end() ? '\0' : text_[position_]; }
  char ahead(int count) const;
  void advance(int count = 1);
  void skip_splices();
  void skip_space();
  bool comment();
  Token lex();
  TokenKind scan_token();
  TokenKind identifier_or_prefixed_literal();
  TokenKind number();
  TokenKind quoted(char quote);
  TokenKind raw_string();
  TokenKind punctuator();
  std::string_view spelling(std::size_t begin);

  std::string_view text_;
  SpellingArena& arena_;
  bool keep_comments_;
  std::size_t position_ = 0;
  bool line_start_ = true;
  bool space_before_ = false;
  bool spliced_ = false;
  bool comment_open_ = false;
  bool has_peeked_ = false;
  Token peeked_;
};

bool is_identifier_start(char c);
bool is_identifier_part(char c);

// Spellings of literals -> values.

// The literal, or in words what is wrong with it.
using NumberResult = std::variant<IntegerLiteral, FloatLiteral, Message>;

// 42, 0x2Au, 0b101010, 052, 1'000'000LL, 1.5f, .5e-3, 0x1.8p3f.
NumberResult parse_number(std::string_view spelling);

// 'a', '\n', '\x41': the value, or an error.
std::variant<std::uint64_t, Message> parse_char(std::string_view spelling);

// "text\n" or R"(text)" -> its bytes. Unknown escapes stand for themselves.
std::string parse_string(std::string_view spelling);

}  // namespace warplens::cuda
