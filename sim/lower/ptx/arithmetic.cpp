// Arithmetic of inline PTX: each instruction as the operation that C++ has for it.
#include <algorithm>
#include <array>

#include "sim/lower/ptx/matrix_types.h"
#include "sim/lower/ptx/ptx_lowering.h"

namespace warplens::sim::lower {

namespace {

// Two halves in a register, or one: computed as floats and rounded once.
std::optional<ScalarType> small_type(std::string_view name) {
  if (name == "f16" || name == "f16x2") return ScalarType::F16;
  if (name == "bf16" || name == "bf16x2") return ScalarType::BF16;
  return {};
}

std::optional<Opcode> opcode_of(std::string_view name) {
  static constexpr Word<Opcode> kNames[] = {
      {"add", Opcode::Add}, {"sub", Opcode::Sub}, {"div", Opcode::Div}, {"rem", Opcode::Rem},
      {"min", Opcode::Min}, {"max", Opcode::Max}, {"and", Opcode::And}, {"or", Opcode::Or},
      {"xor", Opcode::Xor}, {"neg", Opcode::Neg}, {"abs", Opcode::Abs}, {"not", Opcode::BitNot},
      {"mul", Opcode::Mul}};
  return meaning_of(name, kNames);
}

bool is_pair(std::string_view type) {
  return type.ends_with("x2");
}

}  // namespace

// mov %0, %1; of a vector to or from a wider register too: {%1, %2}.
bool PtxLowering::move(const Instruction& i) {
  const auto type = ptx_type(i.last());
  if (!type) return refuse(i);
  const Operand &to = i.operands[0], &from = i.operands[1];
  const bool packs = from.kind == Operand::Kind::Vector, unpacks = to.kind == Operand::Kind::Vector;
  if (!packs && !unpacks) {
    const Value value = read(from, *type);
    const auto known = cells_.find(from.name);
    std::optional<Address> address;
    if (known != cells_.end()) address = known->second.address;
    write(to, *type, value);
    if (address && condition_ == kNone && to.name != "_" && !cells_[to.name].stays)
      cells_[to.name].address = address;
    return true;
  }
  if (packs && unpacks) return refuse(i);
  const auto& parts = packs ? from.parts : to.parts;
  const int bits = size_of(*type) * 8 / static_cast<int>(std::max<std::size_t>(parts.size(), 1));
  const ScalarType whole = size_of(*type) == 8 ? ScalarType::U64 : ScalarType::U32;
  const ScalarType part_type = bits == 32 ? ScalarType::U32 : bits == 16 ? ScalarType::U16 : ScalarType::U8;
  if (bits != 32 && bits != 16 && bits != 8) return refuse(i);
  const auto by = [&](std::size_t part) { return number(part * static_cast<std::uint64_t>(bits), whole); };
  if (unpacks) {
    const Value value = read(from, whole);
    for (std::size_t part = 0; part < parts.size(); ++part)
      write(parts[part], part_type, cast(b_.op(Opcode::Shr, whole, value, by(part)), whole, part_type));
    return true;
  }
  Value sum = number(0, whole);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const Value value = read(parts[part], part_type);
    sum = b_.op(Opcode::Or, whole, sum, b_.op(Opcode::Shl, whole, cast(value, part_type, whole), by(part)));
  }
  return write(to, whole, sum);
}

// One half or two in each word: each computed by itself, as singles, and rounded once.
template <class Compute>
bool PtxLowering::each_half(const Instruction& i, std::size_t operands, Compute compute) {
  const ScalarType small = *small_type(i.last());
  Value words[3], sum = number(0);
  for (std::size_t k = 0; k < operands; ++k) words[k] = read(i.operands[k + 1], ScalarType::U32);
  for (std::uint64_t part = 0; part < (is_pair(i.last()) ? 2 : 1); ++part) {
    const Value by = number(16 * part);
    Value x[3];
    for (std::size_t k = 0; k < operands; ++k)
      x[k] = b_.single_of_bits(b_.op(Opcode::Shr, ScalarType::U32, words[k], by), small);
    const Value bits = b_.bits_of_small(compute(x), small);
    sum = b_.op(Opcode::Or, ScalarType::U32, sum, b_.op(Opcode::Shl, ScalarType::U32, bits, by));
  }
  return write(i.operands[0], ScalarType::U32, sum);
}

// .sat: into 0 to 1, what is no number is 0. .relu: what is below zero is zero.
Value PtxLowering::clamped(const Instruction& i, ScalarType type, Value value) {
  const Value zero = b_.number(type, 0);
  if (i.has("sat"))
    value = b_.op(Opcode::Min, type, b_.op(Opcode::Max, type, value, zero), b_.number(type, 1));
  if (i.has("relu")) value = b_.op(Opcode::Select, type, b_.op(Opcode::Lt, type, value, zero), zero, value);
  return value;
}

// A single by .rz, .rm or .rp of what `exact` has in 53 bits.
Value PtxLowering::rounded(const Instruction& i, Value exact) {
  constexpr ScalarType wide = ScalarType::F64;
  const MathFunction function = i.has("rz")   ? MathFunction::FloatToZero
                                : i.has("rp") ? MathFunction::FloatUp
                                              : MathFunction::FloatDown;
  return b_.convert(b_.math(function, wide, wide, exact), wide, ScalarType::F32);
}

// An operation on numbers as it is said to be rounded; of doubles the nearest, whatever is said.
Value PtxLowering::arithmetic(const Instruction& i, Opcode opcode, ScalarType type, const Value* x,
                              std::size_t count) {
  const bool is_directed = type == ScalarType::F32 && (i.has("rz") || i.has("rm") || i.has("rp"));
  const ScalarType in = is_directed ? ScalarType::F64 : type;
  Value given[3];
  for (std::size_t k = 0; k < count; ++k) given[k] = is_directed ? b_.convert(x[k], type, in) : x[k];
  Value value =
      count == 3 ? b_.op(opcode, in, given[0], given[1], given[2]) : b_.op(opcode, in, given[0], given[1]);
  if (is_directed) value = rounded(i, value);
  if (i.has("NaN"))  // a sum is no number where one of the two is none
    for (std::size_t k = 0; k < count; ++k)
      value = b_.op(Opcode::Select, type, b_.op(Opcode::Eq, type, x[k], x[k]), value,
                    b_.op(Opcode::Add, type, x[0], x[1]));
  return is_floating(type) ? clamped(i, type, value) : value;
}

bool PtxLowering::two(const Instruction& i) {
  const Opcode opcode = *opcode_of(i.name());
  if (small_type(i.last()))
    return each_half(i, 2, [&](const Value* x) { return arithmetic(i, opcode, ScalarType::F32, x, 2); });
  const auto type = ptx_type(i.last());
  if (i.has("cc")) return with_carry(i);
  if (!type) return refuse(i);
  const Value x[] = {read(i.operands[1], *type), read(i.operands[2], *type)};
  if (!i.has("sat") || is_floating(*type))
    return write(i.operands[0], *type, arithmetic(i, opcode, *type, x, 2));
  if (*type != ScalarType::I32) return refuse(i);
  const ScalarType wide = ScalarType::I64;
  const Value exact = b_.op(opcode, wide, b_.convert(x[0], *type, wide), b_.convert(x[1], *type, wide));
  return write(i.operands[0], *type, b_.convert(within(exact, *type), wide, *type));
}

// The nearest number of 64 bits that the type holds.
Value PtxLowering::within(Value value, ScalarType type) {
  const ScalarType wide = ScalarType::I64;
  const IntegerRange range = integer_range(type);
  const auto most = std::min(range.most, integer_range(wide).most);
  value = b_.op(Opcode::Max, wide, value, number(static_cast<std::uint64_t>(range.least), wide));
  return b_.op(Opcode::Min, wide, value, number(most, wide));
}

// A shift by the width or more gives zeros, or the sign.
bool PtxLowering::shift(const Instruction& i) {
  const auto type = ptx_type(i.last());
  if (!type || is_floating(*type)) return refuse(i);
  const Value a = read(i.operands[1], *type), by = read(i.operands[2], ScalarType::U32);
  const auto width = static_cast<std::uint64_t>(size_of(*type)) * 8;
  const bool keeps_sign = i.name() == "shr" && is_signed(*type);
  const Value least = b_.op(Opcode::Min, ScalarType::U32, by, number(width - 1));
  const Value amount = cast(least, ScalarType::U32, *type);
  Value shifted = b_.op(i.name() == "shl" ? Opcode::Shl : Opcode::Shr, *type, a, amount);
  if (!keeps_sign) {
    const Value inside = b_.op(Opcode::Lt, ScalarType::U32, by, number(width));
    shifted = b_.op(Opcode::Select, *type, inside, shifted, b_.ir.constant(*type, 0));
  }
  return write(i.operands[0], *type, shifted);
}

bool PtxLowering::one(const Instruction& i) {
  const auto type = ptx_type(i.last());
  if (!type) return refuse(i);
  if (small_type(i.last()) && (i.name() == "neg" || i.name() == "abs")) {  // the sign of each
    const Value bits = read(i.operands[1], ScalarType::U32),
                signs = number(is_pair(i.last()) ? 0x80008000u : 0x8000u);
    const Value kept = b_.op(Opcode::BitNot, ScalarType::U32, signs);
    const bool flips = i.name() == "neg";
    return write(i.operands[0], *type,
                 cast(b_.op(flips ? Opcode::Xor : Opcode::And, ScalarType::U32, bits, flips ? signs : kept),
                      ScalarType::U32, *type));
  }
  const Value a = read(i.operands[1], *type);
  const bool inverts = *type == ScalarType::Bool;
  return write(i.operands[0], *type, b_.op(inverts ? Opcode::Not : *opcode_of(i.name()), *type, a));
}

// mul.lo, mul.hi, mul.wide of integers, mul of floats.
Value PtxLowering::product(const Instruction& i, ScalarType& type) {
  const auto given = ptx_type(i.last());
  if (!given || small_type(i.last())) return refuse(i), number(0);
  type = *given;
  Value a = read(i.operands[1], type), b = read(i.operands[2], type);
  if (i.has("hi") && size_of(type) == 2) {
    const ScalarType whole = is_signed(type) ? ScalarType::I32 : ScalarType::U32;
    const Value both = b_.op(Opcode::Mul, whole, b_.convert(a, type, whole), b_.convert(b, type, whole));
    return b_.convert(b_.op(Opcode::Shr, whole, both, number(16, whole)), whole, type);
  }
  if (i.has("wide")) {
    const bool wide = size_of(type) == 4;
    const ScalarType to = is_signed(type) ? wide ? ScalarType::I64 : ScalarType::I32
                                          : (wide ? ScalarType::U64 : ScalarType::U32);
    a = b_.convert(a, type, to);
    b = b_.convert(b, type, to);
    type = to;
  }
  return b_.op(i.has("hi") ? Opcode::MulHigh : Opcode::Mul, type, a, b);
}

bool PtxLowering::multiply(const Instruction& i) {
  if (i.has("cc")) return with_carry(i);
  if (small_type(i.last())) return two(i);
  ScalarType type{};
  if (ptx_type(i.last()).value_or(type) == ScalarType::F32 || i.last() == "f64") return two(i);
  const Value value = product(i, type);
  return write(i.operands[0], type, value);
}

bool PtxLowering::multiply_add(const Instruction& i) {
  if (i.has("cc")) return with_carry(i);
  if (small_type(i.last()) && i.name() == "fma") {
    return each_half(i, 3, [&](const Value* x) { return arithmetic(i, Opcode::Fma, ScalarType::F32, x, 3); });
  }
  const auto given = ptx_type(i.last());
  if (given && is_floating(*given)) {
    Value x[3];
    for (std::size_t k = 0; k < 3; ++k) x[k] = read(i.operands[k + 1], *given);
    return write(i.operands[0], *given, arithmetic(i, Opcode::Fma, *given, x, 3));
  }
  if (i.has("sat")) return refuse(i);
  ScalarType type{};
  const Value value = product(i, type);
  return write(i.operands[0], type, b_.op(Opcode::Add, type, value, read(i.operands[3], type)));
}

// add.cc, addc, sub.cc, subc, mad.lo.cc, madc.hi: .cc leaves the carry, or the borrow, which those with a c
// at their end take up.
bool PtxLowering::with_carry(const Instruction& i) {
  const bool is_product = i.name().starts_with("mad"), subtracts = i.name().starts_with("sub");
  if (!is_product && !subtracts && !i.name().starts_with("add")) return refuse(i);
  auto given = ptx_type(i.last());
  if (!given || is_floating(*given) || size_of(*given) < 4) return refuse(i);
  const Value first = is_product ? product(i, *given) : read(i.operands[1], *given);
  const Value second = read(i.operands[is_product ? 3 : 2], *given);
  const ScalarType type = size_of(*given) == 8 ? ScalarType::U64 : ScalarType::U32;
  Operand carry;
  carry.name = "%carry";
  const Value x = cast(first, *given, type), y = cast(second, *given, type);
  const Value in = i.name().ends_with('c') ? read(carry, type) : number(0, type);
  const Opcode opcode = subtracts ? Opcode::Sub : Opcode::Add;
  const Value part = b_.op(opcode, type, x, y), whole = b_.op(opcode, type, part, in);
  // A sum that is less than what was added to has run over; a difference does where less was there.
  const auto runs_over = [&](Value before, Value taken, Value after) {
    return b_.convert(b_.op(Opcode::Lt, type, subtracts ? before : after, subtracts ? taken : before),
                      ScalarType::Bool, ScalarType::U32);
  };
  write(i.operands[0], type, whole);
  if (i.has("cc"))
    write(carry, ScalarType::U32,
          b_.op(Opcode::Or, ScalarType::U32, runs_over(x, y, part), runs_over(part, in, whole)));
  return true;
}

// setp.lt.and.s32 p|q, a, b, c: q has the opposite of the comparison, or that of the upper halves.
// set.lt.f16x2.f16x2 d, a, b writes what holds as a number: 1, or all bits.
bool PtxLowering::compare(const Instruction& i) {
  // With a u behind it true where one is not a number: the opposite of what is false there.
  static constexpr Word<Opcode> kNames[] = {
      {"eq", Opcode::Eq},  {"ne", Opcode::Ne},  {"lt", Opcode::Lt},  {"le", Opcode::Le},
      {"gt", Opcode::Gt},  {"ge", Opcode::Ge},  {"lo", Opcode::Lt},  {"ls", Opcode::Le},
      {"hi", Opcode::Gt},  {"hs", Opcode::Ge},  {"ltu", Opcode::Ge}, {"leu", Opcode::Gt},
      {"gtu", Opcode::Le}, {"geu", Opcode::Lt}, {"neu", Opcode::Eq}, {"equ", Opcode::Ne}};
  const auto small = small_type(i.last());
  const auto type = small ? ScalarType::F32 : ptx_type(i.last());
  const bool combines = i.operands.size() == 4, sets = i.name() == "set", pair = is_pair(i.last());
  if (!type || i.parts.size() != 3u + i.has("ftz") + combines + sets || (pair && !small)) return refuse(i);
  const std::string& kind = i.parts[1];
  const bool is_nan = kind == "nan", is_number = kind == "num";
  const bool of_numbers = is_floating(*type), unordered = kind.size() == 3 && !is_number;
  if ((unordered || is_number) && !of_numbers) return refuse(i);
  const auto opcode = is_nan || is_number ? Opcode::Eq : meaning_of(kind, kNames);
  const auto joint = combines ? opcode_of(i.parts[2]) : Opcode::And;
  if (!opcode || !joint) return refuse(i);
  const auto compared = [&](const Operand& operand, std::uint64_t part) {
    if (!small) return read(operand, *type);
    const Value word = read(operand, ScalarType::U32);
    return b_.single_of_bits(b_.op(Opcode::Shr, ScalarType::U32, word, number(16 * part)), *small);
  };
  const auto joined = [&](Value holds) {
    return combines ? b_.op(*joint, ScalarType::Bool, holds, read(i.operands[3], ScalarType::Bool)) : holds;
  };
  Value holds[2], opposite[2];
  for (std::uint64_t part = 0; part < (pair ? 2 : 1); ++part) {
    const Value a = compared(i.operands[1], part), b = compared(i.operands[2], part);
    Value one = b_.op(*opcode, *type, a, b);
    if (of_numbers && *opcode == Opcode::Ne)  // false where one is not a number, which != is not
      one =
          b_.op(Opcode::Or, ScalarType::Bool, b_.op(Opcode::Lt, *type, a, b), b_.op(Opcode::Gt, *type, a, b));
    if (is_nan || is_number)
      one = b_.op(Opcode::And, ScalarType::Bool, b_.op(Opcode::Eq, *type, a, a),
                  b_.op(Opcode::Eq, *type, b, b));
    Value other = b_.op(Opcode::Not, ScalarType::Bool, one);
    if (unordered) std::swap(one, other);
    holds[part] = joined(one), opposite[part] = joined(other);
  }
  if (sets) return write_truth(i, holds[0], pair ? holds[1] : kNone);
  if (Operand second; !i.operands[0].second.empty()) {
    second.name = i.operands[0].second;
    write(second, ScalarType::Bool, pair ? holds[1] : opposite[0]);
  }
  return write(i.operands[0], ScalarType::Bool, holds[0]);
}

// As the type before the last has it: 1.0 of floats, all bits of others; of pairs in each half by itself.
bool PtxLowering::write_truth(const Instruction& i, Value low, Value high) {
  const std::string& as = i.parts[i.parts.size() - 2];
  const auto small = small_type(as);
  const auto type = ptx_type(as);
  if (!type || (is_pair(as) && high == kNone) || (high != kNone && size_of(*type) != 4)) return refuse(i);
  constexpr ScalarType word = ScalarType::U32;
  const std::uint64_t yes = *type == ScalarType::F32               ? 0x3f800000
                            : small == ScalarType::F16             ? 0x3c00
                            : small == ScalarType::BF16            ? 0x3f80
                            : high != kNone || size_of(*type) == 2 ? 0xffff
                                                                   : 0xffffffff;
  const auto said = [&](Value holds) { return b_.op(Opcode::Select, word, holds, number(yes), number(0)); };
  Value bits = said(low);
  if (high != kNone) bits = b_.op(Opcode::Or, word, bits, b_.op(Opcode::Shl, word, said(high), number(16)));
  return write(i.operands[0], *type, cast(bits, word, *type));
}

bool PtxLowering::select(const Instruction& i) {
  const bool by_sign = i.name() == "slct";
  const auto type = ptx_type(by_sign && i.parts.size() > 2 ? i.parts[i.parts.size() - 2] : i.last()),
             sign = ptx_type(i.last());
  if (!type || (by_sign && (i.parts.size() < 3 || *sign == ScalarType::U32))) return refuse(i);
  const Value a = read(i.operands[1], *type), b = read(i.operands[2], *type);
  Value c = read(i.operands[3], by_sign ? *sign : ScalarType::Bool);
  if (by_sign) c = b_.op(Opcode::Ge, *sign, c, b_.number(*sign, 0));
  return write(i.operands[0], *type, b_.op(Opcode::Select, *type, c, a, b));
}

// cvt.rn.f16x2.f32 d, a, b: a is the upper half. cvt.rna.tf32.f32: to 10 bits behind the point, ties away.
bool PtxLowering::convert(const Instruction& i) {
  if (i.parts.size() < 3) return refuse(i);
  const std::string &to_name = i.parts[i.parts.size() - 2], &from_name = i.last();
  if (fp8_of(to_name) != 0 || fp8_of(from_name) != 0) return convert_fp8(i);
  const auto to = ptx_type(to_name), from = ptx_type(from_name);
  const auto to_small = small_type(to_name), from_small = small_type(from_name);
  if (!to || !from || (from_small && is_pair(from_name))) return refuse(i);
  const auto given = [&](std::size_t operand) {
    const Value value = read(i.operands[operand], from_small ? ScalarType::U32 : *from);
    return from_small ? b_.single_of_bits(value, *from_small) : value;
  };
  const ScalarType computed = from_small ? ScalarType::F32 : *from;
  if (to_small) {
    const bool pair = is_pair(to_name);
    if (!takes(i, pair ? 3 : 2, pair ? 3 : 2)) return false;
    const auto half = [&](std::size_t operand) {
      constexpr ScalarType single = ScalarType::F32, word = ScalarType::U32;
      Value value = b_.convert(integral(i, computed, given(operand)), computed, single);
      value = clamped(i, single, value);
      if (i.has("satfinite")) {
        const Value most = b_.number(single, greatest(*to_small)), least = b_.op(Opcode::Neg, single, most),
                    is_number = b_.op(Opcode::Eq, single, value, value);
        const Value finite = b_.op(Opcode::Max, single, b_.op(Opcode::Min, single, value, most), least);
        value = b_.op(Opcode::Select, single, is_number, finite, value);
      }
      const Value bits = b_.bits_of_small(value, *to_small);
      if (!i.has("rz")) return bits;
      const Value back = b_.op(Opcode::Abs, single, b_.single_of_bits(bits, *to_small));
      const Value is_beyond = b_.op(Opcode::Gt, single, back, b_.op(Opcode::Abs, single, value));
      return b_.op(Opcode::Select, word, is_beyond, b_.op(Opcode::Sub, word, bits, number(1)), bits);
    };
    const Value first = half(1), second = pair ? half(2) : number(0);
    if (!pair) return write(i.operands[0], ScalarType::U16, first);
    const Value upper = b_.op(Opcode::Shl, ScalarType::U32, first, number(16));
    return write(i.operands[0], ScalarType::U32, b_.op(Opcode::Or, ScalarType::U32, upper, second));
  }
  Value value = given(1);
  if (to_name == "tf32") {
    const Value bits = cast(clamped(i, computed, value), computed, ScalarType::U32);
    Value half = number(i.has("rz") ? 0 : 0x1000);  // ties away from zero; .rn: to even
    if (i.has("rn"))
      half = b_.op(Opcode::Add, ScalarType::U32, number(0xfff),
                   b_.op(Opcode::And, ScalarType::U32, b_.op(Opcode::Shr, ScalarType::U32, bits, number(13)),
                         number(1)));
    value = b_.op(Opcode::And, ScalarType::U32, b_.op(Opcode::Add, ScalarType::U32, bits, half),
                  number(0xffffe000u));
    return write(i.operands[0], ScalarType::U32, value);
  }
  value = integral(i, computed, value);
  if (is_floating(*to)) {
    const bool is_directed = *to == ScalarType::F32 && (i.has("rz") || i.has("rm") || i.has("rp"));
    if (is_directed)
      value = rounded(i, b_.convert(value, computed, ScalarType::F64));
    else
      value = b_.convert(value, computed, *to);
    return write(i.operands[0], *to, clamped(i, *to, value));
  }
  // What the type does not hold is its nearest: of numbers always.
  const bool is_whole = !is_floating(computed);
  if (is_whole ? !i.has("sat") : size_of(*to) >= 4)
    return write(i.operands[0], *to, b_.convert(value, computed, *to));
  const ScalarType wide = ScalarType::I64;
  if (computed == ScalarType::U64)
    value = b_.op(Opcode::Min, computed, value, number(integer_range(wide).most, computed));
  if (!is_whole) value = b_.convert(value, computed, ScalarType::I32);  // what is no number is 0
  value = b_.convert(value, is_whole ? computed : ScalarType::I32, wide);
  return write(i.operands[0], *to, b_.convert(within(value, *to), wide, *to));
}

// cvt.rni, .rzi, .rmi, .rpi: the nearest whole number, that towards zero, the one below, the one above.
Value PtxLowering::integral(const Instruction& i, ScalarType type, Value value) {
  using F = MathFunction;
  static constexpr Word<F> kNames[] = {
      {"rni", F::Rint}, {"rzi", F::Trunc}, {"rmi", F::Floor}, {"rpi", F::Ceil}};
  const auto how = meaning_in(i, kNames);
  return is_floating(type) && how ? b_.math(*how, type, type, value) : value;
}

bool PtxLowering::function(const Instruction& i) {
  static constexpr Word<MathFunction> kNames[] = {{"ex2", MathFunction::Exp2},
                                                  {"lg2", MathFunction::Log2},
                                                  {"rsqrt", MathFunction::Rsqrt},
                                                  {"sqrt", MathFunction::Sqrt},
                                                  {"sin", MathFunction::Sin},
                                                  {"cos", MathFunction::Cos},
                                                  {"tanh", MathFunction::Tanh},
                                                  {"popc", MathFunction::PopCount},
                                                  {"clz", MathFunction::CountLeadingZeros},
                                                  {"brev", MathFunction::BitReverse}};
  const auto type = ptx_type(i.last());
  if (!type || small_type(i.last())) return refuse(i);
  const Value a = read(i.operands[1], *type);
  if (i.name() == "rcp") {
    const Value x[] = {b_.number(*type, 1.0), a};
    return write(i.operands[0], *type, arithmetic(i, Opcode::Div, *type, x, 2));
  }
  const bool counts = i.name() == "popc" || i.name() == "clz";
  const ScalarType result = counts ? ScalarType::I32 : *type;
  return write(i.operands[0], result, b_.math(*meaning_of(i.name(), kNames), *type, result, a));
}

// lop3.b32 d, a, b, c, table: bit 4 a + 2 b + c of the table.
bool PtxLowering::logic3(const Instruction& i) {
  const ScalarType type = ScalarType::U32;
  Value x[3];
  for (std::size_t k = 0; k < 3; ++k) x[k] = read(i.operands[k + 1], type);
  const Value given = read(i.operands[4], type);
  const auto table = b_.bits(given);
  if (!table) return refuse(i);
  Value sum = number(0);
  for (unsigned row = 0; row < 8; ++row) {
    if ((*table >> row & 1) == 0) continue;
    Value term = number(0xffffffffu);
    for (unsigned k = 0; k < 3; ++k) {
      const bool set = (row >> (2 - k) & 1) != 0;
      term = b_.op(Opcode::And, type, term, set ? x[k] : b_.op(Opcode::BitNot, type, x[k]));
    }
    sum = b_.op(Opcode::Or, type, sum, term);
  }
  return write(i.operands[0], type, sum);
}

}  // namespace warplens::sim::lower
