// The pictures of a tile's layout and of the fragments of an mma, at all sizes, in both languages and
// palettes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "app/views/layout.h"
#include "cases.h"
#include "checks.h"

namespace warplens::scene {
namespace {

using namespace views;

using ::testing::IsEmpty;

// Rows of `columns` elements and `pad` more, each element at its place XOR `swizzle` bits of its row.
TileView tile_of(int rows, int columns, int pad, int element_bytes, int swizzle = 0) {
  TileView view;
  view.in = "in", view.tile = "tile";
  view.rows = rows, view.columns = columns, view.element_bytes = element_bytes;
  view.end = static_cast<memory::Address>(rows * (columns + pad) * element_bytes);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const int place = (row * (columns + pad) + column) ^ (row & swizzle);
      view.elements.push_back({row, column, static_cast<memory::Address>(place * element_bytes)});
    }
  return view;
}

memory::Address address_of(const TileView& view, int row, int column) {
  for (const TileElement& element : view.elements)
    if (element.row == row && element.column == column) return element.address;
  return 0;
}

TileView column_read(TileView view) {
  memory::WarpAccess access;
  access.space = memory::Space::Shared;
  access.bytes = view.element_bytes;
  for (int lane = 0; lane < 32; ++lane)
    access.addresses[static_cast<std::size_t>(lane)] = address_of(view, lane % view.rows, lane / view.rows);
  view.access = access;
  return view;
}

TileView matrices_read(TileView view, bool transposed) {
  view = column_read(std::move(view));
  view.access->bytes = 16;
  view.access->matrix = true;
  view.transposed = transposed;
  for (int lane = 0; lane < 32; ++lane)
    view.access->addresses[static_cast<std::size_t>(lane)] = address_of(view, lane % 16, lane / 16 * 8);
  return view;
}

TEST(TilePicture, SaysHowManyWays) {
  const Canvas canvas = cases::canvas(1100, 560);
  EXPECT_EQ(tile_scene(column_read(tile_of(32, 32, 0, 4)), canvas).answer, "32-way: 32 wavefronts");
  EXPECT_EQ(tile_scene(column_read(tile_of(32, 32, 1, 4)), canvas).answer, "= 1 wavefront, no conflict");
  EXPECT_EQ(tile_scene(column_read(tile_of(32, 32, 0, 4, 7)), canvas).answer, "4-way: 4 wavefronts");
  EXPECT_EQ(tile_scene(matrices_read(tile_of(16, 64, 0, 2), false), canvas).answer, "8-way: 32 wavefronts");
  EXPECT_EQ(tile_scene(tile_of(32, 32, 0, 4), canvas).answer, "");
}

// An element is in its lane's colour in both halves: with the lane's number, 64 in all, the column's 32
// twice.
TEST(TilePicture, LanesStandInBothHalves) {
  TileView view = column_read(tile_of(32, 32, 0, 4, 31));
  view.now = false;
  const Scene scene = tile_scene(view, cases::canvas(1500, 760));
  int bold = 0;
  for (const Label& label : checks::labels_of(scene)) bold += label.bold && label.align == Align::Center;
  EXPECT_EQ(bold, 64);
  // At the left a column, at the right one word a bank.
  std::set<float> left, right;
  const float middle = 0.5f * scene.width;
  for (const HotSpot& spot : scene.hot_spots)
    if (spot.lane >= 0) (spot.rect.x < middle ? left : right).insert(spot.rect.x);
  EXPECT_EQ(left.size(), 1u);
  EXPECT_EQ(right.size(), 32u);
}

// What is served later is pale, what is served now is framed.
TEST(TilePicture, ComesToItsWavefronts) {
  TileView view = column_read(tile_of(32, 32, 0, 4));
  const Canvas canvas = cases::canvas(1500, 760);
  for (const int wavefront : {0, 5, 31}) {
    view.wavefront = wavefront;
    EXPECT_EQ(checks::count_borders(tile_scene(view, canvas), dark_palette().text), 2) << wavefront;
  }
  view.now = false;
  EXPECT_EQ(checks::count_borders(tile_scene(view, canvas), dark_palette().text), 0);
}

TEST(TilePicture, TellsWhoGetsAnElementOfLdmatrix) {
  EXPECT_EQ(holder_after_ldmatrix(3, 5, false), 3 * 4 + 2);
  EXPECT_EQ(holder_after_ldmatrix(3, 5, true), 5 * 4 + 1);
  for (const bool transposed : {false, true}) {
    const Scene scene =
        tile_scene(matrices_read(tile_of(16, 64, 8, 2), transposed), cases::canvas(1500, 560));
    bool found = false;
    for (const HotSpot& spot : scene.hot_spots)
      found |= spot.tooltip ==
               "in, row 3, column 5: byte 442 of tile, bank 14; lane 3 gives the row's address, lane " +
                   std::to_string(transposed ? 21 : 14) + " gets the element";
    EXPECT_TRUE(found) << transposed;
  }
}

TEST(TilePicture, ReadsAtAllSizes) {
  for (const TileView& view : {column_read(tile_of(32, 32, 0, 4, 7)), column_read(tile_of(32, 16, 1, 8)),
                               column_read(tile_of(32, 32, 4, 1)), matrices_read(tile_of(16, 64, 8, 2), true),
                               tile_of(64, 64, 0, 4), tile_of(2, 200, 0, 4)})
    EXPECT_THAT(checks::at_all({{300, 200}, {420, 520}, {760, 330}, {1100, 560}, {1800, 900}},
                               [&](const Canvas& canvas) { return tile_scene(view, canvas); }),
                IsEmpty())
        << view.rows << " x " << view.columns;
}

TEST(FragmentPicture, EveryElementTellsItsLane) {
  const layout::MmaShape* shape = layout::find_mma_shape("m16n8k16.f16");
  const Scene scene = fragment_scene(*shape, cases::canvas(1700, 900));
  EXPECT_EQ(scene.title, "Fragments · mma.sync m16n8k16.f16");
  EXPECT_EQ(scene.hot_spots.size(), 16u * 16 + 16 * 8 + 16 * 8);
  EXPECT_TRUE(checks::has_label(scene, "31 a3.1"));
  EXPECT_TRUE(checks::has_label(scene, "0 b0.0"));
  EXPECT_TRUE(checks::has_label(scene, "31 d3"));
  EXPECT_EQ(scene.hot_spots.front().tooltip, "A, row 0, column 0: lane 0, register a0, part 0");
  layout::MmaShape open = *shape;
  open.of_wmma = true;
  EXPECT_THAT(checks::words_of(fragment_scene(open, cases::canvas(1700, 900))),
              testing::HasSubstr("CUDA does not say which lane holds which element of a wmma fragment"));
}

// On the stage each element has its lane's number, and the legend names what there is.
TEST(FragmentPicture, TheLegendNamesTheNumbersThatThereAre) {
  const layout::MmaShape* shape = layout::find_mma_shape("m16n8k16.f16");
  Canvas canvas = cases::canvas(1830, 880, 1.85f);
  canvas.least_type = 13;
  const Scene stage = fragment_scene(*shape, canvas);
  EXPECT_TRUE(checks::has_label(stage, "31"));
  EXPECT_THAT(checks::words_of(stage), testing::HasSubstr("that lane's number"));
  EXPECT_THAT(checks::words_of(stage), testing::Not(testing::HasSubstr("register")));
  EXPECT_THAT(checks::words_of(fragment_scene(*shape, cases::canvas(872, 360))),
              testing::Not(testing::HasSubstr("number")));
}

// Of a warpgroup each warp has 16 rows, and B is in no register.
TEST(FragmentPicture, AWarpgroupsElementsTellTheirWarp) {
  const layout::MmaShape* shape = layout::find_mma_shape("m64n32k16.bf16");
  const Scene scene = fragment_scene(*shape, cases::canvas(1700, 1400));
  EXPECT_EQ(scene.title, "Fragments · wgmma m64n32k16.bf16");
  EXPECT_EQ(scene.hot_spots.size(), 64u * 16 + 64 * 32);
  EXPECT_TRUE(checks::has_label(scene, "warp 3"));
  EXPECT_EQ(scene.hot_spots.back().tooltip,
            "C, D, row 63, column 31: lane 31 of warp 3, register d15, part 0");
}

TEST(FragmentPicture, ReadsAtAllSizes) {
  std::vector<layout::MmaShape> shapes = layout::mma_shapes();
  for (const char* name : {"m64n8k16.f16", "m64n64k32.s8", "m64n256k16.f16"})
    shapes.push_back(*layout::find_mma_shape(name));
  for (const layout::MmaShape& shape : shapes)
    EXPECT_THAT(checks::at_all({{300, 200}, {420, 520}, {1100, 560}, {1800, 900}},
                               [&](const Canvas& canvas) { return fragment_scene(shape, canvas); }),
                IsEmpty())
        << shape.name;
}

}  // namespace
}  // namespace warplens::scene
