// CUDA C++ text as the lexer's tokens with their places: enough to find declarations and bodies without
// understanding the language. Comments are left out; a preprocessor line is one token.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace warplens::measure {

struct ScanToken {
  enum class Kind { Word, Number, Literal, Directive, Punctuation };
  Kind kind = Kind::Punctuation;
  std::size_t begin = 0, end = 0;
  std::string_view text;
  bool is(std::string_view expected) const { return text == expected; }
};

// Views refer to `text`.
std::vector<ScanToken> scan_tokens(std::string_view text);

// Index of the token that closes the bracket at `open` ("(", "[", "{"), or tokens.size().
std::size_t closing_token(const std::vector<ScanToken>& tokens, std::size_t open);

}  // namespace warplens::measure
