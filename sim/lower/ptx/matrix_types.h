// What the registers of mma.sync and wgmma hold, and the products of those.
#pragma once

#include <string_view>
#include <vector>

#include "sim/lower/memory/matrix_registers.h"

namespace warplens::sim::lower {

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
