// Who holds which element of the matrices of an mma.sync: as the PTX manual has it.
#include "sim/layout/fragment.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

namespace warplens::layout {
namespace {

TEST(Fragment, AsThePtxManualDrawsM16N8K16) {
  const MmaShape* shape = find_mma_shape("m16n8k16.f16");
  ASSERT_NE(shape, nullptr);
  // a0, a1: row l / 4, columns 2 (l % 4) and the next; a2: 8 rows further; a4: 8 columns further.
  EXPECT_EQ(holder_of(*shape, MatrixOf::A, 0, 1), (Holder{0, 0, 1}));
  EXPECT_EQ(holder_of(*shape, MatrixOf::A, 9, 4), (Holder{6, 1, 0}));
  EXPECT_EQ(holder_of(*shape, MatrixOf::A, 1, 8), (Holder{4, 2, 0}));
  EXPECT_EQ(holder_of(*shape, MatrixOf::A, 15, 15), (Holder{31, 3, 1}));
  // b0: rows 2 (l % 4) and the next, column l / 4.
  EXPECT_EQ(holder_of(*shape, MatrixOf::B, 3, 2), (Holder{9, 0, 1}));
  EXPECT_EQ(holder_of(*shape, MatrixOf::B, 12, 7), (Holder{30, 1, 0}));
  EXPECT_EQ(holder_of(*shape, MatrixOf::C, 8, 7), (Holder{3, 3, 0}));
}

TEST(Fragment, AsThePtxManualDrawsTheOthers) {
  EXPECT_EQ(holder_of(*find_mma_shape("m16n8k8.tf32"), MatrixOf::A, 2, 5), (Holder{9, 2, 0}));
  EXPECT_EQ(holder_of(*find_mma_shape("m16n8k32.s8"), MatrixOf::A, 10, 22), (Holder{9, 3, 2}));
  EXPECT_EQ(holder_of(*find_mma_shape("m16n8k8.bf16"), MatrixOf::B, 7, 1), (Holder{7, 0, 1}));
  EXPECT_EQ(find_mma_shape("m16n8k64.s8"), nullptr);
}

// Warp w of four has rows 16 w to 16 w + 15; each eight columns of D are four registers.
TEST(Fragment, AsThePtxManualDrawsWgmma) {
  const MmaShape* shape = find_mma_shape("m64n128k16.f16");
  ASSERT_NE(shape, nullptr);
  EXPECT_EQ(holder_of(*shape, MatrixOf::C, 0, 1), (Holder{0, 1, 0, 0}));
  EXPECT_EQ(holder_of(*shape, MatrixOf::C, 24, 8), (Holder{0, 6, 0, 1}));
  EXPECT_EQ(holder_of(*shape, MatrixOf::C, 63, 127), (Holder{31, 63, 0, 3}));
  EXPECT_EQ(holder_of(*shape, MatrixOf::A, 41, 9), (Holder{4, 3, 1, 2}));
  EXPECT_EQ(holder_of(*shape, MatrixOf::B, 0, 0).lane, -1);
  EXPECT_EQ(registers_of(*shape, MatrixOf::C), 64);
  EXPECT_NE(find_mma_shape("m64n256k8.tf32"), nullptr);
  EXPECT_EQ(find_mma_shape("m64n12k16.f16"), nullptr);
}

// Every place in every register holds one element.
TEST(Fragment, FillsEveryRegister) {
  std::vector<MmaShape> shapes = mma_shapes();
  shapes.push_back(*find_mma_shape("m64n24k32.e4m3"));
  for (const MmaShape& shape : shapes) {
    for (const MatrixOf of : {MatrixOf::A, MatrixOf::B, MatrixOf::C}) {
      if (registers_of(shape, of) == 0) continue;
      std::set<std::tuple<int, int, int, int>> places;
      for (int row = 0; row < rows_of(shape, of); ++row)
        for (int column = 0; column < columns_of(shape, of); ++column) {
          const Holder h = holder_of(shape, of, row, column);
          EXPECT_LT(h.register_number, registers_of(shape, of)) << shape.name;
          EXPECT_LT(h.lane, 32) << shape.name;
          places.insert({h.warp, h.lane, h.register_number, h.part});
        }
      EXPECT_EQ(places.size(), static_cast<std::size_t>(rows_of(shape, of) * columns_of(shape, of)))
          << shape.name;
    }
  }
}

TEST(Fragment, IsFoundInAKernelsText) {
  const auto found = mma_shapes_in(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0} "
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 "
      "m16n8k wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {%0} m64n");
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[3].name, "m64n64k16.bf16");
  EXPECT_EQ(found[0].name, "m16n8k16.f16");
  EXPECT_EQ(found[1].name, "m16n8k8.tf32");
  EXPECT_EQ(found[2].name, "m16n8k32.s8");
  EXPECT_FALSE(found[0].of_wmma);
  const auto open = mma_shapes_in("wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;");
  ASSERT_EQ(open.size(), 1u);
  EXPECT_EQ(open[0].name, "m16n8k16.f16");
  EXPECT_TRUE(open[0].of_wmma);
}

}  // namespace
}  // namespace warplens::layout
