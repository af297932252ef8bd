// A block's accesses as bricks: as wide as they cost, in the order of each warp, walls at barriers.
#include "app/views/timeline.h"

#include <gmock/gmock.h>

#include "tests/scene/cases.h"
#include "tests/scene/checks.h"

namespace warplens::views {
namespace {

namespace cases = scene::cases;
namespace checks = scene::checks;
using namespace scene;

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TimelineAccess access(std::uint32_t event, std::uint32_t phase, std::uint32_t units, std::uint32_t ideal = 1,
                      int lanes = 32, memory::Space space = memory::Space::Global) {
  return {event, 0, units, ideal, phase, lanes, space};
}

std::shared_ptr<const Timeline> placed(std::vector<std::vector<TimelineAccess>> warps) {
  auto timeline = std::make_shared<Timeline>();
  timeline->warps = std::move(warps);
  place_accesses(timeline.get());
  return timeline;
}

// Two warps, two barriers: a conflict in the second phase of warp 0, half a warp in the third.
std::shared_ptr<const Timeline> three_phases() {
  return placed({{access(0, 0, 4, 4), access(1, 1, 16, 1, 32, memory::Space::Shared), access(4, 2, 2, 2)},
                 {access(2, 0, 32, 4), access(3, 1, 1, 1, 32, memory::Space::Shared), access(5, 2, 2, 2, 16),
                  access(6, 2, 4, 4, 1)}});
}

TimelineView view_of(std::shared_ptr<const Timeline> timeline) {
  TimelineView view;
  view.timeline = std::move(timeline);
  view.warp = 0;
  return view;
}

TEST(Timeline, BehindABarrierAllWarpsBeginWhereTheCostliestHasComeTo) {
  const auto timeline = three_phases();
  EXPECT_THAT(timeline->walls, ElementsAre(32u, 48u));
  EXPECT_EQ(timeline->width, 54u);
  const auto& first = timeline->warps[0];
  EXPECT_EQ(first[0].at, 0u);
  EXPECT_EQ(first[1].at, 32u);
  EXPECT_EQ(first[2].at, 48u);
  const auto& second = timeline->warps[1];
  EXPECT_EQ(second[1].at, 32u);
  EXPECT_EQ(second[2].at, 48u);
  EXPECT_EQ(second[3].at, 50u) << "behind the one before";
}

// A barrier behind which nothing is accessed still stands.
TEST(Timeline, ABarrierWithoutAccessesIsAWallToo) {
  const auto timeline = placed({{access(0, 0, 4), access(1, 2, 8)}, {}});
  EXPECT_THAT(timeline->walls, ElementsAre(4u, 4u));
  EXPECT_EQ(timeline->width, 12u);
}

TEST(Timeline, BricksAreAsWideAsTheyCost) {
  const auto view = view_of(three_phases());
  for (const float width : {600.0f, 1200.0f, 3000.0f}) {
    const auto all = timeline_bricks(view, cases::canvas(width, 300));
    ASSERT_EQ(all->bricks.size(), 7u);
    const double unit = all->room.width / 54.0;
    for (const TimelineBrick& brick : all->bricks) {
      EXPECT_EQ(brick.count, 1u);
      EXPECT_NEAR(brick.rect.width, unit * static_cast<double>(brick.units), 0.01);
      const TimelineAccess& own = view.timeline->warps[static_cast<std::size_t>(brick.warp)][brick.first];
      EXPECT_EQ(brick.units, own.units);
      EXPECT_NEAR(brick.rect.x, all->room.x + unit * own.at, 0.01);
    }
  }
}

TEST(Timeline, BricksAreAsHighAsTheirLanes) {
  const auto all = timeline_bricks(view_of(three_phases()), cases::canvas(1200, 400));
  const float whole = all->bricks[3].rect.height;
  EXPECT_FLOAT_EQ(all->bricks[5].rect.height, 0.5f * whole) << "half a warp";
  EXPECT_LT(all->bricks[6].rect.height, 0.1f * whole) << "one lane";
  EXPECT_GE(all->bricks[6].rect.height, 2) << "and still there";
  for (const TimelineBrick& brick : all->bricks)
    EXPECT_NEAR(brick.rect.y + brick.rect.height, all->room.y + all->row * static_cast<float>(brick.warp + 1),
                0.01f)
        << "on the floor of its row";
}

TEST(Timeline, WallsStandAtTheBarriers) {
  const auto view = view_of(three_phases());
  const auto all = timeline_bricks(view, cases::canvas(1200, 300));
  ASSERT_EQ(all->walls.size(), 2u);
  const double unit = all->room.width / 54.0;
  EXPECT_NEAR(all->walls[0].x, all->room.x + 32 * unit, 0.01);
  EXPECT_NEAR(all->walls[1].x, all->room.x + 48 * unit, 0.01);
  const Scene scene = timeline_scene(view, cases::canvas(1200, 300));
  EXPECT_TRUE(checks::has_label(scene, "barrier 1"));
  EXPECT_TRUE(checks::has_label(scene, "barrier 2"));
}

// Thousands of accesses: what stands together says how many, and nothing is lost or crosses a wall.
TEST(Timeline, ManyAccessesStandTogetherAndNoneIsLost) {
  std::vector<std::vector<TimelineAccess>> warps(32);
  std::uint32_t event = 0;
  for (std::uint32_t phase = 0; phase < 5; ++phase) {
    for (std::size_t warp = 0; warp < warps.size(); ++warp) {
      for (std::uint32_t i = 0; i < 300 + 10 * warp; ++i)
        warps[warp].push_back(access(event++, phase, 1 + (i + phase) % 32, 1));
    }
  }
  const auto view = view_of(placed(std::move(warps)));
  const auto all = timeline_bricks(view, cases::canvas(900, 500));
  ASSERT_EQ(all->walls.size(), 4u);
  std::vector<std::uint32_t> next(32, 0);
  const double unit = all->room.width / view.timeline->width;
  for (const TimelineBrick& brick : all->bricks) {
    const auto warp = static_cast<std::size_t>(brick.warp);
    const auto& own = view.timeline->warps[warp];
    EXPECT_EQ(brick.first, next[warp]) << "in order, none twice";
    next[warp] = brick.first + brick.count;
    std::uint64_t units = 0, ideal = 0;
    for (std::uint32_t i = brick.first; i < next[warp]; ++i) {
      units += own[i].units, ideal += own[i].ideal;
      EXPECT_EQ(own[i].phase, own[brick.first].phase) << "across a wall";
    }
    EXPECT_EQ(brick.units, units);
    EXPECT_EQ(brick.ideal, ideal);
    EXPECT_GE(brick.rect.width, 1);
    EXPECT_NEAR(brick.rect.width, unit * static_cast<double>(units), 0.51);
  }
  for (std::size_t warp = 0; warp < 32; ++warp) EXPECT_EQ(next[warp], view.timeline->warps[warp].size());
  EXPECT_TRUE(checks::has_label(timeline_scene(view, cases::canvas(900, 500)), "lid: several accesses"));
}

TEST(Timeline, WallsTooNearToBeToldApartStandAsOne) {
  std::vector<TimelineAccess> one;
  for (std::uint32_t i = 0; i < 1000; ++i) one.push_back(access(i, i, 4, 4));
  const auto all = timeline_bricks(view_of(placed({one})), cases::canvas(800, 200));
  std::uint32_t barriers = 0;
  for (std::size_t i = 0; i < all->walls.size(); ++i) {
    barriers += all->walls[i].count;
    if (i == 0) continue;
    EXPECT_GE(all->walls[i].x - all->walls[i - 1].x, 9.9f);
  }
  EXPECT_EQ(barriers, 999u);
  EXPECT_LT(all->walls.size(), 100u);
}

TEST(Timeline, ZoomsFromAllWarpsToOne) {
  std::vector<std::vector<TimelineAccess>> warps;
  for (std::uint32_t i = 0; i < 32; ++i) warps.push_back({access(2 * i, 0, 8), access(2 * i + 1, 0, 24)});
  const auto timeline = placed(std::move(warps));
  EXPECT_EQ(timeline_window(*timeline, {}).warps, 32);
  MapPosition position = timeline_position(*timeline, 5, 11, 4);
  TimelineWindow window = timeline_window(*timeline, position);
  EXPECT_EQ(window.warps, 8);
  EXPECT_LE(window.first_warp, 5);
  EXPECT_GT(window.first_warp + window.warps, 5);
  EXPECT_DOUBLE_EQ(window.units, 8);
  EXPECT_DOUBLE_EQ(window.first + 4, 20) << "the middle of the access";
  position = timeline_position(*timeline, 31, 63, 1000);
  window = timeline_window(*timeline, position);
  EXPECT_EQ(window.warps, 1);
  EXPECT_EQ(window.first_warp, 31);
  EXPECT_GE(window.first, 8) << "within the access";
  EXPECT_LE(window.first + window.units, 32);
}

// A│B: a unit is as wide in both panes.
TEST(Timeline, BothPanesShareOneScale) {
  TimelineView a = view_of(three_phases());
  TimelineView b = view_of(placed({{access(0, 0, 108)}}));
  a.other_units = b.timeline->width;
  b.other_units = a.timeline->width;
  const Canvas canvas = cases::canvas(700, 300);
  const auto narrow = timeline_bricks(a, canvas), wide = timeline_bricks(b, canvas);
  EXPECT_NEAR(narrow->bricks[1].rect.width / 16, wide->bricks[0].rect.width / 108, 0.01);
}

TEST(Timeline, IsLegibleAtEverySize) {
  std::vector<std::vector<TimelineAccess>> warps(32);
  for (std::uint32_t i = 0; i < 320; ++i)
    warps[i % 32].push_back(access(i, i / 64, 1 + i % 33, 1, static_cast<int>(1 + i % 32),
                                   i % 3 == 0 ? memory::Space::Shared : memory::Space::Global));
  for (const auto& timeline : {three_phases(), placed(std::move(warps))}) {
    TimelineView view = view_of(timeline);
    view.event = 1;
    for (const float zoom : {1.0f, 7.0f, 400.0f}) {
      view.position = timeline_position(*timeline, 0, 1, zoom);
      EXPECT_THAT(checks::at_all({{600, 250}, {1200, 600}, {1800, 900, 2}},
                                 [&](const Canvas& canvas) { return timeline_scene(view, canvas); }),
                  IsEmpty())
          << zoom;
    }
  }
}

}  // namespace
}  // namespace warplens::views
