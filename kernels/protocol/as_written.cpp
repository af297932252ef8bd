#include "kernels/protocol/as_written.h"

#include <algorithm>
#include <array>

#include "sim/cuda/text/lexer.h"
#include "sim/cuda/text/names.h"

namespace warplens::measure {

std::vector<ScanToken> scan_tokens(std::string_view text) {
  using Kind = ScanToken::Kind;
  using Lexed = cuda::TokenKind;
  std::vector<ScanToken> tokens;
  cuda::SpellingArena arena;
  cuda::Lexer lexer(text, arena);
  for (cuda::Token token = lexer.next(); token.kind != cuda::TokenKind::End; token = lexer.next()) {
    const auto begin = static_cast<std::size_t>(token.begin);
    auto end = static_cast<std::size_t>(token.end);
    const bool is_directive = token.line_start && token.is("#");
    while (is_directive && !lexer.peek().line_start) end = static_cast<std::size_t>(lexer.next().end);
    const Kind kind = is_directive                                               ? Kind::Directive
                      : token.kind == Lexed::Identifier                          ? Kind::Word
                      : token.kind == Lexed::Number                              ? Kind::Number
                      : token.kind == Lexed::Char || token.kind == Lexed::String ? Kind::Literal
                                                                                 : Kind::Punctuation;
    tokens.push_back({kind, begin, end, text.substr(begin, end - begin)});
  }
  return tokens;
}

std::size_t closing_token(const std::vector<ScanToken>& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    const std::string_view t = tokens[i].text;
    if (t == "(" || t == "[" || t == "{") ++depth;
    if (t == ")" || t == "]" || t == "}") --depth;
    if (depth == 0) return i;
  }
  return tokens.size();
}

namespace {

using Tokens = std::vector<ScanToken>;
using Kind = ScanToken::Kind;

bool is_qualifier(std::string_view word) {
  constexpr std::array<std::string_view, 7> kQualifiers{"__shared__", "extern",  "static",   "const",
                                                        "volatile",   "alignas", "__align__"};
  return std::ranges::find(kQualifiers, word) != kQualifiers.end();
}

// float4, uchar2, __half: structures, whose volatile copies C++ cannot take.
bool is_structure(std::string_view word) {
  const auto& types = cuda::builtin_types();
  if (const auto found = types.find(word); found != types.end())
    return found->second.kind == cuda::BuiltinType::Kind::Vector ||
           found->second.scalar == sim::ScalarType::F16 || found->second.scalar == sim::ScalarType::BF16;
  const bool is_counted = !word.empty() && word.back() >= '1' && word.back() <= '4';  // somebody's half4
  return is_counted && types.contains(word.substr(0, word.size() - 1));
}

struct SharedName {
  std::string name;
  int extents = 0;
};
struct SharedDeclaration {
  std::size_t at = 0;    // the token __shared__
  std::size_t last = 0;  // its ';'
  std::vector<SharedName> names;
  bool is_volatile = false;
  bool plain = true;  // of numbers, as far as the text shows
};

// `i` at a declarator's name, with its extents behind it; leaves `i` at what follows.
SharedName read_name(const Tokens& tokens, std::size_t& i) {
  SharedName name{std::string(tokens[i].text), 0};
  for (++i; i < tokens.size() && tokens[i].is("["); ++name.extents) {
    i = closing_token(tokens, i);
    if (i < tokens.size()) ++i;
  }
  return name;
}

SharedDeclaration read_declaration(const Tokens& tokens, std::size_t at) {
  SharedDeclaration declaration;
  declaration.at = at;
  std::size_t i = at;
  // `extern` and the like may stand before __shared__ too; volatile there counts as well.
  for (std::size_t before = at; before > 0 && is_qualifier(tokens[before - 1].text); --before)
    declaration.is_volatile |= tokens[before - 1].is("volatile");
  for (; i < tokens.size() && !tokens[i].is(";") && !tokens[i].is("{");) {
    const ScanToken& t = tokens[i];
    const std::string_view next = i + 1 < tokens.size() ? tokens[i + 1].text : std::string_view(";");
    if (t.is("volatile")) declaration.is_volatile = true;
    if (t.is("*") || t.is("&") || t.is("<")) declaration.plain = false;
    if (t.is("(") || t.is("[")) {  // alignas(16), or something unforeseen
      i = closing_token(tokens, i);
      if (i < tokens.size()) ++i;
    } else if (t.kind == Kind::Word && !is_qualifier(t.text) &&
               (next == "[" || next == "," || next == ";" || next == "=" || next == "{")) {
      declaration.names.push_back(read_name(tokens, i));
    } else {
      if (t.kind == Kind::Word && is_structure(t.text)) declaration.plain = false;
      ++i;
    }
  }
  declaration.last = i;
  return declaration;
}

bool is_unary_ampersand(const Tokens& tokens, std::size_t at) {
  if (!tokens[at].is("&")) return false;
  if (at == 0) return true;
  const ScanToken& before = tokens[at - 1];
  if (before.is(")") || before.is("]") || before.kind == Kind::Number) return false;
  return before.kind != Kind::Word || before.is("return");
}

// Every use from the declaration to the end of its block takes one whole element, by value or as a target.
bool only_elements_used(const Tokens& tokens, const SharedDeclaration& declaration, const SharedName& name) {
  int depth = 0;
  for (std::size_t i = declaration.last; i < tokens.size() && depth >= 0; ++i) {
    if (tokens[i].is("{")) ++depth;
    if (tokens[i].is("}")) --depth;
    if (tokens[i].text != name.name || tokens[i].kind != Kind::Word) continue;
    if (i > 0 && (tokens[i - 1].is(".") || tokens[i - 1].is("->") || tokens[i - 1].is("::"))) continue;
    if (i > 0 && is_unary_ampersand(tokens, i - 1)) return false;
    std::size_t after = i;
    if (read_name(tokens, after).extents != name.extents) return false;
    if (after < tokens.size() && (tokens[after].is(".") || tokens[after].is("->"))) return false;
  }
  return true;
}

}  // namespace

VolatileText make_shared_volatile(std::string_view text) {
  VolatileText result;
  result.has_shared = text.find("__shared__") != std::string_view::npos;
  const Tokens tokens = scan_tokens(text);
  std::size_t copied = 0;
  bool in_directive = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    in_directive |=
        tokens[i].kind == Kind::Directive && tokens[i].text.find("__shared__") != std::string_view::npos;
    if (!tokens[i].is("__shared__")) continue;
    const SharedDeclaration declaration = read_declaration(tokens, i);
    bool ready = declaration.is_volatile;
    if (!ready && declaration.plain && !declaration.names.empty()) {
      ready = std::ranges::all_of(declaration.names, [&](const SharedName& name) {
        return only_elements_used(tokens, declaration, name);
      });
      if (ready) {
        result.text.append(text, copied, tokens[i].end - copied);
        result.text += " volatile";
        copied = tokens[i].end;
      }
    }
    for (const SharedName& name : declaration.names)
      (ready ? result.made_volatile : result.left).push_back(name.name);
    if (declaration.names.empty()) result.left.push_back("an array");
    i = std::max(i, declaration.last);
  }
  result.text.append(text, copied, text.size() - copied);
  if (in_directive) result.left.push_back("a shared array declared through a macro");
  return result;
}

std::string make_shared_accesses_volatile(std::string_view ptx) {
  std::string result;
  result.reserve(ptx.size() + ptx.size() / 16);
  for (std::size_t at = 0; at < ptx.size();) {
    const std::string_view here = ptx.substr(at, 9);
    const bool begins = at == 0 || ptx[at - 1] == '\t' || ptx[at - 1] == ' ' || ptx[at - 1] == '\n' ||
                        ptx[at - 1] == ';' || ptx[at - 1] == '{';
    if (begins && (here == "ld.shared" || here == "st.shared")) {
      result.append(here.substr(0, 2)).append(".volatile.shared");
      at += 9;
    } else {
      result += ptx[at++];
    }
  }
  return result;
}

std::vector<std::string> included_files(std::string_view text) {
  std::vector<std::string> names;
  for (const ScanToken& token : scan_tokens(text)) {
    if (token.kind != Kind::Directive) continue;
    const std::size_t word = token.text.find("include");
    if (word == std::string_view::npos || token.text.find_first_not_of("# \t") != word) continue;
    const std::size_t open = token.text.find_first_of("<\"", word);
    if (open == std::string_view::npos) continue;
    const std::size_t close = token.text.find(token.text[open] == '<' ? '>' : '"', open + 1);
    if (close != std::string_view::npos) names.emplace_back(token.text.substr(open + 1, close - open - 1));
  }
  return names;
}

}  // namespace warplens::measure
