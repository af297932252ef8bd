// Operators, by precedence.
#include "sim/cuda/parse/parser.h"

namespace warplens::cuda {

namespace {

// `+=` -> Add; `=` -> nothing. False: no assignment.
bool is_assignment(const Token& token, std::optional<BinaryOp>& op) {
  if (token.kind != TokenKind::Punct || !token.text.ends_with('=')) return false;
  BinaryOp found = BinaryOp::Comma;
  op.reset();
  if (token.is("=")) return true;
  if (!find_binary(token.text.substr(0, token.text.size() - 1), found)) return false;
  if (level_of(found) < level_of(BinaryOp::BitOr) || (found >= BinaryOp::Lt && found <= BinaryOp::Ne))
    return false;
  op = found;
  return true;
}

}  // namespace

ExprPtr Parser::parse_expression() {
  std::size_t first = next_;
  ExprPtr left = parse_assignment();
  while (at(",")) {
    SourceRange op_range = range_of(peek());
    ++next_;
    ExprPtr right = parse_assignment();
    left = make_expr(first, BinaryExpr{BinaryOp::Comma, std::move(left), std::move(right), op_range});
  }
  return left;
}

ExprPtr Parser::parse_assignment() {
  const Within depth(depth_, deeper());
  std::size_t first = next_;
  ExprPtr target = parse_conditional();
  std::optional<BinaryOp> op;
  if (!is_assignment(peek(), op)) return target;
  ++next_;
  ExprPtr value = parse_initializer_value();
  return make_expr(first, AssignExpr{op, std::move(target), std::move(value)});
}

ExprPtr Parser::parse_conditional() {
  const Within depth(depth_, deeper());
  std::size_t first = next_;
  ExprPtr condition = parse_binary(1);
  if (!accept("?")) return condition;
  ExprPtr then_value = parse_expression();
  expect(":", Message("in the conditional expression '? :'"));
  ExprPtr else_value = parse_assignment();
  return make_expr(first,
                   ConditionalExpr{std::move(condition), std::move(then_value), std::move(else_value)});
}

ExprPtr Parser::parse_binary(int lowest) {
  std::size_t first = next_;
  ExprPtr left = parse_unary();
  while (true) {
    if (greater_closes_ && at(">")) return left;
    bool shift_right = is_shift_right(next_);
    if (in_configuration_ && shift_right && token_at(next_ + 2).is(">")) return left;
    BinaryOp op = BinaryOp::Comma;
    if (peek().kind != TokenKind::Punct || !find_binary(shift_right ? ">>" : peek().text, op)) return left;
    if (level_of(op) < lowest) return left;
    SourceRange op_range = range_of(peek());
    next_ += shift_right ? 2 : 1;
    if (shift_right) op_range.end = range_of(previous()).end;
    const Within depth(depth_, deeper());
    ExprPtr right = parse_binary(level_of(op) + 1);
    left = make_expr(first, BinaryExpr{op, std::move(left), std::move(right), op_range});
  }
}

ExprPtr Parser::parse_unary() {
  const Within depth(depth_, deeper());
  std::size_t first = next_;
  if (peek().kind == TokenKind::Punct) {
    for (UnaryOp op = UnaryOp::Plus; op <= UnaryOp::PreDecrement;
         op = static_cast<UnaryOp>(static_cast<int>(op) + 1)) {
      if (peek().text != spelling(op)) continue;
      ++next_;
      ExprPtr operand = parse_unary();
      return make_expr(first, UnaryExpr{op, std::move(operand)});
    }
    if (at("(") && cast_ahead()) {
      ++next_;
      TypeName type = parse_type();
      expect(")", Message("after the type of the cast"));
      if (at("{")) return construct(first, std::move(type));
      ExprPtr operand = parse_unary();
      return make_expr(first, CastExpr{CastKind::C, std::move(type), std::move(operand)});
    }
  }
  if (in_host_code_ && (at("new") || at("delete") || at("throw"))) return parse_new();
  return parse_postfix();
}

ExprPtr Parser::parse_postfix() {
  std::size_t first = next_;
  return parse_postfix_of(first, parse_primary());
}

ExprPtr Parser::parse_postfix_of(std::size_t first, ExprPtr base) {
  while (true) {
    if (accept("[")) {
      const Within inside(greater_closes_, false);
      ExprPtr index = in_host_code_ && at("{") ? parse_init_list() : parse_expression();  // of a map
      expect("]", Message("after the index"));
      base = make_expr(first, IndexExpr{std::move(base), std::move(index)});
    } else if (accept("(")) {
      std::vector<ExprPtr> arguments = parse_arguments(")");
      base = make_expr(first, CallExpr{std::move(base), std::move(arguments)});
    } else if (at(".") || at("->")) {
      base = parse_member(first, std::move(base));
    } else if (accept("++")) {
      base = make_expr(first, UnaryExpr{UnaryOp::PostIncrement, std::move(base)});
    } else if (accept("--")) {
      base = make_expr(first, UnaryExpr{UnaryOp::PostDecrement, std::move(base)});
    } else if (at("<<<") || (in_host_code_ && at("<<") && peek(1).is("<"))) {
      base = parse_launch(first, std::move(base));
    } else {
      return base;
    }
  }
}

ExprPtr Parser::parse_member(std::size_t first, ExprPtr base) {
  bool arrow = at("->");
  ++next_;
  const bool is_template = accept("template");
  if (at("operator") && peek(1).kind == TokenKind::Punct) {
    const std::size_t begin = next_;
    Function named;
    std::string name = parse_function_name(named);
    MemberExpr node{std::move(base), std::move(name), arrow, range_from(begin)};
    if (is_template && at("<")) node.arguments = parse_template_arguments();
    return make_expr(first, std::move(node));
  }
  std::string scope;  // `d.Base::n`
  for (; in_host_code_ && peek().kind == TokenKind::Identifier && peek(1).is("::"); next_ += 2)
    scope += std::string(peek().text) + "::";
  const bool destroys = accept("~");
  const Token& member = peek();
  if (member.kind != TokenKind::Identifier) {
    fail(member,
         Message("expected the name of a member after '{}', not {}", arrow ? "->" : ".", describe(member)));
  }
  ++next_;
  if (in_device_code_) used_names_.insert(std::string(member.text));
  MemberExpr node{std::move(base), scope + (destroys ? "~" : "") + std::string(member.text), arrow,
                  range_of(member)};
  const std::size_t after = at("<") ? after_template_arguments(next_) : kNo;
  const bool is_call = in_host_code_ && after != kNo && token_at(after).is("(");  // tensor.data_ptr<float>()
  if (after != kNo && (is_template || is_call || member_templates_.contains(member.text))) {
    node.arguments = parse_template_arguments();
  }
  return make_expr(first, std::move(node));
}

ExprPtr Parser::parse_initializer_value() {
  if (at(".") && peek(1).kind == TokenKind::Identifier) {  // `.x = 1`
    const Within depth(depth_, deeper());
    std::size_t first = next_++;
    std::string member(tokens_[next_++].text);
    accept("=");
    return make_expr(first, DesignatedExpr{std::move(member), parse_initializer_value()});
  }
  return at("{") ? parse_init_list() : parse_assignment();
}

ExprPtr Parser::parse_init_list() {
  const Within depth(depth_, deeper());
  std::size_t first = next_;
  expect("{", Message("before the list of initial values"));
  InitListExpr list;
  list.elements = parse_arguments("}");
  return make_expr(first, std::move(list));
}

// `a, b, {c}` up to and with the closing bracket. A list of initial values may end with a comma.
std::vector<ExprPtr> Parser::parse_arguments(std::string_view close) {
  const Within inside(greater_closes_, false);
  std::vector<ExprPtr> arguments;
  while (!at(close)) {
    arguments.push_back(parse_initializer_value());
    if (in_host_code_ && accept("...")) {  // of a pack: the call `...(a)`
      CallExpr all{make_expr(next_ - 1, NameExpr{"...", {}, {}}), {}};
      all.arguments.push_back(std::move(arguments.back()));
      arguments.back() = make_expr(next_ - 1, std::move(all));
    }
    if (!accept(",")) break;
    if (close != "}" && at(close)) fail(peek(), Message("expected an argument after ','"));
  }
  expect(close, close == "}" ? Message("after the list of initial values") : Message("after the arguments"));
  return arguments;
}

}  // namespace warplens::cuda
