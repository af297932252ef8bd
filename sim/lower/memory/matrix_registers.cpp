#include "sim/lower/memory/matrix_registers.h"

#include "sim/lower/ir/flow.h"
#include "sim/lower/memory/tensor_copy.h"

namespace warplens::sim::lower {

Value MatrixRegisters::from_lane(Value value, Value source) {
  return b_.shuffle(ShuffleMode::Index, kWord, value, source, kNone, kNone);
}

Value MatrixRegisters::chosen(const std::vector<Value>& values, Value index) {
  Value found = values.back();
  for (std::size_t k = values.size() - 1; k-- > 0;) {
    const Value is_this = b_.op(Opcode::Eq, kWord, index, number(k));
    found = b_.op(Opcode::Select, kWord, is_this, values[k], found);
  }
  return found;
}

std::vector<Value> MatrixRegisters::load_rows(const Address& rows, AccessText text, int count) {
  text.form = AccessForm::Matrix;
  if (count * kRows == memory::kWarpLanes) {
    const std::vector<Value> words = b_.ir.group(ValueInfo::Kind::Temp, kWord, kRowWords, b_.region);
    b_.load(rows, text, kWord, words);
    return words;
  }
  const std::vector<Value> words = b_.ir.group(ValueInfo::Kind::Variable, kWord, kRowWords, b_.region);
  for (const Value word : words) b_.move(word, kWord, number(0));
  const auto giving = static_cast<std::uint64_t>(count) * kRows;
  where(b_, b_.op(Opcode::Lt, kWord, lane(), number(giving)), text.range, [&] {
    const std::vector<Value> read = b_.ir.group(ValueInfo::Kind::Temp, kWord, kRowWords, b_.region);
    b_.load(rows, text, kWord, read);
    for (std::size_t k = 0; k < words.size(); ++k) b_.move(words[k], kWord, read[k]);
  });
  return words;
}

// Lane i: word i mod 4 of row i / 4.
Value MatrixRegisters::row_part(const std::vector<Value>& words, int matrix) {
  const Value row = b_.op(Opcode::Shr, kWord, lane(), number(2));
  const Value source = b_.op(Opcode::Add, kWord, row, number(static_cast<std::uint64_t>(matrix) * kRows));
  std::vector<Value> given;
  for (const Value word : words) given.push_back(from_lane(word, source));
  return chosen(given, b_.op(Opcode::And, kWord, lane(), number(3)));
}

// Lane i: of rows 2 (i mod 4) and the next, which lie in lanes four apart, the half in column i / 4.
Value MatrixRegisters::transposed(Value matrix) {
  const Value column = b_.op(Opcode::Shr, kWord, lane(), number(2));
  const Value bits = b_.op(Opcode::Shl, kWord, b_.op(Opcode::And, kWord, column, number(1)), number(4));
  const Value row = b_.op(Opcode::Shl, kWord, b_.op(Opcode::And, kWord, lane(), number(3)), number(3));
  const Value first = b_.op(Opcode::Add, kWord, row, b_.op(Opcode::Shr, kWord, column, number(1)));
  Value halves[2];
  for (std::uint64_t k = 0; k < 2; ++k) {
    const Value source = b_.op(Opcode::Add, kWord, first, number(4 * k));
    const Value shifted = b_.op(Opcode::Shr, kWord, from_lane(matrix, source), bits);
    halves[k] = b_.op(Opcode::And, kWord, shifted, number(0xffff));
  }
  return b_.op(Opcode::Or, kWord, halves[0], b_.op(Opcode::Shl, kWord, halves[1], number(16)));
}

// Register r of a is of rows i / 4 + 8 (r mod 2), of the first columns for r < 2; that of the result of the
// same rows, its columns 2 (i mod 4) and the next.
std::vector<Value> MatrixRegisters::products(const std::vector<Value>& a, const std::vector<Value>& b,
                                             const std::vector<Value>& c, ScalarType type, ScalarType of_a,
                                             ScalarType of_b) {
  std::vector<Value> sums;
  for (std::size_t r = 0; r < c.size(); ++r) {
    Value sum = c[r];
    for (std::size_t step = 0; step < b.size(); ++step)
      sum = b_.matrix_dot(type, of_a, of_b, a[2 * step + r / 2], b[step], sum, static_cast<int>(r % 2));
    sums.push_back(sum);
  }
  return sums;
}

Value DescribedMatrix::field(Value descriptor, std::uint64_t shift, std::uint64_t mask) {
  const ScalarType wide = ScalarType::U64;
  const Value moved = b_.op(Opcode::Shr, wide, descriptor, b_.integer(wide, shift));
  return b_.convert(b_.op(Opcode::And, wide, moved, b_.integer(wide, mask)), wide, kWord);
}

DescribedMatrix::DescribedMatrix(Builder& b, Value descriptor, bool along_k, AccessText text)
    : b_(b), along_k_(along_k), text_(std::move(text)) {
  constexpr std::uint64_t kOffset = 0x3fff;
  start_ = op(Opcode::Shl, field(descriptor, 0, kOffset), number(4));
  leading_ = op(Opcode::Shl, field(descriptor, 16, kOffset), number(4));
  stride_ = op(Opcode::Shl, field(descriptor, 32, kOffset), number(4));
  base_ = field(descriptor, 49, 7);
  const Value mode = field(descriptor, 62, 3);
  const Value plain = op(Opcode::Eq, mode, number(0));
  level_ = b_.op(Opcode::Select, kWord, plain, number(0), op(Opcode::Sub, number(4), mode));
  const Value width = op(Opcode::Shl, number(16), level_);
  mask_ = op(Opcode::Sub, op(Opcode::Shl, number(1), level_), number(1));
  const Value lane = b_.ir.input(kLaneIndex, kWord);
  const Value row = op(Opcode::Shr, lane, number(2)), quarter = op(Opcode::And, lane, number(3));
  const auto either = [&](Value x, Value y) { return b_.op(Opcode::Select, kWord, plain, x, y); };
  if (along_k) {
    of_lane_[0] = op(Opcode::Add, op(Opcode::Mul, row, width), op(Opcode::Shl, quarter, number(2)));
    of_lane_[1] = of_lane_[0];
    block_step_ = stride_;
    half_step_ = either(leading_, number(16));
    return;
  }
  const Value first = op(Opcode::Mul, op(Opcode::Shl, quarter, number(1)), width);
  of_lane_[0] = op(Opcode::Add, op(Opcode::Shl, row, number(1)), first);
  of_lane_[1] = op(Opcode::Add, of_lane_[0], width);
  block_step_ = either(stride_, leading_);
  half_step_ = either(leading_, stride_);
}

Value DescribedMatrix::load(Value address, ScalarType type) {
  const Value moved = op(Opcode::Sub, op(Opcode::Shr, address, number(7)), base_);
  const Value flips = op(Opcode::Shl, op(Opcode::And, moved, mask_), number(4));
  Address at{b_.ir.constant(ScalarType::U64, kSharedWindow, {Origin::Kind::Shared, -1}), {}, 0};
  b_.add_index(at, op(Opcode::Xor, address, flips), kWord, 1, false);
  const Value read = b_.ir.temp(type);
  b_.load(at, text_, type, {read});
  return b_.convert(read, type, kWord);
}

Value DescribedMatrix::word(Value tile, int half) {
  const Value halves = op(Opcode::Mul, number(static_cast<std::uint64_t>(half)), half_step_);
  Value from = op(Opcode::Add, start_, halves);
  if (along_k_) {
    from = op(Opcode::Add, from, op(Opcode::Mul, tile, block_step_));
    return load(op(Opcode::Add, from, of_lane_[0]), kWord);
  }
  // The part of a row's elements that lies in this block, and how many rows' worth of elements lie before it.
  const Value within = op(Opcode::Shl, op(Opcode::And, tile, mask_), number(4));
  const Value before = op(Opcode::Mul, op(Opcode::Shr, tile, level_), block_step_);
  from = op(Opcode::Add, from, op(Opcode::Add, within, before));
  const Value low = load(op(Opcode::Add, from, of_lane_[0]), ScalarType::U16);
  const Value high = load(op(Opcode::Add, from, of_lane_[1]), ScalarType::U16);
  return op(Opcode::Or, low, op(Opcode::Shl, high, number(16)));
}

}  // namespace warplens::sim::lower
