// Text -> preprocessing tokens. Never fails: what is no token becomes one of kind Bad, so that a mistake in
// skipped host code does no harm.
#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "sim/cuda/text/token.h"

namespace warplens::cuda {

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

}  // namespace warplens::cuda
