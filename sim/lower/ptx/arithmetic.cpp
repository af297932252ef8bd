// Arithmetic of inline PTX: each instruction as the operation that C++ has for it.
#include <algorithm>
#include <array>

#include "sim/lower/memory/matrix_registers.h"
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
void PtxLowering::move(const Instruction& i) {
  const auto type = ptx_type(i.last());
  if (!type) return refuse(i);
  const Operand &to = i.operands[0], &from = i.operands[1];
  const bool packs = from.kind == Operand::Kind::Vector, unpacks = to.kind == Operand::Kind::Vector;
  if (!packs && !unpacks) {
    const Number value = read(from, *type);
    const auto known = cells_.find(from.name);
    std::optional<Address> address;
    if (known != cells_.end()) address = known->second.address;
    write(to, value);
    if (address && condition_ == kNone && to.name != "_" && !cells_[to.name].stays)
      cells_[to.name].address = address;
    return;
  }
  if (packs && unpacks) return refuse(i);
  const auto& parts = packs ? from.parts : to.parts;
  const int bits = size_of(*type) * 8 / static_cast<int>(std::max<std::size_t>(parts.size(), 1));
  const ScalarType whole = size_of(*type) == 8 ? ScalarType::U64 : ScalarType::U32;
  const ScalarType part_type = bits == 32 ? ScalarType::U32 : bits == 16 ? ScalarType::U16 : ScalarType::U8;
  if (bits != 32 && bits != 16 && bits != 8) return refuse(i);
  const auto by = [&](std::size_t part) { return part * static_cast<std::uint64_t>(bits); };
  if (unpacks) {
    const Number value = read(from, whole);
    for (std::size_t part = 0; part < parts.size(); ++part)
      write(parts[part], cast(value >> by(part), part_type));
    return;
  }
  Number sum = number(0, whole);
  for (std::size_t part = 0; part < parts.size(); ++part)
    sum = sum | (cast(read(parts[part], part_type), whole) << by(part));
  return write(to, sum);
}

// One half or two in each word: each computed by itself, as singles, and rounded once.
template <class Compute>
void PtxLowering::each_half(const Instruction& i, std::size_t operands, Compute compute) {
  const ScalarType small = *small_type(i.last());
  Number words[3], sum = number(0);
  for (std::size_t k = 0; k < operands; ++k) words[k] = read(i.operands[k + 1], ScalarType::U32);
  for (std::uint64_t by = 0; by < (is_pair(i.last()) ? 32 : 16); by += 16) {
    std::vector<Number> x;
    for (std::size_t k = 0; k < operands; ++k) x.push_back(single_of_bits(words[k] >> by, small));
    sum = sum | (bits_of_small(compute(x), small) << by);
  }
  return write(i.operands[0], sum);
}

// .sat: into 0 to 1, what is no number is 0. .relu: what is below zero is zero.
Number PtxLowering::clamped(const Instruction& i, Number value) {
  if (i.has("sat")) value = min(max(value, 0.0), 1.0);
  if (i.has("relu")) value = select(value < 0.0, value.of(0.0), value);
  return value;
}

// A single by .rz, .rm or .rp of what `exact` has in 53 bits.
Number PtxLowering::rounded(const Instruction& i, const Number& exact) {
  const MathFunction function = i.has("rz")   ? MathFunction::FloatToZero
                                : i.has("rp") ? MathFunction::FloatUp
                                              : MathFunction::FloatDown;
  return exact.math(function).to(ScalarType::F32);
}

// An operation on numbers as it is said to be rounded; of doubles the nearest, whatever is said.
Number PtxLowering::arithmetic(const Instruction& i, Opcode opcode, const std::vector<Number>& x) {
  const ScalarType type = x[0].type();
  const bool is_directed = type == ScalarType::F32 && (i.has("rz") || i.has("rm") || i.has("rp"));
  const ScalarType in = is_directed ? ScalarType::F64 : type;
  Value given[3] = {kNone, kNone, kNone};
  for (std::size_t k = 0; k < x.size(); ++k) given[k] = x[k].to(in);
  Number value(b_, in, b_.op(opcode, in, given[0], given[1], given[2]));
  if (is_directed) value = rounded(i, value);
  if (i.has("NaN"))  // a sum is no number where one of the two is none
    for (const Number& one : x) value = select(one == one, value, x[0] + x[1]);
  return is_floating(type) ? clamped(i, value) : value;
}

void PtxLowering::two(const Instruction& i) {
  const Opcode opcode = *opcode_of(i.name());
  if (small_type(i.last()))
    return each_half(i, 2, [&](const std::vector<Number>& x) { return arithmetic(i, opcode, x); });
  const auto type = ptx_type(i.last());
  if (i.has("cc")) return with_carry(i);
  if (!type) return refuse(i);
  const Number x = read(i.operands[1], *type), y = read(i.operands[2], *type);
  if (!i.has("sat") || is_floating(*type)) return write(i.operands[0], arithmetic(i, opcode, {x, y}));
  if (*type != ScalarType::I32) return refuse(i);
  const ScalarType wide = ScalarType::I64;
  return write(i.operands[0], within(x.to(wide).apply(opcode, y.to(wide)), *type).to(*type));
}

// The nearest number of 64 bits that the type holds.
Number PtxLowering::within(const Number& value, ScalarType type) {
  const IntegerRange range = integer_range(type);
  const auto most = std::min(range.most, integer_range(ScalarType::I64).most);
  return min(max(value, static_cast<std::uint64_t>(range.least)), most);
}

// A shift by the width or more gives zeros, or the sign.
void PtxLowering::shift(const Instruction& i) {
  const auto type = ptx_type(i.last());
  if (!type || is_floating(*type)) return refuse(i);
  const Number a = read(i.operands[1], *type), by = read(i.operands[2], ScalarType::U32);
  const auto width = static_cast<std::uint64_t>(size_of(*type)) * 8;
  const bool keeps_sign = i.name() == "shr" && is_signed(*type);
  const Number amount = cast(min(by, width - 1), *type);
  const Number shifted = i.name() == "shl" ? a << amount : a >> amount;
  return write(i.operands[0], keeps_sign ? shifted : select(by < width, shifted, 0u));
}

void PtxLowering::one(const Instruction& i) {
  const auto type = ptx_type(i.last());
  if (!type) return refuse(i);
  if (small_type(i.last()) && (i.name() == "neg" || i.name() == "abs")) {  // the sign of each
    const Number bits = read(i.operands[1], ScalarType::U32),
                 signs = number(is_pair(i.last()) ? 0x80008000u : 0x8000u);
    return write(i.operands[0], cast(i.name() == "neg" ? bits ^ signs : bits & ~signs, *type));
  }
  const Number a = read(i.operands[1], *type);
  const Opcode opcode = *type == ScalarType::Bool ? Opcode::Not : *opcode_of(i.name());
  return write(i.operands[0], *type, b_.op(opcode, *type, a));
}

// mul.lo, mul.hi, mul.wide of integers, mul of floats.
Number PtxLowering::product(const Instruction& i) {
  const auto type = ptx_type(i.last());
  if (!type || small_type(i.last())) refuse(i);
  const Number a = read(i.operands[1], *type), b = read(i.operands[2], *type);
  if (i.has("hi") && size_of(*type) == 2) {
    const ScalarType whole = is_signed(*type) ? ScalarType::I32 : ScalarType::U32;
    return ((a.to(whole) * b.to(whole)) >> 16u).to(*type);
  }
  if (i.has("hi")) return a.apply(Opcode::MulHigh, b);
  if (!i.has("wide")) return a * b;
  const bool wide = size_of(*type) == 4;
  const ScalarType to = is_signed(*type) ? wide ? ScalarType::I64 : ScalarType::I32
                                         : (wide ? ScalarType::U64 : ScalarType::U32);
  return a.to(to) * b.to(to);
}

void PtxLowering::multiply(const Instruction& i) {
  if (i.has("cc")) return with_carry(i);
  if (small_type(i.last()) || i.last() == "f32" || i.last() == "f64") return two(i);
  return write(i.operands[0], product(i));
}

void PtxLowering::multiply_add(const Instruction& i) {
  if (i.has("cc")) return with_carry(i);
  if (small_type(i.last()) && i.name() == "fma")
    return each_half(i, 3, [&](const std::vector<Number>& x) { return arithmetic(i, Opcode::Fma, x); });
  const auto given = ptx_type(i.last());
  if (given && is_floating(*given)) {
    std::vector<Number> x;
    for (std::size_t k = 1; k < 4; ++k) x.push_back(read(i.operands[k], *given));
    return write(i.operands[0], arithmetic(i, Opcode::Fma, x));
  }
  if (i.has("sat")) return refuse(i);
  const Number value = product(i);
  return write(i.operands[0], value + read(i.operands[3], value.type()));
}

// add.cc, addc, sub.cc, subc, mad.lo.cc, madc.hi: .cc leaves the carry, or the borrow, which those with a c
// at their end take up.
void PtxLowering::with_carry(const Instruction& i) {
  const bool is_product = i.name().starts_with("mad"), subtracts = i.name().starts_with("sub");
  if (!is_product && !subtracts && !i.name().starts_with("add")) return refuse(i);
  const auto given = ptx_type(i.last());
  if (!given || is_floating(*given) || size_of(*given) < 4) return refuse(i);
  const Number first = is_product ? product(i) : read(i.operands[1], *given);
  const Number second = read(i.operands[is_product ? 3 : 2], first.type());
  const ScalarType type = size_of(first.type()) == 8 ? ScalarType::U64 : ScalarType::U32;
  const Operand carry{.name = "%carry"};
  const Number x = cast(first, type), y = cast(second, type),
               in = i.name().ends_with('c') ? read(carry, type) : number(0, type);
  const Opcode opcode = subtracts ? Opcode::Sub : Opcode::Add;
  const Number part = x.apply(opcode, y), whole = part.apply(opcode, in);
  // A sum that is less than what was added to has run over; a difference does where less was there.
  const auto runs_over = [&](const Number& before, const Number& taken, const Number& after) {
    return ((subtracts ? before : after) < (subtracts ? taken : before)).to(ScalarType::U32);
  };
  write(i.operands[0], whole);
  if (i.has("cc")) write(carry, runs_over(x, y, part) | runs_over(part, in, whole));
}

// setp.lt.and.s32 p|q, a, b, c: q has the opposite of the comparison, or that of the upper halves.
// set.lt.f16x2.f16x2 d, a, b writes what holds as a number: 1, or all bits.
void PtxLowering::compare(const Instruction& i) {
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
  const auto compared = [&](const Operand& operand, std::uint64_t by) {
    return small ? single_of_bits(read(operand, ScalarType::U32) >> by, *small) : read(operand, *type);
  };
  const auto joined = [&](const Number& holds) {
    return combines ? holds.apply(*joint, read(i.operands[3], ScalarType::Bool)) : holds;
  };
  Number holds[2], opposite[2];
  for (std::uint64_t part = 0; part < (pair ? 2 : 1); ++part) {
    const Number a = compared(i.operands[1], 16 * part), b = compared(i.operands[2], 16 * part);
    Number one = a.apply(*opcode, b);
    if (of_numbers && *opcode == Opcode::Ne)  // false where one is not a number, which != is not
      one = (a < b) | (a > b);
    if (is_nan || is_number) one = (a == a) & (b == b);
    Number other = !one;
    if (unordered) std::swap(one, other);
    holds[part] = joined(one), opposite[part] = joined(other);
  }
  if (sets) return write_truth(i, holds[0], pair ? &holds[1] : nullptr);
  write_second(i, pair ? holds[1] : opposite[0]);
  return write(i.operands[0], holds[0]);
}

// As the type before the last has it: 1.0 of floats, all bits of others; of pairs in each half by itself.
void PtxLowering::write_truth(const Instruction& i, const Number& low, const Number* high) {
  const std::string& as = i.parts[i.parts.size() - 2];
  const auto small = small_type(as);
  const auto type = ptx_type(as);
  const bool is_two = high != nullptr;
  if (!type || (is_pair(as) && !is_two) || (is_two && size_of(*type) != 4)) return refuse(i);
  const std::uint64_t yes = *type == ScalarType::F32        ? 0x3f800000
                            : small == ScalarType::F16      ? 0x3c00
                            : small == ScalarType::BF16     ? 0x3f80
                            : is_two || size_of(*type) == 2 ? 0xffff
                                                            : 0xffffffff;
  const auto said = [&](const Number& holds) { return select(holds, number(yes), 0u); };
  Number bits = said(low);
  if (is_two) bits = bits | (said(*high) << 16u);
  return write(i.operands[0], cast(bits, *type));
}

void PtxLowering::choose_value(const Instruction& i) {
  const bool by_sign = i.name() == "slct";
  const auto type = ptx_type(by_sign && i.parts.size() > 2 ? i.parts[i.parts.size() - 2] : i.last()),
             sign = ptx_type(i.last());
  if (!type || (by_sign && (i.parts.size() < 3 || *sign == ScalarType::U32))) return refuse(i);
  const Number a = read(i.operands[1], *type), b = read(i.operands[2], *type),
               c = read(i.operands[3], by_sign ? *sign : ScalarType::Bool);
  return write(i.operands[0], select(by_sign ? c >= 0.0 : c, a, b));
}

// cvt.rn.f16x2.f32 d, a, b: a is the upper half. cvt.rna.tf32.f32: to 10 bits behind the point, ties away.
void PtxLowering::convert(const Instruction& i) {
  if (i.parts.size() < 3) return refuse(i);
  const std::string &to_name = i.parts[i.parts.size() - 2], &from_name = i.last();
  if (fp8_of(to_name) != 0 || fp8_of(from_name) != 0) return convert_fp8(i);
  const auto to = ptx_type(to_name), from = ptx_type(from_name);
  const auto to_small = small_type(to_name), from_small = small_type(from_name);
  if (!to || !from || (from_small && is_pair(from_name))) return refuse(i);
  const auto given = [&](std::size_t operand) {
    const Number value = read(i.operands[operand], from_small ? ScalarType::U32 : *from);
    return from_small ? single_of_bits(value, *from_small) : value;
  };
  if (to_small) {
    const bool pair = is_pair(to_name);
    takes(i, pair ? 3 : 2, pair ? 3 : 2);
    const auto half = [&](std::size_t operand) {
      Number value = clamped(i, integral(i, given(operand)).to(ScalarType::F32));
      if (i.has("satfinite")) {
        const Number most = value.of(double{greatest(*to_small)});
        value = select(value == value, max(min(value, most), -most), value);
      }
      const Number bits = bits_of_small(value, *to_small);
      if (!i.has("rz")) return bits;
      return select(abs(single_of_bits(bits, *to_small)) > abs(value), bits - 1u, bits);
    };
    const Number first = half(1);
    if (!pair) return write(i.operands[0], ScalarType::U16, first);
    const Number second = half(2);
    return write(i.operands[0], (first << 16u) | second);
  }
  const Number value = given(1);
  if (to_name == "tf32") {
    const Number bits = cast(clamped(i, value), ScalarType::U32);
    Number half = number(i.has("rz") ? 0 : 0x1000);  // ties away from zero; .rn: to even
    if (i.has("rn")) half = ((bits >> 13u) & 1u) + 0xfffu;
    return write(i.operands[0], (bits + half) & 0xffffe000u);
  }
  const Number whole = integral(i, value);
  if (is_floating(*to)) {
    const bool is_directed = *to == ScalarType::F32 && (i.has("rz") || i.has("rm") || i.has("rp"));
    return write(i.operands[0],
                 clamped(i, is_directed ? rounded(i, whole.to(ScalarType::F64)) : whole.to(*to)));
  }
  // What the type does not hold is its nearest: of numbers always.
  const bool is_whole = !is_floating(whole.type());
  if (is_whole ? !i.has("sat") : size_of(*to) >= 4) return write(i.operands[0], whole.to(*to));
  const ScalarType wide = ScalarType::I64;
  const Number held = !is_whole                         ? whole.to(ScalarType::I32)  // what is no number is 0
                      : whole.type() == ScalarType::U64 ? min(whole, integer_range(wide).most)
                                                        : whole;
  return write(i.operands[0], within(held.to(wide), *to).to(*to));
}

// cvt.rni, .rzi, .rmi, .rpi: the nearest whole number, that towards zero, the one below, the one above.
Number PtxLowering::integral(const Instruction& i, const Number& value) {
  using F = MathFunction;
  static constexpr Word<F> kNames[] = {
      {"rni", F::Rint}, {"rzi", F::Trunc}, {"rmi", F::Floor}, {"rpi", F::Ceil}};
  const auto how = meaning_in(i, kNames);
  return is_floating(value.type()) && how ? value.math(*how) : value;
}

void PtxLowering::function(const Instruction& i) {
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
  const Number a = read(i.operands[1], *type);
  if (i.name() == "rcp") return write(i.operands[0], arithmetic(i, Opcode::Div, {a.of(1.0), a}));
  const bool counts = i.name() == "popc" || i.name() == "clz";
  const ScalarType result = counts ? ScalarType::I32 : *type;
  return write(i.operands[0], result, b_.math(*meaning_of(i.name(), kNames), *type, result, a));
}

// lop3.b32 d, a, b, c, table: bit 4 a + 2 b + c of the table.
void PtxLowering::logic3(const Instruction& i) {
  Number x[3];
  for (std::size_t k = 0; k < 3; ++k) x[k] = read(i.operands[k + 1], ScalarType::U32);
  const Number given = read(i.operands[4], ScalarType::U32);
  const auto table = b_.bits(given);
  if (!table) return refuse(i);
  Number sum = number(0);
  for (unsigned row = 0; row < 8; ++row) {
    if ((*table >> row & 1) == 0) continue;
    Number term = number(0xffffffffu);
    for (unsigned k = 0; k < 3; ++k) term = term & ((row >> (2 - k) & 1) != 0 ? x[k] : ~x[k]);
    sum = sum | term;
  }
  return write(i.operands[0], sum);
}

}  // namespace warplens::sim::lower
