// Syntax colours: the lexer's tokens, comments kept, classed by their words.
#include "sim/lower/builtins/colour.h"

#include <algorithm>
#include <iterator>

#include "sim/cuda/text/lexer.h"
#include "sim/cuda/text/names.h"
#include "sim/lower/builtins/table.h"

namespace warplens::cuda {

namespace {

bool is_builtin(std::string_view word) {
  namespace lower = sim::lower;
  return lower::builtins().contains(word) ||
         std::any_of(std::begin(lower::kBuiltinVariables), std::end(lower::kBuiltinVariables),
                     [&](const lower::BuiltinVariable& variable) { return variable.name == word; });
}

TokenClass class_of(const Token& token) {
  switch (token.kind) {
    case TokenKind::Comment:
      return TokenClass::Comment;
    case TokenKind::Number:
      return TokenClass::Number;
    case TokenKind::Char:
    case TokenKind::String:
      return TokenClass::String;
    case TokenKind::Punct:
      return TokenClass::Punctuation;
    case TokenKind::Bad:  // what does not end has the colour that it would have
      if (token.text.substr(0, 2) == "/*") return TokenClass::Comment;
      return token.text.find_first_of("\"'") != std::string_view::npos ? TokenClass::String
                                                                       : TokenClass::Plain;
    case TokenKind::Identifier:
      if (is_type_word(token.text) || is_cuda_type(token.text)) return TokenClass::Type;
      if (is_keyword(token.text)) return TokenClass::Keyword;
      return is_builtin(token.text) ? TokenClass::Builtin : TokenClass::Plain;
    case TokenKind::End:
      break;
  }
  return TokenClass::Plain;
}

}  // namespace

std::vector<ColouredToken> colour_tokens(std::string_view text, Budget& budget) {
  std::vector<ColouredToken> result;
  SpellingArena arena;
  Lexer lexer(text, arena, true);
  Pace pace(budget, Stage::Reading);
  bool directive = false, names_file = false;
  for (Token token = lexer.next(); token.kind != TokenKind::End; token = lexer.next()) {
    pace.step();
    if (token.line_start) {
      directive = token.is("#");
      names_file = false;
    }
    TokenClass token_class = class_of(token);
    bool word = directive && (token.is("#") || (!result.empty() && text[result.back().begin] == '#' &&
                                                result.back().token_class == TokenClass::Preprocessor));
    if (word) token_class = TokenClass::Preprocessor;
    if (names_file && token.kind != TokenKind::Comment) token_class = TokenClass::String;
    if (word && token.text == "include") names_file = true;
    result.push_back({token.begin, token.end, token_class});
  }
  return result;
}

}  // namespace warplens::cuda
