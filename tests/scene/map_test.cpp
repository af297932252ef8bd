// The matrix map: what is counted, its levels, zooming and panning, and its pixels.
#include "app/views/map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "cases.h"
#include "checks.h"

namespace warplens::scene {
namespace {

using namespace views;

HeatMap filled(const MatrixShape& shape, unsigned seed) {
  HeatMap map(shape);
  std::mt19937 random(seed);
  for (std::uint64_t i = 0; i < map.sectors(); ++i) {
    if (random() % 3 == 0) map.add_visits(i, 1 + random() % 40);
  }
  map.sum_up();
  return map;
}

TEST(HeatMap, EveryLevelSumsUpToTheVisitsOfAllSectors) {
  for (const MatrixShape& shape :
       {MatrixShape{64, 64, 4}, MatrixShape{1, 1000, 4}, MatrixShape{37, 5, 4}, MatrixShape{129, 70, 1},
        MatrixShape{50, 3, 16}, MatrixShape{1, 1, 8}, MatrixShape{300, 17, 2}}) {
    const HeatMap map = filled(shape, 7);
    std::uint64_t visits = 0;
    for (std::uint64_t i = 0; i < map.sectors(); ++i) visits += map.visits(i);
    EXPECT_EQ(map.total(), visits);
    for (int level = 0; level < map.levels(); ++level) {
      const auto& sums = map.level(level).sums;
      EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), std::uint64_t{0}), visits) << level;
    }
    EXPECT_EQ(map.level(map.levels() - 1).sums.size(), 1u);
  }
}

TEST(HeatMap, RowsAreJoinedUntilCellsAreSquare) {
  const HeatMap map = filled({64, 64, 4}, 1);
  ASSERT_GE(map.levels(), 5);
  for (int level = 0; level <= 3; ++level) {
    EXPECT_EQ(map.level(level).cell_rows, 1 << level);
    EXPECT_EQ(map.level(level).cell_bytes, 32) << "8 floats";
  }
  EXPECT_EQ(map.level(4).cell_rows, 16);
  EXPECT_EQ(map.level(4).cell_bytes, 64);
}

TEST(HeatMap, CountsWhatIsTouched) {
  HeatMap map({16, 32, 4});  // 4 sectors a row
  map.add_visits(4 * 3 + 1, 1);
  map.add_visits(4 * 5 + 2, 2);
  map.sum_up();
  EXPECT_EQ(map.most(), 2u);
  EXPECT_EQ(map.touched(), 2u);
  map.add_visits(1 << 30, 1);  // beyond the array
  map.sum_up();
  EXPECT_EQ(map.total(), 3u);
}

// A pixel a cell: the picture then shows each sum once, and the sum of what its pixels stand for is the
// total.
TEST(MapPixels, APixelACellShowsEachSumOnce) {
  const HeatMap map = filled({64, 64, 4}, 3);
  for (const int size : {64, 16, 8, 4}) {  // elements a pixel: 1, 4, 8, 16
    const MapWindow window = window_of(map.shape(), {}, size, size);
    const int index = level_for(map, 1 / window.scale);
    const HeatMap::Level& level = map.level(index);
    EXPECT_EQ(level.cell_rows, 64 / size);
    const Image image = map_pixels(map, window, heat_colors(dark_palette(), map.most()));
    ASSERT_EQ(image.width, size);
    ASSERT_EQ(image.height, size);
    if (size > 8) continue;
    // 8 rows by 8 columns of cells, and 4 by 4.
    const HeatColors colors = heat_colors(dark_palette(), map.most());
    const double sectors = static_cast<double>(level.cell_rows * level.cell_bytes) / 32;
    for (int y = 0; y < size; ++y) {
      for (int x = 0; x < size; ++x) {
        const double mean = static_cast<double>(level.at(y, x)) / sectors;
        const std::uint32_t color = colors.ramp[static_cast<std::size_t>(colors.step_of(mean))];
        EXPECT_EQ(image.rgba[4 * static_cast<std::size_t>(y * size + x)], color & 0xff) << x << ", " << y;
      }
    }
  }
}

TEST(MapPixels, AnElementHasTheColourOfItsSector) {
  HeatMap map({4, 12, 4});  // 48 bytes a row: sectors go over the end of a row
  map.add_visits(1, 5);     // bytes 32 to 63: columns 8 to 11 of row 0, 0 to 3 of row 1
  map.sum_up();
  const Image image =
      map_pixels(map, window_of(map.shape(), {}, 48, 16), heat_colors(dark_palette(), map.most()));
  const auto red = [&](int row, int column) {
    return image.rgba[4 * static_cast<std::size_t>((4 * row + 2) * 48 + 4 * column + 2)];
  };
  EXPECT_NE(red(0, 8), red(0, 7));
  EXPECT_EQ(red(0, 8), red(1, 3));
  EXPECT_EQ(red(1, 4), red(0, 0));
}

TEST(HeatColors, MoreIsAlwaysFurtherAlongAndNothingIsApart) {
  for (const Palette* palette : {&dark_palette(), &light_palette()}) {
    const HeatColors colors = heat_colors(*palette, 1000);
    int before = 0;
    for (const double visits : {1.0, 2.0, 5.0, 10.0, 100.0, 1000.0}) {
      EXPECT_GT(colors.step_of(visits), before);
      before = colors.step_of(visits);
    }
    EXPECT_EQ(colors.step_of(0), 0);
    EXPECT_EQ(colors.step_of(0.01), 1) << "one sector of many is seen";
    EXPECT_EQ(colors.step_of(1e9), HeatColors::kSteps - 1);
    EXPECT_GT(contrast(heat_color(colors, 1), heat_color(colors, 0)), 1.5f);
    EXPECT_EQ(heat_colors(*palette, 1).step_of(1), HeatColors::kSteps / 2) << "neither few nor many";
    for (const double visits : {1.0, 30.0, 1000.0}) {  // a hue is a lane's or a verdict's
      const Color c = heat_color(colors, visits);
      EXPECT_LT(std::max({c.r, c.g, c.b}) - std::min({c.r, c.g, c.b}), 0.12f) << visits;
    }
  }
}

TEST(MapWindow, ShowsAllOfItAndZoomsToOneElement) {
  const MatrixShape shape{4096, 4096, 4};
  const MapWindow all = window_of(shape, {}, 400, 200);
  EXPECT_NEAR(all.scale, 200.0 / 4096, 1e-12);
  EXPECT_NEAR(all.row, 0, 1e-9);
  EXPECT_NEAR(all.column, -2048, 1e-9);
  MapPosition deep;
  deep.zoom = 1e9;
  EXPECT_NEAR(window_of(shape, deep, 400, 200).scale, kMostPixelsAnElement, 1e-6);
  MapPosition broken;
  broken.zoom = std::nan("");
  EXPECT_NEAR(window_of(shape, broken, 400, 200).scale, all.scale, 1e-12);
}

TEST(MapWindow, WhatIsUnderThePointerStaysThere) {
  const MatrixShape shape{1000, 3000, 4};
  MapPosition position;
  position.zoom = 8;
  for (const auto& [x, y] : {std::pair{200.0, 100.0}, {90.0, 40.0}, {310.0, 150.0}}) {
    const MapWindow before = window_of(shape, position, 400, 200);
    const MapPosition to = zoomed(shape, position, 400, 200, x, y, 2);
    const MapWindow after = window_of(shape, to, 400, 200);
    EXPECT_NEAR(before.column + x / before.scale, after.column + x / after.scale, 1e-6);
    EXPECT_NEAR(before.row + y / before.scale, after.row + y / after.scale, 1e-6);
    const MapPosition back = zoomed(shape, to, 400, 200, x, y, 0.5);
    EXPECT_NEAR(back.zoom, position.zoom, 1e-9);
    EXPECT_NEAR(back.column, position.column, 1e-6);
  }
}

TEST(MapWindow, PansByPixelsAndStaysInside) {
  const MatrixShape shape{1000, 1000, 4};
  MapPosition position;
  position.zoom = 4;
  const MapPosition to = moved(shape, position, 200, 200, 20, -10);
  EXPECT_NEAR(window_of(shape, to, 200, 200).column - window_of(shape, position, 200, 200).column, 25, 1e-6);
  EXPECT_NEAR(window_of(shape, to, 200, 200).row - window_of(shape, position, 200, 200).row, -12.5, 1e-6);
  const MapWindow edge = window_of(shape, moved(shape, position, 200, 200, 1e6, -1e6), 200, 200);
  EXPECT_NEAR(edge.column + 200 / edge.scale, 1000, 1e-6);
  EXPECT_NEAR(edge.row, 0, 1e-6);
}

TEST(MapWindow, TellsTheElementUnderAPoint) {
  const MatrixShape shape{10, 20, 8};
  const MapWindow window = window_of(shape, {}, 200, 100);
  MapElement element;
  ASSERT_TRUE(element_at(shape, window, 31, 55, &element));
  EXPECT_EQ(element.row, 5);
  EXPECT_EQ(element.column, 3);
  EXPECT_EQ(element.byte, 8u * (5 * 20 + 3));
  EXPECT_EQ(element.sector(), 8u * 103 / 32);
  EXPECT_FALSE(element_at(shape, window, 200, 5, &element));
  EXPECT_FALSE(element_at(shape, window, -1, 5, &element));
}

MatrixMapView map_view(std::int64_t rows, std::int64_t columns) {
  MatrixMapView view;
  auto heat = std::make_shared<HeatMap>(MatrixShape{rows, columns, 4});
  view.base = sim::kBufferSpacing;
  view.access = cases::strided(memory::Op::Store, 4, view.base, 4 * columns);
  for (std::int64_t row = 0; row < 32; ++row)
    heat->add_visits(static_cast<std::uint64_t>(row * columns / 8), 1);
  heat->sum_up();
  view.heat = std::move(heat);
  view.access_is_here = true;
  view.counted = "warp 0: 32 sector visits to 32 sectors";
  return view;
}

TEST(MatrixMapScene, ShowsEachLaneHoweverSmallItIs) {
  const MatrixMapView view = map_view(4096, 4096);
  const Scene scene = matrix_map_scene(view, cases::canvas(700, 300));
  ASSERT_EQ(scene.layers[0].pictures.size(), 1u);
  EXPECT_EQ(scene.layers[0].pictures[0].image->width,
            static_cast<int>(matrix_map_room(cases::canvas(700, 300)).width));
  // All in the first two pixels of the picture, and each a mark of its own.
  ASSERT_EQ(scene.layers[1].cells.size(), 32u);
  for (const Cell& c : scene.layers[1].cells) {
    EXPECT_GE(c.rect.width, 3.9f);
    EXPECT_GE(c.rect.height, 1.9f);
  }
  EXPECT_TRUE(checks::has_label(scene, "a row: 4,096 elements"));
  EXPECT_TRUE(checks::has_label(scene, "warp 0: 32 sector visits to 32 sectors"));
}

TEST(MatrixMapScene, HatchesWhatIsMovedInVain) {
  const auto hatched = [](const MatrixMapView& view) {
    const Scene scene = matrix_map_scene(view, cases::canvas(900, 300));
    return std::ranges::count_if(scene.layers[1].cells, [](const Cell& c) { return c.hatch > 0; });
  };
  MatrixMapView view = map_view(64, 64);
  EXPECT_EQ(hatched(view), 32) << "a word of each sector is asked for";
  view.access = cases::strided(memory::Op::Store, 4, view.base, 4);
  EXPECT_EQ(hatched(view), 0) << "all of four sectors is";
}

// 16 of them fit; a row of 16 floats is two sectors.
TEST(MatrixMapScene, LinesRunBetweenElementsAndHeavierBetweenSectors) {
  const auto lines = [](std::int64_t side) {
    std::pair<int, int> found;  // all, heavy
    const Scene scene = matrix_map_scene(map_view(side, side), cases::canvas(900, 400));
    for (const Cell& cell : scene.layers[0].cells) {
      if (cell.rect.width > 2 && cell.rect.height > 2) continue;
      ++found.first;
      found.second += cell.rect.width == 2;
    }
    return found;
  };
  EXPECT_EQ(lines(16), (std::pair{34, 3}));
  EXPECT_EQ(lines(4096), (std::pair{0, 0})) << "no room for any";
}

TEST(MatrixMapScene, RowsAreNumberedBesideTheMatrix) {
  const Canvas canvas = cases::canvas(900, 300);
  const Scene scene = matrix_map_scene(map_view(64, 64), canvas);
  const Rect room = matrix_map_room(canvas);
  const MapWindow window = window_of({64, 64, 4, true}, {}, room.width, room.height);
  const float left = room.x + static_cast<float>(window.x_of(0));
  ASSERT_GT(left, room.x + 200) << "a square in the middle of a wide room";
  int rows = 0;
  for (const Label& label : scene.layers[0].labels) {
    if (label.align != Align::Right || label.font != Font::Code) continue;
    EXPECT_NEAR(label.at.x, left, 10) << label.text;
    ++rows;
  }
  EXPECT_GE(rows, 4);
}

TEST(MatrixMapScene, DrawsInAnySize) {
  for (const float size : {0.0f, 1.0f, 20.0f, 60.0f, 200.0f}) {
    const Scene scene = matrix_map_scene(map_view(64, 64), cases::canvas(size, size));
    EXPECT_EQ(scene.width, size);
  }
}

TEST(MatrixMapScene, SaysThatAnArrayIsWrapped) {
  MatrixMapView view = map_view(64, 64);
  HeatMap heat({64, 64, 4, false});
  heat.sum_up();
  view.heat = std::make_shared<HeatMap>(std::move(heat));
  EXPECT_TRUE(checks::has_label(matrix_map_scene(view, cases::canvas(900, 300)),
                                "row length unknown: wrapped at 64 elements"));
  EXPECT_TRUE(checks::has_label(matrix_map_scene(view, cases::canvas(900, 300, 1, cases::chinese())),
                                "行长未知：按 64 个元素折行"));
}

TEST(MatrixMapScene, IsPartOfAnSvg) {
  const Scene scene = matrix_map_scene(map_view(64, 64), cases::canvas(500, 300));
  EXPECT_THAT(write_svg(scene), testing::HasSubstr("href=\"data:image/png;base64,iVBOR"));
}

}  // namespace
}  // namespace warplens::scene
