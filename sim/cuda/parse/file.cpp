// The file's top level: what is device code is parsed, what is host code skipped.
#include <algorithm>

#include "sim/cuda/parse/parser.h"
#include "sim/cuda/preprocess/preprocessor.h"
#include "sim/cuda/text/names.h"

namespace warplens::cuda {

TranslationUnit Parser::parse_file(HostText host) {
  while (!at_end() && !sink_.full()) {
    std::size_t first = next_;
    try {
      parse_top_level();
    } catch (const SyntaxError&) {
      // The rest of the declaration, at whichever token of it the error was.
      std::size_t end = host_declaration_end(first, true);
      next_ = std::max(end, std::min(next_, end));
    }
    greater_closes_ = in_device_code_ = false;
    scopes_.resize(1);
    if (next_ <= first) next_ = first + 1;
  }
  if (host == HostText::Read) read_host_code();
  return std::move(unit_);
}

ExprPtr Parser::parse_lone_expression() {
  try {
    std::size_t after = after_type(next_, true);
    if (after != kNo && token_at(after).kind == TokenKind::End) {
      std::size_t first = next_;
      TypeName type = parse_type();
      NameExpr name{type.name + std::string(type.pointers, '*'), std::move(type.arguments)};
      return make_expr(first, std::move(name));
    }
    ExprPtr expr = parse_expression();
    if (!at_end()) fail(peek(), Message("expected the end of the expression, not {}", describe(peek())));
    return expr;
  } catch (const SyntaxError&) {
    return nullptr;
  }
}

std::optional<TypeName> Parser::parse_lone_type() {
  try {
    TypeName type = parse_type();
    if (!at_end()) fail(peek(), Message("expected the end of the type, not {}", describe(peek())));
    return type;
  } catch (const SyntaxError&) {
    return {};
  }
}

void Parser::parse_top_level() {
  std::size_t first = next_;
  bool after_device_code = std::exchange(device_code_before_, false);
  if (accept(";")) return;
  if (at("}")) {
    if (!namespaces_open_.empty()) {
      namespaces_open_.pop_back();
    } else if (after_device_code) {
      report(peek(), Message("this '}' has no '{'"), Message("look for a '}' too many before it"));
    }
    ++next_;
    return;
  }
  if (at("extern") && peek(1).kind == TokenKind::String && peek(2).is("{")) {
    next_ += 3;
    namespaces_open_.emplace_back();
    return;
  }
  if (parse_namespace_thing()) return;
  if (at("using") || at("typedef")) return parse_alias();
  if (at("static_assert")) {
    ++next_;
    return skip_balanced();
  }
  if (at("template")) return parse_template(first);
  if (defines_type(next_)) return parse_type_definition(first, false);
  parse_external_declaration(first, false);
}

// ---- namespaces and aliases ----

bool Parser::parse_namespace_thing() {
  bool is_inline = at("inline") && peek(1).is("namespace");
  if (is_inline) ++next_;
  if (at("namespace")) {
    parse_namespace();
    return true;
  }
  if (at("using") && peek(1).is("namespace")) {
    parse_using_namespace();
    return true;
  }
  return false;
}

// `namespace a::b {`, `namespace {` or `namespace cg = cooperative_groups;`
void Parser::parse_namespace() {
  ++next_;
  std::vector<std::string> names;
  while (peek().kind == TokenKind::Identifier) {
    names.emplace_back(tokens_[next_++].text);
    if (!accept("::")) break;
  }
  if (accept("=")) {
    std::string target;
    accept("::");
    while (peek().kind == TokenKind::Identifier) {
      target = std::string(tokens_[next_++].text);
      if (!accept("::")) break;
    }
    accept(";");
    if (!names.empty()) namespace_aliases_[names[0]] = target;
    return;
  }
  std::string whole;
  for (std::string& name : names) {
    whole += (whole.empty() ? "" : "::") + name;
    namespaces_.insert(std::move(name));
  }
  if (accept("{")) namespaces_open_.push_back(std::move(whole));
}

void Parser::parse_using_namespace() {
  next_ += 2;
  accept("::");
  std::string used;
  while (peek().kind == TokenKind::Identifier) {
    std::string name(tokens_[next_++].text);
    auto alias = namespace_aliases_.find(name);
    if (alias != namespace_aliases_.end()) name = alias->second;
    used += (used.empty() ? "" : "::") + name;
    if (!accept("::")) break;
  }
  accept(";");
  if (!is_at_namespace_scope()) local_uses_.emplace_back(scopes_.size(), used);
  (is_at_namespace_scope() ? unit_.uses : function_uses_).namespaces.push_back(std::move(used));
}

void Parser::parse_alias() {
  std::size_t first = next_;
  std::string_view name = peek(1).text;
  if (at("typedef")) {  // the name is the last one
    int braces = 0;
    for (std::size_t i = next_; i < tokens_.size() && (braces > 0 || !tokens_[i].is(";")); ++i) {
      if (tokens_[i].is("{")) ++braces;
      if (tokens_[i].is("}")) --braces;
      if (tokens_[i].kind == TokenKind::Identifier) name = tokens_[i].text;
    }
  }
  parse_if_needed(name, first, [this] {
    StmtPtr alias = parse_using_or_typedef();
    auto* named = std::get_if<UsingStmt>(&alias->node);
    if (named == nullptr) return;
    named->name = declare_here(named->name);
    unit_.globals.push_back(std::move(alias));
  });
}

// ---- templates and types ----

void Parser::parse_template(std::size_t first) {
  if (!peek(1).is("<")) {  // an explicit instantiation
    while (!at(";") && !at("}") && !at_end()) skip_balanced();
    return;
  }
  std::size_t after = after_template_header(next_ + 1);
  if (after == kNo) return skip_broken_template(first);
  while (token_at(after).is("template") && token_at(after + 1).is("<")) {
    after = after_template_header(after + 1);
    if (after == kNo) return skip_broken_template(first);
  }
  if (token_at(after).is("concept")) {  // what a type has to meet is nvcc's to say
    scopes_.front()[token_at(after + 1).text] = {NameKind::Concept, true};
    for (next_ = after; !at(";") && !at_end();) skip_balanced();
    return;
  }
  ScopeGuard scope(*this);
  if (token_at(after).is("using")) {
    const std::string_view name = token_at(after + 1).text;
    parse_if_needed(name, first, [&] {
      std::vector<TemplateParameter> parameters = parse_template_header();
      StmtPtr alias = parse_using();
      auto* named = std::get_if<UsingStmt>(&alias->node);
      if (named == nullptr) return;
      named->template_parameters = std::move(parameters);
      scopes_.front()[name] = {NameKind::Type, true};
      unit_.globals.push_back(std::move(alias));
    });
  } else if (defines_type(after)) {
    next_ = after;
    parse_type_definition(first, true);
  } else {
    next_ = after;
    parse_external_declaration(first, true);
  }
}

// A template whose header has no end in sight: worth an error where device code follows.
void Parser::skip_broken_template(std::size_t first) {
  std::size_t end = host_declaration_end(first, true);
  for (std::size_t i = first; i < end; ++i) {
    if (tokens_[i].is("__global__") || tokens_[i].is("__device__")) {
      fail(token_at(first), Message("the template's parameters do not end"),
           Message("look for a missing '>'"));
    }
  }
  skip_host_declaration(first);
}

// Whether a struct, class, union or enum is defined or declared at i, rather than used as a type.
bool Parser::defines_type(std::size_t i) const {
  if (token_at(i).is("__device__") || token_at(i).is("static") || token_at(i).is("const")) return false;
  bool type_word = token_at(i).is("struct") || token_at(i).is("class") || token_at(i).is("union") ||
                   token_at(i).is("enum");
  if (!type_word) return false;
  for (std::size_t k = i + 1; k < i + 64; ++k) {
    const Token& token = token_at(k);
    if (token.is("{") || token.is(":")) return true;
    if (token.is(";")) return k == i + 2;  // `struct Node;`
    if (token.is("__align__") || token.is("alignas")) {
      k = match_brackets(k + 1, k + 32);
      if (k == kNo) return false;
    } else if (token.is("<") &&
               after_template_arguments(k) != kNo) {  // struct Traits<T, enable_if_t<f(T())>>
      k = after_template_arguments(k) - 1;
    } else if (token.is("(") || token.is("=") || token.kind == TokenKind::End) {
      return false;
    }
  }
  return false;
}

// At the word `struct`. A struct that cannot be parsed is an error only if a kernel uses it.
void Parser::parse_type_definition(std::size_t first, bool is_template) {
  std::string_view name;
  for (std::size_t i = next_ + 1; name.empty() && i < tokens_.size() && !tokens_[i].is("{"); ++i) {
    if (tokens_[i].is("__align__") || tokens_[i].is("alignas")) {
      i = match_brackets(i + 1, i + 32);
      if (i == kNo) break;
    } else if (tokens_[i].kind == TokenKind::Identifier && !is_keyword(tokens_[i].text) &&
               !tokens_[i].is(kPacked)) {
      name = tokens_[i].text;
    }
  }
  std::size_t type = next_;
  bool parsed = parse_if_needed(name, first, [&] {
    std::vector<TemplateParameter> parameters;
    next_ = first;
    if (is_template) parameters = parse_template_header();
    next_ = type;
    if (at("enum")) {
      parse_enum(unit_.globals);
    } else {
      std::vector<StmtPtr> variables;  // of the host
      bool is_specialisation = is_template && parameters.empty();
      parse_struct(std::move(parameters), &variables, is_specialisation);
    }
  });
  if (parsed) host_pieces_.push_back({first, namespaces_open_});
}

// Parses what the host may keep for itself: an error in it is kept back until device code uses the name.
template <typename Parse>
bool Parser::parse_if_needed(std::string_view name, std::size_t first, Parse parse) {
  std::size_t functions = unit_.functions.size(), structs = unit_.structs.size(),
              globals = unit_.globals.size();
  bool lost = false;
  std::vector<Diagnostic> said = kept_back(lost, parse);
  greater_closes_ = false;
  if (!has_errors(said)) return true;
  unit_.functions.erase(unit_.functions.begin() + static_cast<std::ptrdiff_t>(functions),
                        unit_.functions.end());
  unit_.structs.erase(unit_.structs.begin() + static_cast<std::ptrdiff_t>(structs), unit_.structs.end());
  unit_.globals.erase(unit_.globals.begin() + static_cast<std::ptrdiff_t>(globals), unit_.globals.end());
  unit_.broken.push_back({std::string(name), false, std::move(said)});
  skip_host_declaration(first);
  return false;
}

void Parser::report_broken(const TranslationUnit& unit) {
  for (const Function& function : unit.functions) sink_.append(function.errors);
  for (const Struct& definition : unit.structs) {
    if (used_names_.count(definition.name) == 0) continue;
    for (const Function& method : definition.functions) sink_.append(method.errors);
  }
  for (const Broken& broken : unit.broken) {
    if (broken.is_device || used_names_.count(broken.name) > 0) sink_.append(broken.diagnostics);
  }
}

// ---- functions and variables ----

// Reads up to the first '(', '=', '{' or ';', which tells a function from a variable.
Parser::Head Parser::look_at_head(std::size_t i) const {
  Head head;
  for (; token_at(i).kind != TokenKind::End; ++i) {
    const Token& token = token_at(i);
    const bool shared = token.is("__shared__");  // extern __shared__ float s[];
    if (token.is("__global__") || token.is("__device__") || token.is("__constant__") ||
        token.is("__managed__") || shared) {
      head.device = true;
      head.kernel |= token.is("__global__");
    } else if (token.is("const") || token.is("constexpr")) {
      head.constant = true;
      head.is_constexpr |= token.is("constexpr");
    } else if (token.is("__launch_bounds__") || token.is("__align__") || token.is("alignas") ||
               token.is("__cluster_dims__") || token.is("__maxnreg__") || token.is("decltype")) {
      if (token_at(i + 1).is("(")) i = match_brackets(i + 1, i + 256);
      if (i == kNo) break;
    } else if (token.is("[") && token_at(i + 1).is("[")) {
      i = match_brackets(i, i + 256);
      if (i == kNo) break;
    } else if (token.is("<") && after_template_arguments(i) != kNo) {
      i = after_template_arguments(i) - 1;
    } else if (token.is("(") || token.is("operator")) {
      const Token& first = token_at(i + 1);  // `constexpr unsigned N(1024);` is none
      const bool value =
          token.is("(") && (first.kind == TokenKind::Number || first.kind == TokenKind::Char ||
                            first.is("-") || first.is("(") || lookup(first.text).kind == NameKind::Variable);
      head.function = !value;
      break;
    } else if (token.kind == TokenKind::Identifier) {
      head.name = token.text;
    } else if (!(token.is("*") || token.is("&") || token.is("&&") || token.is("::") || token.is("~") ||
                 token.kind == TokenKind::String)) {
      break;
    }
  }
  return head;
}

void Parser::parse_external_declaration(std::size_t first, bool is_template) {
  Head head = look_at_head(next_);
  // `texture<float, 2> image;` is the host's to bind, and the kernels' to read.
  const std::size_t type = next_ + (at("static") || at("extern") ? 1 : 0);
  head.device |= !head.function && token_at(type + 1).is("<") &&
                 (token_at(type).is("texture") || token_at(type).is("surface"));
  if (head.device) {
    device_code_before_ = true;
    return parse_device_code(first, is_template, head);
  }
  std::size_t declaration = next_;
  if (head.function && head.is_constexpr) {
    parse_if_needed(head.name, first, [&] {
      next_ = declaration;
      parse_device_function(first, is_template);
    });
    return;
  }
  if (!head.function && head.constant) {
    parse_if_needed(head.name, first, [&] {
      next_ = declaration;
      parse_global_variable(first, is_template);
    });
    return;
  }
  if (!head.name.empty()) unit_.host_names.emplace_back(head.name);
  skip_host_declaration(first);
}

// An error in it is an error in the kernels that need it: it is kept with the function, or, where there is
// none for all that could be read, with its name.
void Parser::parse_device_code(std::size_t first, bool is_template, const Head& head) {
  const std::size_t functions = unit_.functions.size();
  bool lost = false;
  std::vector<Diagnostic> said = kept_back(lost, [&] {
    head.function ? parse_device_function(first, is_template) : parse_global_variable(first, is_template);
  });
  const bool is_wrong = has_errors(said);
  const bool is_function = unit_.functions.size() > functions;
  if (!is_wrong) {
    sink_.append(said);
  } else if (is_function && !lost) {
    unit_.functions.back().errors = std::move(said);
  } else {
    unit_.broken.push_back({std::string(head.name), head.kernel, std::move(said), true});
  }
  if (lost) throw SyntaxError{};
}

// A kernel, a __device__ function, or a constexpr one. next_ is behind the template's header.
void Parser::parse_device_function(std::size_t first, bool is_template) {
  std::size_t declaration = next_;
  in_device_code_ = device_code_before_;
  ScopeGuard scope(*this);
  std::vector<std::vector<TemplateParameter>> headers;
  if (is_template) {
    next_ = first;
    while (next_ < declaration && at("template")) headers.push_back(parse_template_header());
    next_ = std::max(next_, declaration);
  }
  Function function = parse_function(std::move(headers), first);
  function.scope = open_namespaces();
  function.uses = std::exchange(function_uses_, {});
  if (!function.name.empty()) unit_.functions.push_back(std::move(function));  // else a struct has it
}

void Parser::parse_global_variable(std::size_t first, bool is_template) {
  in_device_code_ = device_code_before_;
  if (is_template) return parse_variable_template(first);
  StmtPtr declaration = parse_simple_declaration();
  expect_semicolon(Message("the declaration"));
  auto* variables = std::get_if<DeclStmt>(&declaration->node);
  if (variables == nullptr) return;  // `const struct P {...};`
  for (Declarator& variable : variables->declarators) variable.name = declare_here(variable.name);
  unit_.globals.push_back(std::move(declaration));
}

// Its header begins at `first`, and next_ is behind it.
void Parser::parse_variable_template(std::size_t first) {
  const std::size_t behind = next_;
  ScopeGuard scope(*this);
  next_ = first;
  std::vector<TemplateParameter> parameters = parse_template_header();
  next_ = std::max(next_, behind);
  if (parameters.empty())
    fail(peek(), Message("specialisations of variable templates are not supported"),
         Message("choose the value in one expression: `is_same_v<T, int> ? 1 : 2`"));
  StmtPtr declaration = parse_simple_declaration();
  expect_semicolon(Message("the declaration"));
  auto* variables = std::get_if<DeclStmt>(&declaration->node);
  if (variables == nullptr)  // `template <class T> __device__ struct S {...};`
    fail(tokens_[first], Message("the words in front of the struct of this template are not understood"),
         Message("leave them out: '__device__' belongs to its functions"));
  variables->template_parameters = std::move(parameters);
  for (const Declarator& variable : variables->declarators) {
    const auto declared = scopes_.back().find(std::string_view(variable.name));
    if (declared != scopes_.back().end()) scopes_.front()[declared->first] = {NameKind::Variable, true};
  }
  unit_.globals.push_back(std::move(declaration));
}

// Names that several namespaces declare.
namespace {

std::string joined(const std::string& outer, const std::string& inner) {
  return outer.empty() ? inner : inner.empty() ? outer : outer + "::" + inner;
}

// The namespace around a::b, which is a.
void leave(std::string& space) {
  const std::size_t end = space.rfind("::");
  space.resize(end == std::string::npos ? 0 : end);
}

}  // namespace

std::string Parser::open_namespaces() const {
  std::string whole;
  for (const std::string& space : namespaces_open_) whole = joined(whole, space);
  return whole;
}

std::string Parser::declare_here(std::string_view name) {
  std::vector<Home>& homes = homes_[std::string(name)];
  const std::string space = open_namespaces();
  const auto known = std::ranges::find(homes, space, &Home::space);
  if (known != homes.end()) return known->name;
  const bool is_first = homes.empty() && local_names_.insert(std::string(name)).second;
  homes.push_back({space, is_first ? std::string(name) : space + "::" + std::string(name)});
  return homes.back().name;
}

std::string Parser::declare_local(std::string_view name) {
  const std::string around = function_.empty() ? "lambda" : function_ + "()";
  std::string called(name);  // as long as nothing else is called so
  for (int more = 1; homes_.contains(called) || !local_names_.insert(called).second; ++more)
    called = around + (more > 1 ? " " + std::to_string(more) : "") + "::" + std::string(name);
  local_homes_.push_back({scopes_.size(), std::string(name), called});
  return called;
}

void Parser::use_declared(std::string_view name, const std::string& meant) {
  const auto homes = homes_.find(std::string(name));
  if (homes == homes_.end()) {  // a function
    Uses& uses = is_at_namespace_scope() ? unit_.uses : function_uses_;
    uses.functions.emplace_back(std::string(name), qualifiers_);
  } else if (is_at_namespace_scope()) {
    homes->second.push_back({open_namespaces(), meant});
  } else {
    local_homes_.push_back({scopes_.size(), std::string(name), meant});
  }
}

// As C++ looks it up: in the namespaces around, the innermost first, then in those of using directives.
std::string Parser::called(const std::string& qualifiers, std::string_view name, bool is_global) const {
  for (auto local = local_homes_.rbegin(); local != local_homes_.rend() && qualifiers.empty() && !is_global;
       ++local)
    if (local->name == name) return local->called;
  const auto found = homes_.find(std::string(name));
  if (found == homes_.end() || found->second.size() < 2) return std::string(name);
  const std::vector<Home>& homes = found->second;
  if (qualifiers.empty() && !is_global) {
    for (std::size_t level = scopes_.size(); level-- > 1;)
      if (scopes_[level].contains(name)) return std::string(name);  // a variable of a function
  }
  const auto in = [&](const std::string& space) { return std::ranges::find(homes, space, &Home::space); };
  for (std::string around = is_global ? std::string() : open_namespaces();; leave(around)) {
    if (const auto home = in(joined(around, qualifiers)); home != homes.end()) return home->name;
    if (around.empty()) break;
  }
  for (auto used = local_uses_.rbegin(); used != local_uses_.rend(); ++used)
    if (const auto home = in(joined(used->second, qualifiers)); home != homes.end()) return home->name;
  for (const std::string& used : unit_.uses.namespaces)
    if (const auto home = in(joined(used, qualifiers)); home != homes.end()) return home->name;
  return std::string(name);
}

}  // namespace warplens::cuda
