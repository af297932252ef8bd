#include "sim/cuda/text/lexer.h"

#include <array>
#include <utility>

#include "sim/text/scan.h"

namespace warplens::cuda {

bool is_identifier_start(char c) {
  // Bytes above ASCII are letters: names in any script, without deciding which.
  return text::is_letter(c) || c == '_' || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_identifier_part(char c) {
  return is_identifier_start(c) || text::is_digit(c);
}

namespace {

bool is_space(char c) {
  return text::is_space(c) || c == '\0';
}

// Longest first among those that share a beginning.
constexpr std::array<std::string_view, 28> kLongPunctuators = {
    "<<<", "<<=", ">>=", "...", "->*", "<=>", "::", "->", "++", "--", "<<", ">>", "<=", ">=",
    "==",  "!=",  "&&",  "||",  "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=", "##", ".*"};
constexpr std::string_view kPunctuators = "{}[]()<>;:,.?~!+-*/%^&|=#";

struct Alternative {
  std::string_view word, punctuator;
};
constexpr std::array<Alternative, 11> kAlternatives = {{{"and", "&&"},
                                                        {"or", "||"},
                                                        {"not", "!"},
                                                        {"bitand", "&"},
                                                        {"bitor", "|"},
                                                        {"xor", "^"},
                                                        {"compl", "~"},
                                                        {"not_eq", "!="},
                                                        {"and_eq", "&="},
                                                        {"or_eq", "|="},
                                                        {"xor_eq", "^="}}};

}  // namespace

Lexer::Lexer(std::string_view text, SpellingArena& arena, bool keep_comments, std::size_t begin)
    : text_(text), arena_(arena), keep_comments_(keep_comments), position_(begin) {
  if (text_.substr(begin, 3) == "\xEF\xBB\xBF") position_ += 3;  // a byte order mark
  skip_splices();
  spliced_ = false;
}

// A backslash at a line's end joins the next line to it, anywhere.
void Lexer::skip_splices() {
  while (position_ + 1 < text_.size() && text_[position_] == '\\') {
    std::size_t newline = position_ + 1;
    if (text_[newline] == '\r' && newline + 1 < text_.size()) ++newline;
    if (text_[newline] != '\n') return;
    position_ = newline + 1;
    spliced_ = true;
  }
}

void Lexer::advance(int count) {
  for (int i = 0; i < count && !at_end(); ++i) {
    ++position_;
    skip_splices();
  }
}

char Lexer::ahead(int count) const {
  if (position_ + count < text_.size() &&
      text_.substr(position_, count + 1).find('\\') == std::string_view::npos) {
    return text_[position_ + count];  // the usual case
  }
  Lexer copy(*this);
  copy.advance(count);
  return copy.current();
}

void Lexer::skip_space() {
  while (!at_end()) {
    if (is_space(current())) {
      if (current() == '\n') line_start_ = true;
      space_before_ = true;
      advance();
    } else if (current() == '/' && !keep_comments_ && (ahead(1) == '/' || ahead(1) == '*')) {
      std::size_t begin = position_;
      comment();
      space_before_ = true;
      if (comment_open_) {
        position_ = begin;
        return;
      }
    } else {
      return;
    }
  }
}

// True where the comment ends before the text does.
bool Lexer::comment() {
  bool block = ahead(1) == '*';
  advance(2);
  while (!at_end()) {
    if (!block && current() == '\n') return true;
    if (block && current() == '*' && ahead(1) == '/') {
      advance(2);
      return true;
    }
    advance();
  }
  comment_open_ = block;
  return !block;
}

std::string_view Lexer::spelling(std::size_t begin) {
  std::string_view written = text_.substr(begin, position_ - begin);
  if (!spliced_) return written;
  std::string joined;
  for (std::size_t i = 0; i < written.size(); ++i) {
    std::size_t next = i + 1;
    if (written[i] == '\\' && next < written.size() && written[next] == '\r') ++next;
    if (written[i] == '\\' && next < written.size() && written[next] == '\n') {
      i = next;
    } else {
      joined += written[i];
    }
  }
  return arena_.keep(std::move(joined));
}

const Token& Lexer::peek() {
  if (!has_peeked_) peeked_ = lex();
  has_peeked_ = true;
  return peeked_;
}

Token Lexer::next() {
  if (!has_peeked_) return lex();
  has_peeked_ = false;
  return peeked_;
}

Token Lexer::lex() {
  space_before_ = false;
  skip_space();
  Token token;
  token.line_start = std::exchange(line_start_, false);
  token.space_before = space_before_;
  token.begin = static_cast<int>(position_);
  if (at_end()) {
    token.end = token.begin;
    token.line_start = true;
    line_start_ = true;
    return token;
  }
  spliced_ = false;
  std::size_t begin = position_;
  token.kind = scan_token();
  token.text = spelling(begin);
  token.end = static_cast<int>(position_);
  if (token.kind == TokenKind::Comment) line_start_ |= token.line_start;
  for (const Alternative& alternative : kAlternatives) {
    if (token.kind == TokenKind::Identifier && token.text == alternative.word) {
      token.kind = TokenKind::Punct;
      token.text = alternative.punctuator;
    }
  }
  return token;
}

TokenKind Lexer::scan_token() {
  char c = current();
  if (c == '/' && (ahead(1) == '/' || ahead(1) == '*'))
    return comment() ? TokenKind::Comment : TokenKind::Bad;
  if (is_identifier_start(c)) return identifier_or_prefixed_literal();
  if (text::is_digit(c) || (c == '.' && text::is_digit(ahead(1)))) return number();
  if (c == '"' || c == '\'') return quoted(c);
  return punctuator();
}

TokenKind Lexer::identifier_or_prefixed_literal() {
  std::size_t begin = position_;
  while (!at_end() && is_identifier_part(current())) advance();
  if (current() != '"' && current() != '\'') return TokenKind::Identifier;
  std::string_view prefix = text_.substr(begin, position_ - begin);
  bool raw = !prefix.empty() && prefix.back() == 'R' && current() == '"';
  if (raw) prefix.remove_suffix(1);
  if (!prefix.empty() && prefix != "L" && prefix != "u" && prefix != "U" && prefix != "u8") {
    return TokenKind::Identifier;
  }
  return raw ? raw_string() : quoted(current());
}

TokenKind Lexer::number() {
  while (!at_end()) {
    char c = current();
    char n = ahead(1);
    bool exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
    if (exponent && (n == '+' || n == '-')) {
      advance(2);
    } else if (c == '\'' && is_identifier_part(n)) {
      advance(2);
    } else if (c == '.' || is_identifier_part(c)) {
      advance();
    } else {
      break;
    }
  }
  return TokenKind::Number;
}

TokenKind Lexer::quoted(char quote) {
  advance();
  while (!at_end() && current() != quote && current() != '\n') advance(current() == '\\' ? 2 : 1);
  if (current() != quote || at_end()) return TokenKind::Bad;
  advance();
  return quote == '"' ? TokenKind::String : TokenKind::Char;
}

// R"tag( ... )tag": nothing inside is special, not even a splice.
TokenKind Lexer::raw_string() {
  std::size_t open = text_.find('(', position_);
  if (open == std::string_view::npos || open - position_ > 17) {
    advance();
    return TokenKind::Bad;
  }
  std::string closing = ")" + std::string(text_.substr(position_ + 1, open - position_ - 1)) + "\"";
  std::size_t close = text_.find(closing, open);
  bool ends = close != std::string_view::npos;
  position_ = ends ? close + closing.size() : text_.size();
  spliced_ = false;
  return ends ? TokenKind::String : TokenKind::Bad;
}

TokenKind Lexer::punctuator() {
  for (std::string_view candidate : kLongPunctuators) {
    if (candidate[0] != current() || candidate[1] != ahead(1)) continue;
    if (candidate.size() == 3 && candidate[2] != ahead(2)) continue;
    advance(static_cast<int>(candidate.size()));
    return TokenKind::Punct;
  }
  bool known = kPunctuators.find(current()) != std::string_view::npos;
  advance();
  return known ? TokenKind::Punct : TokenKind::Bad;
}

}  // namespace warplens::cuda
