// CUDA's conversions: promotions, the usual arithmetic ones, implicit and explicit ones.
#include "sim/lower/lowering.h"

namespace warplens::sim::lower {

// What an operator makes of these: of 64 bits a long, unless an operand is a long long.
TypeRef Lowering::arithmetic_type(ScalarType type, TypeRef left, TypeRef right) const {
  const auto is_long_long = [](TypeRef of) {
    return of && of->is_integer() && size_of(of) == 8 && !of->is_other;
  };
  return is_long_long(left) || is_long_long(right) ? types.scalar(type) : types.long_or(type);
}

// 0: the same; 1: a promotion or a qualification; 2: an arithmetic or pointer conversion; 3: one that a
// struct defines; -1: none.
int Lowering::conversion_rank(const Result& from, TypeRef to, bool is_lvalue_wanted) {
  if (to->is(Type::Kind::Error)) return 0;
  const TypeRef source = types.plain(from.type), target = types.plain(to);
  if (is_lvalue_wanted && !from.is_lvalue()) return -1;
  if (is_lvalue_wanted && from.type->is_const) return -1;
  if (source == target || function_values.takes_whichever(target, source)) return 0;
  if (derives_from(source, target)) return 2;
  if (is_lvalue_wanted) return -1;
  if (source->is_null()) return target->is_pointer() ? 2 : -1;
  if (target->is_null()) return -1;
  if (source->is_scalar() && target->is_scalar()) {
    const bool promotes =
        (sim::promoted(source->scalar) == target->scalar && source->scalar != target->scalar) ||
        (source->scalar == ScalarType::F32 && target->scalar == ScalarType::F64);
    return promotes ? 1 : 2;
  }
  const bool decays = source->is(Type::Kind::Array) || source->is_pointer();
  if (decays && target->is_pointer()) {
    const TypeRef element = source->element, wanted = target->element;
    if (element == wanted) return 0;
    TypeRef innermost = wanted;  // float[4] to const float[4]
    while (innermost->is(Type::Kind::Array)) innermost = innermost->element;
    if (types.plain(element) == types.plain(wanted) && innermost->is_const) return 1;
    const bool fits = wanted->is(Type::Kind::Void) || derives_from(element, wanted);
    return fits && (wanted->is_const || !element->is_const) ? 2 : -1;
  }
  if (decays && target->is_scalar() && target->scalar == ScalarType::Bool) return 2;
  if (source->is_integer() && target->is_pointer() && from.kind == Kind::Rvalue) {
    return b.bits(from.value()) == std::uint64_t{0} ? 2 : -1;  // a null pointer
  }
  if (source->is(Type::Kind::Record) && members.conversion_to(source->record, target)) return 3;
  if (target->is(Type::Kind::Record) && members.converts_from(target->record, from, true)) return 3;
  return -1;
}

namespace {

Message cannot_convert(TypeRef from, TypeRef to) {
  return Message("cannot convert '{}' to '{}'", name_of(from), name_of(to));
}

}  // namespace

Result Lowering::convert(Result from, TypeRef to, const cuda::SourceRange& range, Cast cast) {
  if (!to || to->is(Type::Kind::Error)) stop();
  const TypeRef target = types.plain(to);
  if (target->is(Type::Kind::Void) && cast != Cast::Implicit) return void_result();
  if (from.kind == Kind::Void) return fail(range, Message("an expression of type 'void' has no value"));
  const TypeRef source = from.type;
  if (source == target || function_values.takes_whichever(target, source)) return from;
  if (derives_from(source, target)) return members.as_base(from, target->record, range);
  if (source->is(Type::Kind::Function) && target->is(Type::Kind::Function)) {
    return fail(range, Message("which function this is must be known when compiling"),
                Message("call functions by their names, or pass them as template arguments"));
  }
  if (source->is(Type::Kind::Record)) {
    if (const cuda::Function* conversion = members.conversion_to(source->record, target)) {
      const Result own = call_method(source->record, from, conversion->name, {}, {}, range, range);
      return convert(rvalue(own, {range, text_of(range), nullptr}), to, range, cast);
    }
  }
  const bool is_implicit = cast == Cast::Implicit;
  if (target->is(Type::Kind::Record) && members.converts_from(target->record, from, is_implicit)) {
    return objects.constructed(target, {{nullptr, from}}, range, is_implicit);
  }
  if (source->is_scalar() && target->is_scalar()) {
    if (cast == Cast::Reinterpret)
      return fail(range, cannot_convert(source, target), Message("use static_cast"));
    return value(target, b.convert(from.value(), source->scalar, target->scalar));
  }
  if (source->is_pointer() && target->is_pointer()) {
    const bool loses_const = source->element->is_const && !target->element->is_const;
    if (cast == Cast::Implicit && conversion_rank(from, target, false) < 0) {
      return fail(range, cannot_convert(source, target),
                  types.plain(source->element) == types.plain(target->element)
                      ? Message("declare the pointer const as well")
                      : Message("use reinterpret_cast"));
    }
    const bool is_upward = derives_from(source->element, target->element);
    const bool is_downward = derives_from(target->element, source->element);
    if (cast == Cast::Static && !source->element->is(Type::Kind::Void) && !is_upward && !is_downward &&
        !target->element->is(Type::Kind::Void) &&
        types.plain(source->element) != types.plain(target->element)) {
      return fail(range, cannot_convert(source, target), Message("use reinterpret_cast"));
    }
    if ((cast == Cast::Static || cast == Cast::Reinterpret) && loses_const) {
      return fail(range, cannot_convert(source, target), Message("keep the const"));
    }
    const std::int64_t offset = cast == Cast::Reinterpret ? 0
                                : is_upward   ? base_offset(source->element->record, target->element->record)
                                : is_downward ? -base_offset(target->element->record, source->element->record)
                                              : 0;
    if (offset != 0) {
      const Value bytes = b.integer(ScalarType::U64, static_cast<std::uint64_t>(offset));
      return value(target, b.op(Opcode::Add, ScalarType::U64, scalar_value(from), bytes));
    }
    from.type = target;
    return from;
  }
  if (source->is_integer() && target->is_pointer()) {
    if (cast == Cast::C || cast == Cast::Reinterpret || conversion_rank(from, target, false) >= 0) {
      return value(target, b.convert(from.value(), source->scalar, ScalarType::U64));
    }
  }
  if (source->is_pointer() && target->is_scalar()) {
    if (target->scalar == ScalarType::Bool && cast != Cast::Reinterpret) {
      return value(target,
                   b.op(Opcode::Ne, ScalarType::U64, scalar_value(from), b.integer(ScalarType::U64, 0)));
    }
    const bool is_wide = target->scalar == ScalarType::U64 || target->scalar == ScalarType::I64;
    if ((cast == Cast::C || cast == Cast::Reinterpret) && is_wide) return value(target, scalar_value(from));
    if (cast == Cast::C || cast == Cast::Reinterpret) {
      return fail(range, cannot_convert(source, target),
                  Message("a pointer has 64 bits: use size_t or uintptr_t"));
    }
  }
  return fail(range, cannot_convert(source, target));
}

Value Lowering::to_bool(const Result& result, const cuda::SourceRange& range) {
  return convert(result, types.scalar(ScalarType::Bool), range).value();
}

}  // namespace warplens::sim::lower
