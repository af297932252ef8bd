// Expressions of host code, worked out.
#include <algorithm>

#include "app/source/host_run.h"

namespace warplens::app::host {
namespace {

using cuda::UnaryOp;

constexpr int kDeepestExpression = 800;

// `rand() % n + 1` is as much drawn as rand() is.
void stay_drawn(BinaryOp op, const Value& drawn, std::int64_t by, Value* out) {
  std::int64_t least = cuda::apply(op, drawn.least, by).value, most = cuda::apply(op, drawn.most, by).value;
  if (op == BinaryOp::Rem || op == BinaryOp::BitAnd) {
    least = 0, most = op == BinaryOp::Rem ? by - 1 : by;
    if (drawn.least < 0 || most < 0) return;
  } else if (op != BinaryOp::Add && op != BinaryOp::Sub && (op != BinaryOp::Div || by <= 0)) {
    return;
  }
  if (is_integer(out->type) && wrapped(least, *out->type->scalar) == least &&
      wrapped(most, *out->type->scalar) == most)
    out->least = least, out->most = most;
}

}  // namespace

Value HostRun::eval(const Expr& expr) {
  pace_.step();
  ++steps_;
  if (depth_ > kDeepestExpression) return {};
  const Within deeper(depth_, depth_ + 1);
  Value value = worked_out(expr);
  value.from = &expr;
  return value;
}

Value HostRun::worked_out(const Expr& expr) {
  if (const auto* name = as<cuda::NameExpr>(expr)) {
    if (const auto found = lookup(name->name)) return read(*found);
    if (name->name == "this" && frames_.back().self >= 0) return pointer(frames_.back().self, 0, nullptr);
    if (name->name == "cudaSuccess" || name->name == "CUDA_SUCCESS") return integer(0);
    if (name->name == "RAND_MAX") return integer(kMostDrawn);
    const std::size_t colons = name->name.rfind("::");
    const cuda::Struct* own = frames_.back().of;
    const std::string owner = colons != std::string::npos ? name->name.substr(0, colons)
                              : own                       ? own->name
                                                          : "";
    if (const auto value = static_member(owner, last_part(name->name))) return *value;
    Value value = function_value(*name);
    if (value.kind == Kind::Unknown) {  // of a header that is not here, say: one value wherever it stands
      Formula::Of& known = undeclared_[name->name];
      if (!known) known = std::make_shared<const Formula>();
      value.formula = known;
    }
    return value;
  }
  if (const auto* literal = as<cuda::IntegerLiteral>(expr)) {
    const bool is_wide =
        literal->longs > 0 || literal->value > (literal->is_unsigned ? UINT32_MAX : INT32_MAX);
    const ScalarType type = literal->is_unsigned ? (is_wide ? ScalarType::U64 : ScalarType::U32)
                                                 : (is_wide ? ScalarType::I64 : ScalarType::I32);
    return integer(static_cast<std::int64_t>(literal->value), type);
  }
  if (const auto* node = as<cuda::BinaryExpr>(expr)) return binary(*node);
  if (const auto* node = as<cuda::IndexExpr>(expr)) return indexed(*node);
  if (const auto* node = as<cuda::AssignExpr>(expr)) return assign(*node);
  if (const auto* node = as<cuda::MemberExpr>(expr)) return selected(*node);
  if (const auto* node = as<cuda::UnaryExpr>(expr)) return unary(*node);
  if (const auto* node = as<cuda::CallExpr>(expr)) return call_expr(expr, *node);
  if (const auto* node = as<cuda::CastExpr>(expr)) {
    const Type* type = resolve(node->type);
    Value value = eval(*node->operand);
    if (type != nullptr && !type->scalar && type->pointers == 0 && node->kind == cuda::CastKind::Functional)
      return construct(type, {value});
    if (written_as<cuda::InitListExpr>(value)) hand_over(value);
    value = cast(value, type);
    if (value.kind == Kind::Pointer && !at(value.object).extents.empty())
      value.has_offset = false;  // of rows
    return value;
  }
  if (const auto* literal = as<cuda::FloatLiteral>(expr))
    return {.kind = Kind::Floating,
            .type = types_.of(literal->is_float ? ScalarType::F32 : ScalarType::F64),
            .floating = literal->value};
  if (const auto* literal = as<cuda::BoolLiteral>(expr)) return integer(literal->value, ScalarType::Bool);
  if (const auto* literal = as<cuda::CharLiteral>(expr))
    return integer(static_cast<std::int64_t>(literal->value), ScalarType::I8);
  if (as<cuda::NullLiteral>(expr)) return {.kind = Kind::Null};
  if (const auto* node = as<cuda::ConditionalExpr>(expr)) return chosen(*node);
  if (const auto* node = as<cuda::SizeofExpr>(expr)) return size_asked(*node);
  if (const auto* node = as<cuda::ConstructExpr>(expr))
    return construct(resolve(node->type), values_of(node->arguments));
  if (const auto* node = as<cuda::LambdaExpr>(expr)) {
    Callable callable{.function = node->function.get(), .self = frames_.back().self, .of = frames_.back().of};
    callable.outer = static_cast<int>(frames_.size()) - 1;
    callable.outer_end = entries_.size();
    const auto capture = [&](std::string_view name, const Value& now, bool by_reference) {
      Place own = by_reference ? now.place : Place{};
      if (!own.is_valid()) write(own = {make_object(now.type)}, now);
      callable.captured.push_back({name, own});
    };
    const auto capture_local = [&](std::string_view name) {
      const auto found = lookup(name);
      const auto global = globals_.find(name);
      const bool is_local = found && (global == globals_.end() || global->second.object != found->object);
      if (is_local && found->index == Place::kWhole && at(found->object).kind != Object::Kind::Array)
        capture(name, read(*found), false);
    };
    if (node->captures_all == '=') std::for_each(node->names.begin(), node->names.end(), capture_local);
    for (const cuda::LambdaCapture& captured : node->captures)
      if (captured.initializer)
        capture(captured.name, eval(*captured.initializer), captured.by_reference);
      else if (!captured.by_reference)
        capture_local(captured.name);
    return callable_value(std::move(callable));
  }
  return {};
}

Value HostRun::chosen(const cuda::ConditionalExpr& node) {
  const Value condition = eval(*node.condition);
  if (const auto holds = truth(condition)) return eval(*holds ? *node.then_value : *node.else_value);
  Value one, other;
  may_happen([&] { one = eval(*node.then_value), other = eval(*node.else_value); });
  one.place = {};
  if (one.is_number() && one.is_same(other)) return one;
  lead_anywhere(one), lead_anywhere(other);
  return {.has_offset = false, .type = one.type, .formula = Formula::made("?", 0, {condition, one, other})};
}

Value HostRun::size_asked(const cuda::SizeofExpr& node) {
  const bool counts = node.of == cuda::SizeofExpr::Of::Extent;
  if (node.of == cuda::SizeofExpr::Of::Alignment) return {};
  if (node.type) {
    const auto bytes = size_of(resolve(*node.type));
    return bytes ? integer(*bytes, ScalarType::U64) : Value{};
  }
  if (!node.operand) return {};
  const Value value = eval(*node.operand);
  const Place of = value.place;
  const bool is_whole = of.is_valid() && of.index == Place::kWhole;
  if (counts && is_whole && at(of.object).is_list() && at(of.object).is_known && !size_of(at(of.object).type))
    return integer(static_cast<std::int64_t>(at(of.object).parts.size()));
  if (is_whole && at(of.object).is_list() && at(of.object).bytes.kind == Kind::Integer &&
      (counts || at(of.object).kind == Object::Kind::Array)) {
    const Object& object = at(of.object);
    std::int64_t bytes = size_of(object.type).value_or(0);
    for (const std::int64_t extent : object.extents) bytes *= extent;
    if (!counts) return integer(object.bytes.integer, ScalarType::U64);
    return bytes > 0 ? integer(object.bytes.integer / bytes) : Value{};
  }
  const auto bytes = counts ? std::nullopt : size_of(value.type);
  return bytes ? integer(*bytes, ScalarType::U64) : Value{};
}

// `p->n`, `s.n`
Value HostRun::selected(const cuda::MemberExpr& node) {
  if (node.member == cuda::kPart) {  // of the first of two `p.#part<0, 2>`
    const Place all = object_of(eval(*node.base));
    const auto number = [&](std::size_t i) {
      return static_cast<std::size_t>(eval(*node.arguments[i].value).integer);
    };
    const auto& fields = all.is_valid() ? layout_of(at(whole(all)).type).fields : std::vector<Field>();
    return fields.size() == number(1) ? read({part(whole(all), fields[number(0)].name)}) : Value{};
  }
  const Place base = node.arrow ? pointed(*node.base) : object_of(eval(*node.base));
  if (!base.is_valid()) return {};
  const bool is_of_base = node.member.find("::") != std::string::npos;
  if (base.index < Place::kWhole || is_of_base) return read({base.object, Place::kWithin});
  const int of = whole(base);
  const Object& object = at(of);
  const bool has_none = object.is_list() || (object.kind == Object::Kind::Scalar && is_number(object.type));
  return read(has_none ? Place{of, Place::kWithin} : Place{part(of, node.member)});
}

// `a[i]`
Value HostRun::indexed(const cuda::IndexExpr& node) {
  Value base = eval(*node.base), index = eval(*node.index);
  if (const auto own = own_operator(base, "operator[]", {index})) return *own;
  if (index.kind == Kind::Pointer && base.kind == Kind::Integer) std::swap(base, index);  // 2[a]
  if (base.kind == Kind::Object && at(base.object).kind == Object::Kind::Container)
    return read(element(base.object, index.kind == Kind::Integer ? index.integer : -1));
  if (base.kind != Kind::Pointer) return {};
  const Place first = deref(base);
  if (!first.is_valid()) return {};
  if (first.index == Place::kWhole)
    return read(index.kind == Kind::Integer && index.integer == 0 ? first : somewhere_in(base.object));
  std::int64_t sum = 0;
  const bool is_known = first.index >= 0 && index.kind == Kind::Integer &&
                        !__builtin_add_overflow(first.index, index.integer, &sum) && sum >= 0;
  return read(is_known ? element(first.object, sum) : Place{first.object, Place::kSomewhere});
}

// `p->`
Place HostRun::pointed(const Expr& base) {
  const Value value = eval(base);
  const auto own = own_operator(value, "operator->", {});
  return deref(own ? *own : value);
}

// Of an array, which may be part of one.
Place HostRun::element(int object, std::int64_t index) {
  constexpr std::int64_t kMostParts = 4096;
  const Object& of = at(object);
  std::int64_t begin = size_of(of.type).value_or(0);
  for (const std::int64_t extent : of.extents) begin *= extent;
  const bool is_outside = of.within >= 0 && of.bytes.kind == Kind::Integer &&
                          (__builtin_mul_overflow(begin, index, &begin) || begin >= of.bytes.integer);
  if (index < 0 || is_outside) return somewhere_in(object);
  if (of.is_plain() || of.type == nullptr) return {object, index};
  return index < kMostParts ? Place{part(object, std::to_string(index))} : Place{object, Place::kSomewhere};
}

std::optional<Value> HostRun::own_operator(const Value& left, const std::string& name, const Values& others) {
  const auto own = method_of(left, name, others);
  return own ? std::optional(call(*own, others)) : std::nullopt;
}

Value HostRun::cast(Value value, const Type* type) {
  value.place = {};
  if (type == nullptr) return value;
  if (type->pointers > 0) {
    if (value.kind == Kind::Integer && value.integer == 0) value = {.kind = Kind::Null};
    value.type = type;
    if (value.kind != Kind::Pointer) return value;
    if (at(value.object).kind == Object::Kind::Array && at(value.object).type == nullptr &&
        type->pointee != nullptr && type->pointee->text != "void")
      at(value.object).type = type->pointee;
    const int base = as_base(value.object, type->pointee);
    if (base >= 0) value.object = base;
    return value;
  }
  if (value.kind == Kind::Pointer && type->scalar && sim::size_of(*type->scalar) == 8)
    value.type = type;  // (size_t)p
  if (!type->scalar || value.kind == Kind::Pointer || value.kind == Kind::Object ||
      value.kind == Kind::Function)
    return value;
  Value out = converted(value.kind == Kind::Null ? integer(0) : value, *type->scalar, types_);
  out.type = type;
  if (value.is_drawn() && !sim::is_floating(*type->scalar)) out.least = value.least, out.most = value.most;
  if (!value.formula) return out;
  const bool to_real = sim::is_floating(*type->scalar);
  const bool from_real = is_real(value.type);
  // `(int)n` of a size_t is a size that fits; a char or a bool is not.
  const bool narrows =
      is_number(value.type) && sim::size_of(*type->scalar) < 4 && type->scalar != value.type->scalar;
  const bool is_same = value.is_number() ? out.integer == value.integer : !narrows;
  if (to_real == from_real)
    out.formula = to_real || is_same ? value.formula : nullptr;
  else
    out.formula = Formula::made(to_real ? "(" + std::string(sim::name_of(*type->scalar)) + ")" : "(int)",
                                Formula::kCall, {value});
  return out;
}

Value HostRun::combined(BinaryOp op, const Value& left, const Value& right) {
  const bool pointers = left.kind == Kind::Pointer || right.kind == Kind::Pointer ||
                        left.kind == Kind::Null || right.kind == Kind::Null;
  if (pointers) {
    const bool l = left.kind == Kind::Pointer, r = right.kind == Kind::Pointer;
    if (op == BinaryOp::Eq || op == BinaryOp::Ne) {
      const auto is_null = [](const Value& v) {
        return v.kind == Kind::Null || (v.kind == Kind::Integer && v.integer == 0);
      };
      if (is_null(left) && is_null(right)) return integer(op == BinaryOp::Eq, ScalarType::Bool);
      if ((l && is_null(right)) || (r && is_null(left))) return integer(op == BinaryOp::Ne, ScalarType::Bool);
      return {};
    }
    if (l == r || (op != BinaryOp::Add && op != BinaryOp::Sub)) return {};
    Value out = l ? left : right;
    out.place = {};
    const Value& by = l ? right : left;
    const auto bytes = is_number(out.type) ? 1 : size_of(out.type != nullptr ? out.type->pointee : nullptr);
    out.has_offset &= bytes.has_value() && by.kind == Kind::Integer;
    std::int64_t distance = 0;
    out.has_offset = out.has_offset && !__builtin_mul_overflow(by.integer, *bytes, &distance) &&
                     !(op == BinaryOp::Add ? __builtin_add_overflow(out.integer, distance, &out.integer)
                                           : __builtin_sub_overflow(out.integer, distance, &out.integer));
    return out;
  }
  Value out = apply(op, left, right, types_);
  const bool is_compared = op >= BinaryOp::Lt && op <= BinaryOp::Ne;
  if (is_compared && left.kind == Kind::Integer && right.kind == Kind::Integer &&
      __builtin_sub_overflow(right.integer, left.integer, &distance_))
    distance_ = 0;
  if (left.is_drawn() && right.kind == Kind::Integer) stay_drawn(op, left, right.integer, &out);
  if (right.is_drawn() && left.kind == Kind::Integer && op == BinaryOp::Add)
    stay_drawn(op, right, left.integer, &out);
  out.formula = Formula::made(op, left, right);
  return out;
}

Value HostRun::binary(const cuda::BinaryExpr& node) {
  const Value left = eval(*node.left);
  if (node.op == BinaryOp::And || node.op == BinaryOp::Or) {
    const auto first = truth(left);
    const bool decides = node.op == BinaryOp::Or;
    if (first == decides) return integer(decides, ScalarType::Bool);
    Value other;
    const auto right = [&] {
      other = eval(*node.right);
      return Flow::Next;
    };
    if (first)
      right();
    else
      (void)either({right, [] { return Flow::Next; }});
    const auto second = truth(other);
    if (second == decides) return integer(decides, ScalarType::Bool);
    if (first && second) return integer(*second, ScalarType::Bool);
    return {.type = types_.of(ScalarType::Bool), .formula = Formula::made(node.op, left, other)};
  }
  const Value right = eval(*node.right);
  if (node.op == BinaryOp::Comma) return right;
  if (node.op == BinaryOp::Shr && !is_number(left.type)) {
    forget(right.place);  // a stream
    return {};
  }
  if (node.op == BinaryOp::Shl && left.kind == Kind::Object) forget({left.object});
  return combined(node.op, left, right);
}

Value HostRun::unary(const cuda::UnaryExpr& node) {
  if (node.op == UnaryOp::AddressOf) {
    if (const auto* element = as<cuda::IndexExpr>(*node.operand)) {
      const Value base = eval(*element->base);
      const bool is_flat = base.kind == Kind::Pointer && at(base.object).extents.empty();
      if (is_flat) return combined(BinaryOp::Add, base, eval(*element->index));
    }
    const Value value = eval(*node.operand);
    const Place of = value.place;
    if (!of.is_valid()) return value.kind == Kind::Function ? value : Value{.has_offset = false};
    const Object& object = at(of.object);
    if (object.is_shared && object.kind == Object::Kind::Scalar) return {.has_offset = false};
    if (of.index == Place::kWhole) {
      const bool is_container = object.kind == Object::Kind::Container;
      return pointer(of.object, 0, is_container ? nullptr : types_.pointer_to(object.type));
    }
    Value out = pointer(of.object, 0, types_.pointer_to(object.type));
    const auto bytes = size_of(object.type);
    out.has_offset =
        of.index >= 0 && bytes.has_value() && !__builtin_mul_overflow(of.index, *bytes, &out.integer);
    return out;
  }
  Value value = eval(*node.operand);
  if (node.op == UnaryOp::Dereference) {
    const auto own = own_operator(value, "operator*", {});
    return own ? *own : read(deref(value));
  }
  const Place of = std::exchange(value.place, {});
  if (node.op >= UnaryOp::PreIncrement) {
    const bool adds = node.op == UnaryOp::PreIncrement || node.op == UnaryOp::PostIncrement;
    write(of, combined(adds ? BinaryOp::Add : BinaryOp::Sub, value, integer(1)));
    if (!of.is_valid()) lose(value, false);
    return node.op == UnaryOp::PreIncrement || node.op == UnaryOp::PreDecrement ? read(of) : value;
  }
  if (node.op == UnaryOp::Not) return combined(BinaryOp::Eq, value, integer(0));
  if (node.op == UnaryOp::Minus) return combined(BinaryOp::Sub, integer(0), value);
  if (node.op == UnaryOp::BitNot) return combined(BinaryOp::BitXor, value, integer(-1));
  return value;
}

Value HostRun::assign(const cuda::AssignExpr& node) {
  Value value = eval(*node.value);
  const Value target = eval(*node.target);
  const Place of = target.place;
  if (!of.is_valid()) {
    hand_over(value);
    lose(target, false);
    value.place = {};
    return value;
  }
  const bool is_list = written_as<cuda::InitListExpr>(value) != nullptr;
  const std::string name = "operator" + (node.op ? cuda::spelling(*node.op) : std::string()) + "=";
  if (!is_list && of.index == Place::kWhole && own_operator(target, name, {value})) return read(of);
  write(of, node.op ? combined(*node.op, target, value) : value);
  return read(of);
}

Value HostRun::sized(const Value& count, const Type* element) {
  const auto bytes = size_of(element);
  return bytes ? combined(BinaryOp::Mul, cast(count, types_.of(ScalarType::U64)),
                          integer(*bytes, ScalarType::U64))
               : Value{};
}

// `n` of n * 4 for 4 bytes, without a division.
Value HostRun::counted(const Value& bytes, std::int64_t element) {
  Value out = combined(BinaryOp::Div, bytes, integer(element, ScalarType::U64));
  out.type = types_.of(ScalarType::U64);
  if (!bytes.formula || bytes.formula->op != "*") return out;
  for (const std::size_t side : {0u, 1u})
    if (const Value& factor = bytes.formula->operands[side];
        factor.kind == Kind::Integer && factor.integer == element)
      out.formula = bytes.formula->operands[1 - side].formula;
  return out;
}

Value HostRun::construct(const Type* type, const Values& arguments) {
  const int object = make_object(type);
  make(object, arguments);
  // `U(n)` of a type that is not known is n.
  return at(object).kind == Object::Kind::Scalar ? at(object).value : made(object);
}

// `T t(a, b)`
void HostRun::make(int object, const Values& arguments) {
  const Object::Kind kind = at(object).kind;
  const Type* type = at(object).type;
  const Value first = arguments.empty() ? Value{} : arguments.front();
  const bool is_class = type != nullptr && !type->scalar && type->pointers == 0;
  if (kind == Object::Kind::Struct) return make_struct(object, arguments);
  if (kind == Object::Kind::Array) return forget({object});
  if (kind == Object::Kind::Scalar && arguments.size() < 2) {
    if (is_class) hand_over(first);  // std::thread t(f)
    return write({object}, !arguments.empty() ? first : is_class ? Value{} : cast(integer(0), type));
  }
  if (kind == Object::Kind::Container && !arguments.empty()) {
    if (first.is_number() || first.formula) {
      at(object).bytes = sized(first, at(object).type);
      const Value all = arguments.size() > 1 ? arguments[1] : integer(0);
      empty(object, all.is_number() && all.real() == 0);
      at(object).is_known = all.is_number();
    } else if (first.kind == Kind::Object) {
      write({object}, first);
    } else {
      hand_over(first);  // whose owner it is: what its destructor changes is not known
      at(object).bytes = {};
    }
    return;
  }
  // A class of a header that is not here may take references; those of libraries are no Names.
  const bool is_reference = type != nullptr && std::isupper(type->name[0]) && !unit_.ignored_includes.empty();
  for (const Value& argument : arguments) hand_over(argument, is_reference);
}

// By its constructor, or member by member: `P p(a, b)`, `{1, 2}`, `{.n = 1}`.
void HostRun::make_struct(int object, const Values& arguments) {
  const Type* type = at(object).type;
  const cuda::Struct* of = find_struct(type);
  const std::vector<Field>& fields = layout_of(type).fields;
  const Value first = arguments.empty() ? Value{} : arguments.front();
  const bool is_named = written_as<cuda::DesignatedExpr>(first) != nullptr;
  const Function* constructor = of && !is_named ? find_method(*of, "", arguments) : nullptr;
  if (constructor != nullptr) {
    (void)call({.function = constructor, .self = object, .of = of}, arguments);
    return;
  }
  if (arguments.size() == 1 && first.kind == Kind::Object && first.type == type)
    return write({object}, first);
  if (of != nullptr && !is_named && has_constructor(*of, arguments.size())) {  // which of several?
    for (const Value& argument : arguments) hand_over(argument, true);
    return forget({object});
  }
  make_members(object, {});
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (const auto* named = written_as<cuda::DesignatedExpr>(arguments[i]))
      initialise(part(object, named->member), eval(*named->value));
    else if (i < fields.size() && !bind(object, fields[i].name, arguments[i])) {
      const int field = part(object, fields[i].name);
      const Value& value = arguments[i];
      // `{1, 2, 3}` of an array and a number: which number is whose is not worked out.
      const bool is_number = value.is_number() || value.kind == Kind::Pointer || value.formula;
      const bool is_dim3 = at(field).type != nullptr && at(field).type->text == "dim3";
      const bool is_open = at(field).kind != Object::Kind::Scalar && is_number && !is_dim3;
      if (is_open && arguments.size() > 1) return forget({object});
      initialise(field, value);
    }
}

// A member that is a reference is what it refers to.
bool HostRun::bind(int object, const std::string& member, const Value& to) {
  const Field* field = field_of(at(object).type, member);
  if (field == nullptr || !field->written || !field->written->type.reference) return false;
  if (to.place.is_valid() && to.place.index == Place::kWhole)
    at(object).parts.insert_or_assign(member, to.place.object);
  else
    share(to.place);
  return true;
}

// As a constructor does it, or nobody: bases and members that are structs have their own.
void HostRun::make_members(int object, const std::vector<cuda::MemberInit>& inits) {
  const cuda::Struct* of = find_struct(at(object).type);
  if (of == nullptr || depth_ > kDeepestExpression || ++steps_ > kAllSteps) return;
  const Within deeper(depth_, depth_ + 1);
  if (inits.size() == 1 && inits[0].name == last_part(of->name))
    return make_struct(object, values_of(inits[0].arguments));
  for (const cuda::StructField& field : of->fields) {
    const std::string_view name = field.name.starts_with("#:") ? last_part(field.type.name) : field.name;
    const auto init = std::ranges::find(inits, name, [](const auto& one) { return last_part(one.name); });
    const Values given = init != inits.end() ? values_of(init->arguments) : Values{};
    if (given.empty() && (!field.extents.empty() || field.initializer)) continue;
    if (given.size() == 1 && bind(object, field.name, given[0])) continue;
    const int member = part(object, field.name);
    if (!given.empty() || at(member).kind == Object::Kind::Struct) make(member, given);
  }
}

void HostRun::initialise(int object, const Value& value) {
  const auto* list = written_as<cuda::InitListExpr>(value);
  const Object::Kind kind = at(object).kind;
  const bool is_plain = at(object).is_plain();
  const auto* text =
      kind == Object::Kind::Array && is_plain ? written_as<cuda::StringLiteral>(value) : nullptr;
  if (list == nullptr && text == nullptr) {
    const bool may_be_copied = kind == Object::Kind::Struct && value.kind == Kind::Object;
    const int base = may_be_copied && value.place.is_valid() ? as_base(value.object, at(object).type) : -1;
    return base >= 0 ? make_struct(object, {read({base})}) : write({object}, value);
  }
  if (kind == Object::Kind::Scalar || kind == Object::Kind::Struct)
    return make(object, values_of(list->elements));
  at(object).is_zero = true;
  const std::size_t count = text != nullptr ? text->value.size() + 1 : list->elements.size();
  for (std::size_t i = 0; i + (text != nullptr) < count && i < kMostNumbers; ++i) {
    const auto index = static_cast<std::int64_t>(i);
    if (text != nullptr)
      write({object, index}, integer(text->value[i], ScalarType::I8));
    else if (is_plain)
      write({object, index}, eval(*list->elements[i]));
    else
      initialise(part(object, std::to_string(index)), eval(*list->elements[i]));
  }
  const bool has_length = kind == Object::Kind::Array && at(object).bytes.kind == Kind::Integer;
  if (!has_length) at(object).bytes = sized(integer(static_cast<std::int64_t>(count)), at(object).type);
}

}  // namespace warplens::app::host
