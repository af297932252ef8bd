// Bit fields: where they lie, and what reads and writes them. As the Itanium C++ ABI lays them out, and as
// nvcc 13.0 reaches them: by a load, and for a write a store behind it, of the whole unit, an integer of the
// declared type's size.
#include <algorithm>

#include "sim/lower/lowering.h"

namespace warplens::sim::lower {
namespace {

ScalarType unit_type(std::int64_t bytes) {
  return bytes == 1   ? ScalarType::U8
         : bytes == 2 ? ScalarType::U16
         : bytes == 4 ? ScalarType::U32
                      : ScalarType::U64;
}

// What shifts and masks are made in.
ScalarType wide_type(std::int64_t bytes) {
  return bytes == 8 ? ScalarType::U64 : ScalarType::U32;
}

std::uint64_t low_bits(int width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

}  // namespace

// Whether it is one whose bits have no sign.
bool Lowering::names_enumeration(const std::string& name, const Record& record) const {
  const auto is_it = [&](const cuda::StmtPtr& stmt) {
    const auto* alias = stmt ? std::get_if<cuda::UsingStmt>(&stmt->node) : nullptr;
    return alias != nullptr && alias->is_enumeration && alias->name == name;
  };
  const auto global = globals_.find(name);
  if (global != globals_.end() && global->second.alias) return global->second.alias->is_enumeration;
  const auto& members = record.definition->members;
  return std::any_of(members.begin(), members.end(), is_it);
}

// Behind the bits before, unless it would then reach over the end of an integer of its type. `end` is the
// struct's, in bits.
void Lowering::lay_out_bits(const cuda::StructField& field, Record& record, std::int64_t& end) {
  const TypeRef type = resolve(field.type);
  const auto width = constant_integer(*field.bits, Message("the width of a bit field"));
  if (!type || !width) return;
  const bool is_integer = type->is_scalar() && !sim::is_floating(scalar_of(type));
  const std::int64_t most = is_integer ? 8 * size_of(type) : 0;
  if (*width < 0 || *width > most || (*width == 0 && !field.name.empty()))
    return error(field.range, Message("'{}' cannot be a bit field of {} bits", name_of(type), *width));
  std::int64_t at = record.is_union ? 0 : end;
  if (*width == 0 || at % most + *width > most) at = (at + most - 1) / most * most;
  end = std::max(end, at + *width);
  record.alignment = std::max(record.alignment, alignment_asked(field));
  if (field.name.empty()) return;
  record.alignment = std::max(record.alignment, alignment_of(type));
  const bool is_enumeration = names_enumeration(field.type.name, record);
  record.bit_fields.push_back({field.name, is_enumeration ? types.scalar(ScalarType::U32) : types.plain(type),
                               at / most * size_of(type), static_cast<int>(at % most),
                               static_cast<int>(*width)});
  record.has_bits |= record.is_union;
}

// Fields for the units, each with those within it (units are aligned: two that overlap lie one in the other).
// A struct that has another member within a unit lies in memory, and is not copied as a whole.
void Lowering::add_units(Record& record) {
  const auto end_of = [](const auto& field) { return field.offset + size_of(field.type); };
  const auto overlap = [&](const auto& x, const auto& y) {
    return x.offset < end_of(y) && y.offset < end_of(x);
  };
  std::vector<Field> units;
  for (const BitField& field : record.bit_fields) {
    record.has_bits |=
        end_of(field) > record.size || std::any_of(record.fields.begin(), record.fields.end(),
                                                   [&](const Field& other) { return overlap(field, other); });
    const auto in_it = std::remove_if(units.begin(), units.end(), [&](const Field& unit) {
      return overlap(field, unit) && size_of(unit.type) < size_of(field.type);
    });
    units.erase(in_it, units.end());
    if (std::none_of(units.begin(), units.end(), [&](const Field& unit) { return overlap(field, unit); }))
      units.push_back({"#bits" + std::to_string(field.offset), types.scalar(unit_type(size_of(field.type))),
                       field.offset});
  }
  record.needs_address |= record.has_bits;
  if (record.has_bits) return;
  for (BitField& field : record.bit_fields)
    field.unit = std::find_if(units.begin(), units.end(), [&](const Field& unit) {
                   return overlap(field, unit);
                 })->name;
  for (const Field& unit : units) {
    const auto behind = std::find_if(record.fields.begin(), record.fields.end(), [&](const Field& other) {
      return other.offset > unit.offset && !is_base(other.name);
    });
    record.fields.insert(behind, unit);
  }
}

// The unit that holds it, as a number of 32 or 64 bits.
Value Lowering::unit_of(const Result& place, const AccessText& text) {
  const std::int64_t bytes = place.bits->bytes;
  Result unit = place;
  unit.bits.reset();
  unit.type = types.scalar(unit_type(bytes));
  return b.convert(rvalue(unit, text).value(), unit_type(bytes), wide_type(bytes));
}

Result Lowering::read_bits(const Result& place, const AccessText& text) {
  const TypeRef type = types.plain(place.type);
  const auto [shift, width, bytes] = *place.bits;
  const ScalarType wide = wide_type(bytes), to = type->scalar;
  const int bits = 8 * sim::size_of(wide);
  const auto number = [&](int n) { return b.integer(wide, static_cast<std::uint64_t>(n)); };
  Value v = unit_of(place, text);
  if (is_signed(to) && to != ScalarType::Bool) {
    const ScalarType with_sign = bits == 64 ? ScalarType::I64 : ScalarType::I32;
    v = b.op(Opcode::Shl, with_sign, b.convert(v, wide, with_sign), number(bits - shift - width));
    v = b.convert(b.op(Opcode::Shr, with_sign, v, number(bits - width)), with_sign, to);
  } else {
    v = b.op(Opcode::And, wide, b.op(Opcode::Shr, wide, v, number(shift)), b.integer(wide, low_bits(width)));
    v = to == ScalarType::Bool ? b.op(Opcode::Ne, wide, v, number(0)) : b.convert(v, wide, to);
  }
  Result result = value(type, v);
  result.width = width;
  return result;
}

// The other bits of the unit stay as they are.
void Lowering::write_bits(const Result& place, const Result& stored, const AccessText& text) {
  const auto [shift, width, bytes] = *place.bits;
  const ScalarType wide = wide_type(bytes), unit = unit_type(bytes);
  const std::uint64_t mask = low_bits(width) << shift;
  const Value given = b.convert(stored.value(), stored.type->scalar, wide);
  const Value moved = b.op(Opcode::Shl, wide, given, b.integer(wide, static_cast<std::uint64_t>(shift)));
  const Value kept = b.op(Opcode::And, wide, unit_of(place, text), b.integer(wide, ~mask));
  const Value whole = b.op(Opcode::Or, wide, kept, b.op(Opcode::And, wide, moved, b.integer(wide, mask)));
  Result target = place;
  target.bits.reset();
  target.type = types.scalar(unit);
  const Result result = value(unit, b.convert(whole, wide, unit));
  if (target.kind == Kind::Variable)
    assign_parts(target.parts, target.type, result.parts);
  else
    store(target, result, text);
}

// What an operator makes of it first: int where that holds all the values that the bits can have.
ScalarType Lowering::promoted(const Result& operand) const {
  const ScalarType type = operand.type->scalar;
  if (operand.width == 0 || sim::size_of(type) < 4) return sim::promoted(type);
  if (operand.width < 32 || (is_signed(type) && operand.width == 32)) return ScalarType::I32;
  return operand.width == 32 ? ScalarType::U32 : type;
}

}  // namespace warplens::sim::lower
