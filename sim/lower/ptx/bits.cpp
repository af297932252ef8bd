// Instructions of inline PTX that take words apart: bytes, fields of bits, products of bytes, fp8.
#include "sim/lower/ptx/matrix_types.h"
#include "sim/lower/ptx/ptx_lowering.h"

namespace warplens::sim::lower {

namespace {

constexpr ScalarType kBits32 = ScalarType::U32;

}  // namespace

// prmt.b32 d, a, b, selector: each nibble of the selector names a byte of b:a, its top bit the byte's sign.
bool PtxLowering::permute_bytes(const Instruction& i) {
  if (i.parts.size() != 2 || i.parts[1] != "b32") return refuse(i);
  const Value a = read(i.operands[1], kBits32), b = read(i.operands[2], kBits32),
              selector = read(i.operands[3], kBits32);
  Value sum = number(0);
  for (std::uint64_t byte = 0; byte < 4; ++byte) {
    const Value nibble = b_.op(Opcode::Shr, kBits32, selector, number(4 * byte));
    const Value from_b =
        b_.op(Opcode::Ne, kBits32, b_.op(Opcode::And, kBits32, nibble, number(4)), number(0));
    const Value word = b_.op(Opcode::Select, kBits32, from_b, b, a);
    const Value by = b_.op(Opcode::Shl, kBits32, b_.op(Opcode::And, kBits32, nibble, number(3)), number(3));
    const Value plain = b_.op(Opcode::And, kBits32, b_.op(Opcode::Shr, kBits32, word, by), number(0xff));
    const Value top = b_.op(Opcode::Shr, kBits32, plain, number(7));
    const Value copies = b_.op(Opcode::Mul, kBits32, top, number(0xff));
    const Value signs = b_.op(Opcode::Ne, kBits32, b_.op(Opcode::And, kBits32, nibble, number(8)), number(0));
    const Value one = b_.op(Opcode::Select, kBits32, signs, copies, plain);
    sum = b_.op(Opcode::Or, kBits32, sum, b_.op(Opcode::Shl, kBits32, one, number(8 * byte)));
  }
  return write(i.operands[0], kBits32, sum);
}

// bfe d, a, position, length: beyond the word zeros, or its sign.
bool PtxLowering::take_bits(const Instruction& i) {
  const auto type = ptx_type(i.last());
  if (!type || is_floating(*type) || size_of(*type) < 4) return refuse(i);
  const auto bits = static_cast<std::uint64_t>(size_of(*type)) * 8;
  const Value a = read(i.operands[1], *type), given_at = read(i.operands[2], kBits32),
              given_length = read(i.operands[3], kBits32);
  // In 64 bits, of the word as it goes on beyond its end.
  const ScalarType wide = is_signed(*type) ? ScalarType::I64 : ScalarType::U64;
  const auto byte_of = [&](Value v) {
    const Value low = b_.op(Opcode::And, kBits32, v, number(0xff));
    return b_.convert(b_.op(Opcode::Min, kBits32, low, number(bits)), kBits32, wide);
  };
  const Value at = byte_of(given_at), length = byte_of(given_length);
  const Value most = b_.op(Opcode::Min, wide, at, number(63, wide));
  Value shifted = b_.op(Opcode::Shr, wide, b_.convert(a, *type, wide), most);
  if (!is_signed(*type))
    shifted = b_.op(Opcode::Select, wide, b_.op(Opcode::Eq, wide, at, most), shifted, number(0, wide));
  const Value up =
      b_.op(Opcode::Sub, wide, number(63, wide), b_.op(Opcode::Sub, wide, length, number(1, wide)));
  const Value some = b_.op(Opcode::Ne, wide, length, number(0, wide));
  const Value least = b_.op(Opcode::Min, wide, up, number(63, wide));
  const Value cut = b_.op(Opcode::Shr, wide, b_.op(Opcode::Shl, wide, shifted, least), least);
  return write(i.operands[0], *type,
               b_.op(Opcode::Select, *type, some, b_.convert(cut, wide, *type), number(0, *type)));
}

// bfi.b32 d, a, b, position, length: b with that field from a.
bool PtxLowering::put_bits(const Instruction& i) {
  if (i.last() != "b32" && i.last() != "b64") return refuse(i);
  const ScalarType type = *ptx_type(i.last()), wide = ScalarType::U64;
  Value x[4];
  for (std::size_t k = 0; k < 4; ++k) x[k] = read(i.operands[k + 1], k < 2 ? type : kBits32);
  const auto byte_of = [&](Value v) { return b_.op(Opcode::And, kBits32, v, number(0xff)); };
  const Value ones = number(~std::uint64_t{0}, wide);
  const Value field = b_.op(Opcode::BitNot, wide, shifted_left(ones, byte_of(x[3])));
  const Value mask = shifted_left(field, byte_of(x[2]));
  const Value moved = shifted_left(b_.convert(x[0], type, wide), byte_of(x[2]));
  const Value kept =
      b_.op(Opcode::And, wide, b_.convert(x[1], type, wide), b_.op(Opcode::BitNot, wide, mask));
  const Value both = b_.op(Opcode::Or, wide, kept, b_.op(Opcode::And, wide, moved, mask));
  return write(i.operands[0], type, b_.convert(both, wide, type));
}

// Of 64 bits; none is left of a shift by 64 or more.
Value PtxLowering::shifted_left(Value bits, Value by) {
  const ScalarType wide = ScalarType::U64;
  const Value least = b_.op(Opcode::Min, kBits32, by, number(63));
  const Value shifted = b_.op(Opcode::Shl, wide, bits, b_.convert(least, kBits32, wide));
  return b_.op(Opcode::Select, wide, b_.op(Opcode::Eq, kBits32, by, least), shifted, number(0, wide));
}

// copysign.f32 d, a, b: b with a's sign.
bool PtxLowering::copy_sign(const Instruction& i) {
  const auto type = ptx_type(i.last());
  if (!type || !is_floating(*type) || size_of(*type) < 4) return refuse(i);
  const ScalarType bits = size_of(*type) == 8 ? ScalarType::U64 : kBits32;
  const Value a = read(i.operands[1], bits), b = read(i.operands[2], bits);
  const Value sign = number(std::uint64_t{1} << (size_of(*type) * 8 - 1), bits);
  const Value size = b_.op(Opcode::And, bits, b, b_.op(Opcode::BitNot, bits, sign));
  return write(i.operands[0], *type,
               b_.bit_cast(b_.op(Opcode::Or, bits, size, b_.op(Opcode::And, bits, a, sign)), *type));
}

// An operand that counts bits, in 64: .wrap takes it modulo 32, .clamp 32 at most.
Value PtxLowering::amount(const Instruction& i, std::size_t operand) {
  const Value given = read(i.operands[operand], kBits32);
  const bool wraps = i.has("wrap");
  const Value least = b_.op(wraps ? Opcode::And : Opcode::Min, kBits32, given, number(wraps ? 31 : 32));
  return b_.convert(least, kBits32, ScalarType::U64);
}

// bmsk.clamp.b32 d, position, length: that many ones from there on.
bool PtxLowering::make_mask(const Instruction& i) {
  if (i.last() != "b32") return refuse(i);
  const ScalarType wide = ScalarType::U64;
  const Value at = amount(i, 1), length = amount(i, 2), one = number(1, wide);
  const Value ones = b_.op(Opcode::Sub, wide, b_.op(Opcode::Shl, wide, one, length), one);
  return write(i.operands[0], kBits32, b_.convert(b_.op(Opcode::Shl, wide, ones, at), wide, kBits32));
}

// shf.l.wrap.b32 d, low, high, by: the upper word of high:low shifted left; .r: the lower one, shifted right.
bool PtxLowering::funnel(const Instruction& i) {
  const bool left = i.has("l");
  if (i.last() != "b32" || (!left && !i.has("r")) || (!i.has("wrap") && !i.has("clamp"))) return refuse(i);
  const Value low = read(i.operands[1], kBits32), high = read(i.operands[2], kBits32);
  const ScalarType wide = ScalarType::U64;
  const Value above = b_.op(Opcode::Shl, wide, b_.convert(high, kBits32, wide), number(32, wide));
  const Value both = b_.op(Opcode::Or, wide, above, b_.convert(low, kBits32, wide));
  const Value shifted = b_.op(left ? Opcode::Shl : Opcode::Shr, wide, both, amount(i, 3));
  const Value part = left ? b_.op(Opcode::Shr, wide, shifted, number(32, wide)) : shifted;
  return write(i.operands[0], kBits32, b_.convert(part, wide, kBits32));
}

// dp4a.s32.u32 d, a, b, c; dp2a.lo and .hi: two halves of a with two bytes of b.
bool PtxLowering::dot_product(const Instruction& i) {
  const std::size_t n = i.parts.size();
  const auto of_a = n > 2 ? ptx_type(i.parts[n - 2]) : std::nullopt, of_b = ptx_type(i.last());
  const bool known = of_a && of_b && size_of(*of_a) == 4 && size_of(*of_b) == 4 && !is_floating(*of_a) &&
                     !is_floating(*of_b);
  if (!known) return refuse(i);
  const Value a = read(i.operands[1], kBits32), b = read(i.operands[2], kBits32),
              c = read(i.operands[3], kBits32);
  const bool halves = i.name() == "dp2a";
  const std::uint64_t first = halves && i.has("hi") ? 2 : 0, count = halves ? 2 : 4;
  const auto part = [&](Value word, ScalarType type, std::uint64_t bits, std::uint64_t index) {
    const ScalarType sign = is_signed(type) ? ScalarType::I32 : kBits32;
    const Value up = b_.op(Opcode::Shl, kBits32, word, number(32 - bits * (index + 1)));
    return b_.convert(b_.op(Opcode::Shr, sign, b_.convert(up, kBits32, sign), number(32 - bits, sign)), sign,
                      kBits32);
  };
  Value sum = c;
  for (std::uint64_t k = 0; k < count; ++k) {
    const Value x = part(a, *of_a, halves ? 16 : 8, k), y = part(b, *of_b, 8, first + k);
    sum = b_.op(Opcode::Add, kBits32, sum, b_.op(Opcode::Mul, kBits32, x, y));
  }
  return write(i.operands[0], kBits32, sum);
}

// bfind.u32 d, a: where its highest bit that is set lies, of a negative number its highest zero; .shiftamt:
// how far that is from the top. -1 where there is none.
bool PtxLowering::find_bit(const Instruction& i) {
  const auto type = ptx_type(i.last());
  if (!type || is_floating(*type) || size_of(*type) < 4) return refuse(i);
  Value a = read(i.operands[1], *type);
  const std::uint64_t top = 8 * static_cast<std::uint64_t>(size_of(*type)) - 1;
  if (is_signed(*type)) a = b_.op(Opcode::Xor, *type, a, b_.op(Opcode::Shr, *type, a, number(top, *type)));
  const Value zeros = b_.math(MathFunction::CountLeadingZeros, *type, ScalarType::I32, a);
  const Value at = b_.op(Opcode::Sub, kBits32, number(top), zeros), none = number(0xffffffffu);
  const Value is_set = b_.op(Opcode::Ne, *type, a, number(0, *type));
  return write(i.operands[0], kBits32,
               b_.op(Opcode::Select, kBits32, is_set, i.has("shiftamt") ? zeros : at, none));
}

// cvt.rn.satfinite.e4m3x2.f32 d, a, b: a is the upper byte. .e4m3x2.f16x2 d, a; .f16x2.e4m3x2 d, a.
bool PtxLowering::convert_fp8(const Instruction& i) {
  const std::string &to = i.parts[i.parts.size() - 2], &from = i.last();
  constexpr ScalarType half = ScalarType::F16, single = ScalarType::F32;
  using F = MathFunction;
  if (const int given = fp8_of(from); given != 0) {
    if (to != "f16x2") return refuse(i);
    return write(i.operands[0], kBits32, halves_of_fp8(b_, read(i.operands[1], kBits32), given, 0));
  }
  const bool of_halves = from == "f16x2";
  if (fp8_of(to) == 0 || (!of_halves && from != "f32")) return refuse(i);
  if (!takes(i, of_halves ? 2 : 3, of_halves ? 2 : 3)) return false;
  Value singles[2];
  for (std::size_t k = 0; k < 2; ++k) {
    const Value given = read(i.operands[of_halves ? 1 : 2 - k], of_halves ? kBits32 : ScalarType::F32);
    singles[k] =
        of_halves ? b_.single_of_bits(b_.op(Opcode::Shr, kBits32, given, number(16 * k)), half) : given;
    if (i.has("relu"))
      singles[k] = b_.op(Opcode::Max, ScalarType::F32, singles[k], b_.number(ScalarType::F32, 0));
  }
  const bool is_e4m3 = fp8_of(to) == 1, keeps_finite = i.has("satfinite");
  const F function = keeps_finite ? (is_e4m3 ? F::E4M3ToBits : F::E5M2ToBits)
                                  : (is_e4m3 ? F::E4M3ToBitsOpen : F::E5M2ToBitsOpen);
  const auto byte = [&](Value given) {
    const Value bits = b_.bit_cast(b_.math(function, single, single, given), kBits32);
    return b_.op(Opcode::And, kBits32, bits, number(0xff));
  };
  const Value upper = b_.op(Opcode::Shl, kBits32, byte(singles[1]), number(8));
  return write(i.operands[0], ScalarType::U16,
               cast(b_.op(Opcode::Or, kBits32, byte(singles[0]), upper), kBits32, ScalarType::U16));
}

}  // namespace warplens::sim::lower
