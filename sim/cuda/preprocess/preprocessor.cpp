#include "sim/cuda/preprocess/preprocessor.h"

#include <algorithm>
#include <utility>

namespace warplens::cuda {

namespace {

constexpr std::size_t kTokenLimit = 2'000'000;      // in one text, macros expanded
constexpr std::size_t kExpansionLimit = 1'000'000;  // made by macros
constexpr std::size_t kMadeTokenLimit = 65'536;     // bytes of a token that # or ## makes
constexpr int kIsolationLimit = 64;                 // macro uses within the arguments of macro uses

}  // namespace

Preprocessor::Preprocessor(Source source, SpellingArena& arena, DiagnosticSink& sink, Budget& budget)
    : source_(std::move(source)),
      text_(source_.text),
      arena_(arena),
      sink_(sink),
      pace_(budget, Stage::Preprocessing),
      read_once_(source_.begins.size()) {
  const bool is_included = source_.headers && source_.headers->around != kNoHeader;
  read_own_ = !is_included;
  open(is_included ? source_.headers->around : kOwnText);
  if (!source_.headers) return;
  const std::vector<int>& first = source_.headers->first;
  if (!first.empty()) library_ = static_cast<int>(source_.begins[first.front()]);
  for (auto header = first.rbegin(); header != first.rend(); ++header) open(*header);
}

std::vector<Token> Preprocessor::run() {
  Tokens result;
  Token token;
  do {
    token = next_expanded();
    result.push_back(token);
    if (result.size() >= kTokenLimit && token.kind != TokenKind::End) {
      sink_.error(token.begin, token.end, Message("the file has more than 2,000,000 tokens"),
                  Message("split it"));
      token = Token{};
      token.begin = token.end = static_cast<int>(source_.own_size);
      result.back() = token;
    }
  } while (token.kind != TokenKind::End);
  for (const Conditional& open : conditionals_) {
    sink_.error(open.begin, open.end, Message("this conditional has no #endif"),
                Message("end it with #endif"));
  }
  return settle_attributes(std::move(result));
}

// ---- the stream: contexts first, then the text ------------------------------------------------------------

void Preprocessor::push(MacroPtr macro, Tokens tokens) {
  if (macro) ++macro->being_expanded;
  contexts_.push_back({std::move(macro), std::move(tokens), 0});
}

// Drops the contexts that are read to their end. Not before what follows them is asked for: what the last of
// their tokens becomes is theirs, too, and their macros' names mean nothing in it.
void Preprocessor::leave_contexts() {
  while (!contexts_.empty() && contexts_.back().next == contexts_.back().tokens.size()) {
    if (contexts_.back().macro) --contexts_.back().macro->being_expanded;
    contexts_.pop_back();
  }
}

Token Preprocessor::next_raw() {
  pace_.step();
  leave_contexts();
  if (!contexts_.empty()) return contexts_.back().tokens[contexts_.back().next++];
  return isolation_ > 0 ? Token{} : from_text();
}

bool Preprocessor::next_is_open_parenthesis() {
  for (std::size_t i = contexts_.size(); i-- > 0;) {
    const Context& context = contexts_[i];
    if (context.next < context.tokens.size()) return context.tokens[context.next].is("(");
  }
  return isolation_ == 0 && lexer().peek().is("(");
}

Token Preprocessor::next_expanded() {
  while (true) {
    Token token = next_raw();
    if (token.kind != TokenKind::Identifier || token.painted || exhausted_) return token;
    if (expand_special(token)) continue;
    const MacroPtr macro = find_macro(token.text);
    const bool is_given = macro && macro->origin == Macro::Origin::CommandLine;
    if (!macro || (is_given && token.begin >= library_)) return token;  // a library's N is its own
    if (macro->being_expanded > 0) {
      token.painted = true;
      return token;
    }
    if (!expand(token, macro)) return token;
  }
}

bool Preprocessor::spend(std::size_t tokens, int begin, int end) {
  expanded_tokens_ += tokens;
  if (expanded_tokens_ <= kExpansionLimit) return true;
  if (!exhausted_) {
    sink_.error(begin, end, Message("macros make more than 1,000,000 tokens"),
                Message("look for one that doubles itself"));
  }
  exhausted_ = true;
  return false;
}

// ---- one use of a macro ----

bool Preprocessor::expand_special(const Token& name) {
  std::string value;
  Token token = name;
  token.kind = TokenKind::Number;
  if (name.text == "__LINE__") {
    value = std::to_string(sink_.lines().place(name.begin).line);
  } else if (name.text == "__COUNTER__") {
    value = std::to_string(counter_++);
  } else if (name.text == "__FILE__") {
    value = "\"kernel.cu\"";
    token.kind = TokenKind::String;
  } else {
    return false;
  }
  token.text = arena_.keep(std::move(value));
  push(nullptr, {token});
  return true;
}

// False where the name stands alone though its macro takes arguments: then it is just a name.
bool Preprocessor::expand(const Token& name, MacroPtr macro) {
  std::vector<Tokens> arguments;
  int end = name.end;
  if (macro->function_like) {
    if (!next_is_open_parenthesis()) return false;
    if (!collect_arguments(name, *macro, arguments, end)) return true;
    if (!arguments_fit(name, *macro, arguments)) return true;
  }
  Tokens body = substitute(*macro, arguments, name.begin, end);
  if (!spend(body.size() + 1, name.begin, end)) return true;
  if (!body.empty()) {
    body.front().line_start = name.line_start;
    body.front().space_before = name.space_before;
  }
  push(std::move(macro), std::move(body));
  return true;
}

// Reads "( a, (b, c), d )". Where the text ends first, what was read is put back as it is.
bool Preprocessor::collect_arguments(const Token& name, const Macro& macro, std::vector<Tokens>& arguments,
                                     int& end) {
  Tokens read{next_raw()};
  arguments.emplace_back();
  for (int depth = 1; depth > 0;) {
    Token token = next_raw();
    if (token.kind == TokenKind::End) {
      sink_.error(name.begin, name.end, Message("the arguments of macro '{}' do not end", name.text),
                  Message("add the missing ')'"));
      read.insert(read.begin(), name);
      exhausted_ = true;  // or every name after it would read to the end again
      push(nullptr, std::move(read));
      return false;
    }
    read.push_back(token);
    if (token.is("(")) ++depth;
    if (token.is(")") && --depth == 0) {
      end = std::max(end, token.end);
      break;
    }
    bool in_rest = macro.variadic && arguments.size() == macro.parameters.size();
    if (token.is(",") && depth == 1 && !in_rest) {
      arguments.emplace_back();
    } else {
      arguments.back().push_back(token);
    }
  }
  return true;
}

bool Preprocessor::arguments_fit(const Token& name, const Macro& macro, std::vector<Tokens>& arguments) {
  std::size_t wanted = macro.parameters.size();
  if (wanted == 0 && arguments.size() == 1 && arguments[0].empty()) arguments.clear();
  if (macro.variadic && arguments.size() + 1 == wanted) arguments.emplace_back();
  if (arguments.size() == wanted) return true;
  sink_.error(name.begin, name.end,
              wanted == 1
                  ? Message("macro '{}' takes {} argument, not {}", name.text, wanted, arguments.size())
                  : Message("macro '{}' takes {} arguments, not {}", name.text, wanted, arguments.size()));
  // A value in its place keeps the parser from complaining once more.
  Token zero = name;
  zero.kind = TokenKind::Number;
  zero.text = "0";
  push(nullptr, {zero});
  return false;
}

std::vector<std::pair<std::string, std::string>> Preprocessor::values() {
  constexpr std::size_t kMostTokens = 64;
  std::vector<std::pair<std::string, std::string>> values;
  for (const auto& [name, macro] : std::unordered_map(macros_)) {
    const bool is_value = macro && !macro->function_like && macro->origin != Macro::Origin::Predefined &&
                          !macro->body.empty() && macro->body.size() <= kMostTokens;
    if (!is_value) continue;
    std::string text;
    for (const Token& token : expand_all(macro->body)) {
      if (text.size() > kMostTokens * 4) break;
      text += (text.empty() ? "" : " ") + std::string(token.text);
    }
    values.emplace_back(name, std::move(text));
  }
  std::ranges::sort(values);
  return values;
}

Preprocessor::Tokens Preprocessor::expand_all(Tokens tokens) {
  if (isolation_ >= kIsolationLimit) {
    int begin = tokens.empty() ? 0 : tokens.front().begin;
    int end = tokens.empty() ? 0 : tokens.front().end;
    if (!exhausted_)
      sink_.error(begin, end, Message("macro arguments are nested too deeply (more than 64 levels)"));
    exhausted_ = true;
    return tokens;
  }
  std::vector<Context> outer = std::exchange(contexts_, {});
  ++isolation_;
  push(nullptr, std::move(tokens));
  Tokens result;
  for (Token token = next_expanded(); token.kind != TokenKind::End; token = next_expanded()) {
    result.push_back(token);
  }
  leave_contexts();
  --isolation_;
  contexts_ = std::move(outer);
  return result;
}

// The parameter that the body's token at i names, or -1.
int Preprocessor::parameter_at(const Macro& macro, std::size_t i) {
  if (i >= macro.body.size() || macro.body[i].kind != TokenKind::Identifier) return -1;
  for (std::size_t p = 0; p < macro.parameters.size(); ++p) {
    if (macro.body[i].text == macro.parameters[p]) return static_cast<int>(p);
  }
  return -1;
}

// The body with the arguments in place of the parameters. What it makes has the place [begin, end).
Preprocessor::Tokens Preprocessor::substitute(const Macro& macro, const std::vector<Tokens>& arguments,
                                              int begin, int end) {
  pace_.step(macro.body.size() * (1 + macro.parameters.size() / 32));
  std::vector<std::optional<Tokens>> expanded(arguments.size());
  Tokens result;
  bool pasting = false;
  for (std::size_t i = 0; i < macro.body.size() && spend(1, begin, end); ++i) {
    const Token& token = macro.body[i];
    if (token.is("##") && i > 0) {
      pasting = !drop_comma(macro, i, arguments, result);
      continue;
    }
    bool paste_next = i + 1 < macro.body.size() && macro.body[i + 1].is("##");
    int p = parameter_at(macro, i);
    int stringized = macro.function_like && token.is("#") ? parameter_at(macro, i + 1) : -1;
    Tokens piece;
    if (stringized >= 0) {
      piece.push_back(stringize(arguments[stringized], begin, end));
      ++i;
    } else if (p >= 0 && (pasting || paste_next)) {
      piece = arguments[p];
    } else if (p >= 0) {
      if (!expanded[p]) expanded[p] = expand_all(arguments[p]);
      piece = *expanded[p];
    } else {
      piece.push_back(token);
      piece.back().begin = begin;
      piece.back().end = end;
    }
    if (!piece.empty()) piece.front().space_before = token.space_before;
    if (!spend(piece.size(), begin, end)) break;
    append(result, piece, std::exchange(pasting, false), begin, end);
  }
  return result;
}

// `, ## __VA_ARGS__` with the "##" at i: no pasting; the comma goes where there is nothing after it.
bool Preprocessor::drop_comma(const Macro& macro, std::size_t i, const std::vector<Tokens>& arguments,
                              Tokens& result) {
  int rest = parameter_at(macro, i + 1);
  bool is_rest = macro.variadic && rest >= 0 && rest + 1 == static_cast<int>(macro.parameters.size());
  if (!is_rest || result.empty() || !result.back().is(",")) return false;
  if (arguments[rest].empty()) result.pop_back();
  return true;
}

void Preprocessor::append(Tokens& result, const Tokens& piece, bool pasting, int begin, int end) {
  bool joined = pasting && !piece.empty() && !result.empty();
  if (joined) paste(result, piece.front(), begin, end);
  result.insert(result.end(), piece.begin() + (joined ? 1 : 0), piece.end());
}

// Tokens that double with every macro they go through stay few, but not short.
bool Preprocessor::short_enough(std::size_t bytes, int begin, int end) {
  pace_.step(1 + bytes / 256);
  if (bytes <= kMadeTokenLimit) return true;
  if (!exhausted_)
    sink_.error(begin, end, Message("macros make a token of more than 65,536 bytes"),
                Message("look for a # or ## that doubles it"));
  exhausted_ = true;
  return false;
}

void Preprocessor::paste(Tokens& result, const Token& right, int begin, int end) {
  if (!short_enough(result.back().text.size() + right.text.size(), begin, end)) return;
  std::string joined(result.back().text);
  joined.append(right.text);
  Lexer lexer(arena_.keep(joined), arena_);
  Token token = lexer.next();
  if (token.kind == TokenKind::Bad || lexer.peek().kind != TokenKind::End) {
    sink_.error(begin, end, Message("'##' gives '{}', which is not a single token", joined));
    result.push_back(right);
    return;
  }
  token.begin = begin;
  token.end = end;
  token.line_start = false;
  token.space_before = result.back().space_before;
  result.back() = token;
}

Token Preprocessor::stringize(const Tokens& argument, int begin, int end) {
  std::string text = "\"";
  for (std::size_t i = 0; i < argument.size(); ++i) {
    if (i > 0 && (argument[i].space_before || argument[i].line_start)) text += ' ';
    bool quoted = argument[i].kind == TokenKind::String || argument[i].kind == TokenKind::Char;
    if (!short_enough(text.size() + argument[i].text.size(), begin, end)) break;
    for (char c : argument[i].text) {
      if (quoted && (c == '"' || c == '\\')) text += '\\';
      text += c;
    }
  }
  text += '"';
  Token token;
  token.kind = TokenKind::String;
  token.text = arena_.keep(std::move(text));
  token.begin = begin;
  token.end = end;
  return token;
}

}  // namespace warplens::cuda
