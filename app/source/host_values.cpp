#include "app/source/host_values.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "sim/base/numbers.h"
#include "sim/cuda/text/names.h"
#include "sim/scalar/bits.h"

namespace warplens::app::host {
namespace {

using cuda::BinaryOp;
using sim::ScalarType;

// A grid's formula in more words helps nobody, and one that a loop has built has no end.
constexpr int kLargestFormula = 64;

Value integer(std::int64_t value, const Type* type) {
  return {.kind = Value::Kind::Integer, .type = type, .integer = value};
}

Value real(double value, const Type* type) {
  return {.kind = Value::Kind::Floating, .type = type, .floating = value};
}

std::optional<double> apply_real(BinaryOp op, double x, double y) {
  if (op == BinaryOp::Add) return x + y;
  if (op == BinaryOp::Sub) return x - y;
  if (op == BinaryOp::Mul) return x * y;
  if (op == BinaryOp::Div) return x / y;
  return {};
}

// As the sign of their difference compares with 0; a NaN is equal to everything.
template <typename T>
bool compare(BinaryOp op, T x, T y) {
  return cuda::apply(op, (x > y) - (x < y), 0).value != 0;
}

// In parentheses where it binds less tightly than `level`.
std::string written(const Value& value, const Names& names, int level, bool* is_named) {
  if (const Formula* of = value.formula.get(); of != nullptr) {
    const auto name = names.find(of);
    if (!of->assumed.empty() || name != names.end()) {
      *is_named = true;
      return of->assumed.empty() ? name->second : of->assumed;
    }
    const bool is_call = of->level == Formula::kCall, chooses = of->op == "?";
    bool has_name = false, is_known = true;
    std::string text = is_call ? of->op + "(" : "";
    for (std::size_t i = 0; i < of->operands.size(); ++i) {
      const int least = is_call ? 0 : of->level + (i > 0 || chooses ? 1 : 0);
      const std::string operand = written(of->operands[i], names, least, &has_name);
      is_known &= !operand.empty();
      if (i > 0) text += is_call ? ", " : i == 2 ? " : " : " " + of->op + " ";
      text += operand;
    }
    if (is_call) text += ")";
    *is_named |= has_name;
    if (has_name) return !is_known ? std::string() : of->level < level ? "(" + text + ")" : text;
  }
  if (!value.is_number()) return {};
  const std::string number = number_text(value);
  return number.starts_with('-') ? "(" + number + ")" : number;
}

}  // namespace

const Type* Types::of(const std::string& name, std::vector<const Type*> arguments, int pointers) {
  std::string text = name;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    text += (i == 0 ? "<" : ", ") + (arguments[i] != nullptr ? arguments[i]->text : std::string("?"));
  if (!arguments.empty()) text += ">";
  text.append(static_cast<std::size_t>(pointers), '*');
  constexpr std::size_t kLongest = 4096;
  if (text.size() > kLongest) return of("?");  // none that anyone writes
  const auto known = types_.find(text);
  if (known != types_.end()) return known->second.get();
  auto type = std::make_unique<Type>();
  type->name = name;
  type->pointers = pointers;
  type->text = text;
  if (pointers > 0) {
    type->pointee = of(name, arguments, pointers - 1);
  } else if (const auto builtin = cuda::builtin_types().find(name);
             builtin != cuda::builtin_types().end() &&
             (builtin->second.kind == cuda::BuiltinType::Kind::Scalar ||
              builtin->second.kind == cuda::BuiltinType::Kind::SignedChar)) {
    type->scalar = builtin->second.scalar;
  }
  type->arguments = std::move(arguments);
  return types_.emplace(text, std::move(type)).first->second.get();
}

const Type* Types::of(ScalarType scalar) {
  const Type*& type = scalars_[static_cast<std::size_t>(scalar)];
  if (type == nullptr) type = of(std::string(sim::name_of(scalar)));
  return type;
}

const Type* Types::pointer_to(const Type* type) {
  if (type != nullptr && type->pointer == nullptr)
    type->pointer = of(type->name, type->arguments, type->pointers + 1);
  return type == nullptr ? nullptr : type->pointer;
}

// ---- formulas ----

Formula::Of Formula::made(std::string op, int level, std::vector<Value> operands) {
  int size = 0;
  bool has_formula = false;
  for (const Value& value : operands) {
    if (!value.formula && !value.is_number()) return nullptr;
    size += value.formula ? value.formula->size : 1;
    has_formula |= value.formula != nullptr;
  }
  if (!has_formula || size > kLargestFormula) return nullptr;
  return std::make_shared<const Formula>(Formula{std::move(op), level, std::move(operands), size});
}

Formula::Of Formula::made(BinaryOp op, const Value& left, const Value& right) {
  return made(cuda::spelling(op), cuda::level_of(op), {left, right});
}

std::string text_of(const Value& value, const Names& names) {
  bool is_named = false;
  return written(value, names, 0, &is_named);
}

// ---- numbers ----

std::string number_text(const Value& value) {
  const bool is_large = is_number(value.type) && value.type->scalar == ScalarType::U64;
  if (value.kind == Value::Kind::Integer)
    return is_large ? std::to_string(static_cast<std::uint64_t>(value.integer))
                    : std::to_string(value.integer);
  const bool is_float = is_number(value.type) && value.type->scalar == ScalarType::F32;
  std::string text;  // with as many digits as it takes
  for (int digits = 6; digits <= (is_float ? 9 : 17); ++digits) {
    text = formatted("%.*g", digits, value.floating);
    const double read = std::strtod(text.c_str(), nullptr);
    if (is_float ? static_cast<float>(read) == static_cast<float>(value.floating) : read == value.floating)
      break;
  }
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

Value converted(const Value& number, ScalarType to, Types& types) {
  const Value unknown{.type = types.of(to)};
  if (!number.is_number()) return unknown;
  if (sim::is_floating(to)) {
    const double value = number.real();
    return real(to == ScalarType::F64 ? value : static_cast<double>(static_cast<float>(value)), types.of(to));
  }
  std::int64_t value = number.integer;
  if (number.kind == Value::Kind::Floating) {
    if (!(std::abs(number.floating) < 9.2e18)) return unknown;
    value = static_cast<std::int64_t>(number.floating);
  }
  if (to == ScalarType::Bool) return integer(number.real() != 0, types.of(to));
  return integer(wrapped(value, to), types.of(to));
}

std::int64_t wrapped(std::int64_t value, ScalarType to) {
  if (to == ScalarType::Bool) return value != 0;
  return sim::integer_of(to, sim::bits_of_integer(to, static_cast<std::uint64_t>(value)));
}

Value apply(BinaryOp op, const Value& left, const Value& right, Types& types) {
  if (!is_number(left.type) || !is_number(right.type)) return {};
  const ScalarType of_left = *left.type->scalar, of_right = *right.type->scalar;
  const bool shifts = op == BinaryOp::Shl || op == BinaryOp::Shr;
  const ScalarType type = shifts ? sim::promoted(of_left) : sim::common_type(of_left, of_right);
  const bool compares = op >= BinaryOp::Lt && op <= BinaryOp::Ne;
  const Value out{.type = types.of(compares ? ScalarType::Bool : type)};
  if (!left.is_number() || !right.is_number()) return out;
  const Value x = converted(left, type, types), y = shifts ? right : converted(right, type, types);
  const auto as_type = [&](std::int64_t value) {
    return converted(integer(value, out.type), *out.type->scalar, types);
  };
  if (sim::is_floating(type)) {
    if (compares) return integer(compare(op, x.floating, y.floating), out.type);
    const auto result = apply_real(op, x.floating, y.floating);
    return result ? converted(real(*result, out.type), type, types) : out;
  }
  const auto ux = static_cast<std::uint64_t>(x.integer), uy = static_cast<std::uint64_t>(y.integer);
  const bool divides = op == BinaryOp::Div || op == BinaryOp::Rem;
  if (compares)
    return integer(type == ScalarType::U64 ? compare(op, ux, uy) : compare(op, x.integer, y.integer),
                   out.type);
  if (divides && type == ScalarType::U64 && uy != 0)
    return as_type(static_cast<std::int64_t>(op == BinaryOp::Div ? ux / uy : ux % uy));
  if (op == BinaryOp::Shr && !sim::is_signed(type) && uy < 64)
    return as_type(static_cast<std::int64_t>(ux >> uy));
  using Fault = cuda::IntegerValue::Fault;
  const cuda::IntegerValue result = cuda::apply(op, x.integer, y.integer);
  const bool is_none = result.fault == Fault::ZeroDivisor || result.fault == Fault::ShiftAmount;
  return is_none ? out : as_type(result.value);
}

}  // namespace warplens::app::host
