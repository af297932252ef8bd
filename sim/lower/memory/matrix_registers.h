// How 8x8 matrices of halves lie in the registers of a warp.
//
// Lane i has, in one register, the elements of row i / 4 in columns 2 (i mod 4) and the next. ldmatrix brings
// up to four of them from rows of 16 bytes in shared memory, whose addresses eight lanes a matrix give.
#pragma once

#include <string_view>
#include <vector>

#include "sim/lower/ir/number.h"

namespace warplens::sim::lower {

class MatrixRegisters {
 public:
  static constexpr int kRows = 8;      // of a matrix
  static constexpr int kRowWords = 4;  // of a row
  static constexpr ScalarType kWord = ScalarType::U32;

  explicit MatrixRegisters(Builder& b) : b_(b) {}

  Number number(std::uint64_t value) { return {b_, kWord, b_.integer(kWord, value)}; }
  Number lane() { return {b_, kWord, b_.ir.input(kLaneIndex, kWord)}; }
  Number from_lane(Value value, const Number& source);
  Number chosen(const std::vector<Value>& values, const Number& index);  // values[index], of up to four
  // The row whose address a lane has given, as four words; zeros in lanes that give none.
  std::vector<Value> load_rows(const Address& rows, AccessText text, int count);
  Number row_part(const std::vector<Value>& words, int matrix);
  Number transposed(Value matrix);
  // a (16 x 8 n) b (8 n x 8) + c, as mma.sync has them: four registers of a and two of b for n = 2.
  std::vector<Value> products(const std::vector<Value>& a, const std::vector<Value>& b,
                              const std::vector<Value>& c, ScalarType type, ScalarType of_a, ScalarType of_b);

 private:
  Builder& b_;
};

// A matrix in shared memory as wgmma's descriptor tells it (PTX ISA, "Asynchronous Warpgroup Level Matrix
// Shared Memory Layout"):
//
//   bits  0 to 13  where it begins, / 16        bits 16 to 29  leading byte offset, / 16
//   bits 32 to 45  stride byte offset, / 16     bits 49 to 51  base offset
//   bits 62, 63    0: no swizzle, 1: of 128 bytes, 2: of 64, 3: of 32
//
// Rows of w = 16, 32, 64 or 128 bytes, eight of them in a block. Along k (of element k of row r, b its byte):
//   r % 8 · w + r / 8 · stride + b, and without a swizzle b % 16 + b / 16 · leading
// Along m or n, of 16-bit elements, where p = w / 2 of them are in a row:
//   r % p · 2 + r / p · leading + k % 8 · w + k / 8 · stride, and without a swizzle the two offsets changed
//   about
// The address a is then a ^ (((a >> 7) - base) & 1, 3 or 7) << 4. Held against 133 products on an NVIDIA
// H200, all of which come out.

class DescribedMatrix {
 public:
  static constexpr ScalarType kWord = ScalarType::U32;

  // `along_k`: neighbours in memory are neighbours in the dimension that is summed over.
  DescribedMatrix(Builder& b, const Number& descriptor, bool along_k, AccessText text);

  // What lane l has of block `tile` of eight rows: row l / 4, elements of the register l % 4 of four, of the
  // `half`-th 16 bytes along k (or of the `half`-th 8 elements).
  Number word(const Number& tile, int half);

 private:
  Number load(const Number& address, ScalarType type);

  Builder& b_;
  const bool along_k_;
  const AccessText text_;
  Number start_, level_, base_, mask_;
  Number of_lane_[2];  // bytes, of the lane's first element and of its second
  Number block_step_, half_step_;
};

// What the registers of mma.sync and wgmma hold, and the products of those.
struct MatrixType {
  std::string_view name;
  ScalarType type;  // as the machine multiplies it; fp8: halves, which hold all of its numbers
  int depth;        // columns of a that the registers of four lanes have together
  bool is_integer = false;
  int fp8 = 0;              // 1: e4m3, 2: e5m2
  std::uint32_t signs = 0;  // the bits that negate a register
};
const MatrixType* matrix_type(std::string_view name);  // "bf16"; null: another

int fp8_of(std::string_view pair);  // as MatrixType has it: of "e4m3x2" 1; 0: another
// The first two (part 0) or the last two (part 1) of the four fp8 in a register as halves.
Number halves_of_fp8(Builder& b, Value word, int fp8, int part);

class MatrixProduct {
 public:
  MatrixProduct(Builder& b, const MatrixType& of_a, const MatrixType& of_b)
      : b_(b), of_a_(of_a), of_b_(of_b) {}
  // As MatrixRegisters::products(), of floats or I32.
  std::vector<Value> sums(const std::vector<Value>& a, const std::vector<Value>& b,
                          const std::vector<Value>& c);

 private:
  Builder& b_;
  const MatrixType &of_a_, &of_b_;
};

}  // namespace warplens::sim::lower
