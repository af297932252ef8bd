// The integer constant expressions of #if and #elif: parsed as any other, and worked out as the preprocessor
// does it. A name that is no macro is 0, and what && || and ?: do not reach is not looked at.
#include "sim/cuda/parse/parser.h"
#include "sim/cuda/preprocess/preprocessor.h"
#include "sim/cuda/text/operators.h"

namespace warplens::cuda {

namespace {

class Condition {
 public:
  using Value = std::optional<std::int64_t>;
  explicit Condition(DiagnosticSink& sink) : sink_(sink) {}

  Value value(const Expr& e) {
    return std::visit([&](const auto& node) { return of(node, e); }, e.node);
  }
  Value fail(const SourceRange& range, const Message& what) {
    sink_.error(range.begin.offset, range.end.offset, Message("in this condition, {}", what));
    return {};
  }

 private:
  Value of(const IntegerLiteral& node, const Expr&) { return static_cast<std::int64_t>(node.value); }
  Value of(const CharLiteral& node, const Expr&) { return static_cast<std::int64_t>(node.value); }
  Value of(const BoolLiteral& node, const Expr&) { return node.value; }
  Value of(const NameExpr&, const Expr&) { return 0; }
  Value of(const UnaryExpr& node, const Expr& e) {
    const Value x = value(*node.operand);
    if (!x || node.op == UnaryOp::Plus) return x;
    if (node.op == UnaryOp::Not) return *x == 0;
    if (node.op == UnaryOp::BitNot) return ~*x;
    return node.op == UnaryOp::Minus ? Value(apply(BinaryOp::Sub, 0, *x).value) : none(e);
  }
  Value of(const BinaryExpr& node, const Expr&) {
    const Value left = value(*node.left);
    if (!left || (node.op == BinaryOp::And && *left == 0)) return left;
    if (node.op == BinaryOp::Or && *left != 0) return 1;
    const Value right = value(*node.right);
    if (!right) return right;
    const IntegerValue result = apply(node.op, *left, *right);
    if (result.fault == IntegerValue::Fault::ZeroDivisor)
      return fail(node.op_range, Message("a division by zero"));
    return result.value;
  }
  Value of(const ConditionalExpr& node, const Expr&) {
    const Value chosen = value(*node.condition);
    return chosen ? value(*chosen != 0 ? *node.then_value : *node.else_value) : chosen;
  }
  template <class Other>
  Value of(const Other&, const Expr& e) {
    return none(e);
  }
  Value none(const Expr& e) { return fail(e.range, Message("only integers can stand")); }

  DiagnosticSink& sink_;
};

}  // namespace

std::optional<std::int64_t> evaluate_condition(const std::vector<Token>& tokens, std::string_view text,
                                               DiagnosticSink& sink, Budget& budget) {
  auto outer = sink.begin_capture();
  const ExprPtr parsed = Parser(text, tokens, sink, budget).parse_lone_expression();
  const std::vector<Diagnostic> said = sink.end_capture(std::move(outer));
  Condition condition(sink);
  if (has_errors(said))
    return condition.fail(said.front().range, Message("a value or an operator is missing"));
  return parsed ? condition.value(*parsed) : std::nullopt;
}

}  // namespace warplens::cuda
