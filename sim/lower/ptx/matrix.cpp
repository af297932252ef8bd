// ldmatrix, stmatrix and mma.sync: matrix_registers.h says how matrices lie in registers.
#include <algorithm>

#include "sim/lower/memory/matrix_registers.h"
#include "sim/lower/ptx/ptx_lowering.h"

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

}  // namespace

const MatrixType* matrix_type(std::string_view name) {
  const auto known = std::ranges::find(kTypes, name, &MatrixType::name);
  return known == std::end(kTypes) ? nullptr : known;
}

int fp8_of(std::string_view pair) {
  return pair == "e4m3x2" ? 1 : pair == "e5m2x2" ? 2 : 0;
}

Number halves_of_fp8(Builder& b, Value word, int fp8, int part) {
  const auto function = fp8 == 1 ? MathFunction::E4M3FromBits : MathFunction::E5M2FromBits;
  const auto one = [&](int index) {
    const Number byte = (Number(b, kPacked, word) >> static_cast<std::uint64_t>(8 * index)) & 0xffu;
    const Value single = b.math(function, kSingle, kSingle, b.bit_cast(byte, kSingle));
    return Number(b, kPacked, b.bits_of_small(single, ScalarType::F16));
  };
  const Number low = one(2 * part);
  return low | (one(2 * part + 1) << 16u);
}

std::vector<Value> MatrixProduct::sums(const std::vector<Value>& a, const std::vector<Value>& b,
                                       const std::vector<Value>& c) {
  MatrixRegisters registers(b_);
  const ScalarType type = of_a_.is_integer ? ScalarType::I32 : kSingle;
  if (of_a_.fp8 == 0) return registers.products(a, b, c, type, of_a_.type, of_b_.type);
  std::vector<Value> sums = c;
  for (int part = 0; part < 2; ++part) {
    std::vector<Value> left, right;
    for (const Value word : a) left.push_back(halves_of_fp8(b_, word, of_a_.fp8, part));
    for (const Value word : b) right.push_back(halves_of_fp8(b_, word, of_b_.fp8, part));
    sums = registers.products(left, right, sums, type, of_a_.type, of_b_.type);
  }
  return sums;
}

namespace {

constexpr int kRows = MatrixRegisters::kRows, kRowWords = MatrixRegisters::kRowWords;
constexpr ScalarType kWord = MatrixRegisters::kWord;

}  // namespace

int PtxLowering::matrices_of(const Instruction& i) {
  const int count = i.has("x4") ? 4 : i.has("x2") ? 2 : i.has("x1") ? 1 : 0;
  const bool known = count != 0 && i.has("m8n8") && i.has("b16") && (i.has("shared") || i.has("shared::cta"));
  if (!known) refuse(i);
  return count;
}

void PtxLowering::load_matrix(const Instruction& i) {
  const int count = matrices_of(i);
  const Operand &to = i.operands[0], &from = i.operands[1];
  const bool is_vector = to.kind == Operand::Kind::Vector;
  const std::size_t registers = is_vector ? to.parts.size() : 1;
  if (from.kind != Operand::Kind::Address || registers != static_cast<std::size_t>(count))
    complain(Message("'{}' gives {} registers, not {}", i.text, count, registers));
  const auto rows = address(from, Space::Shared);
  MatrixRegisters matrices(b_);
  const std::vector<Value> words = matrices.load_rows(rows, text_of(i, from), count);
  for (int matrix = 0; matrix < count; ++matrix) {
    const Number part = matrices.row_part(words, matrix);
    write(is_vector ? to.parts[matrix] : to, i.has("trans") ? matrices.transposed(part) : part);
  }
}

// ---- stmatrix

void PtxLowering::store_matrix(const Instruction& i) {
  const int count = matrices_of(i);
  const Operand& to = i.operands[0];
  std::vector<Value> given = read_all(i.operands[1], kWord);
  if (to.kind != Operand::Kind::Address || given.size() != static_cast<std::size_t>(count))
    complain(Message("'{}' takes {} registers, not {}", i.text, count, given.size()));
  const auto rows = address(to, Space::Shared);
  MatrixRegisters matrices(b_);
  if (i.has("trans"))
    for (Value& one : given) one = matrices.transposed(one);
  const Number first = (lane() & 7u) << 2u;
  std::vector<Value> words;
  for (std::uint64_t word = 0; word < kRowWords; ++word) {
    std::vector<Value> parts;
    for (const Value one : given) parts.push_back(matrices.from_lane(one, first + word));
    words.push_back(matrices.chosen(parts, lane() >> 3u));
  }
  AccessText text = text_of(i, to);
  text.form = AccessForm::Matrix;
  if (count * kRows == memory::kWarpLanes) return b_.store(rows, text, kWord, words);
  where(b_, lane() < static_cast<std::uint64_t>(count) * kRows, range_,
        [&] { b_.store(rows, text, kWord, words); });
}

// ---- mma.sync

// Two halves in a register, as floats; and back.
std::vector<Value> PtxLowering::singles_of(const std::vector<Value>& pairs) {
  std::vector<Value> singles;
  for (const Value pair : pairs) {
    singles.push_back(b_.single_of_bits(pair, ScalarType::F16));
    singles.push_back(b_.single_of_bits(Number(b_, kWord, pair) >> 16u, ScalarType::F16));
  }
  return singles;
}
Number PtxLowering::pair_of(Value low, Value high) {
  const auto bits = [&](Value single) {
    return Number(b_, kWord, b_.bits_of_small(single, ScalarType::F16));
  };
  return bits(low) | (bits(high) << 16u);
}

// mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 d, a, b, c
void PtxLowering::multiply_matrices(const Instruction& i) {
  const std::size_t n = i.parts.size();
  const MatrixType *of_a = n > 4 ? matrix_type(i.parts[n - 3]) : nullptr,
                   *of_b = n > 4 ? matrix_type(i.parts[n - 2]) : nullptr;
  const auto shape =
      std::ranges::find_if(i.parts, [](const std::string& part) { return part.find("n8k") != part.npos; });
  const bool floats = of_a != nullptr && !of_a->is_integer;
  const bool is_known = of_a != nullptr && of_b != nullptr && of_a->depth == of_b->depth &&
                        (of_a->depth == 16 ? of_a->is_integer == of_b->is_integer : of_a == of_b) &&
                        shape != i.parts.end() && i.has("row") && i.has("col") && !i.has("sp") &&
                        !i.has("satfinite") && i.last() == i.parts[n - 4];
  const bool is_half = is_known && i.last() == "f16" && of_a->type == ScalarType::F16 && of_a->fp8 == 0;
  const bool fits = is_known && (is_half || i.last() == (floats ? "f32" : "s32"));
  int steps = 0;
  for (int k : {1, 2})
    if (fits && (of_a->fp8 == 0 || k == 2) && *shape == "m16n8k" + std::to_string(k * of_a->depth)) steps = k;
  // The upper half of m16n8k16: the registers of rows 8 to 15 are left out.
  const bool is_upper_half = fits && !floats && *shape == "m8n8k16";
  if (is_upper_half) steps = 1;
  if (steps == 0)
    complain(Message("the PTX instruction '{}' is not simulated", i.text),
             Message("mma.sync of m16n8k8 and k16 (f16, bf16), k4 and k8 (tf32), k16 and k32 (s8, "
                     "u8), k32 (e4m3, e5m2), and of m8n8k16 (s8, u8), "
                     "row.col, is simulated"));
  takes(i, 4, 4);
  const ScalarType type = floats ? ScalarType::F32 : ScalarType::I32;
  auto a = read_all(i.operands[1], kWord), c = read_all(i.operands[3], is_half ? kWord : type);
  const auto b = read_all(i.operands[2], kWord);
  const Operand& to = i.operands[0];
  const auto of = static_cast<std::size_t>(steps), of_rows = is_upper_half ? of : 2 * of,
             results = is_half || is_upper_half ? std::size_t{2} : 4;
  if (a.size() != of_rows || b.size() != of || c.size() != results || to.parts.size() != results)
    complain(
        Message("'{}' takes {} registers of a, {} of b and {} of c and d", i.text, of_rows, of, results));
  if (is_upper_half) a.push_back(number(0)), c.insert(c.end(), 2, number(0));
  MatrixProduct product(b_, *of_a, *of_b);
  const std::vector<Value> sums = product.sums(a, b, is_half ? singles_of(c) : c);
  for (std::size_t r = 0; r < results; ++r) {
    if (is_half)
      write(to.parts[r], pair_of(sums[2 * r], sums[2 * r + 1]));
    else
      write(to.parts[r], type, sums[r]);
  }
}

}  // namespace warplens::sim::lower
