// Counts that can be derived by hand: the arithmetic stands beside each.
#include <gtest/gtest.h>

#include "tests/kernels/gallery.h"

namespace warplens::test {
namespace {

Counts global(std::uint64_t requests, std::uint64_t bytes, std::uint64_t sectors, std::uint64_t lines) {
  return {requests, bytes, sectors, lines, 0, 0};
}
Counts shared(std::uint64_t requests, std::uint64_t bytes, std::uint64_t wavefronts) {
  return {requests, bytes, 0, 0, wavefronts, wavefronts - requests};
}

Case matrix(const char* scenario, std::int64_t rows, std::int64_t cols, std::int64_t bx, std::int64_t by) {
  return {scenario, {{"nrows", rows}, {"ncols", cols}, {"block_x", bx}, {"block_y", by}}};
}
Case padded(Case c, std::int64_t pad) {
  c.values["pad"] = pad;
  return c;
}

// 1000 elements are 31 full warps and one of 8 lanes: 32 requests. A full warp of w-byte elements asks for 32
// w bytes from a 32 w-byte boundary on: w sectors, and w / 4 lines or a part of one.
TEST(Copy, ByElement) {
  struct Row {
    std::int64_t element;
    std::uint64_t sectors, lines;
  };
  for (Row row : {Row{1, 31 * 1 + 1, 32}, Row{2, 31 * 2 + 1, 32}, Row{4, 31 * 4 + 1, 32},
                  Row{8, 31 * 8 + 2, 31 * 2 + 1}, Row{16, 31 * 16 + 4, 31 * 4 + 1}}) {
    KernelCounts k = simulated_counts({"copy", {{"n", 1000}, {"block_x", 256}, {"element", row.element}}});
    Counts expected = global(32, 1000 * static_cast<std::uint64_t>(row.element), row.sectors, row.lines);
    EXPECT_EQ(k, (KernelCounts{expected, expected, {}, {}})) << "element of " << row.element;
  }
}

// 32 warps of floats. Off by 1: the 128 bytes hang over into a fifth sector and a second line. Off by 8
// floats, a sector: four sectors again, two lines. Off by 32, a line: as if nothing were. The store stays
// perfect.
TEST(CopyOffset, ByOffset) {
  struct Row {
    std::int64_t offset;
    std::uint64_t sectors, lines;
  };
  for (Row row : {Row{0, 4, 1}, Row{1, 5, 2}, Row{7, 5, 2}, Row{8, 4, 2}, Row{31, 5, 2}, Row{32, 4, 1}}) {
    KernelCounts k = simulated_counts({"copy_offset", {{"n", 1024}, {"offset", row.offset}}});
    EXPECT_EQ(k.global_load, global(32, 4096, 32 * row.sectors, 32 * row.lines)) << "offset " << row.offset;
    EXPECT_EQ(k.global_store, global(32, 4096, 32 * 4, 32)) << "offset " << row.offset;
  }
}

// Strided by s, a warp's floats reach over 128 s bytes: 4 s sectors until each lane has one of its own, s
// lines.
TEST(CopyStride, ByStride) {
  struct Row {
    std::int64_t stride;
    std::uint64_t sectors, lines;
  };
  for (Row row : {Row{1, 4, 1}, Row{2, 8, 2}, Row{4, 16, 4}, Row{8, 32, 8}, Row{16, 32, 16}, Row{32, 32, 32},
                  Row{64, 32, 32}}) {
    KernelCounts k = simulated_counts({"copy_stride", {{"n", 1024}, {"stride", row.stride}}});
    EXPECT_EQ(k.global_load, global(32, 4096, 32 * row.sectors, 32 * row.lines)) << "stride " << row.stride;
    EXPECT_EQ(k.global_store, global(32, 4096, 32 * 4, 32)) << "stride " << row.stride;
  }
}

// 100 rows of 72 floats (288 bytes, 9 sectors): 3 warps a row of 32, 32 and 8 lanes, so 300 requests, 900
// sectors. Row r begins 32 (r mod 4) bytes into a line: the two full warps touch 1 line each where that is 0,
// else 2; the third warp's sector is in one line. Four rows: 2 + 4 + 4 + 4 lines, and 4: 18.
TEST(CopyRow, RowsThatAreNoMultipleOfTheBlock) {
  KernelCounts k = simulated_counts(matrix("copy_row", 100, 72, 32, 8));
  Counts expected = global(300, 4 * 7200, 900, 25 * 18);
  EXPECT_EQ(k, (KernelCounts{expected, expected, {}, {}}));
}

// 96 x 40: a warp is 32 rows of one column, 160 bytes apart: 3 x 40 requests of 32 sectors. Lines: 32
// addresses 160 bytes apart span 31 * 160 + 4 bytes and never share a line.
TEST(CopyCol, ALaneASector) {
  KernelCounts k = simulated_counts(matrix("copy_col", 96, 40, 32, 8));
  Counts expected = global(120, 4 * 3840, 120 * 32, 120 * 32);
  EXPECT_EQ(k, (KernelCounts{expected, expected, {}, {}}));
}

// 96 x 40: a row of 40 floats is one warp of 32 lanes and one of 8: 192 requests, 5 sectors a row (160 bytes
// from a sector's edge on). Each lane stores to a row of the result of its own: as many sectors and lines as
// elements. Row r begins 32 r mod 128 bytes into a line: the full warp touches 1, 2, 2, 2 lines, the other's
// sector 1 each.
TEST(TransposeNaive, ReadsRows) {
  KernelCounts k = simulated_counts(matrix("transpose_naive_row", 96, 40, 32, 8));
  EXPECT_EQ(k.global_load, global(192, 4 * 3840, 96 * 5, 24 * 11));
  EXPECT_EQ(k.global_store, global(192, 4 * 3840, 3840, 3840));
}

// The other way round, a warp is 32 rows of a column: 120 requests. The result's rows of 96 floats are 3
// lines each.
TEST(TransposeNaive, ReadsColumns) {
  KernelCounts k = simulated_counts(matrix("transpose_naive_col", 96, 40, 32, 8));
  EXPECT_EQ(k.global_load, global(120, 4 * 3840, 3840, 3840));
  EXPECT_EQ(k.global_store, global(120, 4 * 3840, 480, 120));
}

struct TileRow {
  std::int64_t bx, by, pad;
  std::uint64_t load_sectors, store_sectors;        // global, a request
  std::uint64_t store_wavefronts, load_wavefronts;  // shared, a request
};

void expect_tile(const char* scenario, const TileRow& row) {
  Case c = padded(matrix(scenario, 128, 128, row.bx, row.by), row.pad);
  if (std::string(scenario) == "transpose_swizzle") c.values.erase("pad");
  constexpr std::uint64_t kRequests = 128 * 128 / 32, kBytes = 4 * 128 * 128;
  KernelCounts k = simulated_counts(c);
  k.global_load.lines = k.global_store.lines = 0;  // derived below, for one shape
  EXPECT_EQ(k.global_load, global(kRequests, kBytes, kRequests * row.load_sectors, 0)) << c;
  EXPECT_EQ(k.global_store, global(kRequests, kBytes, kRequests * row.store_sectors, 0)) << c;
  EXPECT_EQ(k.shared_store, shared(kRequests, kBytes, kRequests * row.store_wavefronts)) << c;
  EXPECT_EQ(k.shared_load, shared(kRequests, kBytes, kRequests * row.load_wavefronts)) << c;
}

// A warp reads rows of bx floats (or 32 of one row) and writes rows of by: 4 sectors, until these are shorter
// than a sector: 4 floats fill half of each of 8 sectors, 1 float an eighth of each of 32. Of the tile it
// reads 32 / by columns of by words; word (c, r) lies in bank (c (bx + pad) + r) mod 32:
//   32 x 32          bank r: all 32 words of the column in one           pad 1: bank c + r: one each
//   32 x 16          banks r, r + 1: 16 words each                       pad 1: c + r and c + r + 1: 2; pad
//   2: 2 c + r: 1 32 x 8           banks r to r + 3: 8 words each                      pad 1: c + r, r < 4:
//   up to 4; pad 4: 4 c + r: 1 16 x 16          bank 16 (c mod 2) + r, two r: 8 words each          pad 1: 17
//   c + r, two r: 2
//    8 x 32          bank 8 (c mod 4) + r: 8 words each                  pad 1: 9 c + r: 1
//   64 x  4          bank r, eight r: 4 words each                       pad 8: 8 c + r: 1
//    8 x  8          bank 8 (c mod 4) + r, four r: 2 words each
//    1 x 128         bank c: 1
// Stores go to 32 words in a row, but where a row is shorter than a warp padding makes gaps: rows of 16 at
// pad 1 lie in words 0-15 and 17-32, so that bank 0 is hit twice; rows of 8 at pad 1 reach word 34: banks 0,
// 1 and 2 twice.
TEST(TransposeShared, ByShapeAndPadding) {
  for (const TileRow& row :
       {TileRow{32, 32, 0, 4, 4, 1, 32}, TileRow{32, 32, 1, 4, 4, 1, 1}, TileRow{32, 16, 0, 4, 4, 1, 16},
        TileRow{32, 16, 1, 4, 4, 1, 2}, TileRow{32, 16, 2, 4, 4, 1, 1}, TileRow{32, 8, 0, 4, 4, 1, 8},
        TileRow{32, 8, 1, 4, 4, 1, 4}, TileRow{32, 8, 4, 4, 4, 1, 1}, TileRow{16, 16, 0, 4, 4, 1, 8},
        TileRow{16, 16, 1, 4, 4, 2, 2}, TileRow{8, 32, 0, 4, 4, 1, 8}, TileRow{8, 32, 1, 4, 4, 2, 1},
        TileRow{64, 4, 0, 4, 8, 1, 4}, TileRow{64, 4, 8, 4, 8, 1, 1}, TileRow{8, 8, 0, 4, 4, 1, 2},
        TileRow{1, 128, 0, 32, 4, 1, 1}})
    expect_tile("transpose_shared", row);
}

// The exclusive or takes every conflict away, in every one of the shapes, and takes no other count.
TEST(TransposeSwizzle, HasNoConflictInAnyShape) {
  for (const TileRow& row :
       {TileRow{32, 32, 0, 4, 4, 1, 1}, TileRow{32, 16, 0, 4, 4, 1, 1}, TileRow{32, 8, 0, 4, 4, 1, 1},
        TileRow{16, 16, 0, 4, 4, 1, 1}, TileRow{8, 32, 0, 4, 4, 1, 1}, TileRow{64, 4, 0, 4, 8, 1, 1},
        TileRow{8, 8, 0, 4, 4, 1, 1}, TileRow{1, 128, 0, 32, 4, 1, 1}})
    expect_tile("transpose_swizzle", row);
}

// Two tiles a block change neither requests nor sectors; the tile's rows are 2 bx + pad words, as good as bx
// + pad for a bx of 32.
TEST(TransposeUnroll2, ByPadding) {
  for (const TileRow& row :
       {TileRow{32, 16, 0, 4, 4, 1, 16}, TileRow{32, 16, 1, 4, 4, 1, 2}, TileRow{32, 16, 2, 4, 4, 1, 1},
        TileRow{32, 32, 0, 4, 4, 1, 32}, TileRow{32, 32, 1, 4, 4, 1, 1}})
    expect_tile("transpose_unroll2", row);
}

}  // namespace
}  // namespace warplens::test
