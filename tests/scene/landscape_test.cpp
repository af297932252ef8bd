// Pairs of values as a grid of colours.
#include "app/views/landscape.h"

#include <gmock/gmock.h>

#include "tests/scene/cases.h"
#include "tests/scene/checks.h"

namespace warplens::views {
namespace {

namespace cases = scene::cases;
namespace checks = scene::checks;
using namespace scene;

using ::testing::IsEmpty;
using State = LandscapeCell::State;

LandscapeView padding_by_block() {
  LandscapeView view;
  view.x.label = "padding";
  view.y.label = "block x";
  for (int i = 0; i <= 32; ++i) view.x.values.push_back(std::to_string(i));
  for (const char* value : {"1", "2", "4", "8", "16", "24", "32", "64", "1024"})
    view.y.values.emplace_back(value);
  for (std::size_t y = 0; y < view.y.values.size(); ++y) {
    for (std::size_t x = 0; x < view.x.values.size(); ++x) {
      LandscapeCell cell{State::Counted, x % 2 == 0 ? 1048576.0 * static_cast<double>(y + 1) : 65536.0};
      if (y == 8) cell = {State::Refused, 0};
      if (y == 0 && x > 20) cell = {State::Waiting, 0};
      view.cells.push_back(cell);
    }
  }
  view.x.here = 0, view.y.here = 6;
  view.best = 6 * 33 + 1;
  view.factors = true;
  view.legend = "wavefronts of the whole grid";
  view.sentence = "Best: padding 1, block x 32, 65,536 wavefronts. A row of tile is then 33 words.";
  return view;
}

TEST(LandscapeScale, IsLogarithmicOnlyWhereItMustBe) {
  LandscapeView view;
  view.cells = {{State::Counted, 10}, {State::Counted, 30}, {State::Refused, 0}, {State::Waiting, 0}};
  LandscapeRamp scale = landscape_ramp(view);
  EXPECT_FALSE(scale.logarithmic);
  EXPECT_FLOAT_EQ(scale.part(20), 0.5f);
  view.cells.push_back({State::Counted, 1000});
  scale = landscape_ramp(view);
  EXPECT_TRUE(scale.logarithmic);
  EXPECT_FLOAT_EQ(scale.part(100), 0.5f);
  EXPECT_FLOAT_EQ(scale.part(10), 0);
  EXPECT_FLOAT_EQ(scale.part(1000), 1);
}

// Little above the ideal is not the costliest colour for want of worse, nor is far above it calm.
TEST(LandscapeScale, OfIdealsBeginsAtOneAndGoesToTwoAtLeast) {
  LandscapeView view;
  view.ideals = true;
  view.cells = {{State::Counted, 1}, {State::Counted, 1.04}};
  EXPECT_LT(landscape_ramp(view).part(1.04), 0.05f);
  view.cells = {{State::Counted, 4}, {State::Counted, 4}};
  EXPECT_FLOAT_EQ(landscape_ramp(view).part(4), 1);
}

TEST(LandscapeScale, OfOneValueIsCalm) {
  LandscapeView view;
  view.cells = {{State::Counted, 10}, {State::Counted, 10}};
  EXPECT_EQ(landscape_ramp(view).part(10), 0);
}

// Ever further from the ground, so that it is read without the hues.
TEST(LandscapeColors, DifferInLightness) {
  for (const Palette* palette : {&dark_palette(), &light_palette()}) {
    float before = 1;
    for (const float part : {0.0f, 0.25f, 0.5f, 0.75f, 1.0f}) {
      const float now = contrast(landscape_color(*palette, part), palette->panel);
      EXPECT_GT(now, 1.08f * before) << part << (palette->dark ? " dark" : " light");
      before = now;
    }
  }
}

TEST(LandscapeScene, EveryCellIsItsOwnHotSpot) {
  const LandscapeView view = padding_by_block();
  const Scene scene = landscape_scene(view, cases::canvas(1100, 500));
  ASSERT_EQ(scene.hot_spots.size(), view.cells.size());
  for (std::size_t i = 0; i < scene.hot_spots.size(); ++i) {
    EXPECT_EQ(scene.hot_spots[i].index, static_cast<int>(i));
    EXPECT_FLOAT_EQ(scene.hot_spots[i].rect.width, scene.hot_spots[0].rect.width);
    EXPECT_GE(scene.hot_spots[i].rect.width, 8);
  }
  EXPECT_GT(scene.hot_spots[1].rect.x, scene.hot_spots[0].rect.x);
  EXPECT_GT(scene.hot_spots[33].rect.y, scene.hot_spots[0].rect.y);
}

TEST(LandscapeScene, CellsTellTimesTheLeast) {
  const Scene scene = landscape_scene(padding_by_block(), cases::canvas(1500, 600));
  EXPECT_TRUE(checks::has_label(scene, "16")) << "1,048,576 by 65,536";
  EXPECT_TRUE(checks::has_label(scene, "112"));
  EXPECT_TRUE(checks::has_label(scene, "1"));
}

TEST(LandscapeScene, WhatCannotBeLaunchedIsHatched) {
  const Scene scene = landscape_scene(padding_by_block(), cases::canvas(1100, 500));
  EXPECT_EQ(
      checks::count_cells(scene, [](const Cell& cell) { return cell.hatch > 0 && cell.border_width == 0; }),
      33);
}

TEST(LandscapeScene, IsLegibleAtEverySize) {
  LandscapeView view = padding_by_block();
  view.pointed = 40;
  for (const auto* strings : {&cases::english(), &cases::chinese()}) {
    for (const auto& [width, height, scale] :
         {std::tuple{560.0f, 300.0f, 1.0f}, {1100.0f, 560.0f, 1.0f}, {1800.0f, 900.0f, 2.0f}}) {
      const Scene scene = landscape_scene(view, cases::canvas(width, height, scale, *strings));
      EXPECT_THAT(checks::all(scene, dark_palette()), IsEmpty()) << width << " x " << height;
    }
  }
}

}  // namespace
}  // namespace warplens::views
