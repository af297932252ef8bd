// Types as written, and the names that they and expressions share.
#include <algorithm>

#include "sim/cuda/parse/parser.h"
#include "sim/cuda/text/names.h"

namespace warplens::cuda {

namespace {

// "unsigned", "long", "int" in any order -> "unsigned long"; empty where they do not go together.
std::string canonical_builtin(const std::vector<std::string_view>& words) {
  int longs = 0, shorts = 0, ints = 0, is_signed = 0, is_unsigned = 0;
  std::string_view base;
  for (std::string_view word : words) {
    if (word == "long") {
      ++longs;
    } else if (word == "short") {
      ++shorts;
    } else if (word == "int") {
      ++ints;
    } else if (word == "signed" || word == "__signed__") {
      ++is_signed;
    } else if (word == "unsigned") {
      ++is_unsigned;
    } else if (word == "__int64") {
      longs += 2;
    } else if (base.empty()) {
      base = word;
    } else {
      return "";
    }
  }
  if (longs > 2 || shorts > 1 || ints > 1 || is_signed + is_unsigned > 1 || (longs > 0 && shorts > 0))
    return "";
  if (base == "double" && longs == 1 && shorts + ints + is_signed + is_unsigned == 0) return "double";
  if (base == "char" && longs + shorts + ints == 0) {
    return is_unsigned ? "unsigned char" : is_signed ? "signed char" : "char";
  }
  if (!base.empty()) {
    return longs + shorts + ints + is_signed + is_unsigned == 0 ? std::string(base) : "";
  }
  std::string size = shorts ? "short" : longs == 1 ? "long" : longs == 2 ? "long long" : "int";
  return is_unsigned ? "unsigned " + size : size;
}

}  // namespace

TypeName Parser::parse_type() {
  std::size_t first = next_;
  TypeName type = parse_type_specifier();
  parse_pointers(type);
  if (points_to_array(next_)) {
    next_ += 3;
    type.pointed = std::make_shared<std::vector<ExprPtr>>(parse_extents());
  }
  type.range = range_from(first);
  return type;
}

bool Parser::function_type_ahead() const {
  if (!at("(") || !(peek(1).is("*") || peek(1).is("&"))) return false;
  std::size_t i = next_ + 2;
  while (token_at(i).is("const") || token_at(i).is("__restrict__")) ++i;
  if (token_at(i).kind == TokenKind::Identifier) ++i;
  while (token_at(i).is("[")) {
    const std::size_t close = match_brackets(i, tokens_.size());
    if (close == kNo) return false;
    i = close + 1;
  }
  return token_at(i).is(")") && token_at(i + 1).is("(");
}

// At the '(' of `(*name)(int, float)`, behind the type of the result; or of `(*names[2])(int)`, where there
// may be several.
std::string_view Parser::parse_function_type(TypeName& result, std::vector<ExprPtr>* extents) {
  next_ += 2;
  while (accept("const") || accept("__restrict__")) {
  }
  std::string_view name;
  if (peek().kind == TokenKind::Identifier && !is_keyword(peek().text)) name = tokens_[next_++].text;
  if (extents != nullptr) *extents = parse_extents();
  expect(")", Message("after the name of the pointer to a function"));
  parse_function_parameters(result);
  return name;
}

// At the '(' of the parameters.
void Parser::parse_function_parameters(TypeName& type) {
  const Within depth(depth_, deeper());  // a parameter may be a function with parameters
  expect("(", Message("before the parameters of the function's type"));
  TypeName function;
  function.name = "function";
  function.is_function = true;
  function.range = type.range;
  function.arguments.push_back({std::make_shared<TypeName>(std::move(type)), nullptr});
  ScopeGuard names(*this);
  for (Parameter& parameter : parse_parameters())
    function.arguments.push_back({std::make_shared<TypeName>(std::move(parameter.type)), nullptr});
  type = std::move(function);
}

bool Parser::accept_qualifier(TypeName& type) {
  if (accept("const") || accept("constexpr")) {
    type.is_const = true;
  } else if (accept("volatile") || accept("__volatile__")) {
    type.is_volatile = true;
  } else {
    return accept("typename") || accept("struct") || accept("class") || accept("union") || accept("enum");
  }
  return true;
}

TypeName Parser::parse_type_specifier() {
  std::size_t first = next_;
  TypeName type;
  while (accept_qualifier(type)) {
  }
  refuse_unsupported(peek());
  if (accept("auto")) {
    type.name = "auto";
  } else if (at("decltype") || at("typeof") || at("__typeof__")) {
    parse_decltype(type);
  } else if (peek().kind == TokenKind::Identifier && is_type_word(peek().text)) {
    parse_type_words(type);
  } else if (at("::") || (peek().kind == TokenKind::Identifier && !is_keyword(peek().text))) {
    parse_named_type(type);
    const bool is_unknown =
        type.arguments.empty() && !type.scope && lookup(previous().text).kind == NameKind::Unknown;
    if (is_unknown && after_type_specifier(next_, true) != kNo) {  // MACRO const float* x
      type.is_macro = true;
      type.range = range_from(first);
      const Within depth(depth_, deeper());
      parse_type_specifier();
    }
  } else {
    fail(peek(), Message("expected a type, not {}", describe(peek())));
  }
  while (at("const") || at("volatile")) accept_qualifier(type);
  if (!type.is_macro) type.range = range_from(first);
  return type;
}

// `decltype(x)`; that of a name or member is its type, so that a reference to it is none. `decltype((x))` is
// one.
void Parser::parse_decltype(TypeName& type) {
  ++next_;
  expect("(", Message("after 'decltype'"));
  const Within inside(greater_closes_, false);
  type.name = "decltype";
  const std::size_t close = at("(") ? match_brackets(next_, tokens_.size()) : kNo;
  type.measures_place = close != kNo && token_at(close + 1).is(")");
  type.measured = std::shared_ptr<Expr>(parse_expression().release());
  expect(")", Message("after the operand of 'decltype'"));
}

void Parser::parse_type_words(TypeName& type) {
  std::size_t first = next_;
  std::vector<std::string_view> words;
  while (true) {
    if (peek().kind == TokenKind::Identifier && is_type_word(peek().text)) {
      words.push_back(peek().text);
      ++next_;
    } else if (at("const") || at("volatile")) {
      accept_qualifier(type);
    } else {
      break;
    }
  }
  type.name = canonical_builtin(words);
  if (in_host_code_ && type.name == "double" && words.size() > 1) type.name = "long double";
  if (!type.name.empty()) return;
  SourceRange range = range_from(first);
  sink_.error(range.begin.offset, range.end.offset, Message("these words do not make a type together"));
  throw SyntaxError{};
}

void Parser::parse_named_type(TypeName& type) {
  std::size_t last = 0;
  type.name = parse_qualified_name(last);
  if (type.name == "half") type.name = "__half";
  if (type.name == "nv_bfloat16") type.name = "__nv_bfloat16";
  NameInfo info = lookup(token_at(last).text);
  if (at("<") && info.kind != NameKind::Variable && after_template_arguments(next_) != kNo) {
    type.arguments = parse_template_arguments();
  }
  parse_scoped_rest(type.name, type.arguments, type.scope, last);
}

// `::type` behind `Traits<T>`: what was read so far becomes the scope of what follows.
void Parser::parse_scoped_rest(std::string& name, std::vector<TemplateArgument>& arguments,
                               std::shared_ptr<TypeName>& scope, std::size_t first) {
  for (std::size_t levels = 0; at("::"); ++levels) {
    require_depth(levels);
    auto outer = std::make_shared<TypeName>();
    outer->name = std::move(name);
    outer->arguments = std::move(arguments);
    outer->scope = std::move(scope);
    outer->range = range_from(first);
    scope = std::move(outer);
    arguments.clear();
    ++next_;
    accept("template");
    const Token& token = peek();
    if (token.kind != TokenKind::Identifier || is_keyword(token.text)) {
      fail(token, Message("expected a name after '::', not {}", describe(token)));
    }
    name = std::string(token.text);
    ++next_;
    if (at("<") && after_template_arguments(next_) != kNo && member_templates_.contains(token.text)) {
      arguments = parse_template_arguments();
    }
  }
}

void Parser::parse_pointers(TypeName& type) {
  while (true) {
    if (accept("*")) {
      require_depth(static_cast<std::size_t>(type.pointers++));
    } else if (at("&") || at("&&")) {
      type.reference = true;
      type.takes_values = at("&&");
      ++next_;
    } else if (!accept("__restrict__") && !accept("__restrict") && !accept("restrict") && !accept("const") &&
               !accept("volatile")) {
      return;
    }
  }
}

// `a`, `::a`, `cg::sync`; template arguments are left to the caller. last_name is the position of the last
// part.
std::string Parser::parse_qualified_name(std::size_t& last_name) {
  std::vector<std::string_view> parts;
  const bool is_global = accept("::");
  while (true) {
    accept("template");
    const Token& token = peek();
    if (token.kind != TokenKind::Identifier || is_keyword(token.text)) {
      fail(token, Message("expected a name, not {}", describe(token)));
    }
    refuse_unsupported(token);
    parts.push_back(token.text);
    last_name = next_++;
    if (!at("::") || peek(1).kind != TokenKind::Identifier) break;
    ++next_;
  }
  if (in_device_code_) used_names_.insert(std::string(parts.back()));
  const bool hides = is_global && (static_members_.contains(std::string(parts[0])) ||
                                   std::any_of(scopes_.begin() + 1, scopes_.end(),
                                               [&](const auto& scope) { return scope.contains(parts[0]); }));
  std::string name = canonical_name(std::move(parts), is_global);
  if (is_global && qualifiers_.empty()) qualifiers_ = "::";
  return hides && !name.starts_with("::") ? "::" + name : name;  // not a variable of the function
}

std::string Parser::canonical_name(std::vector<std::string_view> parts, bool is_global) {
  const bool is_copy = parts.size() == 2 && parts[0] == "cuda" && parts[1] == "memcpy_async";
  std::string result;
  qualifiers_.clear();
  auto member =
      parts.size() == 1 && !is_global ? static_members_.find(std::string(parts[0])) : static_members_.end();
  if (member != static_members_.end()) return member->second;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::string part(parts[i]);
    bool qualifies = i + 1 < parts.size();
    if (qualifies) {
      auto alias = namespace_aliases_.find(part);
      if (alias != namespace_aliases_.end()) part = alias->second;
      const bool is_library =
          part == "std" || part == "cuda" || part == "nvcuda" || part == "cooperative_groups" || part == "cg";
      if (is_library || namespaces_.count(part) > 0) {
        qualifiers_ += (qualifiers_.empty() ? "" : "::") + part;
        continue;
      }
    }
    result += result.empty() ? called(qualifiers_, part, is_global) : "::" + part;
  }
  return is_copy ? "cuda::" + result : result;
}

std::vector<TemplateArgument> Parser::parse_template_arguments() {
  const Within depth(depth_, deeper());
  expect("<", Message("before template arguments"));
  const Within inside(greater_closes_, true);
  std::vector<TemplateArgument> arguments;
  if (!at(">")) {
    do {
      arguments.push_back(parse_template_argument());
    } while (accept(","));
  }
  expect(">", Message("after the template arguments"));
  return arguments;
}

TemplateArgument Parser::parse_template_argument() {
  TemplateArgument argument;
  const std::size_t behind = in_host_code_ ? after_type(next_, true) : kNo;
  const bool is_function = behind != kNo && token_at(behind).is("(");
  if (is_function || type_is_argument()) {  // function<void(int)>
    argument.type = std::make_shared<TypeName>(parse_type());
    if (is_function) skip_balanced();
  } else {
    argument.value = parse_conditional();
  }
  return argument;
}

}  // namespace warplens::cuda
