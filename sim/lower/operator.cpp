// Operators: unary, binary, assignments, pointers' arithmetic.
#include <algorithm>
#include <bit>
#include <utility>

#include "sim/cuda/parse/children.h"
#include "sim/lower/lowering.h"

namespace warplens::sim::lower {
namespace {

using cuda::BinaryOp;
using cuda::UnaryOp;

Opcode opcode_of(BinaryOp op) {
  static constexpr Opcode kOpcodes[] = {Opcode::Add, Opcode::Sub, Opcode::Mul, Opcode::Div, Opcode::Rem,
                                        Opcode::Shl, Opcode::Shr, Opcode::Lt,  Opcode::Le,  Opcode::Gt,
                                        Opcode::Ge,  Opcode::Eq,  Opcode::Ne,  Opcode::And, Opcode::Xor,
                                        Opcode::Or,  Opcode::And, Opcode::Or,  Opcode::Mov};
  return kOpcodes[static_cast<int>(op)];
}
bool needs_integers(BinaryOp op) {
  return op == BinaryOp::Rem || op == BinaryOp::Shl || op == BinaryOp::Shr ||
         (op >= BinaryOp::BitAnd && op <= BinaryOp::BitOr);
}

bool is_shift(BinaryOp op) {
  return op == BinaryOp::Shl || op == BinaryOp::Shr;
}
bool is_comparison(BinaryOp op) {
  return op >= BinaryOp::Lt && op <= BinaryOp::Ne;
}

bool is_record(const Result& result) {
  return result.type && result.type->is(Type::Kind::Record);
}

// Whether it may assign to a variable: CUDA's own functions write memory alone.
bool may_assign(const cuda::Expr& e) {
  const auto* call = std::get_if<cuda::CallExpr>(&e.node);
  const auto* callee = call ? std::get_if<cuda::NameExpr>(&call->callee->node) : nullptr;
  const auto* unary = std::get_if<cuda::UnaryExpr>(&e.node);
  bool found = std::holds_alternative<cuda::AssignExpr>(e.node) ||
               (unary && unary->op >= UnaryOp::PreIncrement) ||
               (call && !(callee && builtins().contains(callee->name)));
  cuda::each_child(e, [&](const cuda::Expr& child) { found = found || may_assign(child); });
  return found;
}

}  // namespace

// ---- binary

Result Lowering::lower(const cuda::BinaryExpr& node, const cuda::Expr& e) {
  if (node.op == BinaryOp::And || node.op == BinaryOp::Or)
    return short_circuit(node, node.op == BinaryOp::And);
  if (node.op == BinaryOp::Comma) {
    expr(*node.left);
    return expr(*node.right);
  }
  Result left = expr(*node.left);
  if (!is_record(left)) left = rvalue(std::move(left), *node.left);
  // `x + f(x)`, where f changes x: the value that x had before counts, as compilers take it.
  if (left.kind == Kind::Rvalue && may_assign(*node.right)) {
    left.address = b.settled(left.address);
    if (!left.parts.empty()) left = settled(std::move(left));
  }
  Result right = expr(*node.right);
  if (!is_record(left) && !is_record(right)) right = rvalue(std::move(right), *node.right);
  if (!is_record(left) && !is_record(right)) return operators.binary(node.op, left, right, e.range);
  const auto result = operators.user_operator(spelling(node.op),
                                              {{node.left.get(), left}, {node.right.get(), right}}, e.range);
  if (result) return *result;
  return fail(
      node.op_range,
      Message("there is no operator '{}' for '{}' and '{}'", spelling(node.op), name_of(left.type),
              name_of(right.type)),
      Message(
          "CUDA defines none for vector types and structs: write it for each member, or define operator{}",
          spelling(node.op)));
}

// A member function of the left operand, else a function of its own.
std::optional<Result> Operators::user_operator(const std::string& spelling, std::vector<Argument> arguments,
                                               const cuda::SourceRange& range) {
  const std::string name = "operator" + spelling;
  bool found = false;
  const std::vector<const cuda::Function*> methods = l_.members.methods_named(arguments[0].result, name);
  if (std::ranges::any_of(methods, [&](const cuda::Function* method) {
        return method->parameters.size() + 1 == arguments.size();
      })) {
    const Result self = arguments[0].result;
    const std::vector<Argument> others(arguments.begin() + 1, arguments.end());
    found = true;
    if (l_.overloads.takes_exactly(methods, self.type->record, others) ||
        !l_.overloads.takes_exactly(l_.functions_named(name), nullptr, arguments))
      return l_.call_method(self.type->record, self, name, {}, others, range, range);
  }
  for (const cuda::Function* function : l_.functions_named(name)) {
    found = found || function->parameters.size() == arguments.size();
  }
  if (!found) return std::nullopt;
  return l_.call(cuda::NameExpr{name, {}, {}, {}}, std::move(arguments), range, range);
}

Result Operators::binary(BinaryOp op, Result left, Result right, const cuda::SourceRange& range) {
  if (left.type->is_pointer() || right.type->is_pointer()) return pointer_binary(op, left, right, range);
  if (!left.type->is_scalar() || !right.type->is_scalar()) {
    return fail(range, Message("'{}' cannot combine '{}' and '{}'", spelling(op), name_of(left.type),
                               name_of(right.type)));
  }
  const ScalarType x = left.type->scalar, y = right.type->scalar;
  if (needs_integers(op) && (is_floating(x) || is_floating(y))) {
    return fail(range,
                Message("'{}' needs integers, not '{}' and '{}'", spelling(op), name_of(left.type),
                        name_of(right.type)),
                op == BinaryOp::Rem ? Message("use fmodf(a, b)") : Message("convert with int(...)"));
  }
  const ScalarType type = is_shift(op) ? sim::promoted(x) : common_type(sim::promoted(x), sim::promoted(y));
  const Value a = l_.scalar_as(left, type), c = l_.scalar_as(right, type);
  const bool divides = op == BinaryOp::Div || op == BinaryOp::Rem;
  if (divides && !is_floating(type) && b.bits(c) == std::uint64_t{0})
    warning(range, Message("division by zero"));
  const Value result = b.op(opcode_of(op), type, a, c);
  if (is_comparison(op)) return value(ScalarType::Bool, result);
  return value(l_.arithmetic_type(type, left.type, is_shift(op) ? left.type : right.type), result);
}

Result Operators::pointer_binary(BinaryOp op, const Result& left, const Result& right,
                                 const cuda::SourceRange& range) {
  if (is_comparison(op)) return compare_pointers(opcode_of(op), left, right, range);
  if (op == BinaryOp::Add && right.type->is_integer()) return offset_pointer(left, right, false, range);
  if (op == BinaryOp::Add && left.type->is_integer()) return offset_pointer(right, left, false, range);
  if (op == BinaryOp::Sub && right.type->is_integer()) return offset_pointer(left, right, true, range);
  if (op == BinaryOp::Sub && left.type->is_pointer() && right.type->is_pointer() &&
      types.plain(left.type->element) == types.plain(right.type->element) &&
      size_of(left.type->element) > 0) {
    const auto size = static_cast<std::uint64_t>(size_of(left.type->element));
    const Value bytes = b.op(Opcode::Sub, ScalarType::I64, l_.scalar_value(left), l_.scalar_value(right));
    const bool is_power = std::has_single_bit(size);
    return value(types.long_or(ScalarType::I64),
                 b.op(is_power ? Opcode::Shr : Opcode::Div, ScalarType::I64, bytes,
                      b.integer(ScalarType::I64, is_power ? std::countr_zero(size) : size)));
  }
  return fail(range, Message("'{}' cannot combine '{}' and '{}'", spelling(op), name_of(left.type),
                             name_of(right.type)));
}

Result Operators::compare_pointers(Opcode opcode, const Result& left, const Result& right,
                                   const cuda::SourceRange& range) {
  Result x = left, y = right;
  if (!x.type->is_pointer()) x = l_.convert(x, y.type, range);
  if (!y.type->is_pointer()) y = l_.convert(y, x.type, range);
  const TypeRef first = types.plain(x.type->element), second = types.plain(y.type->element);
  if (first != second && !first->is(Type::Kind::Void) && !second->is(Type::Kind::Void)) {
    return fail(range, Message("pointers of types '{}' and '{}' cannot be compared", name_of(x.type),
                               name_of(y.type)));
  }
  return value(ScalarType::Bool, b.op(opcode, ScalarType::U64, l_.scalar_value(x), l_.scalar_value(y)));
}

Result Operators::offset_pointer(const Result& pointer, const Result& index, bool negative,
                                 const cuda::SourceRange& range) {
  const std::int64_t size = size_of(pointer.type->element);
  if (size == 0) {
    return fail(range, Message("a '{}' cannot be moved by an index", name_of(pointer.type)),
                Message("cast it to a typed pointer"));
  }
  const ScalarType type = sim::promoted(index.type->scalar);
  Address address = l_.address_of(pointer);
  b.add_index(address, l_.scalar_as(index, type), type, negative ? -size : size, false);
  return l_.pointer_value(types.plain(pointer.type), std::move(address));
}

// ---- unary

Result Lowering::lower(const cuda::UnaryExpr& node, const cuda::Expr& e) {
  if (node.op == UnaryOp::AddressOf) return operators.address_taken(node, e);
  if (node.op >= UnaryOp::PreIncrement) return operators.step(expr(*node.operand), node, e);
  const auto* name = std::get_if<cuda::NameExpr>(&node.operand->node);
  if (node.op == UnaryOp::Dereference && name && name->name == "this" && frame().self) return *frame().self;
  Result operand = expr(*node.operand);
  if (is_record(operand)) {
    const char* symbol = spelling(node.op);
    const auto result = operators.user_operator(symbol, {{node.operand.get(), operand}}, e.range);
    if (result) return *result;
    return fail(e.range, Message("there is no operator '{}' for '{}'", symbol, name_of(operand.type)));
  }
  operand = rvalue(std::move(operand), *node.operand);
  if (node.op == UnaryOp::Dereference && operand.type->is(Type::Kind::Function)) return operand;
  if (node.op == UnaryOp::Dereference) return dereference(operand, e.range);
  if (node.op == UnaryOp::Not) {
    return value(ScalarType::Bool, b.op(Opcode::Not, ScalarType::Bool, to_bool(operand, e.range)));
  }
  if (!operand.type->is_scalar()) {
    return fail(e.range, Message("this operator needs a number, not '{}'", name_of(operand.type)));
  }
  const ScalarType type = sim::promoted(operand.type->scalar);
  const Value v = scalar_as(operand, type);
  const TypeRef result = arithmetic_type(type, operand.type);
  if (node.op == UnaryOp::Plus) return value(result, v);
  if (node.op == UnaryOp::Minus) return value(result, b.op(Opcode::Neg, type, v));
  if (is_floating(type))
    return fail(e.range, Message("'~' needs an integer, not '{}'", name_of(operand.type)));
  return value(result, b.op(Opcode::BitNot, type, v));
}

// A number of the file that is its value elsewhere: `&kScale` of `__constant__ int kScale = 3`.
Result Lowering::in_memory(const cuda::Expr& e, const Result& number) {
  const auto* name = std::get_if<cuda::NameExpr>(&e.node);
  const auto found = name ? globals_.find(name->name) : globals_.end();
  if (number.kind != Kind::Rvalue || found == globals_.end()) return number;
  Global& global = found->second;
  const bool lies_there = global.stmt && (global.stmt->is_constant_memory || global.stmt->is_device_memory);
  if (!lies_there || find_symbol(name->name) != &global.symbol) return number;
  if (global.memory.is_error()) {
    const bool is_const = global.declarator->type.is_const;
    const TypeRef type = is_const ? number.type : types.plain(number.type);
    global.memory = kernel_memory.host_variable(type, *global.stmt, *global.declarator,
                                                initial_values.initial_image(type, *global.declarator));
  }
  return global.memory;
}

Result Operators::address_taken(const cuda::UnaryExpr& node, const cuda::Expr& e) {
  const Result operand = l_.in_memory(*node.operand, l_.expr(*node.operand));
  if (operand.type->is(Type::Kind::Function)) return operand;
  if (operand.kind != Kind::Memory) {
    return fail(e.range, Message("'{}' has no address", l_.text_of(node.operand->range)),
                Message("copy it to a variable first"));
  }
  return l_.pointer_value(types.pointer(operand.type), operand.address);
}

// ++ and --; of a struct's own the one behind has an int that says so.
Result Operators::step(const Result& target, const cuda::UnaryExpr& node, const cuda::Expr& e) {
  const bool is_post = node.op == UnaryOp::PostIncrement || node.op == UnaryOp::PostDecrement;
  const bool is_increment = node.op == UnaryOp::PreIncrement || node.op == UnaryOp::PostIncrement;
  const char* symbol = is_increment ? "++" : "--";
  if (is_record(target)) {
    std::vector<Argument> arguments{{node.operand.get(), target}};
    if (is_post) arguments.push_back({nullptr, value(ScalarType::I32, b.integer(ScalarType::I32, 0))});
    if (const auto result = user_operator(symbol, std::move(arguments), e.range)) return *result;
  } else {
    check_assignable(target, *node.operand);
  }
  const bool is_bool = target.type->is_scalar() && target.type->scalar == ScalarType::Bool;
  if (!(target.type->is_scalar() || target.type->is_pointer()) || is_bool)
    fail(e.range, Message("'{}' needs a number or a pointer, not '{}'", symbol, name_of(target.type)));
  const Result old = l_.rvalue(target, *node.operand);
  const Result before = is_post ? l_.settled(old) : old;
  const Result one = value(ScalarType::I32, b.integer(ScalarType::I32, 1));
  const Result stepped = binary(is_increment ? BinaryOp::Add : BinaryOp::Sub, old, one, e.range);
  const Result assigned = assign(target, stepped, *node.operand);
  return is_post ? before : assigned;
}

// ---- assignments

void Operators::check_assignable(const Result& target, const cuda::Expr& e) {
  const std::string text = l_.text_of(e.range);
  if (l_.is_read_only(target))
    fail(e.range, Message("'{}' is const and cannot be changed", text),
         Message("remove the const, or use another variable"));
  if (std::holds_alternative<cuda::ConditionalExpr>(e.node))
    fail(e.range, Message("an assignment to '?:' is not supported"), Message("write it with if and else"));
  if (!target.is_lvalue())
    fail(e.range, Message("'{}' is a value, not a variable: it cannot be changed", text));
  if (target.type->is(Type::Kind::Array))
    fail(e.range, Message("'{}' is an array and cannot be assigned as a whole", text),
         Message("assign its elements in a loop"));
}

Result Operators::assign(const Result& target, const Result& assigned, const cuda::Expr& target_expr) {
  Result converted = l_.convert(assigned, target.type, b.place);
  if (converted.parts.empty() && converted.type->is_pointer()) converted.parts = {l_.scalar_value(converted)};
  if (target.kind == Kind::Variable) {
    l_.assign_parts(target.parts, target.type, converted.parts);
    return target;
  }
  l_.store(target, converted, l_.access_text(target_expr));
  Result place = target;
  place.parts = converted.parts;
  return place;
}

Result Lowering::lower(const cuda::AssignExpr& node, const cuda::Expr& e) {
  const bool is_list = std::holds_alternative<cuda::InitListExpr>(node.value->node);
  if (is_list && !node.op) {
    const Result target = expr(*node.target);
    operators.check_assignable(target, *node.target);
    const Result list = initial_values.initial_value(types.plain(target.type), *node.value);
    return operators.assign(target, list, *node.target);
  }
  Result assigned = expr(*node.value);
  const bool value_is_record = is_record(assigned);
  if (!value_is_record || !node.op) assigned = rvalue(std::move(assigned), *node.value);
  const Result target = expr(*node.target);
  if (node.op && (is_record(target) || value_is_record)) {
    const std::string symbol = std::string(spelling(*node.op)) + "=";
    const std::vector<Argument> operands{{node.target.get(), target}, {node.value.get(), assigned}};
    if (const auto result = operators.user_operator(symbol, operands, e.range)) return *result;
    if (memory.part_of_pair(target.type) != ScalarType::Bool) {
      operators.check_assignable(target, *node.target);
      if (const auto pair = operators.user_operator(spelling(*node.op), operands, e.range))
        return operators.assign(target, *pair, *node.target);
    }
    return fail(e.range, Message("there is no operator '{}' for '{}'", symbol, name_of(target.type)),
                Message("write it for each member"));
  }
  if (!node.op && !members.methods_named(target, "operator=").empty()) {
    return call_method(target.type->record, target, "operator=", {}, {{node.value.get(), assigned}}, e.range,
                       e.range);
  }
  operators.check_assignable(target, *node.target);
  if (assigned.kind == Kind::Void)
    return fail(node.value->range, Message("an expression of type 'void' has no value"));
  if (!node.op) return operators.assign(target, assigned, *node.target);
  const Result current = rvalue(target, *node.target);
  return operators.assign(target, operators.binary(*node.op, current, assigned, e.range), *node.target);
}

}  // namespace warplens::sim::lower
