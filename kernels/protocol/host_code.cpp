// Blanking host code: functions without __device__ or __global__, and declarations that need host libraries.
#include <algorithm>
#include <initializer_list>
#include <span>

#include "kernels/protocol/as_written.h"

namespace warplens::measure {
namespace {

using Tokens = std::vector<ScanToken>;
using Kind = ScanToken::Kind;

bool is_host_name(std::string_view word) {
  return word == "std" || word.starts_with("cuda") || word.starts_with("cublas") || word == "FILE" ||
         word == "cout";
}

// One declaration at namespace scope.
struct Declaration {
  std::span<const ScanToken> tokens;
  bool is_function_body = false;  // ends with one
};

bool has_word(std::span<const ScanToken> tokens, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(
      tokens, [&](const ScanToken& t) { return std::ranges::find(words, t.text) != words.end(); });
}

// What opens with a brace behind `head`.
bool is_scope(std::span<const ScanToken> head) {
  return has_word(head, {"namespace"}) ||
         (head.size() == 2 && head[0].is("extern") && head[1].kind == Kind::Literal);
}

// A function's body follows the parameter list, perhaps with a few words between.
bool is_body(std::span<const ScanToken> head) {
  if (!has_word(head, {")"})) return false;
  return has_word(head, {"struct", "class", "enum", "union"}) ? head.back().is(")") : !head.back().is("=");
}

bool is_host(const Declaration& d) {
  if (has_word(d.tokens, {"__global__", "__device__", "__constant__"})) return false;
  if (d.is_function_body && !has_word(d.tokens, {"constexpr"})) return true;
  if (d.tokens.front().is("using") && has_word(d.tokens, {"namespace"})) return false;
  return std::ranges::any_of(d.tokens,
                             [](const ScanToken& t) { return t.kind == Kind::Word && is_host_name(t.text); });
}

std::vector<Declaration> declarations(const Tokens& tokens) {
  std::vector<Declaration> found;
  std::size_t begin = 0;
  const auto since = [&](std::size_t end) { return std::span(tokens).subspan(begin, end - begin); };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const ScanToken& t = tokens[i];
    if (t.kind == Kind::Directive && i == begin) {
      begin = i + 1;
    } else if (t.is("}")) {  // the end of a namespace
      begin = i + 1;
    } else if (t.is(";")) {
      if (i > begin) found.push_back({since(i + 1), false});
      begin = i + 1;
    } else if (t.is("(") || t.is("[")) {
      i = std::min(closing_token(tokens, i), tokens.size() - 1);
    } else if (t.is("{") && is_scope(since(i))) {
      begin = i + 1;
    } else if (t.is("{")) {
      const bool body = is_body(since(i));
      i = std::min(closing_token(tokens, i), tokens.size() - 1);
      if (!body) continue;  // a struct or an initialiser: goes on to its ';'
      found.push_back({since(i + 1), true});
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
    if (!is_host(d)) continue;
    for (const ScanToken& token : d.tokens) {
      if (token.kind == Kind::Directive) continue;  // an #if must keep its #endif
      for (std::size_t at = token.begin; at < token.end; ++at)
        if (result[at] != '\n') result[at] = ' ';
    }
  }
  return result;
}

}  // namespace warplens::measure
