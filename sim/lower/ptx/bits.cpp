// Instructions of inline PTX that take words apart: bytes, fields of bits, products of bytes, fp8.
#include "sim/lower/memory/matrix_registers.h"
#include "sim/lower/ptx/ptx_lowering.h"

namespace warplens::sim::lower {

namespace {

constexpr ScalarType kBits32 = ScalarType::U32;

}  // namespace

// prmt.b32 d, a, b, selector: each nibble of the selector names a byte of b:a, its top bit the byte's sign.
void PtxLowering::permute_bytes(const Instruction& i) {
  if (i.parts.size() != 2 || i.parts[1] != "b32") return refuse(i);
  const Number a = read(i.operands[1], kBits32), b = read(i.operands[2], kBits32),
               selector = read(i.operands[3], kBits32);
  Number sum = number(0);
  for (std::uint64_t byte = 0; byte < 4; ++byte) {
    const Number nibble = selector >> 4 * byte, word = select((nibble & 4u) != 0u, b, a);
    const Number plain = (word >> ((nibble & 3u) << 3u)) & 0xffu;
    const Number one = select((nibble & 8u) != 0u, (plain >> 7u) * 0xffu, plain);
    sum = sum | (one << 8 * byte);
  }
  return write(i.operands[0], sum);
}

// bfe d, a, position, length: beyond the word zeros, or its sign.
void PtxLowering::take_bits(const Instruction& i) {
  const auto type = ptx_type(i.last());
  if (!type || is_floating(*type) || size_of(*type) < 4) return refuse(i);
  const auto bits = static_cast<std::uint64_t>(size_of(*type)) * 8;
  // In 64 bits, of the word as it goes on beyond its end.
  const ScalarType wide = is_signed(*type) ? ScalarType::I64 : ScalarType::U64;
  const auto byte_of = [&](std::size_t k) {
    return min(read(i.operands[k], kBits32) & 0xffu, bits).to(wide);
  };
  const Number a = read(i.operands[1], *type), at = byte_of(2), length = byte_of(3), most = min(at, 63u);
  Number shifted = a.to(wide) >> most;
  if (!is_signed(*type)) shifted = select(at == most, shifted, 0u);
  const Number least = min(number(63, wide) - (length - 1u), 63u);
  const Number cut = (shifted << least) >> least;
  return write(i.operands[0], select(length != 0u, cut.to(*type), 0u));
}

// bfi.b32 d, a, b, position, length: b with that field from a.
void PtxLowering::put_bits(const Instruction& i) {
  if (i.last() != "b32" && i.last() != "b64") return refuse(i);
  const ScalarType type = *ptx_type(i.last()), wide = ScalarType::U64;
  const auto word = [&](std::size_t k) { return read(i.operands[k], type).to(wide); };
  const auto byte_of = [&](std::size_t k) { return read(i.operands[k], kBits32) & 0xffu; };
  const Number from = word(1), to = word(2), at = byte_of(3);
  const Number mask = shifted_left(~shifted_left(number(~std::uint64_t{0}, wide), byte_of(4)), at);
  return write(i.operands[0], ((to & ~mask) | (shifted_left(from, at) & mask)).to(type));
}

// Of 64 bits; none is left of a shift by 64 or more.
Number PtxLowering::shifted_left(const Number& bits, const Number& by) {
  const Number least = min(by, 63u);
  return select(by == least, bits << least.to(ScalarType::U64), 0u);
}

// copysign.f32 d, a, b: b with a's sign.
void PtxLowering::copy_sign(const Instruction& i) {
  const auto type = ptx_type(i.last());
  if (!type || !is_floating(*type) || size_of(*type) < 4) return refuse(i);
  const ScalarType bits = size_of(*type) == 8 ? ScalarType::U64 : kBits32;
  const Number a = read(i.operands[1], bits), b = read(i.operands[2], bits);
  const Number sign = number(std::uint64_t{1} << (size_of(*type) * 8 - 1), bits);
  return write(i.operands[0], *type, b_.bit_cast((b & ~sign) | (a & sign), *type));
}

// An operand that counts bits, in 64: .wrap takes it modulo 32, .clamp 32 at most.
Number PtxLowering::amount(const Instruction& i, std::size_t operand) {
  const Number given = read(i.operands[operand], kBits32);
  return (i.has("wrap") ? given & 31u : min(given, 32u)).to(ScalarType::U64);
}

// bmsk.clamp.b32 d, position, length: that many ones from there on.
void PtxLowering::make_mask(const Instruction& i) {
  if (i.last() != "b32") return refuse(i);
  const Number at = amount(i, 1), length = amount(i, 2), one = number(1, ScalarType::U64);
  return write(i.operands[0], (((one << length) - one) << at).to(kBits32));
}

// shf.l.wrap.b32 d, low, high, by: the upper word of high:low shifted left; .r: the lower one, shifted right.
void PtxLowering::funnel(const Instruction& i) {
  const bool left = i.has("l");
  if (i.last() != "b32" || (!left && !i.has("r")) || (!i.has("wrap") && !i.has("clamp"))) return refuse(i);
  const Number low = read(i.operands[1], kBits32).to(ScalarType::U64),
               high = read(i.operands[2], kBits32).to(ScalarType::U64);
  const Number both = (high << 32u) | low, by = amount(i, 3);
  return write(i.operands[0], (left ? (both << by) >> 32u : both >> by).to(kBits32));
}

// dp4a.s32.u32 d, a, b, c; dp2a.lo and .hi: two halves of a with two bytes of b.
void PtxLowering::dot_product(const Instruction& i) {
  const std::size_t n = i.parts.size();
  const auto of_a = n > 2 ? ptx_type(i.parts[n - 2]) : std::nullopt, of_b = ptx_type(i.last());
  const bool known = of_a && of_b && size_of(*of_a) == 4 && size_of(*of_b) == 4 && !is_floating(*of_a) &&
                     !is_floating(*of_b);
  if (!known) return refuse(i);
  const Number a = read(i.operands[1], kBits32), b = read(i.operands[2], kBits32);
  Number sum = read(i.operands[3], kBits32);
  const bool halves = i.name() == "dp2a";
  const std::uint64_t first = halves && i.has("hi") ? 2 : 0, count = halves ? 2 : 4;
  const auto part = [&](const Number& word, ScalarType type, std::uint64_t bits, std::uint64_t index) {
    const ScalarType sign = is_signed(type) ? ScalarType::I32 : kBits32;
    return ((word << (32 - bits * (index + 1))).to(sign) >> (32 - bits)).to(kBits32);
  };
  for (std::uint64_t k = 0; k < count; ++k)
    sum = sum + part(a, *of_a, halves ? 16 : 8, k) * part(b, *of_b, 8, first + k);
  return write(i.operands[0], sum);
}

// bfind.u32 d, a: where its highest bit that is set lies, of a negative number its highest zero; .shiftamt:
// how far that is from the top. -1 where there is none.
void PtxLowering::find_bit(const Instruction& i) {
  const auto type = ptx_type(i.last());
  if (!type || is_floating(*type) || size_of(*type) < 4) return refuse(i);
  Number a = read(i.operands[1], *type);
  const std::uint64_t top = 8 * static_cast<std::uint64_t>(size_of(*type)) - 1;
  if (is_signed(*type)) a = a ^ (a >> top);
  const Number zeros(b_, kBits32, b_.math(MathFunction::CountLeadingZeros, *type, ScalarType::I32, a));
  return write(i.operands[0], select(a != 0u, i.has("shiftamt") ? zeros : number(top) - zeros, 0xffffffffu));
}

// cvt.rn.satfinite.e4m3x2.f32 d, a, b: a is the upper byte. .e4m3x2.f16x2 d, a; .f16x2.e4m3x2 d, a.
void PtxLowering::convert_fp8(const Instruction& i) {
  const std::string &to = i.parts[i.parts.size() - 2], &from = i.last();
  constexpr ScalarType single = ScalarType::F32;
  using F = MathFunction;
  if (const int given = fp8_of(from); given != 0) {
    if (to != "f16x2") return refuse(i);
    return write(i.operands[0], halves_of_fp8(b_, read(i.operands[1], kBits32), given, 0));
  }
  const bool of_halves = from == "f16x2";
  if (fp8_of(to) == 0 || (!of_halves && from != "f32")) return refuse(i);
  takes(i, of_halves ? 2 : 3, of_halves ? 2 : 3);
  const bool is_e4m3 = fp8_of(to) == 1, keeps_finite = i.has("satfinite");
  const F function = keeps_finite ? (is_e4m3 ? F::E4M3ToBits : F::E5M2ToBits)
                                  : (is_e4m3 ? F::E4M3ToBitsOpen : F::E5M2ToBitsOpen);
  const auto byte = [&](std::uint64_t k) {
    Number given = read(i.operands[of_halves ? 1 : 2 - k], of_halves ? kBits32 : single);
    if (of_halves) given = single_of_bits(given >> 16 * k, ScalarType::F16);
    if (i.has("relu")) given = max(given, 0.0);
    return Number(b_, kBits32, b_.bit_cast(given.math(function), kBits32)) & 0xffu;
  };
  const Number lower = byte(0);
  return write(i.operands[0], cast(lower | (byte(1) << 8u), ScalarType::U16));
}

}  // namespace warplens::sim::lower
