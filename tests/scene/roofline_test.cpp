// The ladder under the roofs: marks are where their figures say, numbers are legible, nothing leaves the
// picture.
#include "app/views/roofline.h"

#include <gmock/gmock.h>

#include "tests/scene/cases.h"
#include "tests/scene/checks.h"

namespace warplens::scene {
namespace {

using report::MemoryLevel;
using views::rate_text;
using views::roofline_scene;
using views::RooflineRung;
using views::RooflineView;

RooflineView two_rungs() {
  RooflineView view;
  view.roofs.memory = {{MemoryLevel::Dram, 4e12}, {MemoryLevel::L2, 8e12}, {MemoryLevel::L1, 32e12}};
  view.roofs.flops_per_second = 64e12;
  RooflineRung naive{"naive", 1e12, {}, {}, false, "naive's tip"};
  naive.marks = {
      {MemoryLevel::Dram, 100, 0, {}}, {MemoryLevel::L2, 10, 0, {}}, {MemoryLevel::L1, 0.1, 0, {}}};
  RooflineRung tiled{"tiled", 1e13, {}, {}, true, "tiled's tip"};
  tiled.marks = {{MemoryLevel::Dram, 100, 0, {}}, {MemoryLevel::L1, 1, 0, {}}};
  view.rungs = {naive, tiled, {"later", 0, {}, "no time", false, {}}};
  view.source = "NVIDIA H200";
  view.sentence = "L1 is near.";
  view.answer = "10.0 TFLOP/s";
  return view;
}

std::vector<const HotSpot*> spots_of(const Scene& scene, int rung) {
  std::vector<const HotSpot*> spots;
  for (const HotSpot& spot : scene.hot_spots)
    if (spot.index == rung) spots.push_back(&spot);
  return spots;
}

TEST(RooflineScene, MarksLieWhereTheirFiguresSay) {
  const Scene scene = roofline_scene(two_rungs(), cases::canvas(1000, 520));
  const auto naive = spots_of(scene, 0), tiled = spots_of(scene, 1), later = spots_of(scene, 2);
  ASSERT_EQ(naive.size(), 4u) << "three marks and a row of the list";
  ASSERT_EQ(tiled.size(), 3u);
  EXPECT_EQ(later.size(), 1u) << "it was not measured: no mark, a row that says so";
  EXPECT_FLOAT_EQ(naive[0]->rect.y, naive[2]->rect.y) << "one height, whatever the level";
  EXPECT_GT(naive[0]->rect.y, tiled[0]->rect.y) << "faster is higher";
  EXPECT_NEAR(naive[0]->rect.x, tiled[0]->rect.x, 0.01) << "as many bytes of DRAM for an operation";
  // From 0.1 to 10 as far as twice from 10 to 100.
  EXPECT_NEAR(naive[1]->rect.x - naive[2]->rect.x, 2 * (naive[0]->rect.x - naive[1]->rect.x), 0.01);
  EXPECT_EQ(tiled[0]->tooltip, "tiled's tip");
}

TEST(RooflineScene, FitsAnySizeAndLanguage) {
  for (const float least : {0.0f, 24.0f})
    EXPECT_THAT(
        checks::at_all(
            {{420, 300, 1, least}, {700, 420, 1, least}, {1400, 700, 1, least}, {2600, 1500, 1, least}},
            [](const Canvas& canvas) { return roofline_scene(two_rungs(), canvas); }),
        testing::IsEmpty());
}

TEST(RooflineScene, SaysWhyThereIsNothing) {
  RooflineView view = two_rungs();
  view.nothing = "no operation";
  EXPECT_EQ(roofline_scene(view, cases::canvas(800, 400)).nothing, "no operation");
  EXPECT_FALSE(roofline_scene({}, cases::canvas(800, 400)).nothing.empty()) << "without roofs";
}

TEST(RooflineScene, RatesHaveThreeFigures) {
  EXPECT_EQ(rate_text(63.54e12, "FLOP/s"), "63.5 TFLOP/s");
  EXPECT_EQ(rate_text(4.632e12, "B/s"), "4.63 TB/s");
  EXPECT_EQ(rate_text(485.2e9, "FLOP/s"), "485 GFLOP/s");
  EXPECT_EQ(rate_text(1e12, "FLOP/s"), "1 TFLOP/s");
  EXPECT_EQ(rate_text(999.7e9, "FLOP/s"), "1.00 TFLOP/s");
}

}  // namespace
}  // namespace warplens::scene
