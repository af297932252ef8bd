// The session without a window: navigation, settings, undo, keys, and what is derived from them. The kernels
// are the gallery's; expectations can be counted by hand from their text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "app/derive/motion.h"
#include "app/readout/verdict.h"
#include "app/state/text_edit.h"
#include "app/storage/session_file.h"
#include "tests/app/desk.h"
#include "tests/scenario/folder.h"

namespace warplens::app::session_test {

using namespace views;

struct Driver : Windowless {
  using Windowless::Windowless;
  const ResolvedPosition& place() const { return seen->place; }
  std::string text() const { return seen->now ? seen->now->site->text : std::string(); }
};

// Its first four warps only ask the copy engine for tiles: the first access is one of the fifth, and what is
// turned leaves it in view.
TEST(Session, OpensAtTheFirstWarpThatMakesAnAccess) {
  Driver d("hgemm_tma");
  EXPECT_EQ(d.place().warp, 4);
  EXPECT_GE(d.place().event, 0);
  const std::string text = d.text();
  d.letter('s', true);
  EXPECT_EQ(d.state.settings.values.at("stages"), 3);
  EXPECT_EQ(d.place().warp, 4);
  EXPECT_EQ(d.text(), text);
}

TEST(Session, StepsThroughAWarpAndIntoTheNext) {
  Driver d("transpose_naive_row");
  d.key(Key::Home);
  EXPECT_EQ(d.place(), (ResolvedPosition{{0, 0, 0}, 0, 0, 0}));
  d.key(Key::Right);
  EXPECT_EQ(d.place().event, 1);
  d.key(Key::Right);
  EXPECT_EQ(d.place(), (ResolvedPosition{{0, 0, 0}, 1, 0, 0}))
      << "past the last access comes the next warp's first";
  d.key(Key::Left);
  EXPECT_EQ(d.place(), (ResolvedPosition{{0, 0, 0}, 0, 1, 0}));
  d.key(Key::Home);
  d.key(Key::Left);
  EXPECT_EQ(d.place(), (ResolvedPosition{{0, 0, 0}, 0, 0, 0}))
      << "before the block's first access is nothing";
}

TEST(Session, StepsWavefronts) {
  Driver d("transpose_shared");
  EXPECT_EQ(d.place().wavefront, 0);
  for (int i = 1; i < 16; ++i) {
    d.key(Key::Right, false, true);
    EXPECT_EQ(d.place().wavefront, i);
    EXPECT_EQ(d.place().event, 2);
  }
  d.key(Key::Right, false, true);
  EXPECT_EQ(d.place().event, 3) << "after the last wavefront comes the next access";
  d.key(Key::Left, false, true);
  EXPECT_EQ(d.place(), (ResolvedPosition{{0, 0, 0}, 0, 2, 15}));
}

TEST(Session, StepsLines) {
  Driver d("transpose_naive_row");  // load and store stand in one line
  d.key(Key::Home);
  d.key(Key::Right, true);
  EXPECT_EQ(d.place().warp, 1);
  Driver tile("transpose_shared");
  tile.key(Key::Home);
  const int first = tile.seen->now->site->range.begin.line;
  tile.key(Key::Right, true);
  EXPECT_NE(tile.seen->now->site->range.begin.line, first);
  tile.key(Key::Left, true);
  EXPECT_EQ(tile.seen->now->site->range.begin.line, first);
}

TEST(Session, MovesThroughBlocksAlongXThenY) {
  Driver d("transpose_shared");
  d.act(SetParameter{"ncols", 64, {}});  // two blocks across
  d.key(Key::PageDown);
  EXPECT_EQ(d.place().block, (sim::Dim3{1, 0, 0}));
  d.key(Key::PageDown);
  EXPECT_EQ(d.place().block, (sim::Dim3{0, 1, 0}));
  d.key(Key::PageUp);
  d.key(Key::PageUp);
  d.key(Key::PageUp);
  EXPECT_EQ(d.place().block, (sim::Dim3{0, 0, 0}));
}

TEST(Session, ABlockThatIsGoneIsFoundAgain) {
  Driver d("transpose_shared");
  d.act(GoToBlock{{100, 3, 0}});
  EXPECT_EQ(d.place().block.x, 100u);
  d.act(SetParameter{"ncols", 64, {}});
  EXPECT_EQ(d.place().block.x, 1u) << "the grid has two blocks across now";
  d.letter('z', false, true);
  EXPECT_EQ(d.place().block, (sim::Dim3{100, 3, 0}));
}

TEST(Session, AWarpAtTheEdgeDoesNotForgetTheAccess) {
  Driver d("transpose_naive_row");
  d.act(SetParameter{"nrows", 8, {}});  // warps 8 to 15 of a 32 x 16 block are outside
  EXPECT_EQ(d.place().event, 1);
  for (int i = 0; i < 10; ++i) d.key(Key::Down);
  EXPECT_EQ(d.place().warp, 10);
  EXPECT_EQ(d.place().event, -1);
  EXPECT_FALSE(d.seen->now);
  for (int i = 0; i < 10; ++i) d.key(Key::Up);
  EXPECT_EQ(d.place(), (ResolvedPosition{{0, 0, 0}, 0, 1, 0}));
}

TEST(Session, ARungKeepsSizesAndComesToItsCostliestAccess) {
  Driver d("transpose_naive_row");
  d.act(SetParameter{"nrows", 1000, {}});
  d.act(GoToEvent{1, 0});  // the store to out
  d.act(StepWarp{2});
  d.act(SelectScenario{"transpose_shared"});
  EXPECT_EQ(d.state.settings.values.at("nrows"), 1000);
  EXPECT_EQ(d.text(), "tile[c][r]") << "the store is at its ideal here, and this is not";
  EXPECT_EQ(d.place().warp, 0) << "whose column lies in banks 0 and 1";
  d.act(SetParameter{"pad", 1, {}});
  d.act(SelectScenario{"transpose_padded"});
  EXPECT_EQ(d.state.settings.values.at("pad"), 2) << "padding is what this rung is about: it has its own";
  EXPECT_EQ(d.text(), "tile[c][r]");
}

TEST(Session, UndoesAndRedoes) {
  Driver d("transpose_shared");
  d.letter('p');
  d.letter('x');
  const int looked_at = d.seen->place.event;
  d.act(SelectScenario{"copy_row"});
  d.act(StepAccess{1});
  d.letter('z', false, true);
  EXPECT_EQ(d.seen->place.event, looked_at) << "with the access that was looked at";
  for (int i = 0; i < 2; ++i) d.letter('z', false, true);
  EXPECT_EQ(d.state.settings, opening(gallery(), "transpose_shared").settings);
  EXPECT_TRUE(d.state.past.empty());
  d.letter('z', false, true);
  EXPECT_EQ(d.state.settings.scenario, "transpose_shared");
  for (int i = 0; i < 3; ++i) d.letter('y', false, true);
  EXPECT_EQ(d.state.settings.scenario, "copy_row");
}

TEST(Session, ValuesStayInTheirRange) {
  Driver d("transpose_shared");
  d.act(SetParameter{"pad", 1000, {}});
  EXPECT_EQ(d.state.settings.values.at("pad"), 32);
  d.act(SetParameter{"pad", -5, {}});
  EXPECT_EQ(d.state.settings.values.at("pad"), 0);
  d.act(SetParameter{"nrows", std::numeric_limits<std::int64_t>::max(), {}});
  EXPECT_EQ(d.state.settings.values.at("nrows"), 16384);
  d.letter('r', true);
  EXPECT_EQ(d.state.settings.values.at("nrows"), 8192) << "sizes step through the powers of two";
}

TEST(Session, PlaysWavefrontsAndAccesses) {
  Driver d("transpose_shared");
  d.key(Key::Home);
  d.key(Key::Space);
  EXPECT_TRUE(d.state.playback.playing);
  for (int i = 0; i < 16 * 20 + 100 && d.state.playback.playing; ++i) d.act(Tick{kAccessSeconds});
  EXPECT_EQ(d.place().warp, 15) << "to the end of the block";
  EXPECT_FALSE(d.state.playback.playing);
}

TEST(Session, WhatPlaysStopsWhereAParameterIsTurned) {
  Driver d("transpose_shared");
  d.act(SetPlaying{true});
  for (int i = 0; i < 2000 && d.place().wavefront < 7; ++i) d.act(Tick{0.1});
  const int event = d.place().event;
  ASSERT_EQ(d.place().wavefront, 7);
  d.act(StepParameter{"pad", 1});
  EXPECT_FALSE(d.state.playback.playing);
  EXPECT_EQ(d.place().event, event);
  EXPECT_EQ(d.place().wavefront, 0);
  EXPECT_EQ(d.seen->steps(), 2);
  d.key(Key::Space).key(Key::Right);
  EXPECT_FALSE(d.state.playback.playing) << "a step by hand stops it too";
}

// Random walks, each step undone by its inverse in reverse order, end where they began.
TEST(Session, EveryMovementCanBeReversed) {
  std::mt19937 random(7);
  for (const char* scenario : {"transpose_shared", "transpose_unroll2", "copy_stride"}) {
    for (int walk = 0; walk < 6; ++walk) {
      Driver d(scenario);
      d.act(GoToEnd{false});
      std::vector<std::pair<Action, ResolvedPosition>> inverses;
      const ResolvedPosition start = d.place();
      for (int i = 0; i < 25; ++i) {
        const int by = random() % 2 == 0 ? 1 : -1;
        const ResolvedPosition before = d.place();
        const std::pair<Action, Action> moves[] = {{StepWavefront{by}, StepWavefront{-by}},
                                                   {StepWarp{by}, StepWarp{-by}},
                                                   {StepBlock{by}, StepBlock{-by}},
                                                   {StepParameter{"block_x", by}, Undo{}}};
        const auto& [move, inverse] = moves[random() % std::size(moves)];
        d.act(move);
        if (inverse.as<Undo>() == nullptr) {
          if (!(before == d.place())) inverses.emplace_back(inverse, before);
        } else if (!d.state.past.empty()) {
          d.act(Undo{});  // a parameter turned and turned back leads back at once
          ASSERT_EQ(d.place(), before) << scenario << " " << i;
        }
      }
      for (; !inverses.empty(); inverses.pop_back()) {
        d.act(inverses.back().first);
        ASSERT_EQ(d.place(), inverses.back().second) << scenario;
      }
      EXPECT_EQ(d.place(), start);
    }
  }
}

TEST(Session, AnyActionOnAnyStateIsSafe) {
  std::mt19937 random(11);
  Driver d("transpose_naive_row");
  d.runner.set_wait(std::chrono::milliseconds(50));
  const auto any = [&](int most) {
    return static_cast<int>(random() % static_cast<unsigned>(most)) - most / 2;
  };
  for (int i = 0; i < 600; ++i) {
    const auto& scenarios = gallery().scenarios;
    const scenario::Scenario& here = *gallery().find(d.state.settings.scenario);
    const Action moves[] = {StepAccess{any(9)},
                            StepLine{any(5)},
                            StepWavefront{any(5)},
                            StepWarp{any(99)},
                            StepBlock{any(100000)},
                            GoToEvent{any(50), any(50)},
                            GoToLine{any(80)},
                            GoToBlock{{static_cast<unsigned>(random()), static_cast<unsigned>(random()), 9}},
                            SelectScenario{scenarios[random() % scenarios.size()].name},
                            Undo{},
                            Redo{},
                            StepRung{any(5)},
                            StepParameter{here.parameters[random() % here.parameters.size()].name, any(7)}};
    d.act(moves[random() % std::size(moves)]);
    if (!d.seen->empty()) {
      ASSERT_LT(d.place().event, d.seen->event_count());
      ASSERT_LT(d.place().warp, d.seen->trace->warps);
    }
  }
}

TEST(Session, AFileThatIsNoneIsRefused) {
  const scenario::Folder folder;
  for (const char* bad :
       {"", "[]", "{", "{\"schema\": \"warplens.session/2\"}",
        "{\"schema\": \"warplens.session/1\", \"scenario\": 3}",
        "{\"schema\": \"warplens.session/1\", \"scenario\": \"copy\", \"position\": {\"warp\": -1}}",
        "{\"schema\": \"warplens.session/1\", \"scenario\": \"copy\", \"values\": {\"n\": 1e99}}"})
    EXPECT_FALSE(load_session(folder.write("a.warplens.json", bad), gallery())) << bad;
}

TEST(Session, WhatIsWrongInAFileIsToldByItsField) {
  const scenario::Folder folder;
  const nlohmann::json sound = {{"schema", "warplens.session/1"}, {"scenario", "transpose_shared"}};
  const Means strictly{.strict = true};
  EXPECT_TRUE(load_session(folder.write("a.warplens.json", sound.dump()), gallery(), strictly));
  const std::tuple<const char*, nlohmann::json, const char*> lies[] = {
      {"/scenario", "nosuch", "nosuch"},
      {"/values", {{"pad", 99}}, "values.pad: is 99"},
      {"/values", {{"nosuch", 1}}, "values.nosuch"},
      {"/theme", "pink", "theme: is \"pink\""},
      {"/zoom", 99, "zoom: must be from"},
      {"/position", {{"block", {0, -1, 0}}}, "position.block"},
      {"/position", {{"access", {{"op", "jump"}}}}, "position.access.op"},
      {"/own", {{"file", "a.cu"}, {"fields", {{"nosuch", "1"}}}}, "text"}};
  for (const auto& [at, value, words] : lies) {
    nlohmann::json document = sound;
    document[nlohmann::json::json_pointer(at)] = value;
    const auto loaded = load_session(folder.write("a.warplens.json", document.dump()), gallery(), strictly);
    ASSERT_FALSE(loaded) << at;
    EXPECT_THAT(loaded.errors.front().english(), ::testing::HasSubstr(words));
  }
}

// What is no more where it was saved: the rest is taken, and what is left out is said once. (Views:
// tests/frozen/old.)
TEST(Session, WhatIsNoMoreIsSaid) {
  const scenario::Folder folder;
  const auto loaded = load_session(
      folder.write("a.warplens.json", R"({"schema": "warplens.session/1", "scenario": "transpose_shared",
                                         "values": {"unrolling": 4, "nrows": 99999999, "pad": 1}})"),
      gallery());
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded.value->settings.values.at("pad"), 1);
  ASSERT_TRUE(loaded.value->notice);
  EXPECT_EQ(loaded.value->notice->key, "view.lost");
  EXPECT_EQ(loaded.value->notice->words.english(), "nrows = 99999999, unrolling");
}

TEST(Motion, WordsSlideWhenPaddingChangesAndComeToRest) {
  Driver d("transpose_shared");
  Motion motion = follow({}, *d.seen, 10);
  const auto before = d.seen->compiled;
  d.letter('p');
  motion = follow(motion, *d.seen, 20);
  ASSERT_TRUE(motion.previous);
  EXPECT_EQ(motion.previous_compiled, before);
  EXPECT_EQ(motion.slide(20), 0);
  EXPECT_TRUE(motion.moving(20.1));
  motion = follow(motion, *d.seen, 21);
  EXPECT_FALSE(motion.moving(21));
  EXPECT_FALSE(motion.previous || motion.previous_compiled);
}

TEST(Verdicts, IndicesAreDefinedAsTheTextSays) {
  Driver d("transpose_shared");
  d.act(GoToEvent{2, 0});
  ASSERT_EQ(d.seen->now->site->text, "tile[c][r]");
  const auto definitions = index_definitions(*d.seen, text_of(gallery(), d.state.settings));
  EXPECT_EQ(definitions,
            (std::vector<std::string>{"r = i / BY", "c = i % BY", "i = threadIdx.y * BX + threadIdx.x"}));
  EXPECT_TRUE(index_definitions(*d.seen, "//\n" + text_of(gallery(), d.state.settings)).empty())
      << "of a text that is not the one compiled";
  d.act(GoToEvent{3, 0});
  ASSERT_EQ(d.seen->now->site->text, "out[row * nrows + col]");
  const auto assigned = index_definitions(*d.seen, text_of(gallery(), d.state.settings));
  EXPECT_EQ(std::ranges::count(assigned, "row = blockIdx.x * BX + r"), 1) << "not as it was declared";
  EXPECT_EQ(std::ranges::count(assigned, "col = blockIdx.y * BY + c"), 1) << "below a comment";
}

// As its definitions stand beside the first access that the statement makes.
std::vector<std::string> defined_at(Driver* d, const std::string& statement, int after = 0, int lane = -1) {
  for (int event = after; event < d->seen->event_count(); ++event) {
    d->act(GoToEvent{event, 0});
    if (d->seen->now->site->text == statement)
      return index_definitions(*d->seen, text_of(gallery(), d->state.settings), lane);
  }
  return {statement + " is not there"};
}

TEST(Verdicts, IndicesThroughPointersAreFollowedAndRoundsHaveTheirValue) {
  using testing::ElementsAre, testing::IsEmpty;
  Driver d("reduce_strided"), attention("attention_global"), own("transpose_naive_row");
  EXPECT_THAT(defined_at(&d, "sums[at]", 5), ElementsAre("at = 2 * s * t", "t = threadIdx.x", "s = 2"));
  EXPECT_THAT(defined_at(&attention, "key[d]"),
              ElementsAre("key = k + head + (first + lane) * D", "d = 0", "lane = threadIdx.x",
                          "head = blockIdx.y * n * D", "first = 0"));
  std::string text = gallery().find("transpose_naive_row")->text;
  text = text.substr(0, text.find("  if (row")) +
         "  int at = col, x = 1;\n  for (int i = 0; i < 2; ++i) {\n    out[at] = in[threadIdx.x];\n"
         "    at = 2 * col;\n  }\n}\n";
  own.act(SetText{text, {}, {}});
  EXPECT_THAT(defined_at(&own, "out[at]"), IsEmpty()) << "it changes before the next round; lanes differ";
  EXPECT_THAT(defined_at(&own, "out[at]", 3, 5), ElementsAre("at = 10"));
  EXPECT_THAT(defined_at(&own, "in[threadIdx.x]"), IsEmpty()) << "whose x is another one";
}

TEST(Verdicts, SayWhatAnAccessCosts) {
  const auto& strings = strings_of("en");
  Driver d("transpose_naive_row");
  const CostSummary store = judge(*d.seen->now, strings);
  EXPECT_EQ(store.verdict, Verdict::Costly);
  EXPECT_EQ(store.figure, "32");
  EXPECT_EQ(store.words, "sectors, ideal 4");
  EXPECT_EQ(store.steps.back().label, "128-byte lines touched") << "the pile has bytes moved and used";
  EXPECT_EQ(store.steps.back().value, "32");
  PricedAccess broadcast = *d.seen->now;  // all lanes want one word: never more than it has of a sector
  for (memory::Address& address : broadcast.access.addresses) address = 64;
  broadcast.cost = memory::cost(broadcast.access);
  const CostSummary shared = judge(broadcast, strings);
  EXPECT_EQ(shared.steps.back().label, "bytes asked for ÷ used");
  EXPECT_EQ(shared.steps.back().value, "128 ÷ 4 = 32.0");
  // Pairs of a reduction: no conflict, and half of the lanes do nothing: that is not green.
  d.act(SelectScenario{"reduce_pairs"});
  d.act(GoToEvent{2, 0});
  const CostSummary idle = judge(*d.seen->now, strings);
  EXPECT_EQ(idle.verdict, Verdict::Idle);
  EXPECT_EQ(idle.words, "wavefront, no conflict, 16 of 32 lanes work");
  EXPECT_EQ(verdict_color(scene::dark_palette(), idle.verdict), scene::dark_palette().text);
  d.act(SelectScenario{"transpose_shared"});
  d.act(GoToEvent{2, 0});
  const CostSummary conflict = judge(*d.seen->now, strings);
  EXPECT_EQ(conflict.figure, "16-way");
  EXPECT_EQ(conflict.steps.back().value, "15");
}

TEST(TextEdit, TypesErasesAndMoves) {
  Edited e = insert("int a;\n  b;\n", {6, 6}, " // é");
  EXPECT_EQ(e.text, "int a; // é\n  b;\n");
  e = erase_before(e.text, e.caret);
  EXPECT_EQ(e.text, "int a; // \n  b;\n") << "a character, not a byte";
  const Caret down = moved(e.text, {2, 2}, Move::Down, false);
  EXPECT_EQ(down.offset, 13);
  EXPECT_EQ(moved(e.text, down, Move::Up, false).offset, 2);
  EXPECT_EQ(selected(e.text, moved(e.text, {0, 0}, Move::WordRight, true)), "int ");
  // Files from Windows: the byte order mark stays first, a line's end stays whole.
  const std::string windows = "\xef\xbb\xbfint a;\r\nint b;\r\n";
  EXPECT_EQ(moved(windows, {8, 8}, Move::TextStart, false), (Caret{3, 3}));
  EXPECT_EQ(insert(windows, {0, 0}, "x").text, "\xef\xbb\xbfxint a;\r\nint b;\r\n");
  EXPECT_EQ(erase_before(windows, {3, 3}).text, windows);
  EXPECT_EQ(moved(windows, {3, 3}, Move::LineEnd, false), (Caret{9, 9}));
  EXPECT_EQ(moved(windows, {9, 9}, Move::Right, false), (Caret{11, 11}));
  EXPECT_EQ(moved(windows, {11, 11}, Move::Left, false), (Caret{9, 9}));
  EXPECT_EQ(break_line(windows, {9, 9}).text, "\xef\xbb\xbfint a;\r\n\r\nint b;\r\n");
  EXPECT_EQ(erase_after(windows, {9, 9}).text, "\xef\xbb\xbfint a;int b;\r\n");
  e = break_line(e.text, {static_cast<int>(e.text.size()) - 1, static_cast<int>(e.text.size()) - 1});
  EXPECT_EQ(e.text, "int a; // \n  b;\n  \n") << "the indentation is kept";
  EXPECT_EQ(moved("", {5, -3}, Move::Right, false), (Caret{0, 0}));
}

TEST(Strings, FillInValues) {
  const auto& strings = strings_of("zh-CN");
  EXPECT_EQ(strings.language(), "zh-CN");
  EXPECT_EQ(strings("access.way", {{"n", "16"}}), "16 路");
  EXPECT_EQ(strings("no.such.key"), "no.such.key");
  std::string error;
  language::Strings::load("/nonexistent", "en", &error);
  EXPECT_THAT(error, testing::HasSubstr("/nonexistent"));
}

TEST(TextEdit, TypingIsUndoneAsOne) {
  Driver d("copy_row");
  d.key(Key::F2);
  for (const char* c : {"/", "/", " ", "x"}) d.press({Key::Text, 0, c, false, false});
  d.key(Key::Enter);
  ASSERT_TRUE(d.state.settings.text);
  EXPECT_TRUE(d.state.settings.text->starts_with("// x\n"));
  EXPECT_TRUE(d.seen->fresh);
  d.letter('z', false, true);
  d.letter('z', false, true);
  EXPECT_FALSE(d.state.settings.text) << "back at the file's own text";
}

TEST(Session, StopsAtTheEndOfTheBlock) {
  Driver d("transpose_naive_row");
  for (int i = 0; i < 40; ++i) d.key(Key::Down);
  EXPECT_EQ(d.place().warp, 15);
  d.key(Key::End);
  const ResolvedPosition end = d.place();
  d.key(Key::Right);
  EXPECT_EQ(d.place(), end);
}

// A launch that cannot be, from a file.
TEST(Session, ABadLaunchKeepsTheLastGoodPicture) {
  Driver d("transpose_shared");
  const auto good = d.seen->compiled;
  Settings settings = d.state.settings;
  settings.values["block_x"] = 1024;  // x 16 threads
  d.act(TakeSettings{settings, d.state.position, {}, {}});
  EXPECT_FALSE(d.seen->fresh);
  ASSERT_FALSE(d.seen->problems.empty());
  EXPECT_THAT(d.seen->problems.front().message, testing::HasSubstr("1024"));
  EXPECT_EQ(d.seen->compiled, good);
  ASSERT_TRUE(d.seen->now);
  d.act(Undo{});
  EXPECT_TRUE(d.seen->fresh);
  EXPECT_TRUE(d.seen->problems.empty());
}

}  // namespace warplens::app::session_test
