// Statements.
#include "sim/cuda/parse/parser.h"
#include "sim/cuda/text/names.h"

namespace warplens::cuda {

// After an error: what follows is parsed on, and null is returned.
StmtPtr Parser::parse_statement() {
  std::size_t first = next_;
  try {
    const Within depth(depth_, deeper());
    return parse_statement_here();
  } catch (const SyntaxError& error) {
    greater_closes_ = in_configuration_ = false;
    if (error.extent != SyntaxError::Extent::Statement || sink_.full()) throw;
    synchronize(first);
    if (next_ == first && !at("}") && !at_end()) ++next_;
    return in_host_code_ ? unread_statement(first) : nullptr;
  }
}

StmtPtr Parser::parse_statement_here() {
  std::size_t first = next_;
  const Token& token = peek();
  if (at("{")) return parse_compound();
  if (accept(";")) return make_stmt(first, EmptyStmt{});
  if (token.kind == TokenKind::Identifier) {
    if (StmtPtr statement = parse_keyword_statement(token.text)) return statement;
    refuse_unsupported(token);
    if (peek(1).is(":") && !is_keyword(token.text)) {  // a label does nothing by itself; goto is refused
      next_ += 2;
      return make_stmt(first, EmptyStmt{});
    }
  }
  return starts_declaration() ? parse_declaration() : parse_expression_statement();
}

// Null where `word` begins no statement of its own.
StmtPtr Parser::parse_keyword_statement(std::string_view word) {
  std::size_t first = next_;
  if (word == "if") return parse_if();
  if (word == "for") return parse_for();
  if (word == "while") return parse_while();
  if (word == "do") return parse_do();
  if (word == "switch") return parse_switch();
  if (word == "return") return parse_return();
  if (word == "using" || word == "typedef") return parse_using_or_typedef();
  if (word == "break" || word == "continue") {
    ++next_;
    expect_semicolon(Message("'{}'", word));
    return word == "break" ? make_stmt(first, BreakStmt{}) : make_stmt(first, ContinueStmt{});
  }
  if (word == "static_assert") {
    return parse_static_assert();
  }
  if (word == "asm" || word == "__asm__" || word == "__asm") return parse_asm();
  if (word == "try") return in_host_code_ ? parse_try() : skip_try();
  if (word == "goto" && in_host_code_) {
    next_ += 2;
    expect_semicolon(Message("'{}'", "goto"));
    return make_stmt(
        first, ExprStmt{make_expr(first, CallExpr{make_expr(first, NameExpr{"goto", {}, {}}), {}, {}})});
  }
  if (word == "else")
    fail(peek(), Message("'else' without 'if'"), Message("look for a ';' or '}' too many before it"));
  if (word == "case" || word == "default") {
    fail(peek(), Message("'{}' must stand directly in the block of its switch", word));
  }
  if (word == "template" || word == "namespace" || word == "__global__") {
    if (word == "namespace" && peek(2).is("=")) {
      parse_namespace();
      return make_stmt(first, EmptyStmt{});
    }
    refuse_nested_declaration();
  }
  return nullptr;
}

// asm [volatile] ("text" : outputs : inputs : clobbers); what it clobbers is of no consequence.
StmtPtr Parser::parse_asm() {
  std::size_t first = next_;
  ++next_;
  while (at("volatile") || at("__volatile__") || at("inline")) ++next_;
  if (at("goto")) {
    report(peek(), Message("asm goto is not supported"), Message("use an if"));
    throw SyntaxError{};
  }
  expect("(", Message("after asm"));
  AsmStmt statement;
  statement.text = parse_asm_string();
  int section = 0;
  while (at(":") || at("::")) {
    section += at("::") ? 2 : 1;
    ++next_;
    if (section == 1) statement.outputs = parse_asm_operands();
    if (section == 2) statement.inputs = parse_asm_operands();
    while (section >= 3 && !at(")") && !at_end()) skip_balanced();
  }
  expect(")", Message("at the end of asm"));
  expect_semicolon(Message::verbatim("asm"));
  return make_stmt(first, std::move(statement));
}

std::string Parser::parse_asm_string() {
  if (peek().kind != TokenKind::String) fail(peek(), Message("asm needs its instructions as a string"));
  const ExprPtr text = parse_string_tokens();
  return std::get<StringLiteral>(text->node).value;
}

std::vector<AsmOperand> Parser::parse_asm_operands() {
  std::vector<AsmOperand> operands;
  if (at(":") || at("::") || at(")")) return operands;
  do {
    if (at("[")) fail(peek(), Message("named asm operands are not supported"), Message("write %0, %1, ..."));
    AsmOperand operand;
    operand.constraint = parse_asm_string();
    expect("(", Message("after an asm operand's constraint"));
    operand.expr = parse_expression();
    expect(")", Message("after an asm operand"));
    operands.push_back(std::move(operand));
  } while (accept(","));
  return operands;
}

StmtPtr Parser::skip_try() {
  std::size_t first = next_;
  report(peek(), Message("exceptions are not supported in device code"),
         Message("return an error value instead"));
  ++next_;
  skip_balanced();
  while (accept("catch")) {
    skip_balanced();
    skip_balanced();
  }
  return make_stmt(first, EmptyStmt{});
}

// A function that begins inside another one: the '}' of that one is missing.
void Parser::refuse_nested_declaration() {
  report(peek(), Message("expected '}' at the end of '{}' before '{}'", function_, peek().text),
         Message("a function cannot begin inside another one"));
  throw SyntaxError{SyntaxError::Extent::Declaration};
}

StmtPtr Parser::parse_compound() {
  std::size_t first = next_;
  expect("{", Message("at the start of a block"));
  ScopeGuard scope(*this);
  CompoundStmt block;
  parse_statements_into(block.body);
  expect("}", Message("at the end of the block"));
  return make_stmt(first, std::move(block));
}

// Up to the '}' that ends the block, or to the end.
void Parser::parse_statements_into(std::vector<StmtPtr>& body) {
  while (!at("}") && !at_end()) {
    StmtPtr statement = parse_statement();
    if (statement) body.push_back(std::move(statement));
  }
}

// The body of an if or a loop. A declaration there has a scope of its own.
StmtPtr Parser::parse_substatement(const Message& of) {
  if (at("}") || at_end()) fail_after_previous(Message("expected a statement after {}", of));
  ScopeGuard scope(*this);
  std::size_t first = next_;
  StmtPtr statement = parse_statement();
  return statement ? std::move(statement) : make_stmt(first, EmptyStmt{});
}

// `(condition)`, `(int x = f())` or `(int x = f(); condition)`; what is declared is given back apart.
ExprPtr Parser::parse_condition(StmtPtr& declaration, std::string_view of) {
  expect("(", Message("after {}", of));
  std::size_t first = next_;
  ExprPtr condition;
  if (starts_declaration()) {
    declaration = parse_simple_declaration();
    if (accept(";")) {
      condition = parse_expression();
    } else {
      const auto& declarators = std::get<DeclStmt>(declaration->node).declarators;
      condition = make_expr(first, NameExpr{declarators.back().name, {}, {}});
    }
  } else {
    condition = parse_expression();
    if (at(";")) {
      fail(peek(), Message("an expression before the condition is not supported"),
           Message("put it before the statement"));
    }
  }
  expect(")", Message("after the condition of {}", of));
  return condition;
}

// `if (int x = f())` -> `{ int x = f(); if (x) ... }`
StmtPtr Parser::with_declaration(std::size_t first, StmtPtr declaration, StmtPtr statement) {
  if (!declaration) return statement;
  CompoundStmt block;
  block.body.push_back(std::move(declaration));
  block.body.push_back(std::move(statement));
  return make_stmt(first, std::move(block));
}

StmtPtr Parser::parse_if() {
  std::size_t first = next_++;
  ScopeGuard scope(*this);
  IfStmt statement;
  StmtPtr declaration;
  statement.is_constexpr = accept("constexpr");
  statement.condition = parse_condition(declaration, "'if'");
  statement.then_branch = parse_substatement(Message("the condition of 'if'"));
  if (accept("else")) statement.else_branch = parse_substatement(Message("'{}'", "else"));
  return with_declaration(first, std::move(declaration), make_stmt(first, std::move(statement)));
}

StmtPtr Parser::parse_static_assert() {
  std::size_t first = next_++;
  const std::size_t open = next_;
  StaticAssertStmt statement;
  expect("(", Message("after '{}'", "static_assert"));
  statement.condition = parse_conditional();
  next_ = open;  // behind it the words of the complaint
  skip_balanced();
  expect_semicolon(Message::verbatim("static_assert"));
  return make_stmt(first, std::move(statement));
}

// `for (float x : a)`, at the ':', as a loop by an index: of an array, which is no more than a name mostly.
StmtPtr Parser::parse_range_for(std::size_t first, StmtPtr declaration) {
  const std::string index = "index of '" + std::to_string(next_) + "'";  // no name that anyone writes
  const std::size_t range = ++next_;
  const auto array = [&] {
    next_ = range;
    return in_host_code_ && at("{") ? parse_init_list() : parse_conditional();
  };
  const auto name = [&] { return make_expr(range, NameExpr{index, {}, {}}); };
  Declarator counter;
  counter.type.name = "int";
  counter.name = index;
  counter.initializer = make_expr(range, IntegerLiteral{});
  DeclStmt counters;
  counters.declarators.push_back(std::move(counter));
  ForStmt statement;
  statement.init = make_stmt(range, std::move(counters));
  ExprPtr extent = make_expr(range, SizeofExpr{std::nullopt, array(), SizeofExpr::Of::Extent});
  statement.condition =
      make_expr(range, BinaryExpr{BinaryOp::Lt, name(), std::move(extent), range_from(range)});
  statement.increment = make_expr(range, UnaryExpr{UnaryOp::PreIncrement, name()});
  auto& element = std::get<DeclStmt>(declaration->node).declarators.front();
  element.initializer = make_expr(range, IndexExpr{array(), name()});
  expect(")", Message("after the last part of 'for'"));
  CompoundStmt body;
  body.body.push_back(std::move(declaration));
  body.body.push_back(parse_substatement(Message("'{}'", "for (...)")));
  statement.body = make_stmt(range, std::move(body));
  return make_stmt(first, std::move(statement));
}

StmtPtr Parser::parse_for() {
  std::size_t first = next_++;
  ScopeGuard scope(*this);
  ForStmt statement;
  expect("(", Message("after 'for'"));
  if (starts_declaration()) {
    statement.init = parse_simple_declaration();
    if (at(":")) return parse_range_for(first, std::move(statement.init));
  } else if (!at(";")) {
    std::size_t init = next_;
    ExprPtr expr = parse_expression();
    statement.init = make_stmt(init, ExprStmt{std::move(expr)});
  }
  expect(";", Message("after the first part of 'for'"));
  if (!at(";")) statement.condition = parse_expression();
  expect(";", Message("after the condition of 'for'"));
  if (!at(")")) statement.increment = parse_expression();
  expect(")", Message("after the last part of 'for'"));
  statement.body = parse_substatement(Message("'{}'", "for (...)"));
  return make_stmt(first, std::move(statement));
}

StmtPtr Parser::parse_while() {
  std::size_t first = next_++;
  WhileStmt statement;
  expect("(", Message("after 'while'"));
  if (starts_declaration()) {
    fail(peek(), Message("a declaration as the condition of 'while' is not supported"),
         Message("declare it before the loop"));
  }
  statement.condition = parse_expression();
  expect(")", Message("after the condition of 'while'"));
  statement.body = parse_substatement(Message("the condition of 'while'"));
  return make_stmt(first, std::move(statement));
}

StmtPtr Parser::parse_do() {
  std::size_t first = next_++;
  DoStmt statement;
  statement.body = parse_substatement(Message("'{}'", "do"));
  expect("while", Message("after the body of 'do'"));
  expect("(", Message("after 'while'"));
  statement.condition = parse_expression();
  expect(")", Message("after the condition of 'while'"));
  expect_semicolon(Message("'{}'", "do ... while (...)"));
  return make_stmt(first, std::move(statement));
}

StmtPtr Parser::parse_switch() {
  std::size_t first = next_++;
  ScopeGuard scope(*this);
  SwitchStmt statement;
  StmtPtr declaration;
  statement.condition = parse_condition(declaration, "'switch'");
  expect("{", Message("after the condition of 'switch'"));
  while (!at("}") && !at_end()) {
    if (parse_switch_label(statement)) continue;
    StmtPtr child = parse_statement();
    if (child) statement.body.push_back(std::move(child));
  }
  expect("}", Message("at the end of 'switch'"));
  return with_declaration(first, std::move(declaration), make_stmt(first, std::move(statement)));
}

bool Parser::parse_switch_label(SwitchStmt& statement) {
  std::size_t first = next_;
  SwitchLabel label;
  label.before = statement.body.size();
  if (accept("case")) {
    label.value = parse_conditional();
    expect(":", Message("after the value of 'case'"));
  } else if (accept("default")) {
    expect(":", Message("after 'default'"));
  } else {
    return false;
  }
  label.range = range_from(first);
  statement.labels.push_back(std::move(label));
  return true;
}

StmtPtr Parser::parse_return() {
  std::size_t first = next_++;
  ReturnStmt statement;
  if (!at(";")) statement.value = at("{") ? parse_init_list() : parse_expression();
  expect_semicolon(Message("the return statement"));
  return make_stmt(first, std::move(statement));
}

StmtPtr Parser::parse_expression_statement() {
  std::size_t first = next_;
  ExprPtr expr = parse_expression();
  expect_semicolon(Message("the expression"));
  return make_stmt(first, ExprStmt{std::move(expr)});
}

}  // namespace warplens::cuda
