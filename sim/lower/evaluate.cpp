// evaluate_integer(): a launch rule such as "(ncols + block_x - 1) / block_x", in 64 bits, without surprises.
#include <algorithm>

#include "sim/lower/ir/fold.h"
#include "sim/lower/lower.h"
#include "sim/lower/names.h"
#include "sim/lower/types.h"

namespace warplens::sim {
namespace {

using cuda::BinaryOp;
using cuda::UnaryOp;
using Names = std::map<std::string, std::int64_t>;

// The types that every file has. Made once: a launch has dozens of rules, and few name a type.
lower::TypeRef builtin(std::string_view name) {
  static const lower::TypeTable types;
  return types.builtin(name);
}

class Evaluator {
 public:
  explicit Evaluator(const Names& names) : names_(names) {}

  std::optional<std::int64_t> expression(const cuda::Expr& e) {
    return std::visit([&](const auto& node) { return visit(node); }, e.node);
  }
  Message error;

 private:
  using Number = std::optional<std::int64_t>;

  Number fail(Message message) {
    if (error.empty()) error = std::move(message);
    return {};
  }
  Number overflow(const char* op, std::int64_t left, std::int64_t right) {
    return fail(Message("{} {} {} does not fit in 64 bits", left, op, right));
  }
  Number named(const std::string& name) {
    if (const auto found = names_.find(name); found != names_.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [other, value] : names_) known.push_back(other);
    const Message near = lower::suggestion(name, known);
    std::string list;
    for (const std::string& other : known) list += (list.empty() ? "" : ", ") + other;
    if (!near.empty()) return fail(Message("'{}' is not known here: {}", name, near));
    return fail(list.empty() ? Message("'{}' is not known here", name)
                             : Message("'{}' is not known here; known are {}", name, list));
  }

  Number visit(const cuda::IntegerLiteral& node) {
    if (node.value > static_cast<std::uint64_t>(INT64_MAX)) {
      return fail(Message("{} does not fit in a signed 64-bit integer", node.value));
    }
    return static_cast<std::int64_t>(node.value);
  }
  Number visit(const cuda::CharLiteral& node) { return static_cast<std::int64_t>(node.value); }
  Number visit(const cuda::NullLiteral&) { return fail(Message("only integers are possible here")); }
  Number visit(const cuda::FloatLiteral&) { return fail(Message("only integers are possible here")); }
  Number visit(const cuda::BoolLiteral& node) { return node.value; }
  Number visit(const cuda::StringLiteral&) { return fail(Message("a string has no meaning here")); }
  Number visit(const cuda::NameExpr& node) { return named(node.name); }

  Number visit(const cuda::MemberExpr& node) {  // block.x, where such a name is known
    const auto* base = std::get_if<cuda::NameExpr>(&node.base->node);
    return base ? named(base->name + "." + node.member)
                : fail(Message("'.{}' has no meaning here", node.member));
  }

  Number visit(const cuda::UnaryExpr& node) {
    const Number operand = expression(*node.operand);
    if (!operand) return {};
    switch (node.op) {
      case UnaryOp::Plus:
        return operand;
      case UnaryOp::Minus:
        return *operand == INT64_MIN ? overflow("-", 0, *operand) : Number(-*operand);
      case UnaryOp::Not:
        return *operand == 0;
      case UnaryOp::BitNot:
        return ~*operand;
      default:
        return fail(Message("only a value can be computed here, nothing can be changed"));
    }
  }

  Number visit(const cuda::BinaryExpr& node) {
    const Number left = expression(*node.left);
    if (!left) return {};
    if (node.op == BinaryOp::And && *left == 0) return 0;
    if (node.op == BinaryOp::Or && *left != 0) return 1;
    const Number right = expression(*node.right);
    if (!right) return {};
    using Fault = cuda::IntegerValue::Fault;
    const std::int64_t x = *left, y = *right;
    const cuda::IntegerValue result = cuda::apply(node.op, x, y);
    const char* op = spelling(node.op);
    switch (result.fault) {
      case Fault::Overflow:
        return overflow(op, x, y);
      case Fault::ZeroDivisor:
        return fail(Message("division by zero: {} {} 0", x, op));
      case Fault::ShiftAmount:
        return fail(Message("a shift by {} is not possible in 64 bits", y));
      case Fault::None:
        break;
    }
    return result.value;
  }

  Number visit(const cuda::ConditionalExpr& node) {
    const Number condition = expression(*node.condition);
    if (!condition) return {};
    return expression(*condition != 0 ? *node.then_value : *node.else_value);
  }

  Number visit(const cuda::CallExpr& node) {
    const auto* callee = std::get_if<cuda::NameExpr>(&node.callee->node);
    const std::string name = callee ? callee->name : "?";
    std::vector<std::int64_t> arguments;
    for (const cuda::ExprPtr& argument : node.arguments) {
      const Number value = expression(*argument);
      if (!value) return {};
      arguments.push_back(*value);
    }
    if (name == "min" && arguments.size() == 2) return std::min(arguments[0], arguments[1]);
    if (name == "max" && arguments.size() == 2) return std::max(arguments[0], arguments[1]);
    if (name == "abs" && arguments.size() == 1) {
      return arguments[0] == INT64_MIN ? overflow("-", 0, arguments[0]) : Number(std::abs(arguments[0]));
    }
    return fail(Message("function '{}' is not known here: min, max and abs are", name));
  }

  Number convert(const cuda::TypeName& name, const cuda::Expr& operand) {
    const Number value = expression(operand);
    if (!value) return {};
    const lower::TypeRef type = name.pointers == 0 ? builtin(name.name) : nullptr;
    if (!type || !type->is_integer())
      return fail(Message("only integers are possible here, not '{}'", name.name));
    const std::uint64_t bits = bits_of_integer(type->scalar, static_cast<std::uint64_t>(*value));
    const std::int64_t converted = integer_of(type->scalar, bits);
    if (type->scalar == ScalarType::U64 && *value < 0) return fail(Message("{} is negative", *value));
    return converted;
  }
  Number visit(const cuda::CastExpr& node) { return convert(node.type, *node.operand); }
  Number visit(const cuda::ConstructExpr& node) {
    if (node.arguments.size() == 1) return convert(node.type, *node.arguments[0]);
    return fail(Message("only integers are possible here, not '{}'", node.type.name));
  }
  Number visit(const cuda::SizeofExpr& node) {
    std::string name = node.type ? node.type->name : "";
    if (!node.type && node.operand) {
      if (const auto* written = std::get_if<cuda::NameExpr>(&node.operand->node)) name = written->name;
    }
    if (node.type && node.type->pointers > 0) return 8;
    const lower::TypeRef type = builtin(name);
    if (type && node.is_alignment) return Number(lower::alignment_of(type));
    return type ? Number(lower::size_of(type)) : fail(Message("the size of '{}' is not known here", name));
  }
  Number visit(const cuda::AssignExpr&) {
    return fail(Message("only a value can be computed here, nothing can be assigned"));
  }
  Number visit(const cuda::IndexExpr&) { return fail(Message("arrays are not possible here")); }
  Number visit(const cuda::LambdaExpr&) { return fail(Message("a lambda has no meaning here")); }
  Number visit(const cuda::DesignatedExpr& node) { return expression(*node.value); }
  Number visit(const cuda::InitListExpr&) { return fail(Message("a list in braces has no meaning here")); }

  const Names& names_;
};

}  // namespace

IntegerResult evaluate_integer(std::string_view expression,
                               const std::map<std::string, std::int64_t>& names) {
  const cuda::ParsedExpression parsed = cuda::parse_expression(expression);
  IntegerResult result;
  if (!parsed.expr) {
    result.error = parsed.diagnostics.empty() ? Message("'{}' is no expression", expression)
                                              : parsed.diagnostics[0].message;
    return result;
  }
  Evaluator evaluator(names);
  result.value = evaluator.expression(*parsed.expr);
  if (!result.value) result.error = evaluator.error;
  return result;
}

}  // namespace warplens::sim
