// Operands: literals, names, parentheses, casts that look like calls.
#include "sim/cuda/parse/parser.h"
#include "sim/cuda/text/lexer.h"
#include "sim/cuda/text/names.h"

namespace warplens::cuda {

ExprPtr Parser::parse_primary() {
  std::size_t first = next_;
  const Token& token = peek();
  if (token.kind == TokenKind::Number || token.kind == TokenKind::Char) return parse_number_token();
  if (token.kind == TokenKind::String) return parse_string_tokens();
  if (at("(")) return parse_parenthesised();
  if (at("[")) return parse_lambda();
  if (at("true") || at("false")) {
    ++next_;
    return make_expr(first, BoolLiteral{token.text == "true"});
  }
  if (accept("nullptr")) return make_expr(first, NullLiteral{});
  if (accept("this")) return make_expr(first, NameExpr{"this", {}, {}});
  if (at("sizeof") || at("alignof") || at("__alignof__") || at("__alignof")) return parse_sizeof();
  if (at("operator")) {  // `!operator==(other)`
    Function named;
    std::string name = parse_function_name(named);
    return make_expr(first, NameExpr{std::move(name), {}, {}});
  }
  if (at("static_cast") || at("reinterpret_cast") || at("const_cast") ||
      (in_host_code_ && at("dynamic_cast")))
    return parse_named_cast();
  if (at("__func__") || at("__FUNCTION__") || at("__PRETTY_FUNCTION__")) {
    ++next_;
    return make_expr(first, StringLiteral{"kernel"});
  }
  bool type_begins = token.kind == TokenKind::Identifier &&
                     (is_type_word(token.text) || at("typename") || at("const") || at("auto"));
  if (type_begins) return parse_type_expression();
  if (at("::") || token.kind == TokenKind::Identifier) return parse_name();
  fail(token, Message("expected an expression, not {}", describe(token)));
}

ExprPtr Parser::parse_number_token() {
  std::size_t first = next_;
  const Token& token = tokens_[next_++];
  if (token.kind == TokenKind::Char) {
    auto value = parse_char(token.text);
    if (auto* error = std::get_if<Message>(&value)) fail(token, *error);
    const char prefix = token.text[1] == '\'' ? token.text[0] : '\0';
    return make_expr(first, CharLiteral{std::get<std::uint64_t>(value), prefix});
  }
  NumberResult number = parse_number(token.text);
  if (auto* error = std::get_if<Message>(&number)) fail(token, *error);
  if (auto* literal = std::get_if<FloatLiteral>(&number)) return make_expr(first, *literal);
  return make_expr(first, std::get<IntegerLiteral>(number));
}

ExprPtr Parser::parse_string_tokens() {
  std::size_t first = next_;
  StringLiteral literal;
  while (peek().kind == TokenKind::String) literal.value += parse_string(tokens_[next_++].text);
  return make_expr(first, std::move(literal));
}

ExprPtr Parser::parse_parenthesised() {
  if (peek(1).is("{"))
    fail(peek(1), Message("a block in parentheses, which GNU's C has, is not supported"),
         Message("write a lambda: [&] { ...; return x; }()"));
  ++next_;
  const Within inside(greater_closes_, false);
  ExprPtr inner = parse_expression();
  expect(")", Message("after the expression in parentheses"));
  return inner;
}

ExprPtr Parser::parse_named_cast() {
  std::size_t first = next_;
  CastKind kind = at("static_cast")  ? CastKind::Static
                  : at("const_cast") ? CastKind::Const
                                     : CastKind::Reinterpret;
  std::string word(peek().text);
  ++next_;
  expect("<", Message("after '{}'", word));
  TypeName type = parse_type();
  expect(">", Message("after the type of '{}'", word));
  expect("(", Message("after the type of '{}'", word));
  const Within inside(greater_closes_, false);
  ExprPtr operand = parse_expression();
  expect(")", Message("after the operand of '{}'", word));
  return make_expr(first, CastExpr{kind, std::move(type), std::move(operand)});
}

// sizeof or alignof.
ExprPtr Parser::parse_sizeof() {
  const SizeofExpr::Of of = at("sizeof") ? SizeofExpr::Of::Size : SizeofExpr::Of::Alignment;
  std::size_t first = next_++;
  if (at("..."))
    fail(peek(), Message("parameter packs are not supported"), Message("write the arguments out"));
  if (!at("(")) {
    ExprPtr operand = parse_unary();
    return make_expr(first, SizeofExpr{std::nullopt, std::move(operand), of});
  }
  ++next_;
  SizeofExpr node;
  node.of = of;
  std::vector<ExprPtr> extents;
  const std::size_t after = in_host_code_ ? after_type(next_, true) : kNo;
  if (type_is_argument() || (after != kNo && token_at(after).is("["))) {
    node.type = parse_type();
    // Not `sizeof(float[4])` of the device: 4 * sizeof(float) says the same.
    if (in_host_code_ && at("[")) extents = parse_extents();
  } else {
    const Within inside(greater_closes_, false);
    node.operand = parse_expression();
  }
  expect(")", Message("after the operand of sizeof"));
  ExprPtr size = make_expr(first, std::move(node));
  for (ExprPtr& extent : extents)
    if (extent) size = make_expr(first, BinaryExpr{BinaryOp::Mul, std::move(size), std::move(extent), {}});
  return size;
}

// `float(x)`, `unsigned{x}`, `typename T::type(x)`.
ExprPtr Parser::parse_type_expression() {
  std::size_t first = next_;
  TypeName type = parse_type_specifier();
  if (!at("(") && !at("{")) {
    fail(token_at(first), Message("expected an expression, not the type '{}'", type.name),
         Message("put a declaration at the start of its own statement"));
  }
  return construct(first, std::move(type));
}

// At the '(' or '{' after a type's name.
ExprPtr Parser::construct(std::size_t first, TypeName type) {
  bool braces = at("{");
  ++next_;
  std::vector<ExprPtr> arguments = parse_arguments(braces ? "}" : ")");
  if (!braces && arguments.size() == 1) {
    return make_expr(first, CastExpr{CastKind::Functional, std::move(type), std::move(arguments[0])});
  }
  return make_expr(first, ConstructExpr{std::move(type), std::move(arguments)});
}

ExprPtr Parser::parse_name() {
  std::size_t first = next_;
  bool known_type = after_type_name(next_, true) != kNo;
  std::size_t after = known_type ? after_type_specifier(next_, true) : kNo;
  if (known_type && (token_at(after).is("(") || token_at(after).is("{"))) {
    TypeName type = parse_type_specifier();
    return construct(first, std::move(type));
  }
  NameExpr name;
  std::size_t last = 0;
  name.name = parse_qualified_name(last);
  name.qualifiers = qualifiers_;
  std::string_view last_text = token_at(last).text;
  if (at("<") && names_template(next_, last_text)) {
    name.arguments = parse_template_arguments();
    parse_scoped_rest(name.name, name.arguments, name.scope, last);
  }
  if (at("{") && lookup(last_text).kind == NameKind::Unknown) {  // nothing but an unknown type
    TypeName type;
    type.name = std::move(name.name);
    type.arguments = std::move(name.arguments);
    type.range = range_from(first);
    return construct(first, std::move(type));
  }
  return make_expr(first, std::move(name));
}

}  // namespace warplens::cuda
