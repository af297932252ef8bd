// Layouts: their text, where elements lie, and the expression that says so in CUDA C++.
#include "sim/layout/layout.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "sim/count/totals.h"
#include "sim/lower/lower.h"
#include "sim/memory/gpu_model.h"

namespace warplens::layout {
namespace {

Layout of(const std::string& text) {
  const ParsedLayout parsed = parse_layout(text);
  EXPECT_TRUE(parsed.layout) << text << ": " << parsed.error.english();
  return parsed.layout.value_or(Layout{{{{1, 1}}}, {}});
}

TEST(Layout, CountsFromTheInnermost) {
  const Layout nested = of("(8,(4,2)):(1,(8,64))");
  EXPECT_EQ(nested.rows(), 8);
  EXPECT_EQ(nested.columns(), 8);
  EXPECT_EQ(nested.at(3, 0), 3);
  EXPECT_EQ(nested.at(0, 3), 24);
  EXPECT_EQ(nested.at(0, 4), 64);
  EXPECT_EQ(nested.at(7, 7), 7 + 24 + 64);
}

TEST(Layout, WithoutStridesColumnsFollowOneAnother) {
  EXPECT_EQ(of("(8,64)"), of("(8,64):(1,8)"));
  EXPECT_EQ(of("(2,(3,5))"), of("(2,(3,5)):(1,(2,6))"));
  EXPECT_EQ(of("7:2").columns(), 1);
}

TEST(Layout, ModesBehindTheFirstAreColumns) {
  const Layout three = of("(4,2,3):(6,3,1)");
  EXPECT_EQ(three.columns(), 6);
  EXPECT_EQ(three.at(1, 5), 6 + 3 + 2);  // 5 = 1 + 2 * 2
}

TEST(Layout, TakesWhatCuteWritesAndPrints) {
  const Layout plain{{{{8, 64}}, {{64, 1}}}, {}};
  const auto with = [&](const Swizzle& swizzle) { return Layout{plain.modes, swizzle}; };
  EXPECT_EQ(of("(8,64):(64,1)"), plain);
  EXPECT_EQ(of("(_8, _64) : (_64, _1)"), plain);
  EXPECT_EQ(of("(Int<8>{},C<64>):(64,1)"), plain);
  EXPECT_EQ(of("Swizzle<3,0,3> o (8,64):(64,1)"), with({3, 0, 3, false}));
  EXPECT_EQ(of("Swizzle<1,5,-2> o (8,64):(64,1)"), with({1, 5, -2, false}));
  EXPECT_EQ(of("Sw<3,0,3> o _0 o (_8,_64):(_64,_1)"), with({3, 0, 3, false}));
  EXPECT_EQ(of("Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)"), with(tma_swizzle(128)));
  EXPECT_EQ(of("SW64 o (8,64):(64,1)"), with(tma_swizzle(64)));
}

TEST(Layout, SaysWhatIsWrongAndWhere) {
  const auto wrong = [](const std::string& text) {
    const ParsedLayout parsed = parse_layout(text);
    EXPECT_FALSE(parsed.layout) << text;
    return parsed.error.english() + " @" + std::to_string(parsed.at);
  };
  EXPECT_EQ(wrong(""), "a number is expected here @0");
  EXPECT_EQ(wrong("(8,64):(64,1"), "')' is expected here @12");
  EXPECT_EQ(wrong("(8,(4,2)):(1,8)"),
            "the strides do not have the form of the shape: one for each of its numbers @10");
  EXPECT_EQ(wrong("(8,8):(1,8,64)"),
            "the strides do not have the form of the shape: one for each of its numbers @6");
  EXPECT_EQ(wrong("(8,0):(1,1)"), "an extent of a shape is 1 or more @6");
  EXPECT_EQ(wrong("(8,8):(1,8) x"), "nothing is expected behind the layout @12");
  EXPECT_EQ(wrong("Swizzle<3,0,2> o (8,8)"),
            "Swizzle<B, M, S> needs 0 <= B <= |S| and 0 <= M, and at most 30 bits in all @15");
  EXPECT_EQ(wrong("Swizzle<3,0,3> (8,8)"), "'o' and a shape are expected behind the swizzle @15");
  EXPECT_EQ(wrong("(2000000,8)"), "a layout has at most 1048576 elements @11");
  EXPECT_EQ(wrong("(2,2):(1,99999999999)"), "a number is larger than 1073741824 @18");
  EXPECT_EQ(wrong(std::string(40, '(')), "the layout is nested deeper than 16 levels @17");
  EXPECT_EQ(wrong(std::string(5000, '1')), "the layout is longer than 4096 characters @0");
}

TEST(Layout, IsToldFromAnExpression) {
  for (const char* text : {"(8,8):(1,8)", " Swizzle<3,0,3> o (8,8)", "SW128 o (8,64):(64,1)"})
    EXPECT_TRUE(looks_like_layout(text)) << text;
  for (const char* text : {"(row * 8 + column)", "(row < 8 ? row : column)", "row", ""})
    EXPECT_FALSE(looks_like_layout(text)) << text;
}

// ---- swizzles

TEST(Swizzle, FlipsBitsByThoseThatLieHigher) {
  const Swizzle s{3, 4, 3};
  EXPECT_EQ(s(0), 0);
  EXPECT_EQ(s(1 << 7), (1 << 7) | (1 << 4));
  EXPECT_EQ(s(0b111'010'0101), 0b111'101'0101);
  EXPECT_EQ(s(1 << 10), 1 << 10);
  const Swizzle down{2, 1, -3};
  EXPECT_EQ(down(0b110), 0b110 | 0b110000);
}

// Each index has one place, and a swizzle is its own inverse.
TEST(Swizzle, IsAPermutation) {
  for (const Swizzle s : {Swizzle{3, 4, 3}, {5, 0, 5}, {2, 0, 5}, {1, 3, 2}, {2, 1, -3}}) {
    std::set<std::int64_t> places;
    for (std::int64_t i = 0; i < 4096; ++i) {
      EXPECT_EQ(s(s(i)), i);
      places.insert(s(i));
    }
    EXPECT_EQ(places.size(), 4096u);
    EXPECT_EQ(*places.rbegin(), 4095);
  }
}

// CUDA's table of the 128-byte swizzle: chunk c of row r of 128 bytes is put at chunk c ^ r % 8; of 64 bytes
// rows of two to 128, and at c ^ (r / 2) % 4; of 32 bytes at c ^ (r / 4) % 2.
TEST(Swizzle, TmaPutsChunksInOtherPlaces) {
  for (const int row_bytes : {32, 64, 128}) {
    const Swizzle s = tma_swizzle(row_bytes);
    const int chunks = row_bytes / 16, rows = 128 / row_bytes;
    for (int row = 0; row < 16; ++row)
      for (int chunk = 0; chunk < chunks; ++chunk)
        EXPECT_EQ(s(row * row_bytes + 16 * chunk), row * row_bytes + 16 * (chunk ^ row / rows % chunks))
            << row_bytes << ": " << row << ", " << chunk;
  }
  EXPECT_EQ(tma_swizzle(48).bits, 0);
}

TEST(Swizzle, OfBytesIsOneOfElements) {
  const Swizzle halves = tma_swizzle(128).of_elements(2);
  EXPECT_EQ(halves, (Swizzle{3, 3, 3, false}));
  for (std::int64_t i = 0; i < 2048; ++i) EXPECT_EQ(2 * halves(i), tma_swizzle(128)(2 * i));
  EXPECT_TRUE(tma_swizzle(128).fits(16));
  EXPECT_FALSE((Swizzle{3, 2, 3, true}).fits(8));
}

// ---- as CUDA C++

std::vector<std::int32_t> simulated(const std::string& index, std::int64_t rows, std::int64_t columns) {
  sim::CompileRequest request;
  request.kernel = "k";
  request.text =
      "__device__ int f(int row, int column) { return " + index +
      "; }\n__global__ void k(int* out) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < " +
      std::to_string(rows * columns) + ") out[i] = f(i / " + std::to_string(columns) + ", i % " +
      std::to_string(columns) + "); }\n";
  const sim::CompileResult compiled = sim::compile(request);
  EXPECT_TRUE(compiled.program) << index;
  if (!compiled.program) return {};
  sim::Launch launch{{static_cast<std::uint32_t>((rows * columns + 255) / 256)}, {256}, 0, {}};
  launch.arguments["out"] = sim::Buffer{static_cast<std::uint64_t>(rows * columns), sim::Fill::Zero};
  const sim::GridValues values = sim::run_grid(*compiled.program, launch, memory::default_gpu_model());
  EXPECT_FALSE(values.error);
  std::vector<std::int32_t> out(values.buffers.at(0).size() / 4);
  std::memcpy(out.data(), values.buffers.at(0).data(), 4 * out.size());
  return out;
}

TEST(Layout, ItsExpressionIsWhereElementsLie) {
  for (const char* text : {"(32,32):(32,1)", "(8,(4,2)):(1,(8,64))", "Swizzle<3,0,5> o (32,32):(32,1)",
                           "((2,3),(4,5))", "SW128 o (8,64):(64,1)", "Swizzle<2,1,-3> o (16,16):(16,1)",
                           "(4,2,3):(6,3,1)", "((2,2),1):((4,1),3)", "12:5", "(3,4):(0,0)"}) {
    const Layout layout = of(text);
    const std::vector<std::int32_t> found = simulated(index_text(layout, 2), layout.rows(), layout.columns());
    ASSERT_EQ(found.size(), static_cast<std::size_t>(layout.rows() * layout.columns())) << text;
    for (std::int64_t i = 0; i < layout.rows() * layout.columns(); ++i)
      ASSERT_EQ(found[static_cast<std::size_t>(i)], layout.at(i / layout.columns(), i % layout.columns(), 2))
          << text << " at " << i << ": " << index_text(layout, 2);
  }
}

TEST(Layout, ItsExpressionIsAsShortAsOneWouldWriteIt) {
  EXPECT_EQ(index_text(of("(32,32):(33,1)"), 4), "row * 33 + column");
  EXPECT_EQ(index_text(of("(8,(4,2)):(1,(8,64))"), 4), "row + column % 4 * 8 + column / 4 * 64");
  EXPECT_EQ(index_text(of("(1,1):(1,1)"), 4), "0");
}

}  // namespace
}  // namespace warplens::layout
