#include "sim/lower/memory/matrix_registers.h"

#include "sim/lower/ir/flow.h"
#include "sim/lower/memory/tensor_copy.h"

namespace warplens::sim::lower {

Number MatrixRegisters::from_lane(Value value, const Number& source) {
  return {b_, kWord, b_.shuffle(ShuffleMode::Index, kWord, value, source, kNone, kNone)};
}

Number MatrixRegisters::chosen(const std::vector<Value>& values, const Number& index) {
  Number found(b_, kWord, values.back());
  for (std::size_t k = values.size() - 1; k-- > 0;)
    found = select(index == k, Number(b_, kWord, values[k]), found);
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
  where(b_, lane() < static_cast<std::uint64_t>(count) * kRows, text.range, [&] {
    const std::vector<Value> read = b_.ir.group(ValueInfo::Kind::Temp, kWord, kRowWords, b_.region);
    b_.load(rows, text, kWord, read);
    for (std::size_t k = 0; k < words.size(); ++k) b_.move(words[k], kWord, read[k]);
  });
  return words;
}

// Lane i: word i mod 4 of row i / 4.
Number MatrixRegisters::row_part(const std::vector<Value>& words, int matrix) {
  const Number source = (lane() >> 2u) + static_cast<std::uint64_t>(matrix) * kRows;
  std::vector<Value> given;
  for (const Value word : words) given.push_back(from_lane(word, source));
  return chosen(given, lane() & 3u);
}

// Lane i: of rows 2 (i mod 4) and the next, which lie in lanes four apart, the half in column i / 4.
Number MatrixRegisters::transposed(Value matrix) {
  const Number column = lane() >> 2u, bits = (column & 1u) << 4u;
  const Number first = ((lane() & 3u) << 3u) + (column >> 1u);
  const auto half = [&](std::uint64_t k) { return (from_lane(matrix, first + 4 * k) >> bits) & 0xffffu; };
  const Number low = half(0);
  return low | (half(1) << 16u);
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

DescribedMatrix::DescribedMatrix(Builder& b, const Number& descriptor, bool along_k, AccessText text)
    : b_(b), along_k_(along_k), text_(std::move(text)) {
  constexpr std::uint64_t kOffset = 0x3fff;
  const auto field = [&](std::uint64_t shift, std::uint64_t mask) {
    return ((descriptor >> shift) & mask).to(kWord);
  };
  start_ = field(0, kOffset) << 4u;
  base_ = field(49, 7);
  const Number leading = field(16, kOffset) << 4u, stride = field(32, kOffset) << 4u;
  const Number mode = field(62, 3), plain = mode == 0u;
  level_ = select(plain, mode.of(0u), mode.of(4u) - mode);
  mask_ = (mode.of(1u) << level_) - 1u;
  const Number width = mode.of(16u) << level_;
  const Number lane(b, kWord, b.ir.input(kLaneIndex, kWord)), row = lane >> 2u, quarter = lane & 3u;
  if (along_k) {
    of_lane_[0] = of_lane_[1] = row * width + (quarter << 2u);
    block_step_ = stride;
    half_step_ = select(plain, leading, 16u);
    return;
  }
  of_lane_[0] = (quarter << 1u) * width + (row << 1u);
  of_lane_[1] = of_lane_[0] + width;
  block_step_ = select(plain, stride, leading);
  half_step_ = select(plain, leading, stride);
}

Number DescribedMatrix::load(const Number& address, ScalarType type) {
  const Number flips = (((address >> 7u) - base_) & mask_) << 4u;
  Address at{b_.ir.constant(ScalarType::U64, kSharedWindow, {Origin::Kind::Shared, -1}), {}, 0};
  b_.add_index(at, address ^ flips, kWord, 1, false);
  const Value read = b_.ir.temp(type);
  b_.load(at, text_, type, {read});
  return Number(b_, type, read).to(kWord);
}

Number DescribedMatrix::word(const Number& tile, int half) {
  const Number from = start_ + half_step_ * static_cast<std::uint64_t>(half);
  if (along_k_) return load(tile * block_step_ + from + of_lane_[0], kWord);
  // The part of a row's elements that lies in this block, and how many rows' worth of elements lie before it.
  const Number place = from + ((tile >> level_) * block_step_ + ((tile & mask_) << 4u));
  const Number low = load(place + of_lane_[0], ScalarType::U16);
  return low | (load(place + of_lane_[1], ScalarType::U16) << 16u);
}

}  // namespace warplens::sim::lower
