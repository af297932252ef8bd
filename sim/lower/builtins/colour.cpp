// Syntax colours: the lexer's tokens, comments kept, classed by their words.
#include "sim/lower/builtins/colour.h"

#include <algorithm>
#include <iterator>

#include "sim/cuda/text/lexer.h"
#include "sim/cuda/text/names.h"
#include "sim/lower/builtins/table.h"
#include "sim/text/scan.h"

namespace warplens::cuda {

namespace {

bool is_builtin(std::string_view word) {
  namespace lower = sim::lower;
  return lower::builtins().contains(word) ||
         std::ranges::any_of(lower::kBuiltinVariables,
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

// Python, which compilers of kernels read too: by lines that only it has.
bool is_python(std::string_view text) {
  bool found = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    if (line.starts_with("#include") || line.starts_with("__global__") || line.starts_with("extern"))
      return false;
    const bool defines = line.starts_with("def ") || line.starts_with("class ");
    found |= line.starts_with("import ") || line.starts_with("from ") || (defines && line.ends_with(':')) ||
             line.starts_with("@");
    at += line.size() + 1;
  }
  return found;
}

bool is_python_keyword(std::string_view word) {
  constexpr std::string_view kWords[] = {
      "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
      "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
      "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
      "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
  return std::ranges::binary_search(kWords, word);
}

// Where a string ends that begins at `at` with a quote; one of three quotes goes over lines.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const std::string_view three = text.substr(at, 3);
  const bool is_long = three == "\"\"\"" || three == "'''";
  const char quote = text[at];
  for (at += is_long ? 3 : 1; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else if (is_long ? text.substr(at, 3) == three : text[at] == quote)
      return at + (is_long ? 3 : 1);
    else if (!is_long && text[at] == '\n')
      return at;
  }
  return text.size();
}

std::vector<ColouredToken> colour_python(std::string_view text, Pace& pace) {
  std::vector<ColouredToken> result;
  const auto is_word = [&](std::size_t i) { return i < text.size() && text::is_word(text[i]); };
  for (std::size_t at = 0; at < text.size();) {
    pace.step();
    std::size_t end = at + 1;
    TokenClass token_class = TokenClass::Punctuation;
    const char c = text[at];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++at;
      continue;
    }
    if (c == '#') {
      end = std::min(text.find('\n', at), text.size());
      token_class = TokenClass::Comment;
    } else if (c == '"' || c == '\'') {
      end = end_of_string(text, at);
      token_class = TokenClass::String;
    } else if (text::is_digit(c)) {
      while (is_word(end) || (end < text.size() && text[end] == '.')) ++end;
      token_class = TokenClass::Number;
    } else if (text::is_word(c) || c == '@') {
      while (is_word(end) || (c == '@' && end < text.size() && text[end] == '.')) ++end;
      token_class = c == '@'                                       ? TokenClass::Builtin
                    : is_python_keyword(text.substr(at, end - at)) ? TokenClass::Keyword
                                                                   : TokenClass::Plain;
    }
    end = std::min(end, text.size());
    result.push_back({static_cast<int>(at), static_cast<int>(end), token_class});
    at = end;
  }
  return result;
}

}  // namespace

std::vector<ColouredToken> colour_tokens(std::string_view text, Budget& budget) {
  if (is_python(text)) {
    Pace python(budget, Stage::Reading);
    return colour_python(text, python);
  }
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
