// `[&, n](int i, auto x) -> float { ... }`: a function that is made where it stands.
#include "sim/cuda/parse/make.h"
#include "sim/cuda/text/names.h"

namespace warplens::cuda {

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
  parse_lambda_signature(*lambda.function);
  lambda.function->name_range = range_from(first);
  parse_lambda_body(lambda, first);
  return make_expr(first, std::move(lambda));
}

void Parser::parse_lambda_body(LambdaExpr& lambda, std::size_t first) {
  const std::size_t body = next_;
  const std::string around = std::exchange(function_, {});
  const bool outer = std::exchange(greater_closes_, false);
  parse_function_body(*lambda.function);
  greater_closes_ = outer;
  function_ = around;
  for (std::size_t i = body; i < next_; ++i) {
    if (token_at(i).kind == TokenKind::Identifier) lambda.names.insert(std::string(token_at(i).text));
  }
  lambda.function->range = range_from(first);
}

// `({ int t = a; t * t; })`, which GNU's C has: a lambda that is called where it stands, and returns the
// value of its last statement.
ExprPtr Parser::parse_statement_expression() {
  const std::size_t first = next_++;
  LambdaExpr lambda;
  lambda.captures_all = '&';
  lambda.function = std::make_shared<Function>();
  lambda.function->kind = Function::Kind::Device;
  lambda.function->name = "lambda";
  lambda.function->result.name = "auto";
  lambda.function->name_range = range_of(peek());
  lambda.function->place = first;
  const std::size_t body = next_;
  parse_lambda_body(lambda, first);
  for (std::size_t i = body; i < next_; ++i) {
    if (token_at(i).is("return"))
      fail(token_at(i), Message("'return' in a statement expression is not supported"));
  }
  expect(")", Message("after the statement expression"));
  auto& block = std::get<CompoundStmt>(lambda.function->body->node);
  auto* last = block.body.empty() ? nullptr : std::get_if<ExprStmt>(&block.body.back()->node);
  if (last != nullptr) {
    ExprPtr value = std::move(last->expr);
    block.body.back()->node = ReturnStmt{std::move(value)};
  }
  return make_expr(first, CallExpr{make_expr(first, std::move(lambda)), {}});
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
