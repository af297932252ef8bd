// A│B: pinning, stepping both, what differs, the table, keys, and the session's file.
#include "app/derive/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <nlohmann/json.hpp>

#include "app/actions/apply.h"
#include "app/simulate/simulator.h"
#include "app/state/catalog.h"
#include "app/storage/session_file.h"
#include "app/views/compare.h"
#include "tests/app/desk.h"
#include "tests/scenario/folder.h"

namespace warplens::app::comparison_test {

using namespace views;

// Two panes driven as the app drives them.
struct Driver : Windowless {
  explicit Driver(const std::string& scenario) : Windowless(scenario) { derive(); }
  void derive() override {
    Windowless::derive();
    if (!state.pinned) return;
    a = simulator_a.derive(state_of_a(state, *seen, a.get()));
    comparison = compare(gallery(), state, *a, *seen);
    if (state.race) forget_accesses(&comparison);
    auto with_a = std::make_shared<Simulation>(*seen);
    with_a->other_wavefronts = comparison.wavefronts;
    seen = with_a;
  }

  Simulator simulator_a{&gallery(), runner};
  std::shared_ptr<const Simulation> a;
  Comparison comparison;
};

TEST(Comparison, PinsThePresentStateAndFollowsIt) {
  Driver d("transpose_shared");
  d.key(Key::F3);
  ASSERT_TRUE(d.state.pinned);
  EXPECT_TRUE(d.comparison.parameters.empty());
  EXPECT_EQ(d.a->now->cost, d.seen->now->cost);
  d.act(SetParameter{"pad", 2, {}});
  ASSERT_EQ(d.comparison.parameters.size(), 1u);
  EXPECT_EQ(d.comparison.parameters[0].name, "pad");
  EXPECT_EQ(d.comparison.parameters[0].a, 0);
  EXPECT_EQ(d.comparison.parameters[0].b, 2);
  EXPECT_EQ(d.a->now->cost.wavefronts, 16);
  EXPECT_EQ(d.seen->now->cost.wavefronts, 1);
  d.key(Key::F3);
  EXPECT_FALSE(d.state.pinned);
  EXPECT_EQ(d.state.settings.values.at("pad"), 2) << "B stays";
}

TEST(Comparison, BothStepTogetherByTheAccessesName) {
  Driver d("transpose_shared");
  d.act(PinA{});
  d.act(SetParameter{"pad", 2, {}});
  d.act(GoToEvent{0, 0});
  for (int event = 0; event < 4; ++event, d.key(Key::Right)) {
    ASSERT_EQ(d.seen->place.event, event);
    EXPECT_EQ(d.a->place.event, event);
    EXPECT_EQ(d.a->now->site->text, d.seen->now->site->text);
    EXPECT_TRUE(d.comparison.a_follows);
  }
  d.act(GoToEvent{0, 0});
  d.key(Key::Down);
  EXPECT_EQ(d.seen->place.warp, 2) << "past the last access came warp 1";
  EXPECT_EQ(d.a->place.warp, 2);
  d.key(Key::PageDown);
  EXPECT_EQ(d.a->place.block, d.seen->place.block);
  EXPECT_EQ(d.a->place.block.x, 1u);
}

TEST(Comparison, WavefrontsOfTheLongerOneAreSteppedThrough) {
  Driver d("transpose_shared");
  d.act(PinA{});
  d.act(SetParameter{"pad", 2, {}});
  d.act(GoToEvent{2, 0});
  EXPECT_EQ(d.comparison.wavefronts, 16);
  for (int wavefront = 1; wavefront < 16; ++wavefront) {
    d.key(Key::Right, false, true);
    EXPECT_EQ(d.seen->place.event, 2) << "B waits for A";
    EXPECT_EQ(d.seen->place.wavefront, 0);
    EXPECT_EQ(d.a->place.wavefront, wavefront);
  }
  d.key(Key::Left, false, true);
  EXPECT_EQ(d.a->place.wavefront, 14);
  d.key(Key::Right, false, true);
  d.key(Key::Right, false, true);
  EXPECT_EQ(d.seen->place.event, 3) << "both are done";
  d.act(GoToEvent{2, 0});
  d.act(SetPlaying{true});
  for (int i = 0; i < 15; ++i) d.act(Tick{kWavefrontSeconds + kAccessMotion + 1e-6});
  EXPECT_EQ(d.a->place.wavefront, 15);
  EXPECT_EQ(d.seen->place.event, 2);
}

// 4 + 1 + 16 + 4 moments of A, 4 + 1 + 1 + 4 of B, which takes half of the time.
TEST(Race, EachSideRunsThroughItsWarpInItsTime) {
  Driver d("transpose_shared");
  d.act(PinA{}).act(SetParameter{"pad", 2, {}}).act(GoToEvent{3, 0});
  d.letter('r', true, true);
  ASSERT_EQ(d.state.requests.size(), 1u) << "times are the app's to look up";
  EXPECT_TRUE(std::holds_alternative<MakeRace>(d.state.requests.front()));
  d.act(TakeRace{{2e-6, 1e-6}});
  ASSERT_TRUE(d.state.race);
  EXPECT_TRUE(d.state.playback.playing);
  EXPECT_EQ(d.seen->place.event, 0);
  EXPECT_EQ(d.a->place.event, 0);
  d.act(Tick{0.25 * kRaceSeconds});
  EXPECT_DOUBLE_EQ(d.state.race->part(true), 0.25);
  EXPECT_DOUBLE_EQ(d.state.race->part(false), 0.5);
  EXPECT_EQ(d.seen->place.event, 1) << "the fifth moment of ten";
  EXPECT_EQ(d.a->place.event, 2) << "the sixth of 25";
  EXPECT_EQ(d.a->place.wavefront, 0);
  EXPECT_TRUE(d.comparison.a_follows) << "nothing is held against the other";
  d.act(Tick{0.25 * kRaceSeconds}).act(Tick{0.1 * kRaceSeconds});
  EXPECT_EQ(d.state.race->part(false), 1);
  EXPECT_EQ(d.seen->place.event, 3) << "the winner stands at its end";
  EXPECT_EQ(d.a->place.event, 2);
  EXPECT_GT(d.a->place.wavefront, 5) << "and the other goes on";
  EXPECT_TRUE(d.state.playback.playing);
  d.act(Tick{10});
  EXPECT_TRUE(d.state.race->over());
  EXPECT_FALSE(d.state.playback.playing);
  EXPECT_EQ(d.a->place.event, 3);
  d.act(StepAccess{-1});
  EXPECT_FALSE(d.state.race) << "what is done by hand ends it";
  EXPECT_EQ(d.a->place.event, d.seen->place.event) << "both are together again";
}

TEST(Race, EndsWithItsSettingsAndByItsKeyWhichBeginsItAnewAtItsEnd) {
  Driver d("transpose_shared");
  d.letter('r', true, true);
  EXPECT_TRUE(d.state.requests.empty()) << "alone there is no race";
  d.act(PinA{}).act(SetParameter{"pad", 2, {}});
  const auto begin = [&] { d.act(TakeRace{{2e-6, 1e-6}}).act(Tick{1}); };
  begin();
  d.act(SetParameter{"pad", 1, {}});
  EXPECT_FALSE(d.state.race);
  EXPECT_FALSE(d.state.playback.playing);
  begin();
  d.letter('r', true, true);
  EXPECT_FALSE(d.state.race);
  begin();
  d.act(LeaveComparison{});
  EXPECT_FALSE(d.state.race);
  d.act(PinA{});
  begin();
  d.act(SetPlaying{false}).act(SetTheme{Theme::Light});
  ASSERT_TRUE(d.state.race) << "it pauses";
  const double done = d.state.race->done;
  d.act(SetPlaying{true}).act(Tick{1});
  EXPECT_GT(d.state.race->done, done);
  d.act(TakeRace{{2e-6, 1e-6}}).act(SetPredicting{true});
  EXPECT_FALSE(d.state.race) << "a question is about one access";
  d.act(SetPredicting{false}).act(TakeRace{{2e-6, 1e-6}}).act(Tick{2 * kRaceSeconds});
  ASSERT_TRUE(d.state.race->over());
  d.state.requests.clear();
  d.letter('r', true, true);
  ASSERT_EQ(d.state.requests.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<MakeRace>(d.state.requests.front()));
}

// The picture changes no more than three times a second, the clock goes evenly.
TEST(Race, DoesNotFlash) {
  Race race{3, 2};
  double shown = -1;
  int changes = 0;
  for (int i = 0; i <= 600; ++i) {
    race.done = i / 600.0;
    if (race.shown(true) != shown) ++changes;
    EXPECT_GE(race.shown(true), shown);
    EXPECT_LE(race.shown(true), race.part(true));
    shown = race.shown(true);
  }
  EXPECT_LE(changes, 3 * kRaceSeconds + 1);
  EXPECT_EQ(shown, 1);
}

TEST(Comparison, ItsDividerIsMovedByKeysAndKept) {
  Driver d("transpose_shared");
  d.act(SetParameter{"pad", 2, {}});
  d.key(Key::Right, true, true);
  EXPECT_EQ(d.state.divider, kMiddle) << "there is none yet";
  d.act(PinA{});
  d.key(Key::Right, true, true).key(Key::Right, true, true);
  EXPECT_FLOAT_EQ(d.state.divider, 0.6f);
  for (int i = 0; i < 20; ++i) d.key(Key::Left, true, true);
  EXPECT_FLOAT_EQ(d.state.divider, kLeastPane);
  const scenario::Folder folder;
  const auto kept = [&] {
    const auto loaded =
        load_session(folder.write("a.warplens.json", to_json(d.state, *d.seen).dump()), gallery());
    return loaded ? loaded.value->divider : -1;
  };
  EXPECT_FLOAT_EQ(kept(), kLeastPane);
  d.key(Key::Home, true, true);
  EXPECT_EQ(d.state.divider, kMiddle);
  EXPECT_EQ(kept(), kMiddle);
  EXPECT_FALSE(to_json(d.state, *d.seen).contains("divider")) << "files and links are no longer for it";
}

TEST(Comparison, MarksLanesSectorsAndBanksThatDiffer) {
  Driver d("transpose_shared");
  d.act(PinA{});
  d.act(SetParameter{"pad", 2, {}});
  d.act(GoToEvent{2, 0});
  ASSERT_TRUE(d.comparison.shared_a && d.comparison.shared_b);
  // Lane 0 stays at word 0 of the tile; lane i of the column moves by i rows' padding. 32 x 16: lanes read
  // two columns of 16 words each, tile[c][r], so lanes 0 and 16 are in row 0.
  EXPECT_EQ(std::popcount(d.comparison.shared_b->lanes), 30);
  EXPECT_EQ(d.comparison.shared_a->lanes, d.comparison.shared_b->lanes);
  EXPECT_EQ(d.comparison.shared_b->banks, 0xffffffffu) << "two banks of 16 words become 32 banks of one";
  ASSERT_TRUE(d.comparison.global_b);
  EXPECT_TRUE(d.comparison.global_b->none()) << "padding moves nothing in global memory";
  d.act(SwapAB{});
  EXPECT_EQ(d.state.settings.values.at("pad"), 0);
  EXPECT_EQ(d.state.pinned->values.at("pad"), 2);
}

TEST(Comparison, LanesThatGoElsewhereOnOneSide) {
  Driver d("copy_stride");
  d.act(SetParameter{"stride", 1, {}});
  d.act(PinA{});
  d.act(SetParameter{"stride", 2, {}});
  d.act(GoToEvent{0, 0});
  // 32 floats at stride 1: sectors 0 to 3; at stride 2: 0 to 7.
  ASSERT_TRUE(d.comparison.global_a && d.comparison.global_b);
  EXPECT_EQ(d.comparison.global_b->lanes, 0xfffffffeu) << "lane 0 reads element 0 in both";
}

TEST(Comparison, EveryRungHasThePairWithTheOneBefore) {
  Driver d("transpose_padded");
  d.key(Key::F3, true);
  ASSERT_TRUE(d.state.pinned);
  EXPECT_EQ(d.state.pinned->scenario, "transpose_shared");
  EXPECT_EQ(d.state.settings.scenario, "transpose_padded");
  for (const scenario::Scenario& first : gallery().scenarios) {
    const auto rungs = gallery().ladder_of(first);
    for (std::size_t i = 0; i < rungs.size(); ++i) {
      const auto pair = neighbour_rung(gallery(), opening(gallery(), rungs[i]->name).settings);
      ASSERT_EQ(pair.has_value(), rungs.size() > 1) << rungs[i]->name;
      if (pair) {
        EXPECT_EQ(pair->scenario, rungs[i == 0 ? 1 : i - 1]->name);
      }
    }
  }
}

TEST(Comparison, TheRungThatOneCameFromIsA) {
  Driver d("transpose_naive_row");
  d.act(SelectScenario{"transpose_padded"});
  d.act(StepParameter{"pad", 1});
  d.key(Key::F3, true);
  ASSERT_TRUE(d.state.pinned);
  EXPECT_EQ(d.state.pinned->scenario, "transpose_naive_row");
  d.act(LeaveComparison{}).act(SelectScenario{"reduce_pairs"}).act(SelectScenario{"transpose_padded"});
  d.key(Key::F3, true);
  ASSERT_TRUE(d.state.pinned);
  EXPECT_EQ(d.state.pinned->scenario, "transpose_shared") << "another ladder is no rung of this one";
}

// What one action opened, one undo closes; A that was pinned by hand stays.
TEST(Comparison, UndoLeavesThePairThatOneActionMade) {
  Driver d("transpose_shared");
  Settings padded = d.state.settings;
  padded.values["pad"] = 1;
  Fix fix;
  fix.settings = padded;
  d.act(TakeDiagnosis{std::make_shared<const Diagnosis>(Diagnosis{d.state.settings, fix})}).act(ShowFix{});
  ASSERT_TRUE(d.state.pinned);
  d.act(Undo{});
  EXPECT_FALSE(d.state.pinned);
  EXPECT_EQ(d.state.settings.values.at("pad"), 0);
  d.act(TakeSettings{padded, {}, {}, {}, d.state.settings}).act(Undo{});
  EXPECT_FALSE(d.state.pinned) << "a session's A goes with it";
  d.act(PinA{}).act(StepParameter{"pad", 1}).act(Undo{});
  EXPECT_TRUE(d.state.pinned);
}

TEST(Comparison, AShowsTheNearestWhereItHasNoSuchAccess) {
  Driver d("transpose_shared");
  d.act(PinA{});
  d.act(SwapAB{});
  d.act(SelectScenario{"transpose_naive_row"});
  d.act(SwapAB{});  // A: naive; B: through a tile
  ASSERT_EQ(d.state.pinned->scenario, "transpose_naive_row");
  d.act(GoToEvent{1, 0});  // the store into the tile
  EXPECT_FALSE(d.comparison.a_follows);
  ASSERT_TRUE(d.a->now);
  EXPECT_EQ(d.a->now->access.space, memory::Space::Global);
  EXPECT_FALSE(d.comparison.shared_b);
  EXPECT_GT(d.comparison.lines.count_b, 0);
}

TEST(Comparison, GoesBackToAAndUndoes) {
  Driver d("transpose_shared");
  d.act(PinA{});
  d.act(SetParameter{"pad", 3, {}});
  d.key(Key::F4, true);
  EXPECT_EQ(d.state.settings.values.at("pad"), 0);
  EXPECT_TRUE(d.state.pinned);
  d.act(Undo{});
  EXPECT_EQ(d.state.settings.values.at("pad"), 3);
  d.key(Key::F4);
  EXPECT_EQ(d.state.settings.values.at("pad"), 0);
  EXPECT_EQ(d.state.pinned->values.at("pad"), 3);
  d.key(Key::Escape);
  EXPECT_FALSE(d.state.pinned);
  d.key(Key::F4);  // nothing to swap
  EXPECT_EQ(d.state.settings.values.at("pad"), 0);
}

TEST(Comparison, LinesOfTexts) {
  const LineDifferences d = line_differences("a\nb\nc\nd", "a\nx\nc\ny\nd");
  EXPECT_EQ(d.a, (std::vector<bool>{false, true, false, false}));
  EXPECT_EQ(d.b, (std::vector<bool>{false, true, false, true, false}));
  EXPECT_EQ(d.count_a, 1);
  EXPECT_EQ(d.count_b, 2);
  EXPECT_EQ(line_differences("", "").count_a, 0);
  EXPECT_EQ(line_differences("a\r\nb", "a\nb").count_b, 0) << "line ends are no difference";
  const LineDifferences other = line_differences("a", "b");
  EXPECT_EQ(other.count_a + other.count_b, 2);
}

TEST(Comparison, EveryRowOfItsTableHasWords) {
  Driver d("hgemm_async");  // whose copies have a count that no load has
  d.key(Key::F3);
  const auto rows = comparison_table({&d.comparison, d.a.get(), d.seen.get(), nullptr, nullptr}, english());
  EXPECT_GT(rows.size(), 20u);
  for (const TableRow& row : rows) EXPECT_EQ(row.label.find("compare."), std::string::npos) << row.label;
}

TEST(Comparison, WhereThereIsNoRoomTheLeastImportantRowsGo) {
  std::vector<TableRow> rows(6);
  rows[0].heading = rows[3].heading = true;
  rows[1].rank = 0;
  rows[2].rank = 5;
  rows[4].rank = rows[5].rank = 5;
  const auto fitting = fitting_rows(rows, 3);
  ASSERT_EQ(fitting.size(), 2u) << "a heading with nothing below it goes too";
  EXPECT_TRUE(fitting[0].heading);
  EXPECT_EQ(fitting_rows(rows, 6).size(), 6u);
  for (TableRow& row : rows) row.rank = 0;
  rows[4].change = Change::Better;
  const auto differing = fitting_rows(rows, 2);
  ASSERT_EQ(differing.size(), 2u) << "at last what is the same goes";
  EXPECT_EQ(differing[1].change, Change::Better);
}

TEST(Comparison, TheSessionsFileKeepsA) {
  Driver d("transpose_shared");
  d.act(SetParameter{"pad", 1, {}});
  d.act(PinA{});
  d.act(SetStills{true});
  d.act(ShowView{ViewId::Map});
  d.act(SetMapScope{MapScope::Warp});
  d.act(SelectScenario{"transpose_padded"});
  d.act(SetText{text_of(gallery(), d.state.settings) + "\n// B\n", {}, {}});
  d.act(GoToBlock{{3, 2, 0}}).act(GoToWarp{5}).act(GoToEvent{3, 0}).act(SetTheme{Theme::Light});
  const scenario::Folder folder;
  const auto loaded =
      load_session(folder.write("a.warplens.json", to_json(d.state, *d.seen).dump()), gallery());
  ASSERT_TRUE(loaded) << loaded.errors.front();
  EXPECT_EQ(loaded.value->settings, d.state.settings);
  EXPECT_EQ(loaded.value->position, d.state.position);
  EXPECT_EQ(loaded.value->theme, Theme::Light);
  EXPECT_TRUE(loaded.value->stills);
  EXPECT_EQ(loaded.value->shown, ViewId::Map);
  EXPECT_EQ(loaded.value->plot.map.scope, MapScope::Warp);
  ASSERT_TRUE(loaded.value->pinned);
  EXPECT_EQ(*loaded.value->pinned, *d.state.pinned);
  EXPECT_EQ(loaded.value->pinned->values.at("pad"), 1);
  // What is wrong with A is told with its place.
  const auto bad = load_session(
      folder.write("a.warplens.json", R"({"schema":"warplens.session/1","scenario":"transpose_shared",
      "a":{"scenario":"transpose_shared","values":{"pat":1}}})"),
      gallery());
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad.errors.front(), testing::HasSubstr("a.values.pat"));
}

}  // namespace warplens::app::comparison_test
