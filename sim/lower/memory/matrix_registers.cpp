#include "sim/lower/memory/matrix_registers.h"

#include "sim/lower/ir/flow.h"
#include "sim/lower/memory/copy_async.h"

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

// Transposed. Lane i: of rows 2 (i mod 4) and the next the half in column i / 4.
Value MatrixRegisters::column_part(const std::vector<Value>& words, int matrix) {
  const Value column = b_.op(Opcode::Shr, kWord, lane(), number(2));
  const Value word = b_.op(Opcode::Shr, kWord, column, number(1));
  const Value bits = b_.op(Opcode::Shl, kWord, b_.op(Opcode::And, kWord, column, number(1)), number(4));
  const Value pair = b_.op(Opcode::And, kWord, lane(), number(3));
  const Value first = b_.op(Opcode::Shl, kWord, pair, number(1));
  Value halves[2];
  for (int row = 0; row < 2; ++row) {
    const auto skipped = static_cast<std::uint64_t>(matrix * kRows + row);
    const Value source = b_.op(Opcode::Add, kWord, first, number(skipped));
    std::vector<Value> given;
    for (const Value one : words) given.push_back(from_lane(one, source));
    const Value shifted = b_.op(Opcode::Shr, kWord, chosen(given, word), bits);
    halves[row] = b_.op(Opcode::And, kWord, shifted, number(0xffff));
  }
  return b_.op(Opcode::Or, kWord, halves[0], b_.op(Opcode::Shl, kWord, halves[1], number(16)));
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

}  // namespace warplens::sim::lower
