// Expressions other than operators, calls and initializers.
#include <algorithm>
#include <utility>

#include "sim/cuda/text/names.h"
#include "sim/lower/ir/flow.h"
#include "sim/lower/lowering.h"

namespace warplens::sim::lower {
namespace {

// Whether a variable of one type can be seen as one of the other: their bits fill the same register.
bool look_alike(TypeRef x, TypeRef y) {
  if (x->is_pointer() && y->is_pointer()) return true;
  return x->is_scalar() && y->is_scalar() && size_of(x) == size_of(y) && size_of(x) >= 4;
}

}  // namespace

Result Lowering::expr(const cuda::Expr& e) {
  step();
  const Within depth(depth_, deeper(e.range));
  const Within place(b.place, place_of(e.range));
  return std::visit([&](const auto& node) { return lower(node, e); }, e.node);
}

Value Lowering::condition_of(const cuda::Expr& e) {
  const Result result = value_of(e);
  const Within place(b.place, place_of(e.range));
  return to_bool(result, e.range);
}

// ---- literals and names

Result Lowering::lower(const cuda::IntegerLiteral& node, const cuda::Expr&) {
  const ScalarType type = node.longs > 0 ? (node.is_unsigned ? ScalarType::U64 : ScalarType::I64)
                                         : (node.is_unsigned ? ScalarType::U32 : ScalarType::I32);
  return value(node.longs == 1 ? types.long_or(type) : types.scalar(type), b.integer(type, node.value));
}

Result Lowering::lower(const cuda::CharLiteral& node, const cuda::Expr&) {
  const ScalarType type = node.prefix == 'L'   ? ScalarType::I32
                          : node.prefix == 'U' ? ScalarType::U32
                          : node.prefix == 'u' ? ScalarType::U16
                                               : ScalarType::I8;
  return value(type, b.integer(type, node.value));
}

Result Lowering::lower(const cuda::NullLiteral&, const cuda::Expr&) {
  return value(types.null_type(), b.integer(ScalarType::U64, 0));
}

Result Lowering::lower(const cuda::FloatLiteral& node, const cuda::Expr&) {
  const ScalarType type = node.is_float ? ScalarType::F32 : ScalarType::F64;
  return value(type, b.number(type, node.value));
}

Result Lowering::lower(const cuda::BoolLiteral& node, const cuda::Expr&) {
  return value(ScalarType::Bool, b.integer(ScalarType::Bool, node.value));
}

// As with nvcc: a table of bytes in global memory, one for all literals of the same text.
Result Lowering::lower(const cuda::StringLiteral& node, const cuda::Expr& e) {
  const auto bytes = static_cast<std::int64_t>(node.value.size());
  const TypeRef type = types.with_const(types.array(types.scalar(ScalarType::I8), bytes + 1), true);
  if (b.dead) return {Kind::Memory, type, {}, Address{b.integer(ScalarType::U64, 0), {}, 0}};
  const auto [known, is_new] = strings_.try_emplace(node.value);
  if (!is_new) return known->second;
  cuda::DeclStmt stmt;
  stmt.is_device_memory = true;
  cuda::Declarator declarator;
  declarator.name = "$str" + (strings_.size() > 1 ? std::to_string(strings_.size() - 1) : "");
  declarator.name_range = e.range;
  const auto image = std::make_shared<std::vector<InitialValue>>();
  for (std::int64_t i = 0; i < bytes; ++i)
    image->push_back({i, ScalarType::I8, static_cast<unsigned char>(node.value[i])});
  known->second = kernel_memory.host_variable(type, stmt, declarator, image);
  known->second.type = type;
  return known->second;
}

// The characters of `char s[] = "abc"`, as of a list; null where the initializer is no text for such an
// array.
const cuda::InitListExpr* InitialValues::characters_of(TypeRef type, const cuda::Expr& initializer) {
  const auto* text = std::get_if<cuda::StringLiteral>(&initializer.node);
  if (!text || !type->is(Type::Kind::Array) || !type->element->is_integer() || size_of(type->element) != 1)
    return nullptr;
  const auto [known, is_new] = characters_.try_emplace(&initializer);
  for (std::size_t i = 0; is_new && i <= text->value.size(); ++i) {  // with the zero at its end
    auto character = std::make_unique<cuda::Expr>();
    character->range = initializer.range;
    auto& literal = character->node.emplace<cuda::CharLiteral>();
    if (i < text->value.size())
      literal.value = static_cast<std::uint64_t>(static_cast<signed char>(text->value[i]));
    known->second.elements.push_back(std::move(character));
  }
  return &known->second;
}

std::optional<Result> Lowering::builtin_variable(std::string_view name) {
  for (const BuiltinVariable& variable : kBuiltinVariables) {
    if (variable.name != name) continue;
    if (variable.x == kNoReg) return value(ScalarType::I32, b.integer(ScalarType::I32, memory::kWarpLanes));
    Result result{Kind::Rvalue, types.with_const(types.builtin(variable.type), true), {}, {}};
    for (const Reg reg : {variable.x, variable.y, variable.z})
      result.parts.push_back(b.ir.input(reg, ScalarType::U32));
    return result;
  }
  return {};
}

Result Lowering::lower(const cuda::NameExpr& node, const cuda::Expr& e) {
  if (node.name == "this" && !node.scope) {
    if (!frame().self) return fail(e.range, Message("'this' has no meaning outside of a member function"));
    const Result& self = *frame().self;
    if (self.kind == Kind::Memory) return pointer_value(types.pointer(self.type), self.address);
    return fail(e.range, Message("'this' is not a pointer to memory here: the struct lies in registers"),
                Message("use *this, or give the struct to a __device__ function by reference"));
  }
  std::string member;
  if (const Record* record = members.record_of_scope(node, member)) {
    const Symbol* found = members.find_member(record, member);
    if (found && found->kind == Symbol::Kind::Object) return known(found->object);
    if (node.scope) return fail(e.range, Message("'{}' has no constant '{}'", record->name, member));
  }
  if (node.scope) stop();
  const bool is_shadowed = node.arguments.empty() && find_symbol(node.name) != nullptr;
  const Symbol* of_template = is_shadowed ? nullptr : variable_of_template(node, e.range);
  if (const Symbol* symbol = of_template ? of_template : find_symbol(node.name)) {
    if (symbol->kind == Symbol::Kind::Type)
      return fail(e.range, Message("'{}' is a type, not a value", node.name));
    if (symbol->object.is_error() && symbol->type && b.dead)
      return {Kind::Memory, symbol->type, {}, Address{b.integer(ScalarType::U64, 0), {}, 0}};
    if (symbol->object.is_error() && !has_errors(diagnostics)) {
      fail(e.range, Message("'{}' is used in its own initial value", node.name));
    }
    return known(symbol->object);
  }
  if (const auto found = builtin_variable(node.name)) return *found;
  if (!functions_named(node.name).empty()) return function_values.function_value(node, e.range);
  if (const auto own = builtins().find(node.name); own != builtins().end() && own->second.runs())
    return function_values.function_value(node, e.range);
  return unknown_name(node.name, e.range);
}

Result Lowering::lower(const cuda::DesignatedExpr& node, const cuda::Expr&) {
  return expr(*node.value);
}

Result Lowering::lower(const cuda::SizeofExpr& node, const cuda::Expr& e) {
  TypeRef type = nullptr;
  if (node.type) {
    type = resolve(*node.type);
  } else if (node.operand) {
    const auto* name = std::get_if<cuda::NameExpr>(&node.operand->node);
    const Symbol* symbol = name ? find_symbol(name->name) : nullptr;
    const bool is_type = name && ((symbol && symbol->kind == Symbol::Kind::Type) ||
                                  (!symbol && (structs_.contains(name->name) || types.builtin(name->name))));
    type = is_type ? templates.type_of_argument(
                         {nullptr, std::shared_ptr<cuda::Expr>(std::shared_ptr<void>(), node.operand.get())},
                         true)
                   : type_of(*node.operand);
  }
  if (!type || type->is(Type::Kind::Error)) stop();
  using Of = cuda::SizeofExpr::Of;
  if (node.of == Of::Extent) {
    if (type->is(Type::Kind::Array))
      return value(ScalarType::I32, b.integer(ScalarType::I32, static_cast<std::uint64_t>(type->extent)));
    // cuda::std::span and array, whose iterators are pointers: by their index.
    if (node.operand && type->is(Type::Kind::Record) && members.has_method(type->record, "begin") &&
        type->record->definition->scope == "cuda::std")
      return call_method(type->record, expr(*node.operand), "size", {}, {}, e.range, e.range);
    return fail(e.range,
                Message("a range-based for goes through an array here, not through a '{}'", name_of(type)),
                Message("write for (int i = 0; i < n; ++i)"));
  }
  if (size_of(type) == 0) return fail(e.range, Message("'{}' has no size", name_of(type)));
  const std::int64_t bytes = node.of == Of::Alignment ? alignment_of(type) : size_of(type);
  return value(types.long_or(ScalarType::U64), b.integer(ScalarType::U64, static_cast<std::uint64_t>(bytes)));
}

// ---- parts

Result Lowering::lower(const cuda::IndexExpr& node, const cuda::Expr& e) {
  Result base = expr(*node.base);
  if (base.type->is(Type::Kind::Record)) {
    std::vector<Argument> operands{{node.base.get(), base}};
    add_indices(*node.index, base, operands);
    if (const auto result = operators.user_operator("[]", std::move(operands), e.range)) return *result;
  }
  if (base.kind == Kind::Rvalue &&
      base.type->is(Type::Kind::Array)) {  // f().a[i]: an array has to lie somewhere
    const Result object = objects.new_object(types.plain(base.type), "a value");
    store(object, base, {b.place, "", nullptr});
    base = object;
  }
  const bool is_array = base.kind == Kind::Memory && base.type->is(Type::Kind::Array);
  if (!is_array) base = rvalue(std::move(base), *node.base);
  Result index = value_of(*node.index);
  if (base.type->is_integer() && index.type->is_pointer()) std::swap(base, index);
  if (!is_array && !base.type->is_pointer()) {
    const Message remedy =
        base.type->is(Type::Kind::Record) ? Message("its members have names: .x") : Message();
    return fail(node.base->range, Message("'{}' is neither an array nor a pointer", name_of(base.type)),
                remedy);
  }
  return element_of(base, index, e);
}

// Where an operator[] takes several indices, as C++23 has it; elsewhere `a[i, j]` is `a[j]`.
void Lowering::add_indices(const cuda::Expr& index, const Result& base, std::vector<Argument>& operands) {
  const auto named = members.methods_named(base, "operator[]");
  std::size_t most = 0;
  for (const cuda::Function* f : named) most = std::max(most, f->parameters.size());
  std::vector<const cuda::Expr*> indices{&index};
  while (indices.size() < most) {
    const auto* both = std::get_if<cuda::BinaryExpr>(&indices.front()->node);
    if (both == nullptr || both->op != cuda::BinaryOp::Comma) break;
    indices.front() = both->right.get();
    indices.insert(indices.begin(), both->left.get());
  }
  for (const cuda::Expr* one : indices) operands.push_back({one, expr(*one)});
}

// What a name of `auto [x, y]` stands for: a member of a struct in their order, or an element of an array.
Result Lowering::bound_part(const Result& base, const cuda::MemberExpr& node) {
  const auto number = [&](std::size_t i) {
    return std::get<cuda::IntegerLiteral>(node.arguments[i].value->node).value;
  };
  const std::uint64_t part = number(0), parts = number(1);
  const bool is_array = base.type->is(Type::Kind::Array) && base.kind == Kind::Memory;
  if (is_array && static_cast<std::uint64_t>(base.type->extent) == parts) {
    Result element{Kind::Memory, base.type->element, {}, base.address};
    element.address.advance(size_of(element.type), static_cast<std::int64_t>(part));
    return element;
  }
  const bool is_record = base.type->is(Type::Kind::Record) && !base.type->record->is_union;
  const auto fields = is_record ? base.type->record->fields.size() : std::size_t{0};
  if (is_record && fields == parts) {
    const Field& field = base.type->record->fields[part];
    if (!field.name.starts_with('#')) return member_of(base, field.name, node.member_range);
  }
  return fail(node.base->range,
              Message("{} names cannot be bound to the parts of '{}'", parts, name_of(base.type)),
              Message("write a name for each member of a struct or element of an array"));
}

Result Lowering::object_of(const cuda::MemberExpr& node) {
  const auto* name = std::get_if<cuda::NameExpr>(&node.base->node);
  if (node.arrow && name && name->name == "this" && frame().self) return *frame().self;
  Result base = expr(*node.base);
  if (!node.arrow) return base;
  base = rvalue(std::move(base), *node.base);
  if (!base.type->is_pointer()) {
    return fail(node.base->range, Message("'->' needs a pointer, not '{}'", name_of(base.type)),
                Message("use '.'"));
  }
  return dereference(base, node.base->range);
}

Result Lowering::lower(const cuda::MemberExpr& node, const cuda::Expr&) {
  const Result base = object_of(node);
  if (node.member == cuda::kPart) return bound_part(base, node);
  if (base.type->is(Type::Kind::Record)) {
    const Symbol* constant = members.find_member(base.type->record, node.member);
    if (constant && constant->kind == Symbol::Kind::Object) return known(constant->object);
    if (!members.methods_named(base, node.member).empty()) {
      return fail(node.member_range, Message("'{}' is a member function", node.member),
                  Message("call it: {}(...)", node.member));
    }
  }
  return member_of(base, node.member, node.member_range);
}

Result Lowering::lower(const cuda::CastExpr& node, const cuda::Expr& e) {
  const TypeRef type = resolve(node.type);
  if (!type) return fail(e.range, Message("nothing can be cast to 'auto'"));
  if (type->is(Type::Kind::Error)) stop();
  if (node.type.reference) {
    Result lvalue = expr(*node.operand);
    const bool same = types.plain(lvalue.type) == types.plain(type) || look_alike(lvalue.type, type);
    if (!lvalue.is_lvalue() || (lvalue.kind == Kind::Variable && !same)) {
      return fail(e.range, Message("'{}' cannot be seen as '{}&'", name_of(lvalue.type), name_of(type)),
                  Message("take its address: *reinterpret_cast<{}*>(&...)", name_of(type)));
    }
    lvalue.type = type;
    return lvalue;
  }
  if (type->is(Type::Kind::Void)) return (void)expr(*node.operand), void_result();  // reads nothing
  if (type->is(Type::Kind::Record)) return cast_to_record(type, node, e);
  static constexpr Cast kCasts[] = {Cast::C, Cast::C, Cast::Static, Cast::Reinterpret, Cast::C};
  return convert(value_of(*node.operand), type, e.range, kCasts[static_cast<int>(node.kind)]);
}

// `Vec(x)`, `(Vec)x`: a copy, a constructor, dim3, or what x converts itself to.
Result Lowering::cast_to_record(TypeRef type, const cuda::CastExpr& node, const cuda::Expr& e) {
  const Result operand = expr(*node.operand);
  if (objects.has_device_constructor(type->record) || type->record->has_constructors) {
    return objects.constructed(type, {{node.operand.get(), operand}}, e.range);
  }
  const Result loaded = objects.copied({node.operand.get(), operand}, access_text(*node.operand));
  if (types.plain(loaded.type) == types.plain(type)) return loaded;
  if (type->record->name != "dim3") return convert(loaded, type, e.range);
  const Result first = convert(loaded, types.scalar(ScalarType::U32), e.range);
  const Value one = b.integer(ScalarType::U32, 1);
  return {Kind::Rvalue, types.plain(type), {first.value(), one, one}, {}};
}

Result Lowering::lower(const cuda::ConstructExpr& node, const cuda::Expr& e) {
  const TypeRef type = resolve(node.type);
  if (!type) return fail(e.range, Message("'auto' cannot be constructed"));
  if (type->is(Type::Kind::Error)) stop();
  return initial_values.construct(type, node.arguments, e.range);
}

Result Lowering::lower(const cuda::InitListExpr&, const cuda::Expr& e) {
  return fail(e.range, Message("a list in braces has no meaning here"),
              Message("write the type before it: float2{...}"));
}

// ---- choices

bool Lowering::is_pure_list(const List& list) const {
  return std::ranges::all_of(
      list, [&](const Node& node) { return node.kind == Node::Kind::Op && is_pure(b.ir, node.op.instr); });
}

TypeRef Lowering::common_result_type(const Result& x, const Result& y, const cuda::SourceRange& range) {
  const TypeRef left = types.plain(x.type), right = types.plain(y.type);
  if (left == right) return left;
  if (left->is_scalar() && right->is_scalar())
    return arithmetic_type(common_type(sim::promoted(left->scalar), sim::promoted(right->scalar)), left,
                           right);
  if (left->is(Type::Kind::Function) && right->is(Type::Kind::Function))
    fail(range, Message("which function this is must be known when compiling"),
         Message("call functions by their names, or pass them as template arguments"));
  if (conversion_rank(x, right, false) >= 0) return right;
  if (conversion_rank(y, left, false) >= 0) return left;
  fail(range, Message("the two values of '?:' have types '{}' and '{}'", name_of(left), name_of(right)),
       Message("convert one of them"));
}

Result Lowering::lower(const cuda::ConditionalExpr& node, const cuda::Expr& e) {
  const Value condition = condition_of(*node.condition);
  if (const auto known = b.bits(condition)) return choose_now(*known != 0, node, e);
  return choose(condition, node, e);
}

Result Lowering::choose_now(bool condition, const cuda::ConditionalExpr& node, const cuda::Expr& e) {
  const cuda::Expr& taken = condition ? *node.then_value : *node.else_value;
  const cuda::Expr& other = condition ? *node.else_value : *node.then_value;
  const Result result = value_of(taken);
  List discarded;
  Result unused;
  {
    const ListScope scope(b, discarded, b.region, Fate::Dead);
    unused = value_of(other);
  }
  if (result.kind == Kind::Void) return result;
  return convert(result, common_result_type(result, unused, e.range), e.range);
}

Result Lowering::choose(Value condition, const cuda::ConditionalExpr& node, const cuda::Expr& e) {
  constexpr std::size_t kMostSelected = 24;  // operations worth computing for nothing
  Sides sides(b);
  auto& [lists, regions] = sides;
  Result results[2];
  for (int i = 0; i < 2; ++i) {
    const ListScope scope(b, lists[i], regions[i]);
    results[i] = value_of(i == 0 ? *node.then_value : *node.else_value);
  }
  const bool is_void = results[0].kind == Kind::Void && results[1].kind == Kind::Void;
  const TypeRef type = is_void ? types.void_type() : common_result_type(results[0], results[1], e.range);
  for (int i = 0; i < 2 && !is_void; ++i) {
    const ListScope scope(b, lists[i], regions[i]);
    results[i] = convert(results[i], type, e.range);
    if (type->is_pointer()) results[i].parts = {scalar_value(results[i])};
  }
  const std::vector<Leaf> leaves = leaves_of(type);
  Result chosen = is_void ? void_result() : Result{Kind::Rvalue, type, {}, {}};
  if (is_pure_list(lists[0]) && is_pure_list(lists[1]) &&
      lists[0].size() + lists[1].size() <= kMostSelected) {
    for (List& list : lists) b.list->splice(b.list->end(), list);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      chosen.parts.push_back(b.op(Opcode::Select, scalar_of(leaves[i].type), condition, results[0].parts[i],
                                  results[1].parts[i]));
    }
    return chosen;
  }
  for (const Leaf& leaf : leaves) chosen.parts.push_back(b.ir.variable(scalar_of(leaf.type), b.region));
  for (int i = 0; i < 2; ++i) {
    const ListScope scope(b, lists[i], regions[i]);
    assign_parts(chosen.parts, type, results[i].parts);
  }
  sides.append(b, condition, b.place);
  return chosen;
}

Result Lowering::short_circuit(const cuda::BinaryExpr& node, bool is_and) {
  const Value left = condition_of(*node.left);
  const auto known = b.bits(left);
  const bool is_decided = known && (*known != 0) != is_and;
  Sides sides(b);
  List& list = sides.lists[0];
  Value right = kNone;
  {
    const ListScope scope(b, list, sides.regions[0], is_decided ? Fate::Dead : Fate::Kept);
    right = condition_of(*node.right);
  }
  if (is_decided) return value(ScalarType::Bool, left);
  if (known || is_pure_list(list)) {
    b.list->splice(b.list->end(), list);
    return value(ScalarType::Bool,
                 known ? right : b.op(is_and ? Opcode::And : Opcode::Or, ScalarType::Bool, left, right));
  }
  const Value result = b.ir.variable(ScalarType::Bool, b.region);
  b.move(result, ScalarType::Bool, left);
  const Value condition = is_and ? left : b.op(Opcode::Not, ScalarType::Bool, left);
  {
    const ListScope scope(b, list, sides.regions[0]);
    b.move(result, ScalarType::Bool, right);
  }
  sides.append(b, condition, b.place);
  return value(ScalarType::Bool, result);
}

}  // namespace warplens::sim::lower
