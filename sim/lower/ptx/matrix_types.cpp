#include "sim/lower/ptx/matrix_types.h"

namespace warplens::sim::lower {

namespace {

constexpr ScalarType kPacked = MatrixRegisters::kWord, kSingle = ScalarType::F32;
constexpr MatrixType kTypes[] = {{"f16", ScalarType::F16, 8, false, 0, 0x80008000u},
                                 {"bf16", ScalarType::BF16, 8, false, 0, 0x80008000u},
                                 {"tf32", ScalarType::F32, 4, false, 0, 0x80000000u},
                                 {"s8", ScalarType::I8, 16, true},
                                 {"u8", ScalarType::U8, 16, true},
                                 {"e4m3", ScalarType::F16, 16, false, 1, 0x80808080u},
                                 {"e5m2", ScalarType::F16, 16, false, 2, 0x80808080u}};

// The bits of a register stay as they are.
Value as(Builder& b, ScalarType type, Value v) {
  const auto known = b.bits(v);
  return known ? b.ir.constant(type, *known) : v;
}

}  // namespace

const MatrixType* matrix_type(std::string_view name) {
  for (const MatrixType& known : kTypes)
    if (known.name == name) return &known;
  return nullptr;
}

Value MatrixProduct::halves(Value word, int fp8, int part) {
  const auto number = [&](int value) { return b_.integer(kPacked, static_cast<std::uint64_t>(value)); };
  const auto one = [&](int index) {
    const Value byte =
        b_.op(Opcode::And, kPacked, b_.op(Opcode::Shr, kPacked, word, number(8 * index)), number(0xff));
    const auto function = fp8 == 1 ? MathFunction::E4M3FromBits : MathFunction::E5M2FromBits;
    const Value single = b_.math(function, kSingle, kSingle, as(b_, kSingle, byte));
    return as(b_, kPacked, b_.math(MathFunction::HalfToBits, kSingle, kSingle, single));
  };
  return b_.op(Opcode::Or, kPacked, one(2 * part),
               b_.op(Opcode::Shl, kPacked, one(2 * part + 1), number(16)));
}

std::vector<Value> MatrixProduct::sums(const std::vector<Value>& a, const std::vector<Value>& b,
                                       const std::vector<Value>& c) {
  MatrixRegisters registers(b_);
  const ScalarType type = of_a_.is_integer ? ScalarType::I32 : kSingle;
  if (of_a_.fp8 == 0) return registers.products(a, b, c, type, of_a_.type, of_b_.type);
  std::vector<Value> sums = c;
  for (int part = 0; part < 2; ++part) {
    std::vector<Value> left, right;
    for (const Value word : a) left.push_back(halves(word, of_a_.fp8, part));
    for (const Value word : b) right.push_back(halves(word, of_b_.fp8, part));
    sums = registers.products(left, right, sums, type, of_a_.type, of_b_.type);
  }
  return sums;
}

}  // namespace warplens::sim::lower
