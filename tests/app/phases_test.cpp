// The phases of a corner turn: followed through the block's own trace, and stepped through in its order.
#include "app/views/phases.h"

#include <gtest/gtest.h>

#include <set>

#include "app/derive/comparison.h"
#include "app/simulate/simulator.h"
#include "tests/app/desk.h"

namespace warplens::app::phases_test {

using namespace views;

struct Driver : Windowless {
  using Windowless::Windowless;
  std::uint32_t event() const { return (*seen->events)[static_cast<std::size_t>(seen->place.event)].event; }
};

TEST(CornerTurn, FollowsEveryWordOfTheBlock) {
  Driver d("transpose_shared");
  d.set("pad", 1);
  const auto turn = corner_turn(*d.seen);
  ASSERT_NE(turn, nullptr);
  EXPECT_EQ(turn, corner_turn(*d.seen)) << "kept";
  ASSERT_EQ(turn->elements.size(), 512u);
  EXPECT_EQ(turn->grids[0].rows, 16);
  EXPECT_EQ(turn->grids[0].columns, 32);
  EXPECT_EQ(turn->grids[2].rows, 32);
  EXPECT_EQ(turn->grids[2].columns, 16);
  EXPECT_EQ(turn->grids[1].columns, 33);
  EXPECT_EQ(turn->grids[1].padding, 1);
  EXPECT_EQ(turn->grids[0].name, "in");
  EXPECT_EQ(turn->grids[1].name, "tile");
  EXPECT_EQ(turn->grids[2].name, "out");
  std::set<memory::Address> words;
  for (const TurnedElement& e : turn->elements) {
    EXPECT_EQ(e.at[2].row, e.at[0].column);
    EXPECT_EQ(e.at[2].column, e.at[0].row);
    EXPECT_EQ(e.at[1].row, e.at[0].row);
    EXPECT_EQ(e.at[1].column, e.at[0].column);
    EXPECT_TRUE(std::is_sorted(e.events.begin(), e.events.end()));
    words.insert(e.at[1].address);
    for (std::size_t phase = 0; phase < kTurnPhases; ++phase)
      EXPECT_EQ(turn->phase_of[e.events[phase]], phase);
    // The address is that of the trace.
    const memory::WarpAccess write = d.seen->trace->access(d.seen->program(), e.events[3]);
    EXPECT_EQ(write.addresses[static_cast<std::size_t>(e.lanes[3])], e.at[2].address);
  }
  EXPECT_EQ(words.size(), 512u);
}

// Each of the others says why, and none of them that it has no tile where it has one.
TEST(CornerTurn, IsFoundInEveryRungThatMakesOneAndTheOthersSayWhyThereIsNone) {
  const std::set<std::string> turns{"transpose_shared", "transpose_padded",  "transpose_swizzle",
                                    "transpose_shape",  "transpose_unroll2", "transpose_batch",
                                    "transpose_float4", "shared_column",     "shared_swizzle"};
  const std::map<std::string, NoTurn> reasons{{"sgemm_tiled", NoTurn::Several},
                                              {"reduce_strided", NoTurn::Computed},
                                              {"histogram_shared", NoTurn::Atomic},
                                              {"shared_row", NoTurn::NotTransposed}};
  for (const scenario::Scenario& s : gallery().scenarios) {
    SCOPED_TRACE(s.name);
    const Driver d(s.name);
    const FollowedTurn followed = followed_turn(*d.seen);
    EXPECT_TRUE(followed.turn != nullptr || !turns.contains(s.name));
    if (reasons.contains(s.name)) {
      EXPECT_EQ(followed.why, reasons.at(s.name));
    }
    if (followed.turn != nullptr) continue;
    EXPECT_EQ(followed.why == NoTurn::NoTile, d.seen->program().shared_arrays.empty());
    EXPECT_NE(followed.why, NoTurn::Unfinished);
  }
}

// Elements of every width, as long as an access and as a quarter of one.
TEST(CornerTurn, ElementsMayBeOfAnyWidth) {
  for (const int bytes : {1, 2, 4, 8, 16}) {
    Driver d("shared_column");
    d.set("element", bytes);
    const auto turn = corner_turn(*d.seen);
    ASSERT_NE(turn, nullptr) << bytes;
    EXPECT_EQ(turn->elements.size(), 1024u) << bytes;
    EXPECT_EQ(turn->words, 1) << bytes;
  }
}

TEST(CornerTurn, AWideAccessMovesSeveralWords) {
  Driver d("transpose_float4");
  const auto turn = corner_turn(*d.seen);
  ASSERT_NE(turn, nullptr);
  EXPECT_EQ(turn->elements.size(), 4096u);
  EXPECT_EQ(turn->words, 4);
  EXPECT_EQ(turn->deepest, 4);
  EXPECT_EQ(turn->grids[1].columns, 65);
  for (const TurnedElement& e : turn->elements) {
    ASSERT_EQ(e.at[1].row, e.at[0].row);
    ASSERT_EQ(e.at[1].column, e.at[0].column);
  }
  d.act(GoToWarp{0});
  d.act(GoToEnd{false});
  const CornerTurnView view = turn_view(turn, *d.seen, 1);
  EXPECT_EQ(view.held()[3], std::vector<int>(4, 3)) << "four words that lane 3 has read";
  EXPECT_EQ(view.costs[0].units, 16) << "16 bytes a lane";
  EXPECT_EQ(view.costs[0].access, 1);
  EXPECT_EQ(view.costs[0].accesses, 4);
  EXPECT_EQ(view.costs[1].accesses, 16);
  // A lane's four words go to four rows of the result. 16 lanes of a row of the input are 16 rows apart, two
  // rows lie in one sector: 16 sectors a store, four stores.
  EXPECT_EQ(view.straight, 64);
  EXPECT_EQ(view.straight_ideal, 16);
}

// Words that end up elsewhere are no transpose, whatever the kernel is called.
TEST(CornerTurn, ChecksTheResult) {
  Driver d("transpose_shared");
  std::string text = d.seen->compiled->setup.compile.text;
  const auto at = text.find("tile[c][r]");
  ASSERT_NE(at, std::string::npos);
  d.act(SetText{text.replace(at, 10, "tile[c][(r + 1) % BX]"), {}, {}});
  EXPECT_EQ(corner_turn(*d.seen), nullptr);
  EXPECT_EQ(followed_turn(*d.seen).why, NoTurn::NotTransposed);
}

TEST(Phases, StepInTheOrderInWhichTheBlockRan) {
  Driver d("transpose_shared");
  d.key(Key::F11);
  ASSERT_EQ(d.state.shown, ViewId::Phases);
  d.act(GoToEnd{false});
  EXPECT_EQ(d.event(), 0u);
  for (std::uint32_t i = 1; i < 64; ++i) {
    d.key(Key::Right);
    ASSERT_EQ(d.event(), i);
  }
  d.key(Key::Right);
  EXPECT_EQ(d.event(), 63u) << "the end of the block";
  d.key(Key::Left);
  EXPECT_EQ(d.event(), 62u);
  d.key(Key::F11);
  d.key(Key::Left);
  EXPECT_EQ(d.seen->place.warp, 15) << "the warp's own again";
}

TEST(Phases, PlayThroughTheBlock) {
  Driver d("transpose_shared");
  d.key(Key::F11);
  d.act(GoToEnd{false});
  d.act(SetPlaying{true});
  constexpr double kFrame = 1.0 / 120;
  std::uint32_t before = 0;
  int frames = 0;
  for (; frames < 2000 && d.state.playback.playing; ++frames) {
    d.act(Tick{kFrame});
    EXPECT_LE(d.event(), before + 1);
    before = d.event();
  }
  EXPECT_EQ(before, 63u);
  // Four accesses of the warp that is followed, sixty of the others.
  EXPECT_NEAR(frames * kFrame, 4 * kPhaseSeconds + kOtherWarpsSeconds, 1);
  EXPECT_FALSE(d.state.playback.playing);
}

// A│B: both sides are stepped in the order in which B's block ran, A to the same access.
TEST(Phases, AreSteppedBesideEachOther) {
  Driver d("transpose_shared");
  d.act(PinA{});
  d.set("pad", 2);
  d.key(Key::F11);
  ASSERT_EQ(d.state.shown, ViewId::Phases);
  ASSERT_TRUE(d.state.pinned);
  d.act(GoToEnd{false});
  Simulator other(&gallery(), d.runner);
  for (std::uint32_t i = 1; i < 40; ++i) {
    d.key(Key::Right);
    ASSERT_EQ(d.event(), i);
    const State a = state_of_a(d.state, *d.seen);
    EXPECT_EQ(a.shown, ViewId::Phases);
    const auto seen = other.derive(a);
    ASSERT_EQ((*seen->events)[static_cast<std::size_t>(seen->place.event)].event, i);
    EXPECT_NE(corner_turn(*seen), nullptr);
    EXPECT_EQ(corner_turn(*seen), corner_turn(*seen)) << "both are kept";
    EXPECT_NE(corner_turn(*seen), corner_turn(*d.seen));
  }
}

TEST(Phases, ShowWhatIsThereAndWhatItCosts) {
  Driver d("transpose_shared");
  d.set("pad", 0);
  const auto turn = corner_turn(*d.seen);
  ASSERT_NE(turn, nullptr);
  d.act(GoToWarp{0});
  d.act(GoToEnd{false});
  CornerTurnView view = turn_view(turn, *d.seen, 0.5f);
  const auto count = [&](auto is) {
    return std::ranges::count_if(turn->elements, [&](const TurnedElement& e) { return is(e); });
  };
  const auto in_tile = [&](const TurnedElement& e) { return view.has(e, 1); };
  const auto lit = [&](const TurnedElement& e) { return view.lane_of(e) >= 0; };
  EXPECT_EQ(count(lit), 32);
  EXPECT_EQ(count(in_tile), 0);
  EXPECT_TRUE(view.held()[5].empty()) << "on its way";
  view = turn_view(turn, *d.seen, 1);
  EXPECT_EQ(view.held()[5], std::vector<int>{5});
  EXPECT_EQ(view.costs[0].units, 4);
  EXPECT_EQ(view.costs[1].units, 1);
  EXPECT_EQ(view.costs[2].units, 16);
  EXPECT_EQ(view.costs[2].ideal, 1);
  EXPECT_EQ(view.costs[3].units, 4);
  EXPECT_EQ(view.banks, 2);
  EXPECT_EQ(view.straight, 32) << "a sector a lane, as the naive kernel has it";
  EXPECT_EQ(view.straight_ideal, 4);
  d.act(GoToEvent{2});
  view = turn_view(turn, *d.seen, 1);
  EXPECT_EQ(count(in_tile), 512) << "past the barrier the tile is full";
  EXPECT_EQ(count(lit), 32);
}

}  // namespace warplens::app::phases_test
