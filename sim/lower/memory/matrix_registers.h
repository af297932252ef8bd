// How 8x8 matrices of halves lie in the registers of a warp.
//
// Lane i has, in one register, the elements of row i / 4 in columns 2 (i mod 4) and the next. ldmatrix brings
// up to four of them from rows of 16 bytes in shared memory, whose addresses eight lanes a matrix give.
#pragma once

#include <vector>

#include "sim/lower/ir/builder.h"

namespace warplens::sim::lower {

class MatrixRegisters {
 public:
  static constexpr int kRows = 8;      // of a matrix
  static constexpr int kRowWords = 4;  // of a row
  static constexpr ScalarType kWord = ScalarType::U32;

  explicit MatrixRegisters(Builder& b) : b_(b) {}

  Value number(std::uint64_t value) { return b_.integer(kWord, value); }
  Value lane() { return b_.ir.input(kLaneIndex, kWord); }
  Value from_lane(Value value, Value source);
  Value chosen(const std::vector<Value>& values, Value index);  // values[index], of up to four
  // The row whose address a lane has given, as four words; zeros in lanes that give none.
  std::vector<Value> load_rows(const Address& rows, AccessText text, int count);
  Value row_part(const std::vector<Value>& words, int matrix);
  Value column_part(const std::vector<Value>& words, int matrix);  // of the transposed matrix
  Value transposed(Value matrix);
  // a (16 x 8 n) b (8 n x 8) + c, as mma.sync has them: four registers of a and two of b for n = 2.
  std::vector<Value> products(const std::vector<Value>& a, const std::vector<Value>& b,
                              const std::vector<Value>& c, ScalarType type, ScalarType of_a, ScalarType of_b);

 private:
  Builder& b_;
};

}  // namespace warplens::sim::lower
