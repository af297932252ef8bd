// Blanking host code: functions without __device__ or __global__, and declarations that need host libraries.
#include <algorithm>

#include "kernels/protocol/as_written.h"
#include "kernels/protocol/source_scan.h"

namespace warplens::measure {
namespace {

using Tokens = std::vector<ScanToken>;
using Kind = ScanToken::Kind;

bool is_host_name(std::string_view word) {
  return word == "std" || word.substr(0, 4) == "cuda" || word.substr(0, 6) == "cublas" || word == "FILE" ||
         word == "cout";
}

// Tokens [begin, end) of one declaration at namespace scope.
struct Declaration {
  std::size_t begin = 0, end = 0;
  bool is_function_body = false;  // ends with one
};

bool has_word(const Tokens& tokens, std::size_t begin, std::size_t end, std::string_view word) {
  return std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                     tokens.begin() + static_cast<std::ptrdiff_t>(end),
                     [&](const ScanToken& t) { return t.is(word); });
}

bool is_scope(const Tokens& tokens, std::size_t begin, std::size_t brace) {
  if (has_word(tokens, begin, brace, "namespace")) return true;
  return brace == begin + 2 && tokens[begin].is("extern") && tokens[begin + 1].kind == Kind::Literal;
}

// Is the "{" at `brace` a function's body? It follows the parameter list, perhaps with a few words between.
bool is_body(const Tokens& tokens, std::size_t begin, std::size_t brace) {
  if (has_word(tokens, begin, brace, "struct") || has_word(tokens, begin, brace, "class") ||
      has_word(tokens, begin, brace, "enum") || has_word(tokens, begin, brace, "union"))
    return has_word(tokens, begin, brace, ")") && tokens[brace - 1].is(")");
  return has_word(tokens, begin, brace, ")") && !tokens[brace - 1].is("=");
}

bool is_host(const Tokens& tokens, const Declaration& d) {
  if (has_word(tokens, d.begin, d.end, "__global__") || has_word(tokens, d.begin, d.end, "__device__") ||
      has_word(tokens, d.begin, d.end, "__constant__"))
    return false;
  const bool is_constexpr = has_word(tokens, d.begin, d.end, "constexpr");
  if (d.is_function_body && !is_constexpr) return true;
  if (tokens[d.begin].is("using") && has_word(tokens, d.begin, d.end, "namespace")) return false;
  return std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(d.begin),
                     tokens.begin() + static_cast<std::ptrdiff_t>(d.end),
                     [](const ScanToken& t) { return t.kind == Kind::Word && is_host_name(t.text); });
}

std::vector<Declaration> declarations(const Tokens& tokens) {
  std::vector<Declaration> found;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const ScanToken& t = tokens[i];
    if (t.kind == Kind::Directive && i == begin) {
      begin = i + 1;
    } else if (t.is("}")) {  // the end of a namespace
      begin = i + 1;
    } else if (t.is(";")) {
      if (i > begin) found.push_back({begin, i + 1, false});
      begin = i + 1;
    } else if (t.is("(") || t.is("[")) {
      i = std::min(closing_token(tokens, i), tokens.size() - 1);
    } else if (t.is("{") && is_scope(tokens, begin, i)) {
      begin = i + 1;
    } else if (t.is("{")) {
      const bool body = is_body(tokens, begin, i);
      i = std::min(closing_token(tokens, i), tokens.size() - 1);
      if (!body) continue;  // a struct or an initialiser: goes on to its ';'
      found.push_back({begin, i + 1, true});
      begin = i + 1;
    }
  }
  return found;
}

}  // namespace

std::string blank_host_code(std::string_view text) {
  std::string result(text);
  const Tokens tokens = scan_tokens(text);
  for (const Declaration& d : declarations(tokens)) {
    if (!is_host(tokens, d)) continue;
    for (std::size_t i = d.begin; i < d.end; ++i) {
      if (tokens[i].kind == Kind::Directive) continue;  // an #if must keep its #endif
      for (std::size_t at = tokens[i].begin; at < tokens[i].end; ++at)
        if (result[at] != '\n') result[at] = ' ';
    }
  }
  return result;
}

}  // namespace warplens::measure
