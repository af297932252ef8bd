// Who holds which element of the matrices of an mma.sync: D (16 x 8) = A (16 x k) B (k x 8) + C; and of a
// wgmma: D (64 x n) = A (64 x k) B (k x n) + D, where each warp of four has 16 rows of A and D, and B, like A
// where it does not come from registers, stays in shared memory.
//
// A register holds one, two or four elements beside each other. Lane l is at row l / 4 of A and C and at
// column l / 4 of B; l mod 4 counts registers along k, and pairs along the columns of C.
//
//   m16n8k16, halves: A[row][column] is in lane row % 8 * 4 + column % 8 / 2, in register
//   row / 8 + column / 8 * 2, at its half column % 2
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::layout {

struct MmaShape {
  std::string name;  // "m16n8k16.f16"
  int k = 16;
  int in_register = 2;         // elements of A and B
  int rows = 16, columns = 8;  // of C
  bool of_wmma = false;        // the text has fragments of nvcuda::wmma, whose layout CUDA leaves open
  bool is_warpgroups() const { return rows == 64; }
};
// m16n8k8 and k16 of f16 and bf16, k4 and k8 of tf32, k16 and k32 of s8, k32 of e4m3.
const std::vector<MmaShape>& mma_shapes();
// The shapes of wgmma: m64n8 to n256, k16 of f16 and bf16, k8 of tf32, k32 of s8 and e4m3.
const std::vector<MmaShape>& warpgroup_shapes();
const MmaShape* find_mma_shape(std::string_view name);  // among the shapes of mma and wgmma

enum class MatrixOf : std::uint8_t { A, B, C };  // D lies as C

struct Holder {
  int lane = 0, register_number = 0, part = 0;  // part: from the lowest bits; lane -1: in no register
  int warp = 0;                                 // of a warpgroup
  friend bool operator==(const Holder&, const Holder&) = default;
};
int rows_of(const MmaShape& shape, MatrixOf of);
int columns_of(const MmaShape& shape, MatrixOf of);
int registers_of(const MmaShape& shape, MatrixOf of);
Holder holder_of(const MmaShape& shape, MatrixOf of, int row, int column);

// The shapes of the mma.sync and wgmma in a kernel's text, in order, each once; where it has only wmma, that
// of the mma.sync of which nvcc 13.0 makes its products for compute capability 9.0.
std::vector<MmaShape> mma_shapes_in(std::string_view text);

}  // namespace warplens::layout
