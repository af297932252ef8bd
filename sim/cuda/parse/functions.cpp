// Kernels, device functions and their templates.
#include "sim/cuda/parse/parser.h"
#include "sim/cuda/text/names.h"

namespace warplens::cuda {

// From the first specifier on; a scope with the parameters of the template headers is open. More than one
// header has a member alone that is defined outside of its struct; its name here is empty.
Function Parser::parse_function(std::vector<std::vector<TemplateParameter>> headers, std::size_t first) {
  Function function;
  Specifiers specifiers = parse_specifiers();
  std::size_t member = after_owner(next_);
  const bool constructs = member != kNo && token_at(member + 1).is("(") && names_itself(member);
  const bool converts =
      member != kNo && token_at(member).is("operator") && token_at(member + 1).kind == TokenKind::Identifier;
  const bool destroys = member != kNo && in_host_code_ && token_at(member).is("~");
  function.result.name = "void";
  if ((constructs || converts) && !in_host_code_) {
    function.is_constructor = constructs;
    parse_member_definition(function, std::move(headers), member);
    return {};
  }
  function.is_specialisation = !headers.empty() && headers.back().empty();
  function.is_constructor = constructs;
  if (!constructs && !destroys) function.result = parse_type_specifier();
  Specifiers late;  // `void __global__ k()`, `void __launch_bounds__(256) k()`
  while (parse_specifier(late)) {
  }
  if (late.is_global && after_type_specifier(next_, true) != kNo) {  // MACRO __global__ void k()
    sink_.error(function.result.range.begin.offset, function.result.range.end.offset,
                Message("'{}' is not known here: it seems to be a macro", function.result.name));
    function.result = parse_type_specifier();
  }
  parse_pointers(function.result);
  while (parse_specifier(late)) {
  }
  for (ExprPtr& bound : late.launch_bounds) specifiers.launch_bounds.push_back(std::move(bound));
  for (ExprPtr& side : late.cluster_dims) specifiers.cluster_dims.push_back(std::move(side));
  function.cluster_dims = std::move(specifiers.cluster_dims);
  function.result.is_const |= specifiers.is_const;
  function.launch_bounds = std::move(specifiers.launch_bounds);
  bool kernel = specifiers.is_global || late.is_global;
  function.kind = kernel ? Function::Kind::Kernel : Function::Kind::Device;
  while (peek().kind == TokenKind::Identifier && peek(1).is("::") &&
         (kernel || namespaces_.count(std::string(peek().text)) > 0))
    next_ += 2;  // `__global__ void math::scale(...)`: the namespace that declares it
  member = after_owner(next_);
  if (member != kNo && !in_host_code_) {
    parse_member_definition(function, std::move(headers), member);
    return {};
  }
  if (!headers.empty()) function.template_parameters = std::move(headers.back());
  std::string owner;
  for (; member != kNo && next_ < member; ++next_)  // `Class<T>::`
    if (at("<"))
      next_ = after_template_arguments(next_) - 1;
    else
      owner += peek().text;
  if (destroys && accept("~")) owner += "~";
  function.place = next_;
  function.name = owner + parse_function_name(function);
  if (at("<") && function.is_specialisation) {
    function.specialised_for = parse_template_arguments();
  } else if (at("<")) {
    fail(peek(), Message("a specialisation of a template is not supported"),
         Message("use if constexpr, or a function of its own"));
  }
  expect("(", Message("after the function's name '{}'", function.name));
  function.parameters = parse_parameters();
  while (accept("noexcept") || (accept("const") && (function.is_const = true))) {
  }
  if (accept("->")) function.result = parse_type();
  if (const std::size_t behind = after_requires(next_); behind != kNo) next_ = behind;
  if (constructs && at(":")) parse_member_inits(function);
  if (kernel && (function.result.name != "void" || function.result.pointers > 0)) {
    sink_.error(function.name_range.begin.offset, function.name_range.end.offset,
                Message("a kernel returns void, not '{}'", function.result.name),
                Message("return values through a pointer"));
  }
  parse_function_body(function);
  function.range = range_from(first);
  return function;
}

// A name, or `operator+`. Sets name_range.
std::string Parser::parse_function_name(Function& function) {
  std::size_t first = next_;
  if (accept("operator")) {
    std::string name = "operator";
    if (at("(") && peek(1).is(")")) {
      name += "()";
      next_ += 2;
    } else if (at("[") && peek(1).is("]")) {
      name += "[]";
      next_ += 2;
    }
    while (name == "operator" && peek().kind == TokenKind::Punct && !at("(")) name += tokens_[next_++].text;
    function.name_range = range_from(first);
    return name;
  }
  const Token& name = peek();
  if (name.kind != TokenKind::Identifier || is_keyword(name.text)) {
    fail(name, Message("expected the name of a function, not {}", describe(name)));
  }
  ++next_;
  function.name_range = range_of(name);
  // Outside of the function's own scope, for calls before and in it; that of a constructor is the class's.
  bool is_template = !function.template_parameters.empty() || function.is_specialisation;
  if (!function.is_constructor && !token_at(next_ - 2).is("~"))
    scopes_.front()[name.text] = {NameKind::Function, is_template};
  return std::string(name.text);
}

void Parser::parse_function_body(Function& function) {
  if (accept(";")) return;
  if (!at("{"))
    fail_after_previous(Message("expected the body of '{}', before {}", function.name, describe(peek())));
  std::size_t first = next_++;
  std::size_t close = match_brackets(first, tokens_.size());
  CompoundStmt block;
  function_ = function.name;
  ScopeGuard scope(*this);
  const Within body(bodies_open_, bodies_open_ + 1);
  try {
    parse_statements_into(block.body);
    if (at_end() && !end_reported_) {
      const Token& open = token_at(first);
      report(open, Message("the '{' that begins the body of '{}' has no '}'", function.name),
             Message("look for a missing '}'"));
    } else if (!at_end()) {
      ++next_;
    }
  } catch (const SyntaxError& error) {
    if (sink_.full()) throw;
    bool next_begins = error.extent == SyntaxError::Extent::Declaration;
    if (next_begins) next_ = declaration_start(next_, first);
    if (!next_begins) next_ = close == kNo ? tokens_.size() - 1 : close + 1;
  }
  function.body = make_stmt(first, std::move(block));
}

// `template <int BM, typename T = float>`, of a lambda without the word; declares the names in the current
// scope.
std::vector<TemplateParameter> Parser::parse_template_header() {
  std::vector<TemplateParameter> parameters;
  accept("template");
  const std::size_t behind = after_template_header(next_);
  expect("<", Message("after 'template'"));
  const Within inside(greater_closes_, true);
  while (!at(">") && !at_end()) {
    parameters.push_back(parse_template_parameter());
    if (!accept(",")) break;
  }
  expect(">", Message("after the template's parameters"));
  if (behind != kNo) next_ = std::max(next_, behind);
  return parameters;
}

TemplateParameter Parser::parse_template_parameter() {
  TemplateParameter parameter;
  if (at("template"))
    fail(peek(), Message("a template as a parameter of a template is not supported"),
         Message("pass the type that it makes"));
  const std::size_t met = after_concept(next_);
  bool type_word = at("typename") || at("class") || met != kNo;
  if (met != kNo) next_ = met - 1;
  bool named = peek(1).kind == TokenKind::Identifier && !peek(2).is("::");
  if (type_word && (named || peek(1).is("=") || peek(1).is(",") || peek(1).is(">") || peek(1).is("..."))) {
    parameter.is_type = true;
    ++next_;
  } else {
    parameter.value_type = parse_type();
    if (function_type_ahead()) {
      const std::string_view pointer = parse_function_type(parameter.value_type);
      parameter.name = std::string(pointer);
      declare(pointer, NameKind::Variable);
    }
  }
  if (!(in_host_code_ && accept("...")) && at("..."))
    fail(peek(), Message("parameter packs are not supported"), Message("write the parameters out"));
  const Token& name = peek();
  if (parameter.name.empty() && name.kind == TokenKind::Identifier && !is_keyword(name.text)) {
    parameter.name = std::string(name.text);
    ++next_;
    declare(name.text, parameter.is_type ? NameKind::Type : NameKind::Variable);
    if (!parameter.is_type && at("(")) parse_function_parameters(parameter.value_type);  // float f(float)
  }
  if (accept("=")) {
    TemplateArgument fallback;
    if (parameter.is_type) {
      fallback.type = std::make_shared<TypeName>(parse_type());
    } else {
      fallback.value = parse_conditional();
    }
    parameter.fallback = std::move(fallback);
  }
  return parameter;
}

// `[&, n](int i, auto x) -> float { ... }`: a function that is made where it stands.

ExprPtr Parser::parse_lambda() {
  const std::size_t first = next_++;
  LambdaExpr lambda;
  while (!at("]") && !at_end()) {
    const bool is_default = (at("&") || at("=")) && (peek(1).is(",") || peek(1).is("]"));
    if (is_default) {
      lambda.captures_all = at("&") ? '&' : '=';
      ++next_;
    } else if (!accept("this")) {
      lambda.captures.push_back(parse_capture());
    }
    if (!accept(",")) break;
  }
  expect("]", Message("after what the lambda captures"));
  lambda.function = std::make_shared<Function>();
  lambda.function->place = first;
  ScopeGuard scope(*this);
  for (const LambdaCapture& capture : lambda.captures) declare(capture.name, NameKind::Variable);
  if (at("<")) lambda.function->template_parameters = parse_template_header();
  parse_lambda_signature(*lambda.function);
  lambda.function->name_range = range_from(first);
  const std::size_t body = next_;
  const Within outside(function_, std::string());
  const Within inside(greater_closes_, false);
  parse_function_body(*lambda.function);
  for (std::size_t i = body; i < next_; ++i) {
    if (token_at(i).kind == TokenKind::Identifier) lambda.names.insert(std::string(token_at(i).text));
  }
  lambda.function->range = range_from(first);
  return make_expr(first, std::move(lambda));
}

// `n`, `&n`, `k = n + 1`.
LambdaCapture Parser::parse_capture() {
  LambdaCapture capture;
  capture.by_reference = accept("&");
  const Token& name = peek();
  if (name.kind != TokenKind::Identifier || is_keyword(name.text))
    fail(name, Message("expected the name of what the lambda captures, not {}", describe(name)));
  ++next_;
  capture.name = std::string(name.text);
  if (accept("=")) capture.initializer = parse_conditional();
  return capture;
}

void Parser::parse_lambda_signature(Function& function) {
  function.kind = Function::Kind::Device;
  function.name = "lambda";
  function.result.name = "auto";
  const auto specifiers = [&] {
    while (accept("__device__") || accept("__host__") || accept("mutable") || accept("constexpr") ||
           accept("noexcept") || accept("__forceinline__")) {
    }
  };
  specifiers();
  if (accept("(")) function.parameters = parse_parameters();
  specifiers();
  if (accept("->")) function.result = parse_type();
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    TypeName& type = function.parameters[i].type;
    if (type.name != "auto") continue;
    type.name = "auto " + std::to_string(i);  // a template's parameter, which no text can name
    TemplateParameter& parameter = function.template_parameters.emplace_back();
    parameter.is_type = true;
    parameter.name = type.name;
  }
  if (!at("{")) fail(peek(), Message("expected the body of the lambda, not {}", describe(peek())));
}

}  // namespace warplens::cuda
