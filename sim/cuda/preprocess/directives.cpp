// The preprocessor's directives: #define, #if and their kin.
#include <algorithm>
#include <utility>

#include "sim/cuda/preprocess/preprocessor.h"

namespace warplens::cuda {

namespace {

constexpr std::size_t kConditionalLimit = 1000;  // #if within #if

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

}  // namespace

void Preprocessor::define_all(const Defines& defines) {
  for (const auto& [name, value] : defines) {
    bool good = !name.empty() && is_identifier_start(name[0]);
    for (char c : name) good = good && is_identifier_part(c);
    if (!good || name == "defined") {
      sink_.error(0, 0, Message("'{}' is not a name that can be defined", name),
                  Message("give NAME or NAME=VALUE"));
      continue;
    }
    define_text(arena_.keep(name + " " + (value.empty() ? "1" : value)), Macro::Origin::CommandLine);
  }
}

// As if `#define definition` stood before the first line.
void Preprocessor::define_text(std::string_view definition, Macro::Origin origin) {
  Lexer lexer(definition, arena_);
  Tokens line;
  for (Token token = lexer.next(); token.kind != TokenKind::End; token = lexer.next()) {
    token.begin = token.end = 0;
    line.push_back(token);
  }
  define_directive(line, origin);
}

Token Preprocessor::from_text() {
  while (true) {
    Token token = lexer().next();
    if (token.kind == TokenKind::Bad && token.text.substr(0, 2) == "/*") {
      sink_.error(token.begin, token.begin + 2, Message("this comment does not end"),
                  Message("end it with */"));
      continue;
    }
    if (token.kind == TokenKind::End && open_.size() > 1) {
      leave_header();
      continue;
    }
    if (!token.line_start || !token.is("#")) return token;
    directive(token);
  }
}

Preprocessor::Tokens Preprocessor::rest_of_line() {
  Tokens line;
  while (!lexer().peek().line_start) {
    pace_.step();
    line.push_back(lexer().next());
  }
  return line;
}

void Preprocessor::directive(const Token& hash) {
  Tokens line = rest_of_line();
  if (line.empty()) return;
  Token name = line.front();
  name.begin = hash.begin;
  line.erase(line.begin());
  if (is_one_of(name.text, {"if", "ifdef", "ifndef", "elif", "else", "endif"})) {
    conditional_directive(name, line);
  } else if (name.text == "define") {
    define_directive(line, Macro::Origin::Text);
  } else if (name.text == "undef") {
    undef_directive(name, line);
  } else if (name.text == "error" || name.text == "warning") {
    error_directive(name, line);
  } else if (name.text == "include") {
    include_directive(hash, name, std::move(line));
  } else if (name.text == "pragma") {
    const bool once = !line.empty() && line[0].is("once") && open_.back().header != kOwnText;
    if (once) read_once_[open_.back().header] = true;
    if (line.size() > 2 && line[0].is("pack") && !line[2].is("pop"))
      sink_.warning(name.begin, line.back().end,
                    Message("#pragma pack is ignored: members lie where their types are aligned"));
  } else if (!is_one_of(name.text, {"include_next", "line", "ident"}) && name.kind != TokenKind::Number) {
    sink_.error(name.begin, name.end, Message("'#{}' is not a preprocessor directive", name.text));
  }
}

// ---- #include ----

// `"name"` or `<name>`, also where a macro makes it; empty where it is neither.
static std::string written_name(const std::vector<Token>& line) {
  if (line.empty()) return "";
  if (line[0].kind == TokenKind::String) return std::string(line[0].text);
  if (!line[0].is("<")) return "";
  std::string name;
  for (const Token& token : line) {
    if (!name.empty() && token.space_before) return "";
    name += token.text;
    if (token.is(">")) return name;
  }
  return "";
}

int Preprocessor::find_header(const std::string& written) const {
  if (!source_.headers) return kNoHeader;
  const auto found = source_.headers->found.find({open_.back().header, written});
  return found == source_.headers->found.end() ? kNoHeader : found->second;
}

void Preprocessor::include_directive(const Token& hash, const Token& name, Tokens line) {
  constexpr std::size_t kMostOpen = 64, kMostRead = 4096;
  if (!line.empty() && line[0].kind == TokenKind::Identifier) line = expand_all(std::move(line));
  const std::string written = written_name(line);
  const int header = find_header(written);
  if (header == kNoHeader) {
    const std::string bare = written.size() > 2 ? written.substr(1, written.size() - 2) : "";
    const bool own = !bare.empty() && (written[0] == '"' || !is_of_toolchain(bare));
    const bool is_new = std::ranges::find(ignored_includes_, bare) == ignored_includes_.end();
    if (own && is_new) ignored_includes_.push_back(bare);
    return;
  }
  if (header == kOwnText ? std::exchange(read_own_, true) : read_once_[header]) return;
  if (open_.size() >= kMostOpen || ++headers_read_ > kMostRead) {
    sink_.error(name.begin, name.end, Message("#include is nested too deeply here, or stands in a circle"),
                Message("begin the headers with #pragma once"));
    return;
  }
  if (header != kOwnText) sink_.lines().set_included(static_cast<std::size_t>(header), hash.begin);
  open(header);
}

void Preprocessor::open(int header) {
  std::size_t begin = 0, end = source_.own_size;
  if (header != kOwnText) {
    const auto at = static_cast<std::size_t>(header);
    begin = source_.begins[at];
    end = begin + source_.headers->files[at].text.size();
  }
  open_.push_back({Lexer(text_.substr(0, end), arena_, false, begin), header, conditionals_.size()});
}

// At a header's end: what it leaves open is its own mistake.
void Preprocessor::leave_header() {
  while (conditionals_.size() > open_.back().conditionals) {
    const Conditional& open = conditionals_.back();
    sink_.error(open.begin, open.end, Message("this conditional has no #endif"),
                Message("end it with #endif"));
    conditionals_.pop_back();
  }
  open_.pop_back();
}

void Preprocessor::undef_directive(const Token& directive_name, const Tokens& line) {
  if (line.empty() || line[0].kind != TokenKind::Identifier) {
    sink_.error(directive_name.begin, directive_name.end, Message("#undef needs the name of a macro"));
    return;
  }
  macros_[line[0].text] = nullptr;
}

void Preprocessor::error_directive(const Token& name, const Tokens& line) {
  int end = line.empty() ? name.end : line.back().end;
  std::string said;
  if (!line.empty()) {
    int begin = line.front().begin;
    said = ": " + std::string(text_.substr(begin, line.back().end - begin));
  }
  if (name.text == "error") {
    sink_.error(name.begin, end, Message::verbatim("#error" + said));
  } else {
    sink_.warning(name.begin, end, Message::verbatim("#warning" + said));
  }
}

// ---- #define ----

void Preprocessor::define_directive(const Tokens& line, Macro::Origin origin) {
  if (line.empty() || line[0].kind != TokenKind::Identifier || line[0].text == "defined") {
    int at = line.empty() ? lexer().peek().begin : line[0].begin;
    sink_.error(at, line.empty() ? at : line[0].end, Message("#define needs a name"));
    return;
  }
  auto macro = std::make_shared<Macro>();
  macro->name = line[0].text;
  macro->origin = origin;
  std::size_t i = 1;
  if (i < line.size() && line[i].is("(") && !line[i].space_before) {
    macro->function_like = true;
    if (!macro_parameters(line, ++i, *macro)) return;
  }
  macro->body.assign(line.begin() + static_cast<std::ptrdiff_t>(i), line.end());
  if (!macro->body.empty() && (macro->body.front().is("##") || macro->body.back().is("##"))) {
    sink_.error(line[0].begin, line[0].end, Message("'##' needs a token on either side"));
    return;
  }
  add_macro(std::move(macro), line[0]);
}

// `a, b, ...)`, after the parenthesis; moves i past it.
bool Preprocessor::macro_parameters(const Tokens& line, std::size_t& i, Macro& macro) {
  while (i < line.size()) {
    if (line[i].is(")") && macro.parameters.empty()) {
      ++i;
      return true;
    }
    bool dots = line[i].is("...");
    if (dots || line[i].kind == TokenKind::Identifier) {
      macro.parameters.push_back(dots ? "__VA_ARGS__" : line[i].text);
      ++i;
      if (!dots && i < line.size() && line[i].is("...")) {  // `args...`
        dots = true;
        ++i;
      }
      macro.variadic = dots;
      if (i < line.size() && line[i].is(")")) {
        ++i;
        return true;
      }
      if (i < line.size() && line[i].is(",") && !dots) {
        ++i;
        continue;
      }
    }
    break;
  }
  const Token& at = i < line.size() ? line[i] : line.back();
  sink_.error(at.begin, at.end, Message("the parameters of macro '{}' are malformed", macro.name),
              Message("write them as in #define F(a, b) or #define F(...)"));
  return false;
}

void Preprocessor::add_macro(MacroPtr macro, const Token& name) {
  MacroPtr& slot = macros_[macro->name];
  if (slot && slot->origin == Macro::Origin::CommandLine && macro->origin == Macro::Origin::Text &&
      !same_definition(*slot, *macro)) {
    sink_.warning(name.begin, name.end,
                  Message("this replaces the value of '{}' that was given from outside", name.text),
                  Message("put it between #ifndef {} and #endif", name.text));
  }
  // The key lives as long as the macro whose spelling it is: the arena and the text outlive both.
  slot = std::move(macro);
}

// A predefined one is defined where a text first names it: a launch rule of one line names none of the
// eighty.
Preprocessor::MacroPtr Preprocessor::find_macro(std::string_view name) {
  if (const auto found = macros_.find(name); found != macros_.end()) return found->second;
  const PredefinedMacro* predefined = predefined_macro(name);
  if (!predefined) return nullptr;
  std::string definition(predefined->name);
  definition.append(predefined->parameters).append(" ").append(predefined->body);
  define_text(arena_.keep(std::move(definition)), Macro::Origin::Predefined);
  return macros_.find(name)->second;
}

// ---- #if ----

void Preprocessor::conditional_directive(const Token& name, const Tokens& line) {
  std::string_view what = name.text;
  bool opens = is_one_of(what, {"if", "ifdef", "ifndef"});
  if (opens) {
    if (conditionals_.size() >= kConditionalLimit) {
      sink_.error(name.begin, name.end,
                  Message("conditionals are nested too deeply (more than 1,000 levels)"));
      return;
    }
    conditionals_.push_back({name.begin, name.end});
    conditionals_.back().taken = condition(name, line);
    if (!conditionals_.back().taken) skip_group();
    return;
  }
  if (conditionals_.size() <= open_.back().conditionals) {
    sink_.error(name.begin, name.end, Message("#{} without #if", what));
    return;
  }
  if (what == "endif") {
    conditionals_.pop_back();
    return;
  }
  // #elif or #else after a branch that was taken.
  if (conditionals_.back().seen_else) {
    sink_.error(name.begin, name.end, Message("#{} after #else", what));
  }
  conditionals_.back().seen_else |= what == "else";
  skip_group();
}

// Reads lines up to the branch that is taken, or up to #endif. Nested conditionals are skipped whole.
void Preprocessor::skip_group() {
  int depth = 0;
  while (lexer().peek().kind != TokenKind::End) {
    pace_.step();
    Token token = lexer().next();
    if (token.kind == TokenKind::Bad && token.text.substr(0, 2) == "/*") {
      sink_.error(token.begin, token.begin + 2, Message("this comment does not end"),
                  Message("end it with */"));
    }
    if (!token.line_start || !token.is("#")) continue;
    Tokens line = rest_of_line();
    if (line.empty()) continue;
    Token name = line.front();
    name.begin = token.begin;
    line.erase(line.begin());
    if (is_one_of(name.text, {"if", "ifdef", "ifndef"})) {
      ++depth;
    } else if (name.text == "endif" && depth-- == 0) {
      conditionals_.pop_back();
      return;
    } else if (is_one_of(name.text, {"elif", "else"}) && depth == 0 && enters_branch(name, line)) {
      return;
    }
  }
}

// Whether the branch that begins here is the first of its conditional to be taken.
bool Preprocessor::enters_branch(const Token& name, const Tokens& line) {
  Conditional& open = conditionals_.back();
  if (open.seen_else) {
    sink_.error(name.begin, name.end, Message("#{} after #else", name.text));
    return false;
  }
  open.seen_else = name.text == "else";
  if (open.taken) return false;
  open.taken = open.seen_else || condition(name, line);
  return open.taken;
}

bool Preprocessor::condition(const Token& name, Tokens line) {
  if (name.text == "ifdef" || name.text == "ifndef") {
    if (line.empty() || line[0].kind != TokenKind::Identifier) {
      sink_.error(name.begin, name.end, Message("#{} needs the name of a macro", name.text));
      return false;
    }
    return (find_macro(line[0].text) != nullptr) == (name.text == "ifdef");
  }
  if (line.empty()) {
    sink_.error(name.begin, name.end, Message("#{} needs a condition", name.text));
    return false;
  }
  replace_defined(line);
  Token end;
  end.begin = end.end = line.back().end;
  line = expand_all(std::move(line));
  line.push_back(end);
  return evaluate_condition(line, text_, sink_, pace_.budget()).value_or(0) != 0;
}

// `defined X` and `defined(X)` -> 0 or 1, before macros are expanded; `__has_include("x.h")` -> whether it
// was read; what else a compiler is asked for, as `__has_builtin(x)`, is not there.
void Preprocessor::replace_defined(Tokens& line) {
  Tokens result;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool is_asked = line[i].text.starts_with("__has_"), has_include = line[i].is("__has_include");
    if (!line[i].is("defined") && !is_asked) {
      result.push_back(line[i]);
      continue;
    }
    Token value = line[i];
    bool parenthesis = i + 1 < line.size() && line[i + 1].is("(");
    std::size_t name = i + (parenthesis ? 2 : 1);
    const std::string header =
        has_include && name < line.size()
            ? written_name(Tokens(line.begin() + static_cast<std::ptrdiff_t>(name), line.end()))
            : "";
    bool known =
        name < line.size() && line[name].kind == TokenKind::Identifier && find_macro(line[name].text);
    i = std::min(name, line.size() - 1);
    while (parenthesis && i + 1 < line.size() && !line[i].is(")")) ++i;
    value.kind = TokenKind::Number;
    // A standard library's, without a dot, is not there as long as no file brings it.
    const std::string bare = header.starts_with('<') ? header.substr(1, header.size() - 2) : "";
    const bool is_toolkits = bare.find_first_of("./") != std::string::npos && is_of_toolchain(bare);
    const bool there = has_include ? is_toolkits || find_header(header) != kNoHeader : known && !is_asked;
    value.text = there ? "1" : "0";
    result.push_back(value);
  }
  line = std::move(result);
}

}  // namespace warplens::cuda
