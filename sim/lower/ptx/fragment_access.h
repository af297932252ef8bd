// Where the elements of wmma's fragments lie: in matrices of 8x8 registers, and in the memory that they are
// loaded from and stored to.
//
// The accesses are those that nvcc 13.0 makes for compute capability 9.0, seen in its machine code: halves
// come from shared memory with ldmatrix, from elsewhere 4 bytes a lane for each matrix of 8x8; bytes alike
// where they are summed over along memory, else one by one; tf32 4 bytes a lane from anywhere. Results go in
// pairs where these lie side by side, else halves are transposed first and floats go one by one.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/lower/lowering.h"
#include "sim/lower/memory/matrix_registers.h"

namespace warplens::sim::lower {

// A fragment of wmma, and how it lies in registers. `tall`: 16 rows of a (or of the transposed b) to
// every four registers; else 8 columns of b to every two. Of a result `tiles` of 16 x 8, eight values.
struct Fragment {
  enum class Use { A, B, Result };
  Use use = Use::A;
  int m = 16, n = 16, k = 16;
  ScalarType type = ScalarType::F16;
  bool row_major = true;                   // A, B
  bool is_flat() const { return m == 8; }  // computed as its transpose
  bool is_tall() const { return (use == Use::A) != is_flat(); }
  int outer() const { return use == Use::A ? m : n; }
  // How many factors a lane's register holds: two halves, a tf32 or four bytes. The sum runs over them.
  int in_register() const { return 4 / sim::size_of(type); }
  int depth() const { return 4 * in_register(); }  // the k of an 8x8 matrix of registers
  int steps() const { return k / depth(); }
};

// Where a register's 8x8 matrix begins. Of a: outer is the row, of b the column; inner is what is summed
// over.
struct Block {
  int outer = 0, inner = 0;
};
inline std::vector<Block> blocks_of(const Fragment& f) {
  std::vector<Block> blocks;
  const int height = f.is_tall() ? 16 : 8;
  for (int outer = 0; outer < f.outer(); outer += height)
    for (int inner = 0; inner < f.k; inner += f.depth())
      for (int half = 0; half < height; half += MatrixRegisters::kRows)
        blocks.push_back({outer + half, inner});
  return blocks;
}

// What lies side by side in memory is summed over.
inline bool inner_is_dense(const Fragment& f) {
  return f.row_major == (f.use == Fragment::Use::A);
}

// Whether ldmatrix may bring it: rows of 16 bytes that are summed over, or transposed halves.
inline bool is_by_rows(const Fragment& f) {
  return is_small_float(f.type) || (is_narrow(f.type) && inner_is_dense(f));
}

// Rows and columns of a result's tiles of 16 x 8, of its transpose where it is flat.
struct Tile {
  int row = 0, column = 0;
};
inline std::vector<Tile> tiles_of(const Fragment& f) {
  if (f.m == 16) return {{0, 0}, {0, 8}};
  return {{0, 0}, {16, 0}};
}

class FragmentAccess {
 public:
  // `words`: the fragment's registers.
  FragmentAccess(Builder& b, std::vector<Value>& words) : b_(b), registers_(b), words_(words) {}

  Value get(int byte) { return words_[static_cast<std::size_t>(byte) / 4]; }
  void put(int byte, Value value) { words_[static_cast<std::size_t>(byte) / 4] = value; }

  // An element's place in memory: rows of `length` elements, of them row + i / 4 and column + 2 (i mod 4), or
  // as many as a register holds.
  Address at(const Address& base, const Number& length, int row, int column, int bytes) {
    const Number down = plus(lane() >> 2u, row), across = plus(quarter(bytes), column);
    return moved(base, down * length + across, bytes);
  }
  // The same where the columns lie side by side: row (i mod 4) of so many, and column i / 4.
  Address turned(const Address& base, const Number& length, int row, int column, int bytes) {
    const Number down = plus(quarter(bytes), row), across = plus(lane() >> 2u, column);
    return moved(base, down * length + across, bytes);
  }
  Address moved(const Address& base, const Number& index, int bytes) {
    Address address = base;
    b_.add_index(address, index, MatrixRegisters::kWord, bytes, false);
    return address;
  }

  Number plus(const Number& v, int more) { return v + static_cast<std::uint64_t>(more); }
  Number number(std::uint64_t value) { return registers_.number(value); }
  Number lane() { return registers_.lane(); }
  MatrixRegisters& registers() { return registers_; }

  // Matrices from global memory, or one that is not known, a row to four lanes.
  Value from_memory(const Address& base, const Number& length, Block block, bool dense,
                    const AccessText& text, ScalarType type) {
    if (type == ScalarType::F32 || (is_narrow(type) && dense)) {
      const int bytes = sim::size_of(type);
      const Value word = b_.ir.temp(MatrixRegisters::kWord);
      b_.load(dense ? at(base, length, block.outer, block.inner, bytes)
                    : turned(base, length, block.inner, block.outer, bytes),
              text, MatrixRegisters::kWord, {word});
      return word;
    }
    if (is_narrow(type)) return from_bytes(base, length, block, text);
    const Address address =
        at(base, length, dense ? block.outer : block.inner, dense ? block.inner : block.outer, 2);
    const Value word = b_.ir.temp(MatrixRegisters::kWord);
    b_.load(address, text, MatrixRegisters::kWord, {word});
    return dense ? word : registers_.transposed(word);
  }

  // Four bytes that do not lie side by side, one by one.
  Value from_bytes(const Address& base, const Number& length, Block block, const AccessText& text) {
    Number word = number(0);
    for (int i = 0; i < 4; ++i) {
      const Number byte(b_, ScalarType::U8, b_.ir.temp(ScalarType::U8));
      b_.load(turned(base, length, block.inner + i, block.outer, 1), text, ScalarType::U8, {byte});
      word = word | (byte.to(MatrixRegisters::kWord) << static_cast<std::uint64_t>(8 * i));
    }
    return word;
  }

  // All matrices of a or b; from shared memory by ldmatrix, where is_by_rows().
  std::vector<Value> inputs(const Address& base, const Number& length, const Fragment& f, bool by_ldmatrix,
                            const AccessText& text) {
    const std::vector<Block> blocks = blocks_of(f);
    const bool dense = inner_is_dense(f);
    std::vector<Value> loaded;
    if (!by_ldmatrix) {
      for (const Block& block : blocks)
        loaded.push_back(from_memory(base, length, block, dense, text, f.type));
      return loaded;
    }
    const int bytes = sim::size_of(f.type);
    const std::size_t at_once = bytes == 1 ? 2 : 4;  // matrices of an ldmatrix
    for (std::size_t first = 0; first < blocks.size(); first += at_once) {
      const auto begin = blocks.begin() + static_cast<std::ptrdiff_t>(first);
      const auto end = begin + static_cast<std::ptrdiff_t>(std::min(at_once, blocks.size() - first));
      for (const Value one : from_shared(base, length, {begin, end}, dense, text, bytes))
        loaded.push_back(one);
    }
    return loaded;
  }

  // Up to four of them from shared memory.
  std::vector<Value> from_shared(const Address& base, const Number& length, std::vector<Block> blocks,
                                 bool dense, const AccessText& text, int bytes) {
    const Number matrix = lane() >> 3u;
    std::vector<Value> rows, columns;
    for (const Block& block : blocks) {
      rows.push_back(number(static_cast<std::uint64_t>(dense ? block.outer : block.inner)));
      columns.push_back(number(static_cast<std::uint64_t>(dense ? block.inner : block.outer)));
    }
    const Number row = registers_.chosen(rows, matrix) + (lane() & 7u);
    const Number index = row * length + registers_.chosen(columns, matrix);
    const auto count = static_cast<int>(blocks.size());
    const std::vector<Value> words = registers_.load_rows(moved(base, index, bytes), text, count);
    std::vector<Value> loaded;
    for (int i = 0; i < count; ++i) {
      const Number part = registers_.row_part(words, i);
      loaded.push_back(dense ? part : registers_.transposed(part));
    }
    return loaded;
  }

 private:
  // The first of those elements of four lanes that are this one's.
  Number quarter(int bytes) { return (lane() & 3u) * static_cast<std::uint64_t>(std::max(1, 4 / bytes)); }

  Builder& b_;
  MatrixRegisters registers_;
  std::vector<Value>& words_;
};

}  // namespace warplens::sim::lower
