// From lvalues to values and back: loads and stores, elements, members, pointees.
#include <algorithm>

#include "sim/lower/lowering.h"
#include "sim/text/scan.h"

namespace warplens::sim::lower {
Result Lowering::rvalue(Result result, const AccessText& text) {
  switch (result.kind) {
    case Kind::Variable:
      result.kind = Kind::Rvalue;
      result.type = types.plain(result.type);
      return result;
    case Kind::Memory:
      if (!result.parts.empty()) return {Kind::Rvalue, types.plain(result.type), result.parts, {}};
      if (result.type->is(Type::Kind::Array))
        return pointer_value(types.pointer(result.type->element), result.address);
      return load(result, text);
    case Kind::Rvalue:
      result.type = types.plain(result.type);
      return result;
    default:
      return result;
  }
}

// What a reference stands for from here on: a place, and not what it held at this moment.
Result Lowering::referred(Result object) {
  if (object.kind != Kind::Memory) return object;
  object.parts.clear();
  object.address = b.settled(object.address);
  return object;
}

namespace {

// What lies `offset` bytes behind the beginning of an object in memory.
Address part_of(const Result& object, std::int64_t offset) {
  Address address = object.address;
  address.advance(offset);
  return address;
}

}  // namespace

Result Lowering::load(const Result& lvalue, const AccessText& text) {
  const TypeRef type = types.plain(lvalue.type);
  if (leaf_count(type) > kMostLeaves) {
    return fail(text.range, Message("'{}' is too large to be copied as a whole", name_of(type)),
                Message("copy its elements in a loop"));
  }
  Result result{Kind::Rvalue, type, {}, {}};
  for (const Chunk& chunk : chunks_of(type)) {
    const Address address = part_of(lvalue, chunk.offset);
    const std::vector<Value> values =
        chunk.components == 1 ? std::vector<Value>{b.ir.temp(chunk.scalar)}
                              : b.ir.group(ValueInfo::Kind::Temp, chunk.scalar, chunk.components, b.region);
    AccessText part = text;
    part.text += chunk.suffix;
    b.load(address, part, chunk.scalar, values);
    result.parts.insert(result.parts.end(), values.begin(), values.end());
  }
  return result;
}

// Const, or in constant memory as far as is seen here; what is not is seen when it runs.
bool Lowering::is_read_only(const Result& place) const {
  if (place.type->is_const) return true;
  if (place.kind != Kind::Memory || place.address.base == kNone) return false;
  return b.ir.space_of(place.address.base) == Origin::Kind::Constant;
}

void Lowering::store(const Result& lvalue, const Result& stored, const AccessText& text) {
  const TypeRef type = types.plain(lvalue.type);
  if (leaf_count(type) > kMostLeaves) {
    error(text.range, Message("'{}' is too large to be copied as a whole", name_of(type)),
          Message("copy its elements in a loop"));
    return;
  }
  std::vector<Value> parts = stored.parts;
  if (parts.empty() && stored.type->is_pointer()) parts = {scalar_value(stored)};
  for (const Chunk& chunk : chunks_of(type)) {
    const Address address = part_of(lvalue, chunk.offset);
    AccessText part = text;
    part.text += chunk.suffix;
    const auto first = parts.begin() + chunk.leaf;
    b.store(address, part, chunk.scalar, std::vector<Value>(first, first + chunk.components));
  }
}

// All at once: a value may be one of the variables that are written.
void Lowering::assign_parts(const std::vector<Value>& targets, TypeRef type,
                            const std::vector<Value>& values) {
  const std::vector<Leaf> leaves = leaves_of(type);
  std::vector<Value> sources = values;
  for (std::size_t i = 1; i < sources.size(); ++i) {
    const auto written_before = targets.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(targets.begin(), written_before, sources[i]) != written_before) {
      sources[i] = b.copy(scalar_of(leaves[i].type), sources[i]);
    }
  }
  for (std::size_t i = 0; i < targets.size() && i < sources.size(); ++i) {
    b.move(targets[i], scalar_of(leaves[i].type), sources[i]);
  }
}

Value Lowering::scalar_value(const Result& result) {
  if (!result.parts.empty()) return result.parts[0];
  return result.address.base == kNone ? kNone : b.address_value(result.address);
}

Address Lowering::address_of(const Result& pointer) {
  if (!pointer.parts.empty()) return Address{pointer.parts[0], {}, 0};
  return pointer.address;
}

Result Lowering::settled(Result result) {
  if (result.kind != Kind::Rvalue) return result;
  if (result.parts.empty() && result.type->is_pointer()) result.parts = {scalar_value(result)};
  const std::vector<Leaf> leaves = leaves_of(result.type);
  for (std::size_t i = 0; i < result.parts.size() && i < leaves.size(); ++i) {
    result.parts[i] = b.settled(scalar_of(leaves[i].type), result.parts[i]);
  }
  result.address = {};
  return result;
}

Result Lowering::zero_of(TypeRef type) {
  Result result{Kind::Rvalue, types.plain(type), {}, {}};
  for (const Leaf& leaf : leaves_of(type)) result.parts.push_back(b.ir.constant(scalar_of(leaf.type), 0));
  return result;
}

// ---- elements, members, pointees

Result Lowering::element_of(const Result& base, const Result& index, const cuda::Expr& e) {
  if (!index.type->is_integer()) {
    return fail(e.range, Message("an index must be an integer, not '{}'", name_of(index.type)),
                Message("convert it with int(...)"));
  }
  const ScalarType type = sim::promoted(index.type->scalar);
  const bool is_array = base.kind == Kind::Memory && base.type->is(Type::Kind::Array);
  const TypeRef element = base.type->element;
  if (element->is(Type::Kind::Void))
    return fail(e.range, Message("a 'void*' cannot be indexed"), Message("cast it to a typed pointer"));
  Result result{Kind::Memory, element, {}, is_array ? base.address : address_of(base)};
  const auto known = b.constant_integer(index.value(), type);
  if (is_array && base.type->extent > 0 && known && (*known < 0 || *known >= base.type->extent)) {
    warning(e.range,
            Message("index {} is outside of the array, which has {} elements", *known, base.type->extent));
  }
  const Origin origin = is_array ? b.ir.values[base.address.base].origin : Origin{};
  if (origin.kind == Origin::Kind::Array && b.ir.arrays[origin.array].of_host && !known &&
      !is_library(e.range))
    warning(e.range,
            Message("'{}' is an array of the host: nvcc refuses an index that is not known when compiling",
                    b.ir.arrays[origin.array].name),
            Message("make it a __device__ constexpr array of the file"));
  b.add_index(result.address, scalar_as(index, type), type, size_of(element),
              is_array && base.type->extent > 0);
  return result;
}

Result Lowering::dereference(const Result& pointer, const cuda::SourceRange& range) {
  if (!pointer.type->is_pointer()) {
    return fail(range, Message("'*' needs a pointer, not '{}'", name_of(pointer.type)));
  }
  if (pointer.type->element->is(Type::Kind::Void)) {
    return fail(range, Message("a 'void*' cannot be dereferenced"), Message("cast it to a typed pointer"));
  }
  return {Kind::Memory, pointer.type->element, {}, address_of(pointer)};
}

namespace {

// The member without a name that `member` is in, at whatever depth; or null.
const Field* nameless_with(const Record& record, const std::string& member) {
  for (const Field& field : record.fields) {
    if (!field.name.starts_with('#') || !field.type->is(Type::Kind::Record)) continue;
    const Record& inner = *field.type->record;
    const bool has =
        std::ranges::any_of(inner.fields, [&](const Field& each) { return each.name == member; });
    if (has || nameless_with(inner, member) != nullptr) return &field;
  }
  return nullptr;
}

}  // namespace

// `leaf`: how many leaves lie before it.
Result Lowering::field_of(const Result& base, const Field& field, int leaf) {
  Result result{base.kind, types.with_const(field.type, field.type->is_const || base.type->is_const), {}, {}};
  if (base.kind == Kind::Memory) {
    result.address = part_of(base, field.offset);
  } else {
    result.parts.assign(base.parts.begin() + leaf, base.parts.begin() + leaf + leaf_count(field.type));
  }
  return result;
}

Result Lowering::member_of(const Result& base, const std::string& member, const cuda::SourceRange& range) {
  if (!base.type->is(Type::Kind::Record)) {
    const Message remedy = base.type->is_pointer() ? Message("use '->' on a pointer") : Message();
    return fail(range, Message("'{}' has no members", name_of(base.type)), remedy);
  }
  if (base.type->record->is_union && base.kind != Kind::Memory) {  // its bytes have to lie somewhere
    const Result object = objects.new_object(types.plain(base.type), base.type->record->name);
    store(object, base, {range, "", nullptr});
    return member_of(object, member, range);
  }
  int leaf = 0;
  for (const Field& field : base.type->record->fields) {
    if (field.name == member) {
      return field_of(base, field, leaf);
    }
    leaf += leaf_count(field.type);
  }
  if (const Field* nameless = nameless_with(*base.type->record, member))
    return member_of(member_of(base, nameless->name, range), member, range);
  std::vector<std::string> names;
  for (const Field& field : base.type->record->fields)
    if (!field.name.starts_with('#')) names.push_back(field.name);
  Message remedy = suggestion(member, names);
  if (remedy.empty() && !names.empty())
    remedy =
        Message("it has {}", text::joined(names, [](const std::string& name) { return "'" + name + "'"; }));
  return fail(range, Message("'{}' has no member '{}'", name_of(types.plain(base.type)), member), remedy);
}

}  // namespace warplens::sim::lower
