// The matrix map in a session: whose visits, of which array, in which shape; keys; motion.
#include "app/views/map.h"

#include <gtest/gtest.h>

#include "app/actions/apply.h"
#include "app/derive/motion.h"
#include "app/simulate/matrix_shape.h"
#include "app/simulate/simulator.h"
#include "app/views/plot_worker.h"
#include "app/views/views.h"
#include "tests/app/desk.h"

namespace warplens::app::map_test {

struct Driver : PlotDesk {
  explicit Driver(const std::string& scenario) : PlotDesk(scenario) { derive(); }
  void derive() override {
    PlotDesk::derive();
    map = made_of<views::MapShown>(made.get(), ViewId::Map);
  }
  scene::MatrixShape shape(const std::string& buffer) {
    for (const int index : mapped_buffers(seen->program())) {
      if (seen->program().parameters[static_cast<std::size_t>(index)].name == buffer)
        return matrix_shape(*seen->compiled, *seen->trace, index);
    }
    return {0, 0};
  }

  std::shared_ptr<const views::MapShown> map;
};

TEST(MatrixShape, IsWhatTheScenarioSays) {
  Driver d("transpose_naive_row");
  d.act(SetParameter{"nrows", 512, {}});
  d.act(SetParameter{"ncols", 2048, {}});
  EXPECT_EQ(d.shape("in"), (scene::MatrixShape{512, 2048, 4, true})) << "the last factor of its elements";
  EXPECT_EQ(d.shape("out"), (scene::MatrixShape{2048, 512, 4, true})) << "its columns";
  d.act(SelectScenario{"sgemm_tiled"});
  d.act(SetParameter{"m", 64, {}});
  d.act(SetParameter{"n", 96, {}});
  d.act(SetParameter{"k", 32, {}});
  EXPECT_EQ(d.shape("A"), (scene::MatrixShape{64, 32, 4, true}));
  EXPECT_EQ(d.shape("B"), (scene::MatrixShape{32, 96, 4, true}));
  d.act(SelectScenario{"copy_offset"});
  EXPECT_FALSE(d.shape("out").known) << "one dimension: wrapped";
  EXPECT_EQ(d.shape("out").columns, 32) << "so that a block of 256 is no strip";
}

TEST(MatrixShape, LastFactorOfAProduct) {
  EXPECT_EQ(last_factor("nrows * ncols"), "ncols");
  EXPECT_EQ(last_factor("k * (n + 1)"), "(n + 1)");
  EXPECT_EQ(last_factor("batch * nrows * ncols"), "ncols");
  EXPECT_EQ(last_factor("n"), "");
  EXPECT_EQ(last_factor("(n - 1) * stride + 1"), "");
  EXPECT_EQ(last_factor(""), "");
}

TEST(Map, CountsTheSectorVisitsOfWarpAndBlock) {
  Driver d("transpose_naive_row");
  EXPECT_FALSE(d.map) << "no map, no work";
  d.act(SetParameter{"nrows", 128, {}});
  d.act(SetParameter{"ncols", 128, {}});
  d.act(ShowView{ViewId::Map});
  ASSERT_TRUE(d.map && d.map->heat);
  EXPECT_EQ(d.map->buffer, "out") << "that of the access looked at, the store";
  // A block of 32 x 16: 16 warps, each stores to 32 rows of out, a sector each.
  EXPECT_EQ(d.map->heat->total(), 16u * 32);
  d.act(SetMapScope{MapScope::Warp});
  EXPECT_EQ(d.map->heat->total(), 32u);
  EXPECT_EQ(d.map->heat->touched(), 32u);
  d.act(SetMapArray{"in"});
  EXPECT_EQ(d.map->heat->total(), 4u) << "of the load, which is coalesced";
}

TEST(Map, FollowsTheAccessAndItsKeys) {
  Driver d("transpose_naive_row");
  d.act(SetParameter{"nrows", 1024, {}});
  d.act(SetParameter{"ncols", 1024, {}});
  d.key(Key::F10);
  ASSERT_EQ(d.state.shown, ViewId::Map);
  EXPECT_EQ(d.map->buffer, "out");
  d.act(GoToEvent{0, 0});
  EXPECT_EQ(d.map->buffer, "in");
  d.key(Key::Tab);
  EXPECT_EQ(d.map->buffer, "out") << "the next array, whatever is looked at";
  d.key(Key::F10, true);
  EXPECT_EQ(d.state.plot.map.scope, MapScope::Warp);
  const scene::MapPosition opening = position_of(*d.map, d.state.plot.map);
  EXPECT_GT(opening.zoom, 8) << "it opens where the block is";
  EXPECT_LT(opening.row, 0.1) << "block 0 is in the corner";
  d.letter('+');
  EXPECT_EQ(d.state.plot.map.position.zoom, 2 * opening.zoom);
  d.letter('-');
  d.letter('-');
  EXPECT_EQ(d.state.plot.map.position.zoom, opening.zoom / 2);
  const scene::MapPosition moved = d.state.plot.map.position;
  d.act(GoToEvent{1, 0});
  d.key(Key::F10);
  d.key(Key::F10);
  EXPECT_EQ(position_of(*d.map, d.state.plot.map), moved) << "it stays where it was left";
  d.letter('.');
  EXPECT_EQ(position_of(*d.map, d.state.plot.map), d.map->opening);
  d.letter('0');
  EXPECT_EQ(d.state.plot.map.position, scene::MapPosition{});
  d.key(Key::F10);
  EXPECT_FALSE(d.map);
}

// Presenting, the verdict of the access looked at stands above it only where that access is in the picture.
TEST(Map, KnowsWhetherTheAccessLookedAtIsInIt) {
  Driver d("transpose_shared");
  const auto of_access = [&] {
    const views::Inputs in{.simulation = d.seen.get(), .made = d.made.get()};
    return views::row_of(ViewId::Map).heading(in, english()).of_access;
  };
  d.act(ShowView{ViewId::Map});
  ASSERT_EQ(d.seen->now->access.space, memory::Space::Shared);
  EXPECT_FALSE(of_access()) << "the load of tile, whose banks are no part of out";
  d.act(GoToEvent{0, 0});
  EXPECT_TRUE(of_access()) << "the load of in";
  d.act(SetMapArray{"out"});
  EXPECT_FALSE(of_access()) << "out is not what it loads";
}

TEST(Map, TakesTheArrowKeysAndGivesThemBack) {
  Driver d("transpose_naive_row");
  d.key(Key::Enter);
  EXPECT_FALSE(d.state.plot.held) << "there is no map";
  d.key(Key::F10);
  const int event = d.seen->place.event;
  d.letter('0');
  d.key(Key::Enter);
  ASSERT_TRUE(d.state.plot.held);
  d.key(Key::PageUp);
  d.key(Key::PageUp);
  EXPECT_EQ(d.state.plot.map.position.zoom, 4);
  d.key(Key::Right);
  EXPECT_NEAR(d.state.plot.map.position.column, 0.5 + 0.1 / 4, 1e-12);
  d.key(Key::Up);
  EXPECT_NEAR(d.state.plot.map.position.row, 0.5 - 0.1 / 4, 1e-12);
  EXPECT_EQ(d.seen->place.event, event) << "the step stays";
  for (int i = 0; i < 9; ++i) d.key(Key::Left, true);
  EXPECT_NEAR(d.state.plot.map.position.column, 0.125, 1e-12) << "no further than the edge";
  d.key(Key::Escape);
  EXPECT_FALSE(d.state.plot.held);
  const scene::MapPosition stays = d.state.plot.map.position;
  d.key(Key::Left);
  EXPECT_EQ(d.state.plot.map.position, stays);
  d.key(Key::Enter);
  d.key(Key::Enter);
  EXPECT_FALSE(d.state.plot.held);
  d.key(Key::Enter);
  d.key(Key::F10);
  EXPECT_FALSE(d.state.plot.held) << "a map that is gone has no keys";
}

TEST(Map, OpensWithTheBlockInAGoodPartOfTheView) {
  for (const char* scenario : {"transpose_naive_row", "transpose_shared", "copy_row", "sgemm_tiled"}) {
    Driver d(scenario);
    d.act(ShowView{ViewId::Map});
    ASSERT_TRUE(d.map && d.map->heat) << scenario;
    const scene::MatrixBox box = d.seen->global->array ? d.seen->global->array->tile : scene::MatrixBox{};
    ASSERT_GT(box.rows, 0) << scenario;
    const scene::MatrixShape& shape = d.map->heat->shape();
    const views::MapWindow window = views::window_of(shape, position_of(*d.map, d.state.plot.map), 700, 500);
    const double high = window.scale * static_cast<double>(box.rows),
                 wide = window.scale * static_cast<double>(box.columns);
    EXPECT_TRUE(high > 0.25 * 500 || wide > 0.25 * 700) << scenario << " " << high << " x " << wide;
    EXPECT_LE(high, 500) << scenario;
    EXPECT_LE(wide, 700) << scenario;
    EXPECT_GE(window.y_of(static_cast<double>(box.row)), -1) << scenario << ": all of it is in view";
    EXPECT_GE(window.x_of(static_cast<double>(box.column)), -1) << scenario;
  }
}

TEST(Motion, RunsAtTheSpeedOfPlayingAndStandsWhilePaused) {
  Playback playback;
  playback.speed = 4;
  EXPECT_EQ(motion_rate(playback), 4);
  Driver d("transpose_naive_row");
  d.act(SetPlaying{true});
  d.act(SetPlaying{false});
  EXPECT_EQ(motion_rate(d.state.playback), 0) << "paused where it is";
  d.act(StepAccess{1});
  EXPECT_EQ(motion_rate(d.state.playback), 1) << "a step by hand moves";
  d.act(SetPlaying{true});
  d.act(SetPlaying{false});
  d.act(SetParameter{"block_x", 16, {}});
  EXPECT_EQ(motion_rate(d.state.playback), 1);
}

TEST(Motion, IsAtItsBeginningItsMiddleAndItsEnd) {
  Driver d("transpose_naive_row");
  d.act(GoToEvent{0, 0});
  Motion motion = follow({}, *d.seen, 0);
  d.act(GoToEvent{1, 0});
  motion = follow(motion, *d.seen, 10);
  EXPECT_EQ(motion.access(10), 0);
  EXPECT_NEAR(motion.access(10 + kAccessMotion / 2), 0.5, 1e-6);
  EXPECT_EQ(motion.access(10 + kAccessMotion), 1);
  EXPECT_FALSE(motion.moving(10 + kAccessMotion));
  motion.enabled = false;
  EXPECT_EQ(motion.access(10), 1) << "stills";
  EXPECT_LE(kAccessMotion + kWavefrontMotion, 0.61);
  EXPECT_LE(kWavefrontMotion, kWavefrontSeconds) << "a wavefront is over before the next one begins";
  EXPECT_GT(kWavefrontSeconds, 1.0 / 3) << "nothing flashes three times a second";
}

TEST(Motion, KnowsWhatWasTurnedUntilAnotherAccessIsLookedAt) {
  Driver d("transpose_shared");
  Motion motion = follow({}, *d.seen, 0);
  d.set("pad", 1);
  motion = follow(motion, *d.seen, 1);
  ASSERT_NE(motion.turned, nullptr);
  EXPECT_EQ(motion.turned->settings.values.at("pad"), 0);
  EXPECT_EQ(motion.turned_units, 16);
  EXPECT_EQ(motion.units, 2);
  motion = follow(motion, *d.act(StepWavefront{1}).seen, 2);
  EXPECT_NE(motion.turned, nullptr);
  motion = follow(motion, *d.act(StepAccess{1}).seen, 3);
  EXPECT_EQ(motion.turned, nullptr);
  d.act(StepAccess{-1});
  motion = follow(motion, *d.seen, 4);
  // Another scene of a lecture is no parameter that was turned; what is turned in it is told as ever.
  d.set("pad", 2);
  motion = follow(motion, *d.seen, 5);
  ASSERT_NE(motion.turned, nullptr);
  motion = follow(motion, *d.seen, 6, 1);
  EXPECT_EQ(motion.turned, nullptr);
  d.set("pad", 0);
  motion = follow(motion, *d.seen, 7, 1);
  EXPECT_NE(motion.turned, nullptr);
}

// An index expression that is typed slides from the last one that compiled, and back where it is undone.
TEST(Motion, ATypedFunctionSlidesBothWays) {
  Driver d("layout_function");
  d.set("read", 1);
  Motion motion = follow({}, *d.seen, 0);
  double now = 0;
  const auto slides = [&] {
    motion = follow(motion, *d.seen, ++now);
    return motion.previous != nullptr && motion.access(now) >= 1;
  };
  const std::string last = "row * COLUMNS + (column ^ row)";
  for (std::size_t i = 16; i < last.size(); ++i) {
    d.act(SetIndexExpression{last.substr(0, i), "typed"});
    EXPECT_FALSE(slides()) << last.substr(0, i);
  }
  // One on the way makes threads store one word, and the run stops before the access is made.
  d.act(SetIndexExpression{"row", "typed"});
  EXPECT_FALSE(slides());
  EXPECT_NE(failure_of(*d.seen), nullptr);
  d.act(SetIndexExpression{last, "typed"});
  EXPECT_TRUE(slides());
  EXPECT_EQ(motion.turned_units, 32);
  d.act(Undo{});
  EXPECT_TRUE(slides());
  EXPECT_EQ(motion.units, 32);
}

TEST(Motion, LanesFallBeforeTheFirstWavefrontPasses) {
  Driver d("transpose_shared");
  d.act(GoToEvent{1, 0});
  Motion motion = follow({}, *d.seen, 0);
  d.act(GoToEvent{2, 0});  // the load of a column, 16 wavefronts
  motion = follow(motion, *d.seen, 10);
  EXPECT_EQ(motion.access(10), 0);
  EXPECT_EQ(motion.wavefront(10 + kAccessMotion), 0);
  EXPECT_TRUE(motion.moving(10 + kAccessMotion));
  EXPECT_EQ(motion.wavefront(10 + kAccessMotion + kWavefrontMotion), 1);
  d.act(StepWavefront{1});
  motion = follow(motion, *d.seen, 20);
  EXPECT_FALSE(motion.backwards);
  EXPECT_NEAR(motion.wavefront(20 + kWavefrontMotion / 2), 0.5, 1e-6) << "they have fallen";
  d.act(StepWavefront{-1});
  motion = follow(motion, *d.seen, 30);
  EXPECT_TRUE(motion.backwards);
  EXPECT_EQ(motion.access(30), 1);
}

TEST(Motion, AKeyTurnsItOff) {
  Driver d("transpose_naive_row");
  d.key(Key::F12);
  EXPECT_TRUE(d.state.stills);
  d.key(Key::F12);
  EXPECT_FALSE(d.state.stills);
}

}  // namespace warplens::app::map_test
