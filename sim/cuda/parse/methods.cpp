// Member functions: of those for the device the whole text, of the host's the names.
#include "sim/cuda/parse/make.h"
#include "sim/cuda/text/names.h"

namespace warplens::cuda {
namespace {

// Without the namespace that it may be told apart by.
std::string_view own_name(const Struct& definition) {
  const std::string_view name = definition.name;
  const std::size_t end = name.rfind("::");
  return end == std::string_view::npos ? name : name.substr(end + 2);
}

}  // namespace

// Whether a member function stands here; skipped. One for the device is noted by where it begins, of one for
// the host alone the name is kept.
bool Parser::note_method(Struct& result, std::vector<std::size_t>& methods) {
  std::string_view name;
  bool device = false, is_template = at("template");
  std::size_t i = next_;
  if (is_template) {
    i = after_template_header(next_ + 1);
    if (i == kNo) return false;
  }
  std::size_t specifiers = i;
  for (; i < tokens_.size(); ++i) {
    const Token& token = tokens_[i];
    if (token.is("operator")) {  // operator[](...), operator()(...)
      name = "operator";
      if (token_at(i + 1).is("(") && token_at(i + 2).is(")")) i += 2;
      while (!token_at(i + 1).is("(") && !token_at(i + 1).is(";") && token_at(i + 1).kind != TokenKind::End)
        ++i;
      continue;
    }
    if (token.is("virtual")) refuse_unsupported(token);  // it would give every object a pointer more
    device |= token.is("__device__") || token.is("constexpr") || token.is("__global__");
    if (token.is("__align__") || token.is("alignas") || token.is("__launch_bounds__") ||
        token.is("decltype")) {
      if ((i = match_brackets(i + 1, i + 64)) == kNo) return false;
      continue;
    }
    if (token.is("<") && after_template_arguments(i) != kNo) {
      i = after_template_arguments(i) - 1;
      continue;
    }
    // `int a : sizeof(int)`, `float (*row)[4]`, `float (*f)(float)`: members.
    if (name.empty() &&
        (token.is(":") || (token.is("(") && (token_at(i + 1).is("*") || token_at(i + 1).is("&")))))
      return false;
    if (token.is("(") && name.empty() && i > specifiers) name = token_at(i - 1).text;
    if (token.is("(")) break;
    bool ends =
        token.is(";") || token.is("}") || token.is("{") || token.is("[") || token.kind == TokenKind::End;
    if (ends || (token.is("=") && name.empty())) return false;
  }
  if (name.empty()) return false;
  bool destructor = token_at(i - 2).is("~"), constructor = name == own_name(result) && !destructor;
  std::size_t first = next_;
  if (is_template) member_templates_.insert(name);
  next_ = i;
  while (!at(";") && !at("{") && !at("}") && !at("=") && !at_end()) skip_balanced();
  const bool is_default = at("=") && peek(1).is("default"), is_deleted = at("=") && peek(1).is("delete");
  while (!at(";") && !at("{") && !at("}") && !at_end()) skip_balanced();  // `= default`
  while (at("{")) {  // `: a{1}, b{2} {}`: more than one block
    skip_balanced();
    while (at(",") || (peek().kind == TokenKind::Identifier && previous().is(","))) ++next_;
  }
  accept(";");
  if (next_ == first) ++next_;
  if (is_default || is_deleted) {
    // What is defaulted at once is both the host's and the device's, whatever it is marked (CUDA C++
    // Programming Guide, "Explicitly-defaulted functions").
    result.has_default_constructor |= is_default && constructor && token_at(i + 1).is(")");
    return true;
  }
  if (device) {
    methods.push_back(first);
  } else {
    result.has_constructors |= constructor;
    if (!constructor && !destructor) result.methods.emplace_back(name);
  }
  return true;
}

void Parser::parse_method(Struct& result, std::size_t first) {
  next_ = first;
  if (at("friend")) return parse_friend(result);
  ScopeGuard scope(*this);
  Function function;
  if (at("template")) function.template_parameters = parse_template_header();
  Specifiers specifiers = parse_specifiers();
  function.kind = Function::Kind::Device;
  function.is_static = specifiers.is_static;
  function.is_explicit = specifiers.is_explicit;
  function.place = next_;
  if (at("~"))
    fail(peek(), Message("destructors are not supported in device code"),
         Message("call a function at the end"));
  function.is_constructor = at(own_name(result)) && peek(1).is("(");
  function.result.name = "void";
  const bool converts = at("operator") && peek(1).kind == TokenKind::Identifier;
  if (!function.is_constructor && !converts) {
    function.result = parse_type_specifier();
    Specifiers late;
    while (parse_specifier(late)) {
    }
    parse_pointers(function.result);
    function.is_static |= late.is_static;
    function.result.is_const |= specifiers.is_const;
  }
  parse_method_name(result, function);
  parse_method_tail(function);
  function.range = range_from(first);
  result.functions.push_back(std::move(function));
}

// A name, `operator+`, `operator float*` or, of a constructor, the struct's.
void Parser::parse_method_name(const Struct& of, Function& function) {
  std::size_t first = next_;
  if (accept("operator")) {
    if (peek().kind == TokenKind::Identifier) {
      function.result = parse_type();
      function.name = "operator conversion";
    } else {
      next_ = first;
      function.name = parse_function_name(function);
    }
    function.name_range = range_from(first);
    return;
  }
  const Token& name = peek();
  if (name.kind != TokenKind::Identifier || is_keyword(name.text)) {
    fail(name, Message("expected the name of a member function, not {}", describe(name)));
  }
  ++next_;
  function.name_range = range_of(name);
  function.name = std::string(name.text);
  if (function.is_constructor) function.name = of.name;
}

// From the '(' of the parameters on.
void Parser::parse_method_tail(Function& function) {
  expect("(", Message("after the name of '{}'", function.name));
  function.parameters = parse_parameters();
  while (true) {
    if (accept("const")) {
      function.is_const = true;
    } else if (!accept("noexcept") && !accept("volatile") && !accept("override") && !accept("final") &&
               !accept("&")) {
      break;
    }
  }
  if (accept("->")) function.result = parse_type();
  if (at(":")) parse_member_inits(function);
  parse_function_body(function);
}

void Parser::parse_member_inits(Function& function) {
  do {
    ++next_;  // over ':' or ','
    std::size_t first = next_;
    MemberInit init;
    std::size_t last = 0;
    init.name = parse_qualified_name(last);
    if (at("<")) parse_template_arguments();  // of a base, which has its name
    bool braces = at("{");
    if (!braces && !at("("))
      fail(peek(), Message("expected '(' or '{' after '{}', not {}", init.name, describe(peek())));
    ++next_;
    init.arguments = parse_arguments(braces ? "}" : ")");
    init.range = range_from(first);
    function.member_inits.push_back(std::move(init));
  } while (at(","));
}

// A friend that is defined in the struct is a function like any other.
void Parser::parse_friend(Struct& result) {
  if (!result.template_parameters.empty()) {
    fail(peek(), Message("a friend of a struct template is not supported"),
         Message("put the function behind the struct"));
  }
  std::size_t first = next_;
  ScopeGuard scope(*this);
  unit_.functions.push_back(parse_function({}, first));
}

// `float Vec::norm() const {...}` at namespace scope, at the '::' behind the struct's name.
bool Parser::parse_member_definition(Function& function) {
  const std::string owner = called({}, previous().text);
  std::vector<TemplateArgument> arguments;
  if (at("<")) arguments = parse_template_arguments();
  // The template's parameters must be called what the struct calls them.
  const auto& own = function.template_parameters;
  const auto is_same = [&](const Struct& candidate) {
    const auto& wanted = candidate.template_parameters;
    bool same = wanted.size() == own.size() && arguments.size() == own.size() && !candidate.is_specialisation;
    for (std::size_t i = 0; same && i < own.size(); ++i) same = own[i].name == wanted[i].name;
    return same;
  };
  Struct* found = nullptr;
  for (Struct& candidate : unit_.structs) {
    if (candidate.name == owner && candidate.is_defined && is_same(candidate)) found = &candidate;
  }
  if (!found) {
    fail(peek(), Message("a member function defined outside of its struct is not supported here"),
         Message("define it in the struct"));
  }
  function.template_parameters.clear();
  function.is_specialisation = false;
  ++next_;
  ScopeGuard scope(*this);
  function.place = next_;
  parse_method_name(*found, function);
  parse_method_tail(function);
  for (Function& declared : found->functions) {
    bool same = declared.name == function.name && declared.parameters.size() == function.parameters.size() &&
                !declared.body;
    if (!same) continue;
    function.is_static = declared.is_static;
    function.is_explicit = declared.is_explicit;
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      function.parameters[i].fallback = std::move(declared.parameters[i].fallback);
    }
    declared = std::move(function);
    return true;
  }
  found->functions.push_back(std::move(function));
  return true;
}

}  // namespace warplens::cuda
