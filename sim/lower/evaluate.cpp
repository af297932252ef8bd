// evaluate_integer(): a launch rule such as "(ncols + block_x - 1) / block_x", in 64 bits, without surprises.
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <variant>

#include "sim/base/numbers.h"
#include "sim/lower/lower.h"
#include "sim/lower/names.h"
#include "sim/lower/types.h"
#include "sim/scalar/bits.h"
#include "sim/text/scan.h"

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

// What an expression comes to. An integer has 64 bits; a floating number those of its type.
using Value = std::variant<std::int64_t, float, double>;

bool is_integer(const Value& value) {
  return std::holds_alternative<std::int64_t>(value);
}
bool is_zero(const Value& value) {
  return std::visit([](auto x) { return x == 0; }, value);
}

double real_of(const Value& value) {
  return std::visit([](auto x) { return static_cast<double>(x); }, value);
}

// Applied to both in the wider of their types, one of which is a floating one.
template <typename F>
auto in_wider_type(const Value& left, const Value& right, F apply) {
  return std::visit(
      [&](auto x, auto y) {
        using Wide =
            std::conditional_t<std::is_same_v<decltype(x), double> || std::is_same_v<decltype(y), double>,
                               double, float>;
        return apply(static_cast<Wide>(x), static_cast<Wide>(y));
      },
      left, right);
}

// Throws a Message where there is none.
class Evaluator {
 public:
  explicit Evaluator(const Names& names) : names_(names) {}

  Value expression(const cuda::Expr& e) {
    return std::visit([&](const auto& node) { return visit(node); }, e.node);
  }

  // The value as an integer; a floating-point number that is whole counts as one.
  std::int64_t whole(const cuda::Expr& e) {
    const Value value = expression(e);
    const std::int64_t integer = truncated(value);
    const double real = real_of(value);
    if (!is_integer(value) && static_cast<double>(integer) != real)
      fail(Message("{} is not an integer: ceil(...), floor(...) and (int) make one of it",
                   formatted("%.15g", real)));
    return integer;
  }
  double real(const cuda::Expr& e) { return real_of(expression(e)); }

 private:
  static Value integer(std::int64_t value) { return value; }

  [[noreturn]] static Value fail(const Message& message) { throw message; }
  [[noreturn]] static Value overflow(const char* op, std::int64_t left, std::int64_t right) {
    fail(Message("{} {} {} does not fit in 64 bits", left, op, right));
  }

  // As a conversion to an integer does it: towards zero.
  static std::int64_t truncated(const Value& value) {
    if (is_integer(value)) return std::get<std::int64_t>(value);
    const double real = real_of(value);
    if (std::abs(real) < 9223372036854775808.0) return static_cast<std::int64_t>(real);
    fail(Message("{} does not fit in 64 bits", formatted("%.15g", real)));
  }

  Value named(const std::string& name) {
    if (const auto found = names_.find(name); found != names_.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [other, value] : names_) known.push_back(other);
    const Message near = lower::suggestion(name, known);
    const std::string list = text::joined(known);
    if (!near.empty()) fail(Message("'{}' is not known here: {}", name, near));
    fail(list.empty() ? Message("'{}' is not known here", name)
                      : Message("'{}' is not known here; known are {}", name, list));
  }

  Value visit(const cuda::IntegerLiteral& node) {
    if (node.value > static_cast<std::uint64_t>(INT64_MAX))
      fail(Message("{} does not fit in a signed 64-bit integer", node.value));
    return static_cast<std::int64_t>(node.value);
  }
  Value visit(const cuda::CharLiteral& node) { return integer(node.value); }
  Value visit(const cuda::NullLiteral&) { return fail(Message("only numbers are possible here")); }
  Value visit(const cuda::FloatLiteral& node) {
    return node.is_float ? Value(static_cast<float>(node.value)) : Value(node.value);
  }
  Value visit(const cuda::BoolLiteral& node) { return integer(node.value); }
  Value visit(const cuda::StringLiteral&) { return fail(Message("a string has no meaning here")); }
  Value visit(const cuda::NameExpr& node) { return named(node.name); }

  Value visit(const cuda::MemberExpr& node) {  // block.x, view.ext.e0, where such a name is known
    std::string name = node.member;
    const cuda::Expr* base = node.base.get();
    for (const cuda::MemberExpr* of = nullptr; (of = std::get_if<cuda::MemberExpr>(&base->node)) != nullptr;
         base = of->base.get())
      name = of->member + "." + name;
    const auto* first = std::get_if<cuda::NameExpr>(&base->node);
    return first ? named(first->name + "." + name) : fail(Message("'.{}' has no meaning here", name));
  }

  Value visit(const cuda::UnaryExpr& node) {
    const Value operand = expression(*node.operand);
    if (node.op == UnaryOp::Plus) return operand;
    if (node.op == UnaryOp::Not) return integer(is_zero(operand));
    const auto* x = std::get_if<std::int64_t>(&operand);
    if (node.op == UnaryOp::Minus) {
      if (x && *x == INT64_MIN) overflow("-", 0, *x);
      return std::visit([](auto number) { return Value(-number); }, operand);
    }
    if (node.op != UnaryOp::BitNot)
      fail(Message("only a value can be computed here, nothing can be changed"));
    return x ? integer(~*x) : fail(Message("'{}' takes integers only", "~"));
  }

  Value visit(const cuda::BinaryExpr& node) {
    const Value left = expression(*node.left);
    if (node.op == BinaryOp::And && is_zero(left)) return integer(0);
    if (node.op == BinaryOp::Or && !is_zero(left)) return integer(1);
    const Value right = expression(*node.right);
    if (!is_integer(left) || !is_integer(right)) return floating(node.op, left, right);
    using Fault = cuda::IntegerValue::Fault;
    const std::int64_t x = std::get<std::int64_t>(left), y = std::get<std::int64_t>(right);
    const cuda::IntegerValue result = cuda::apply(node.op, x, y);
    const char* op = spelling(node.op);
    switch (result.fault) {
      case Fault::Overflow:
        overflow(op, x, y);
      case Fault::ZeroDivisor:
        fail(Message("division by zero: {} {} 0", x, op));
      case Fault::ShiftAmount:
        fail(Message("a shift by {} is not possible in 64 bits", y));
      case Fault::None:
        break;
    }
    return result.value;
  }

  Value floating(BinaryOp op, const Value& left, const Value& right) {
    if (op == BinaryOp::Div && is_zero(right)) fail(Message("division by zero"));
    return in_wider_type(left, right, [&](auto x, auto y) -> Value {
      switch (op) {
        case BinaryOp::Add:
          return x + y;
        case BinaryOp::Sub:
          return x - y;
        case BinaryOp::Mul:
          return x * y;
        case BinaryOp::Div:
          return x / y;
        case BinaryOp::Lt:
          return integer(x < y);
        case BinaryOp::Le:
          return integer(x <= y);
        case BinaryOp::Gt:
          return integer(x > y);
        case BinaryOp::Ge:
          return integer(x >= y);
        case BinaryOp::Eq:
          return integer(x == y);
        case BinaryOp::Ne:
          return integer(x != y);
        case BinaryOp::And:
        case BinaryOp::Or:  // the left side has not decided
          return integer(y != 0);
        default:
          fail(Message("'{}' takes integers only", spelling(op)));
      }
    });
  }

  Value visit(const cuda::ConditionalExpr& node) {
    return expression(is_zero(expression(*node.condition)) ? *node.else_value : *node.then_value);
  }

  Value visit(const cuda::CallExpr& node) {
    const auto* callee = std::get_if<cuda::NameExpr>(&node.callee->node);
    const std::string name = callee ? callee->name : "?";
    std::vector<Value> arguments;
    for (const cuda::ExprPtr& argument : node.arguments) arguments.push_back(expression(*argument));
    std::string_view plain = name;
    if (plain.starts_with("std::")) plain.remove_prefix(5);
    if (arguments.size() == 2 && (plain == "min" || plain == "max"))
      return lesser(arguments[0], arguments[1], plain == "max");
    if (arguments.size() == 1)
      if (const auto value = function(plain, arguments[0])) return *value;
    fail(Message(
        "function '{}' is not known here: min, max, abs, ceil, floor, round, trunc, sqrt and log2 are",
        name));
  }

  static Value lesser(const Value& left, const Value& right, bool greater) {
    if (is_integer(left) && is_integer(right)) return (right < left) != greater ? right : left;
    return in_wider_type(left, right, [&](auto x, auto y) -> Value { return (y < x) != greater ? y : x; });
  }

  // `sqrt` of a float is one, as is `sqrtf` of anything; of an integer it is a double.
  static std::optional<Value> function(std::string_view name, const Value& x) {
    if (name == "abs" || name == "fabs" || name == "fabsf") {
      if (x == Value(INT64_MIN)) overflow("-", 0, INT64_MIN);
      return std::visit([](auto number) { return Value(std::abs(number)); }, x);
    }
    const bool is_float = name.ends_with("f") || std::holds_alternative<float>(x);
    const double real = real_of(x);
    const double argument = is_float ? static_cast<float>(real) : real;
    const std::optional<double> value =
        apply_function(name.ends_with("f") ? name.substr(0, name.size() - 1) : name, argument);
    if (!value) return {};
    if (!std::isfinite(*value)) fail(Message("{}({}) is not a number", name, formatted("%.15g", argument)));
    return is_float ? Value(static_cast<float>(*value)) : Value(*value);
  }

  Value convert(const cuda::TypeName& name, const cuda::Expr& operand) {
    const Value value = expression(operand);
    const lower::TypeRef type = name.pointers == 0 ? builtin(name.name) : nullptr;
    if (type && type->is_scalar() && (type->scalar == ScalarType::F32 || type->scalar == ScalarType::F64)) {
      const double real = real_of(value);
      return type->scalar == ScalarType::F32 ? Value(static_cast<float>(real)) : Value(real);
    }
    if (!type || !type->is_integer()) fail(Message("only numbers are possible here, not '{}'", name.name));
    const std::int64_t whole = truncated(value);
    if (type->scalar == ScalarType::U64 && whole < 0) fail(Message("{} is negative", whole));
    return integer_of(type->scalar, bits_of_integer(type->scalar, static_cast<std::uint64_t>(whole)));
  }
  Value visit(const cuda::CastExpr& node) { return convert(node.type, *node.operand); }
  Value visit(const cuda::ConstructExpr& node) {
    if (node.arguments.size() == 1) return convert(node.type, *node.arguments[0]);
    return fail(Message("only numbers are possible here, not '{}'", node.type.name));
  }
  Value visit(const cuda::SizeofExpr& node) {
    std::string name = node.type ? node.type->name : "";
    if (!node.type && node.operand) {
      if (const auto* written = std::get_if<cuda::NameExpr>(&node.operand->node)) name = written->name;
    }
    if (node.type && node.type->pointers > 0) return integer(8);
    const lower::TypeRef type = builtin(name);
    if (type && node.of == cuda::SizeofExpr::Of::Alignment) return integer(lower::alignment_of(type));
    return type ? integer(lower::size_of(type)) : fail(Message("the size of '{}' is not known here", name));
  }
  Value visit(const cuda::AssignExpr&) {
    return fail(Message("only a value can be computed here, nothing can be assigned"));
  }
  Value visit(const cuda::IndexExpr&) { return fail(Message("arrays are not possible here")); }
  Value visit(const cuda::LambdaExpr&) { return fail(Message("a lambda has no meaning here")); }
  Value visit(const cuda::DesignatedExpr& node) { return expression(*node.value); }
  Value visit(const cuda::InitListExpr&) { return fail(Message("a list in braces has no meaning here")); }

  const Names& names_;
};

}  // namespace

std::optional<double> apply_function(std::string_view name, double x) {
  if (name == "ceil") return std::ceil(x);
  if (name == "floor") return std::floor(x);
  if (name == "round") return std::round(x);
  if (name == "trunc") return std::trunc(x);
  if (name == "sqrt") return std::sqrt(x);
  if (name == "log2") return std::log2(x);
  if (name == "log") return std::log(x);
  if (name == "fabs") return std::abs(x);
  return {};
}

namespace {

template <typename Result, typename Evaluate>
Result evaluated(std::string_view expression, const Names& names, Evaluate evaluate) {
  const cuda::ParsedExpression parsed = cuda::parse_expression(expression);
  if (!parsed.expr)
    return {{},
            parsed.diagnostics.empty() ? Message("'{}' is not an expression", expression)
                                       : parsed.diagnostics[0].message};
  try {
    Evaluator evaluator(names);
    return {evaluate(evaluator, *parsed.expr), {}};
  } catch (const Message& error) {
    return {{}, error};
  }
}

}  // namespace

IntegerResult evaluate_integer(std::string_view expression, const Names& names) {
  if (const auto number = number_in<std::int64_t>(expression)) return {number, {}};  // also the least of all
  return evaluated<IntegerResult>(expression, names,
                                  [](Evaluator& one, const cuda::Expr& e) { return one.whole(e); });
}

RealResult evaluate_real(std::string_view expression, const Names& names) {
  return evaluated<RealResult>(expression, names,
                               [](Evaluator& one, const cuda::Expr& e) { return one.real(e); });
}

}  // namespace warplens::sim
