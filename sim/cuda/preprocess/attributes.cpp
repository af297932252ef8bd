#include <algorithm>

#include "sim/cuda/preprocess/preprocessor.h"

namespace warplens::cuda {
namespace {

// The token behind the bracket that closes the one at `open`.
std::size_t behind_brackets(const std::vector<Token>& tokens, std::size_t open) {
  int depth = 0;
  std::size_t i = open;
  for (; i < tokens.size() && tokens[i].kind != TokenKind::End; ++i) {
    depth += tokens[i].is("(") ? 1 : tokens[i].is(")") ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return i;
}

Token like(Token token, TokenKind kind, std::string_view text) {
  token.kind = kind;
  token.text = text;
  return token;
}

// What the words between `begin` and `end` say of a struct's place in memory.
void add_words(const std::vector<Token>& tokens, std::size_t begin, std::size_t end,
               std::vector<Token>& out) {
  for (std::size_t i = begin; i < end; ++i) {
    const Token& token = tokens[i];
    if (token.is("packed") || token.is("__packed__"))
      out.push_back(like(token, TokenKind::Identifier, kPacked));
    if (!token.is("aligned") && !token.is("__aligned__")) continue;
    out.push_back(like(token, TokenKind::Identifier, "__align__"));
    if (i + 1 < end && tokens[i + 1].is("(")) {
      const std::size_t behind = behind_brackets(tokens, i + 1);
      out.insert(out.end(), tokens.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                 tokens.begin() + static_cast<std::ptrdiff_t>(behind));
      i = behind - 1;
    } else {  // as much as anything needs: 16
      out.push_back(like(token, TokenKind::Punct, "("));
      out.push_back(like(token, TokenKind::Number, "16"));
      out.push_back(like(token, TokenKind::Punct, ")"));
    }
  }
}

// The token behind `[[...]]` that begins at `i`; `i`: none does.
std::size_t behind_attribute(const std::vector<Token>& tokens, std::size_t i) {
  constexpr std::size_t kMost = 64;  // tokens
  if (i + 1 >= tokens.size() || !tokens[i].is("[") || !tokens[i + 1].is("[")) return i;
  int depth = 0;
  for (std::size_t k = i; k < tokens.size() && k < i + kMost; ++k) {
    depth += tokens[k].is("[") ? 1 : tokens[k].is("]") ? -1 : 0;
    if (depth == 0) return tokens[k - 1].is("]") ? k + 1 : i;
  }
  return i;
}

}  // namespace

std::vector<Token> settle_attributes(std::vector<Token> tokens) {
  const auto is_attribute = [](const Token& token) { return token.is(kAttributeWords); };
  const auto begins_brackets = [](const Token& token, const Token& next) {
    return token.is("[") && next.is("[");
  };
  if (std::ranges::none_of(tokens, is_attribute) &&
      std::adjacent_find(tokens.begin(), tokens.end(), begins_brackets) == tokens.end())
    return tokens;
  std::vector<Token> out;
  out.reserve(tokens.size());
  bool of_struct = false;  // what stands before
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (const std::size_t behind = behind_attribute(tokens, i); behind != i) {
      if (of_struct) add_words(tokens, i, behind, out);
      i = behind - 1;
      continue;
    }
    if (!is_attribute(tokens[i])) {
      of_struct =
          tokens[i].is("struct") || tokens[i].is("union") || tokens[i].is("class") || tokens[i].is("}");
      out.push_back(tokens[i]);
      continue;
    }
    if (i + 1 >= tokens.size() || !tokens[i + 1].is("(")) continue;
    const std::size_t behind = behind_brackets(tokens, i + 1);
    if (of_struct) add_words(tokens, i + 1, behind, out);
    i = behind - 1;
  }
  return out;
}

}  // namespace warplens::cuda
