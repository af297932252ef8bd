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
using State = LandscapeCounts::State;

scenario::ScenarioParameter parameter(const std::string& name) {
  scenario::ScenarioParameter made;
  made.name = name;
  made.label["en"] = name;
  return made;
}

Landscape padding_by_block() {
  static const scenario::ScenarioParameter kPadding = parameter("padding"), kBlock = parameter("block x");
  Landscape landscape;
  LandscapePlan& plan = landscape.plan;
  plan.x.parameter = &kPadding, plan.y.parameter = &kBlock;
  for (int i = 0; i <= 32; ++i) plan.x.values.push_back(i);
  plan.y.values = {1, 2, 4, 8, 16, 24, 32, 64, 1024};
  plan.here = {0, 32};
  for (std::size_t y = 0; y < plan.y.values.size(); ++y) {
    for (std::size_t x = 0; x < plan.x.values.size(); ++x) {
      LandscapeCounts& cell = landscape.cells.emplace_back();
      cell.state = y == 8 ? State::Refused : y == 0 && x > 20 ? State::Waiting : State::Counted;
      cell.shared.wavefronts = x % 2 == 0 ? 1048576 * (y + 1) : 65536;
      cell.work = 1;
    }
  }
  landscape.best = 6 * 33 + 1;
  return landscape;
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
  const Landscape landscape = padding_by_block();
  const Scene scene = landscape_scene(landscape, {}, cases::canvas(1100, 500));
  ASSERT_EQ(scene.hot_spots.size(), landscape.cells.size());
  for (std::size_t i = 0; i < scene.hot_spots.size(); ++i) {
    EXPECT_EQ(scene.hot_spots[i].index, static_cast<int>(i));
    EXPECT_FLOAT_EQ(scene.hot_spots[i].rect.width, scene.hot_spots[0].rect.width);
    EXPECT_GE(scene.hot_spots[i].rect.width, 8);
  }
  EXPECT_GT(scene.hot_spots[1].rect.x, scene.hot_spots[0].rect.x);
  EXPECT_GT(scene.hot_spots[33].rect.y, scene.hot_spots[0].rect.y);
}

TEST(LandscapeScene, CellsTellTimesTheLeast) {
  const Scene scene = landscape_scene(padding_by_block(), {}, cases::canvas(1500, 600));
  EXPECT_TRUE(checks::has_label(scene, "16")) << "1,048,576 by 65,536";
  EXPECT_TRUE(checks::has_label(scene, "112"));
  EXPECT_TRUE(checks::has_label(scene, "1"));
}

TEST(LandscapeScene, WhatCannotBeLaunchedIsHatched) {
  const Scene scene = landscape_scene(padding_by_block(), {}, cases::canvas(1100, 500));
  EXPECT_EQ(
      checks::count_cells(scene, [](const Cell& cell) { return cell.hatch > 0 && cell.border_width == 0; }),
      33);
}

TEST(LandscapeScene, IsLegibleAtEverySize) {
  EXPECT_THAT(checks::at_all({{560, 300}, {1100, 560}, {1800, 900, 2}},
                             [landscape = padding_by_block()](const Canvas& canvas) {
                               return landscape_scene(landscape, app::CellValues{7, 2}, canvas);
                             }),
              IsEmpty());
}

}  // namespace
}  // namespace warplens::views
