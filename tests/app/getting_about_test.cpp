// Getting about: values and blocks that are typed, lists under buttons, what Esc closes, digits in class,
// what is put beside a kernel and what that comes to, and where the mistake or the loss is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "app/actions/apply.h"
#include "app/derive/comparison.h"
#include "app/derive/fix_finder.h"
#include "app/input/commands.h"
#include "app/input/palette.h"
#include "app/readout/verdict.h"
#include "app/simulate/simulator.h"
#include "app/source/text_fixes.h"
#include "app/state/catalog.h"
#include "app/state/state.h"
#include "app/state/user_kernel.h"
#include "app/views/blocks.h"
#include "app/views/compare.h"
#include "app/views/counts.h"
#include "tests/app/desk.h"

namespace warplens::app::getting_about_test {

using namespace views;

using testing::ElementsAre;
using testing::HasSubstr;

const std::filesystem::path kWords = WARPLENS_SOURCE_DIR "/assets/languages";

// The app without its window: keys, actions, and what is simulated for them.
using Desk = Windowless;

// The form of a kernel of one's own.
void fill(Desk* desk, const std::map<std::string, std::string>& fields) {
  for (const auto& [field, text] : fields) desk->act(SetFormField{field, text, {}});
}

constexpr const char* kStores =
    "__global__ void k(float* a) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  a[i] = 1;\n}\n";

const scenario::ScenarioParameter& parameter(const std::string& scenario, const std::string& name) {
  return *find_parameter(*gallery().find(scenario), name);
}

// ---- values -----------------------------------------------------------------------------------------------

TEST(TypedValues, AreAnyThatTheParameterTakes) {
  const auto& n = parameter("copy", "n");
  EXPECT_EQ(value_in(n, "1000"), 1000);
  EXPECT_EQ(value_in(n, "1,048,575"), 1048575);
  EXPECT_EQ(value_in(n, "1 << 20"), 1 << 20);
  for (const char* wrong : {"", "0", "-1", "268435457", "many", "3,4", "12 34"})
    EXPECT_EQ(value_in(n, wrong), std::nullopt) << wrong;
  const auto& element = parameter("copy", "element");
  EXPECT_EQ(value_in(element, "float4"), 16);
  EXPECT_EQ(value_in(element, "8"), 8);
  EXPECT_EQ(value_in(element, "3"), std::nullopt);
  EXPECT_EQ(value_in(parameter("transpose_float4", "ncols"), "1023"), std::nullopt) << "every fourth";
  EXPECT_EQ(value_in(parameter("transpose_float4", "ncols"), "1024"), 1024);
  const auto& shape = parameter("transpose_shape", "shape");
  EXPECT_EQ(value_in(shape, scenario::shown_value(shape, 32008, "en")), 32008)
      << scenario::shown_value(shape, 32008, "en");
}

TEST(TypedValues, CountWhenTheyAreFinished) {
  Desk desk("copy");
  desk.letter('v');
  ASSERT_TRUE(desk.state.field.id.starts_with("value.")) << desk.state.field.id;
  desk.act(FocusField{"value.n"}).type("102");
  EXPECT_EQ(desk.state.settings.values.at("n"), 4194304) << "on the way to 1023 there is no 102";
  desk.type("1023").key(Key::Enter);
  EXPECT_EQ(desk.state.settings.values.at("n"), 1023);
  EXPECT_EQ(desk.state.field.id, "");
  desk.act(Undo{});
  EXPECT_EQ(desk.state.settings.values.at("n"), 4194304);
}

TEST(TypedValues, ThatCannotBeTakenWaitToBeCorrected) {
  Desk desk("copy");
  desk.act(FocusField{"value.block_x"}).type("5000").key(Key::Enter);
  EXPECT_EQ(desk.state.field.id, "value.block_x") << "it stays, to be corrected";
  EXPECT_EQ(desk.state.settings.values.at("block_x"), parameter("copy", "block_x").fallback);
  desk.key(Key::Escape);
  EXPECT_EQ(desk.state.field.id, "");
  EXPECT_EQ(desk.state.settings.values.at("block_x"), parameter("copy", "block_x").fallback);
  desk.act(FocusField{"value.block_x"}).type("5000").act(LeaveField{true, true});
  EXPECT_EQ(desk.state.field.id, "") << "a click elsewhere";
}

TEST(TypedValues, TabTakesTheValueAndGoesToTheNext) {
  Desk desk;
  const auto order = parameters_in_order(*gallery().find("transpose_shared"));
  desk.letter('v').type("3").key(Key::Tab);
  EXPECT_EQ(desk.state.settings.values.at(order[0]->name), 3) << order[0]->name;
  EXPECT_EQ(desk.state.field.id, "value." + order[1]->name);
  desk.key(Key::Tab, true);
  EXPECT_EQ(desk.state.field.id, "value." + order[0]->name);
}

TEST(Digits, AreNeverARungInClass) {
  Desk desk;
  desk.act(SetPredicting{true}).letter('3');
  EXPECT_EQ(desk.state.settings.scenario, "transpose_shared");
  EXPECT_EQ(desk.state.classroom.predicting->guess.typed, "3");
  desk.key(Key::Enter).key(Key::Enter).letter('2');
  EXPECT_TRUE(desk.state.classroom.predicting->guess.locked);
  EXPECT_EQ(desk.state.settings.scenario, "transpose_shared") << "after the answer is locked, too";
  desk.act(SetPredicting{false}).letter('2');
  EXPECT_NE(desk.state.settings.scenario, "transpose_shared") << "without a question a digit is a rung";
  desk.act(OpenLesson{"padding"});
  const std::string scenario = desk.state.settings.scenario;
  desk.letter('1');
  EXPECT_EQ(desk.state.settings.scenario, scenario);
}

// ---- blocks -----------------------------------------------------------------------------------------------

TEST(Blocks, AreTypedByNumberOrByPlace) {
  const sim::Dim3 grid{128, 64, 2};
  EXPECT_EQ(block_in(grid, "976"), (sim::Dim3{80, 7, 0}));
  EXPECT_EQ(block_in(grid, "3, 15"), (sim::Dim3{3, 15, 0}));
  EXPECT_EQ(block_in(grid, "(3 15 1)"), (sim::Dim3{3, 15, 1}));
  EXPECT_EQ(block_in(grid, "8192"), (sim::Dim3{0, 0, 1}));
  for (const char* wrong : {"", "16384", "128, 0", "0, 64", "1,2,3,4", "x", "-1", "99999999999999999999999"})
    EXPECT_EQ(block_in(grid, wrong), std::nullopt) << wrong;
  Desk desk;
  desk.letter('g', false, true).type("976").key(Key::Enter);
  EXPECT_EQ(desk.seen->place.block, *block_in(desk.seen->compiled->setup.launch.grid, "976"));
  desk.letter('g', false, true).type("99999999").key(Key::Enter);
  EXPECT_EQ(desk.state.field.id, kBlockInput);
}

TEST(Blocks, AreWhereTheGridIsClicked) {
  const scene::Rect spot{10, 20, 80, 40};
  const sim::Dim3 grid{128, 64, 3}, now{0, 0, 2};
  EXPECT_EQ(views::block_at(grid, now, spot, 10, 20), (sim::Dim3{0, 0, 2}));
  EXPECT_EQ(views::block_at(grid, now, spot, 50, 40), (sim::Dim3{64, 32, 2}));
  EXPECT_EQ(views::block_at(grid, now, spot, 90, 60), (sim::Dim3{127, 63, 2}));
  EXPECT_EQ(views::block_at({1, 1, 1}, {0, 0, 0}, spot, 70, 50), (sim::Dim3{0, 0, 0}));
}

TEST(Blocks, AreGoneToFromAnError) {
  // Block 976 is the only one of which a thread leaves the buffer of 976 * 256 + 100 elements.
  Desk desk;
  desk.act(OpenText{"/tmp/k.cu", kStores});
  fill(&desk, {{"grid.x", "977"}, {"block.x", "256"}, {"elements.a", "976 * 256 + 100"}});
  ASSERT_FALSE(desk.seen->problems.empty());
  ASSERT_TRUE(std::ranges::any_of(desk.seen->problems, [](const Problem& p) { return p.at.has_value(); }));
  ASSERT_TRUE(desk.seen->problems.front().range);
  EXPECT_EQ(desk.seen->problems.front().range->begin.line, 3);
  const CostSummary headline = judge(*desk.seen, strings_of("en"));
  EXPECT_EQ(headline.figure, "out of range") << "at the first block too, where nothing is wrong";
  EXPECT_EQ(headline.verdict, Verdict::Costly);
  desk.act(GoToError{});
  EXPECT_EQ(desk.state.position.block, (sim::Dim3{976, 0, 0}));
  EXPECT_EQ(desk.state.position.warp, 3) << "threads 96 to 127: the hundredth is among them";
  EXPECT_EQ(desk.seen->place.block, (sim::Dim3{976, 0, 0}));
  ASSERT_TRUE(desk.state.notice);
  EXPECT_EQ(desk.state.notice->key, "errors.at");
  EXPECT_NE(desk.state.notice->words.english().find("lane 4 of warp 3"), std::string::npos);
  // It is seen: the lanes that went wrong, and where the others go.
  ASSERT_TRUE(desk.seen->now);
  EXPECT_EQ(desk.seen->now->refused, 0xfffffff0u);
  EXPECT_EQ(desk.seen->now->access.active, 0xfu);
  const auto& words = strings_of("en");
  const CostSummary verdict = judge(*desk.seen->now, words);
  EXPECT_EQ(verdict.figure + " " + verdict.words, "28 of 32 lanes have a bad address") << "no cost";
  EXPECT_TRUE(verdict.steps.empty());
  const views::Table lanes = views::lanes_table(*desk.seen, words, 3);
  EXPECT_EQ(lanes.rows[4].back(), "") << "no sector";
  const auto address = std::ranges::find(lanes.columns, words("lanes.address"));
  ASSERT_NE(address, lanes.columns.end());
  EXPECT_EQ(lanes.rows[4][static_cast<std::size_t>(address - lanes.columns.begin())], "999,824")
      << "but an address: 976 * 256 + 100 floats on";
  EXPECT_EQ(name_of(*desk.seen, desk.seen->place.event).ordinal, 0);
  for (const LineCost& line : *desk.seen->lines)
    for (const SiteCost& site : line.sites) EXPECT_EQ(site.requests, 0) << "it was not made";
  desk.act(SetFormField{"elements.a", "977 * 256", {}}).act(GoToError{});
  ASSERT_TRUE(desk.state.notice);
  EXPECT_EQ(desk.state.notice->key, "errors.none") << "no dead key";
}

TEST(Errors, AreFollowedOnceAndNotAwayFromAPlaceThatWasChosen) {
  Desk desk;
  ErrorFollower follower;
  const auto follows = [&] { return !follower.update(desk.state, *desk.seen).empty(); };
  desk.act(OpenText{"/tmp/k.cu", kStores});
  EXPECT_FALSE(follows()) << "nothing is wrong";
  desk.act(SetFormField{"grid.x", "9", {}}).act(SetFormField{"elements.a", "100", {}});
  EXPECT_TRUE(follows());
  EXPECT_FALSE(follows()) << "once";
  desk.act(SetFormField{"elements.a", "101", {}}).act(GoToBlock{{3, 0, 0}});
  EXPECT_FALSE(follows()) << "another place was chosen";
  desk.act(FocusField{"elements.a"}).act(SetFormField{"elements.a", "102", {}});
  EXPECT_FALSE(follows()) << "one types";
}

// Where all accesses are ideal: not at the one lane that stores the result, but where the work is done.
TEST(Opening, IsAtTheSharedAccessThatIsMadeMostOften) {
  for (const char* scenario : {"reduce_pairs", "reduce_sequential"}) {
    const Desk desk(scenario);
    ASSERT_TRUE(desk.seen->now) << scenario;
    EXPECT_EQ(desk.seen->now->site->text, "sums[t]") << scenario;
    EXPECT_GE(std::popcount(desk.seen->now->access.active), 16) << scenario;
  }
  EXPECT_EQ(Desk("transpose_padded").seen->now->site->array, "tile") << "of several made once the last";
}

// ---- lists, and what Esc closes ---------------------------------------------------------------------------

TEST(Menus, HaveTheKeyboardWhileTheyAreOpen) {
  Desk desk;
  desk.act(SetPresent{true}).act(PinA{}).act(ShowMenu{Menu::Of::Rungs});
  ASSERT_TRUE(desk.state.menu);
  const auto entries = menu_entries(Menu::Of::Rungs, desk.state, gallery());
  const int now = desk.state.menu->selected;
  EXPECT_TRUE(entries[static_cast<std::size_t>(now)].is_now);
  const Position position = desk.state.position;
  desk.key(Key::Down).key(Key::Down).key(Key::Up);
  EXPECT_EQ(desk.state.menu->selected, now + 1);
  EXPECT_EQ(desk.state.position, position) << "the arrows are the list's";
  desk.key(Key::Escape);
  EXPECT_FALSE(desk.state.menu);
  EXPECT_TRUE(desk.state.pinned && desk.state.present) << "nothing behind it closes";
  desk.act(ShowMenu{Menu::Of::Rungs}).key(Key::Home).key(Key::Enter);
  EXPECT_EQ(desk.state.settings.scenario, "copy_row");
  EXPECT_FALSE(desk.state.menu);
}

// A narrow panel's last tab opens the pictures that have none.
TEST(Menus, OfPicturesShowWhatANarrowPanelHasNoTabsFor) {
  Desk desk;
  desk.act(ShowView{ViewId::Map}).act(ShowMenu{Menu::Of::Pictures}).key(Key::Down).key(Key::Enter);
  EXPECT_EQ(desk.state.shown, ViewId::Timeline);
  EXPECT_FALSE(desk.state.menu);
  desk.act(ShowMenu{Menu::Of::Pictures});
  EXPECT_EQ(desk.state.menu->selected, 1) << "what is on screen";
  desk.key(Key::Up).key(Key::Enter);
  EXPECT_EQ(desk.state.shown, ViewId::Reuse);
  EXPECT_TRUE(menu_entries(Menu::Of::Pictures, desk.state, gallery()).front().is_now);
}

TEST(Escape, ClosesWhatIsOnTopAndOnlyThat) {
  Desk desk;
  desk.act(SetPresent{true}).act(PinA{}).act(ShowView{ViewId::Map}).act(HoldView{true}).act(SetHelp{true});
  const auto open = [&] {
    return std::vector<bool>{desk.state.help, desk.state.plot.held, desk.state.pinned.has_value(),
                             desk.state.present};
  };
  const auto escape = [&] {
    desk.key(Key::Escape);
    return open();
  };
  EXPECT_THAT(open(), ElementsAre(true, true, true, true));
  EXPECT_THAT(escape(), ElementsAre(false, true, true, true));
  EXPECT_THAT(escape(), ElementsAre(false, false, true, true));
  EXPECT_EQ(desk.state.shown, ViewId::Map);
  EXPECT_THAT(escape(), ElementsAre(false, false, true, true)) << "the view first";
  EXPECT_EQ(desk.state.shown, ViewId::Memory);
  EXPECT_THAT(escape(), ElementsAre(false, false, false, true)) << "the comparison stands on the stage";
  EXPECT_THAT(escape(), ElementsAre(false, false, false, true)) << "F5 leaves it";
  EXPECT_TRUE(desk.state.notice);
  desk.act(SetPresent{false});
  EXPECT_FALSE(desk.state.notice) << "said no more when it is left";
  desk.act(SetEditing{true}).act(ShowNotice{{"files.saved", {}, false, false}}).key(Key::Escape);
  EXPECT_FALSE(desk.state.editing) << "news covers nothing";
}

TEST(Help, KeepsTheKeysOfThePictureFromWhatIsBehindIt) {
  Desk desk;
  desk.act(SetHelp{true});
  desk.letter('2').letter('p').key(Key::Right);
  EXPECT_EQ(desk.state.settings.scenario, "transpose_shared");
  EXPECT_EQ(desk.state.settings.values.at("pad"), 0);
}

// ---- the palette's other offers ---------------------------------------------------------------------------

PaletteEntries offered(const State& state, CommandPalette::Offer offer) {
  State with = state;
  with.classroom.palette = CommandPalette{};
  with.classroom.palette->offer = offer;
  std::string error;
  const auto english = load_words(kWords, "en", &error);
  return palette_entries(with, gallery(), english, english, {"/tmp/mine.cu"});
}

TEST(Scenarios, AreListedByTheirLadders) {
  const auto all = offered(Desk().state, CommandPalette::Offer::Scenarios).all;
  ASSERT_EQ(all.size(), gallery().scenarios.size() + 1);
  std::vector<std::string> groups;
  for (const PaletteEntry& entry : all) {
    if (entry.kind != PaletteEntry::Kind::Scenario) continue;
    if (groups.empty() || groups.back() != entry.group) groups.push_back(entry.group);
  }
  EXPECT_EQ(std::set<std::string>(groups.begin(), groups.end()).size(), groups.size()) << "each once";
  EXPECT_EQ(groups.back(), "others");
  const PaletteEntries entries{all};
  EXPECT_EQ(entries.all[static_cast<std::size_t>(fitting(entries, "histogram shared").front())].name,
            "histogram_shared");
}

constexpr const char* kTwo =
    "__global__ void aos(float4* p) { p[threadIdx.x].x = 1; }\n"
    "__global__ void soa(float* p) { p[threadIdx.x] = 1; }\n";

TEST(Compare, AnyTwoKernelsOfAFile) {
  Desk desk;
  desk.act(OpenText{"/tmp/two.cu", kTwo});
  desk.key(Key::F3).letter('2');
  ASSERT_TRUE(desk.state.pinned && desk.state.pinned->own);
  EXPECT_EQ(desk.state.pinned->own->form.kernel, "aos");
  EXPECT_EQ(desk.state.settings.own->wish->kernel, "soa") << "on its way";
  const auto before = neighbour_kernel(desk.state.pinned.value());
  ASSERT_TRUE(before);
  EXPECT_EQ(before->own->wish->kernel, "soa");
}

TEST(Compare, AScenarioBesideOneOfItsLadderKeepsTheSizes) {
  Desk desk("transpose_naive_row");
  desk.act(SetParameter{"ncols", 1000, {}});
  const auto all = offered(desk.state, CommandPalette::Offer::Scenarios).all;
  desk.key(Key::F3).act(ShowPalette{CommandPalette::Offer::Scenarios});
  desk.act(TakeCommands{std::make_shared<const PaletteEntries>(PaletteEntries{all})});
  desk.type("transpose_padded").key(Key::Enter);
  EXPECT_EQ(desk.state.settings.scenario, "transpose_padded");
  EXPECT_EQ(desk.state.settings.values.at("ncols"), 1000);
  EXPECT_EQ(desk.state.pinned->scenario, "transpose_naive_row");
}

// ---- what a comparison comes to ---------------------------------------------------------------------------

std::string result_of(const std::string& a, const std::string& b, double seconds_a, double seconds_b,
                      double memory_a = 0, double memory_b = 0) {
  Desk left(a), right(b);
  Comparison comparison;
  compare_accesses(*left.seen, *right.seen, &comparison);
  measure::Measurement time_a, time_b;
  time_a.cold.median = seconds_a, time_b.cold.median = seconds_b;
  for (const auto& [time, bytes] : {std::pair{&time_a, memory_a}, std::pair{&time_b, memory_b}}) {
    if (bytes > 0)
      time->counters.values = {{"dram__bytes_read.sum", bytes - 1e6}, {"dram__bytes_write.sum", 1e6}};
  }
  TableInput input{&comparison, left.seen.get(), right.seen.get(), nullptr, nullptr};
  if (seconds_a > 0) input.time_a = &time_a, input.time_b = &time_b;
  return comparison_result(input, strings_of("en"));
}

TEST(ComparisonResult, IsASentence) {
  EXPECT_EQ(result_of("copy_row", "copy_col", 0, 0), "In total B needs 8.0 times as many sectors.");
  EXPECT_EQ(result_of("copy_col", "copy_row", 100e-6, 46e-6),
            "In total B needs 8.0 times fewer sectors and takes 46 % of A's time.");
  EXPECT_EQ(result_of("copy_col", "copy_row", 100e-6, 220e-6),
            "In total B needs 8.0 times fewer sectors, but takes 2.20 times as long.");
  EXPECT_EQ(result_of("copy_col", "copy_row", 100e-6, 220e-6, 50e6, 54e6),
            "In total B needs 8.0 times fewer sectors, but takes 2.20 times as long: device memory moves "
            "54.0 MB for both, the caches serve the rest.");
  EXPECT_EQ(result_of("copy_col", "copy_row", 100e-6, 220e-6, 50e6, 80e6),
            "In total B needs 8.0 times fewer sectors, but takes 2.20 times as long.");
  EXPECT_EQ(result_of("copy_col", "copy_row", 100e-6, 46e-6, 50e6, 50e6),
            "In total B needs 8.0 times fewer sectors and takes 46 % of A's time.");
  EXPECT_EQ(result_of("sum_aos", "sum_soa", 17.3e-6, 17.7e-6, 50e6, 50e6),
            "In total B needs 2.5 times fewer sectors, but takes 1.02 times as long: device memory moves "
            "50.0 MB for both, the caches serve the rest.");
  EXPECT_EQ(result_of("transpose_padded", "transpose_shared", 100e-6, 100e-6, 134e6, 134e6),
            "In total B needs 8.5 times as many wavefronts, but takes as long as A.")
      << "no cache serves shared memory";
  EXPECT_EQ(result_of("copy_row", "copy_row", 0, 0),
            "A and B need the same number of sectors and wavefronts.");
  EXPECT_EQ(result_of("reduce_pairs", "reduce_strided", 100e-6, 54e-6),
            "In total B needs as many sectors and wavefronts, but issues 2.9 times fewer requests; it takes "
            "54 % of A's time.");
  EXPECT_EQ(
      result_of("reduce_strided", "reduce_sequential", 100e-6, 87e-6),
      "In total B needs 3.3 times fewer wavefronts, issues as many requests, and takes 87 % of A's time.");
  EXPECT_EQ(result_of("sgemm_untiled", "sgemm_tiled", 100e-6, 78e-6),
            "In total B needs 19.4 times fewer sectors; 69,206,016 more wavefronts (A needs none); it issues "
            "as many requests, and takes 78 % of A's time.");
  // What A has none of is a count, and its comma stands apart from the others.
  EXPECT_EQ(result_of("histogram_global", "histogram_shared", 10e-6, 20e-6),
            "In total B needs 19.0 times fewer sectors for atomics; 103,086 more wavefronts (A needs none); "
            "but it issues 38 % more requests, and takes 2.00 times as long.");
}

// A toy beside a matrix: the picture of a request is comparable, a total is not.
TEST(ComparisonResult, CrownsNoWinnerBetweenSizes) {
  Desk left("copy_col"), right("copy_row");
  right.act(SetParameter{"nrows", 64, {}}).act(SetParameter{"ncols", 64, {}});
  Comparison comparison;
  compare_accesses(*left.seen, *right.seen, &comparison);
  measure::Measurement time;
  time.cold.median = 1e-6;
  const TableInput input{&comparison, left.seen.get(), right.seen.get(), &time, &time};
  const auto& strings = strings_of("en");
  EXPECT_EQ(comparison_result(input, strings),
            "A and B do different amounts of work, so totals cannot be compared. A request of B needs 8.0 "
            "times fewer sectors.");
  bool grid = false;
  for (const TableRow& row : comparison_table(input, strings)) {
    grid = grid || (row.heading && row.label.starts_with("Whole grid"));
    if (grid && !row.heading) {
      EXPECT_EQ(row.factor, "") << row.label;
      EXPECT_TRUE(row.change == Change::Other || row.change == Change::None) << row.label;
    }
  }
  EXPECT_TRUE(grid);
}

// ---- the diagnosis ----------------------------------------------------------------------------------------

Diagnosis diagnosed(Desk* desk, FixFinder& finder) {
  for (int i = 0; i < 100000; ++i) {
    desk->runner.begin_frame();
    for (const Action& action : finder.update(desk->state, *desk->seen)) desk->act(action);
    if (!finder.busy() && diagnosis_of(desk->state)) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return diagnosis_of(desk->state) ? *diagnosis_of(desk->state) : Diagnosis{};
}

Diagnosis diagnosed(Desk* desk) {
  FixFinder finder(&gallery(), desk->runner);
  return diagnosed(desk, finder);
}

// Padding toggled to and fro: what was found is told in the same frame, and nothing is compiled again.
TEST(Diagnosis, IsLookedForOnce) {
  Desk desk;
  const auto programs = std::make_shared<Programs>();
  FixFinder finder(&gallery(), desk.runner, programs);
  const Diagnosis first = diagnosed(&desk, finder);
  ASSERT_TRUE(first.fix);
  desk.act(SetParameter{"pad", 1, {}});
  diagnosed(&desk, finder);
  const int compilations = programs->compilations();
  EXPECT_GT(compilations, 0);
  desk.act(SetParameter{"pad", 0, {}});
  ASSERT_EQ(diagnosis_of(desk.state), nullptr);
  const Actions at_once = finder.update(desk.state, *desk.seen);
  ASSERT_EQ(at_once.size(), 1u);
  ASSERT_NE(at_once[0].as<TakeDiagnosis>(), nullptr);
  EXPECT_FALSE(finder.busy());
  desk.act(at_once[0]);
  ASSERT_NE(diagnosis_of(desk.state), nullptr);
  EXPECT_EQ(diagnosis_of(desk.state)->fix->value, first.fix->value);
  EXPECT_EQ(programs->compilations(), compilations);
}

// Who holds down a key has the processor for the frames: the search begins where the settings stand.
TEST(Diagnosis, IsNotLookedForWhileSettingsChange) {
  Desk desk;
  const auto programs = std::make_shared<Programs>();
  FixFinder finder(&gallery(), desk.runner, programs);
  const auto frame_waits = [&](std::chrono::microseconds wait) {
    desk.runner.set_wait(wait);
    desk.runner.begin_frame();
  };
  for (int i = 1; i <= 6; ++i) {
    frame_waits(jobs::waits_for_all().wait);  // a picture that is late is no setting that changes
    desk.act(SetParameter{"pad", i % 3, {}});
    frame_waits(std::chrono::milliseconds(5));
    EXPECT_TRUE(finder.update(desk.state, *desk.seen).empty());
    EXPECT_TRUE(finder.busy()) << "frames go on until it is known";
  }
  EXPECT_EQ(programs->compilations(), 0);
  EXPECT_TRUE(diagnosed(&desk, finder).fix);
}

TEST(Diagnosis, IsInThePictureThatIsWaitedForAndHoldsUpNoWindow) {
  Desk desk;
  FixFinder finder(&gallery(), desk.runner);
  desk.runner.begin_frame();
  EXPECT_EQ(finder.update(desk.state, *desk.seen).size(), 1u);
  desk.runner.set_wait(std::chrono::milliseconds(10));
  FixFinder window(&gallery(), desk.runner);
  desk.runner.begin_frame();
  EXPECT_TRUE(window.update(desk.state, *desk.seen).empty());
  EXPECT_TRUE(window.busy());
}

TEST(Diagnosis, OffersThePaddingThatItHasProved) {
  Desk desk;
  const Diagnosis found = diagnosed(&desk);
  ASSERT_TRUE(found.fix);
  EXPECT_EQ(found.fix->kind, Fix::Kind::Padding);
  // 32,768 blocks of 16 warps: a store of one wavefront and a load of sixteen; padded, of one.
  EXPECT_EQ(found.fix->before, 524288u * 17);
  EXPECT_EQ(found.fix->after, 524288u * 2);
  const auto& english = strings_of("en");
  EXPECT_EQ(fix_gain(*found.fix, english), "8.5 times fewer wavefronts in all");
  EXPECT_EQ(fix_text(*found.fix, gallery(), english), "padding " + found.fix->value);
  desk.act(ShowFix{});
  EXPECT_EQ(desk.state.pinned->values.at("pad"), 0);
  EXPECT_EQ(std::to_string(desk.state.settings.values.at("pad")), found.fix->value);
}

TEST(Diagnosis, OffersNothingWhereNothingHelps) {
  Desk ideal("copy_row");
  EXPECT_FALSE(diagnosed(&ideal).fix);
}

// In a block of 8 × 32 a warp needs fewer sectors, because its lanes then are 8 threads of x and not 32: it
// reads other elements. That is no cure.
TEST(Diagnosis, OffersNoBlockThatTouchesOtherElements) {
  Desk desk;
  desk.act(OpenText{"/tmp/t.cu",
                    "__global__ void t(float* out, const float* in) {\n"
                    "  int i = blockIdx.x * 256 + threadIdx.y * blockDim.x + threadIdx.x;\n"
                    "  out[i] = in[threadIdx.x * 33 % 64 * 2];\n"
                    "}\n"});
  fill(&desk, {{"grid.x", "4"},
               {"grid.y", "1"},
               {"block.x", "32"},
               {"block.y", "8"},
               {"elements.in", ""},
               {"elements.out", ""}});
  ASSERT_TRUE(desk.seen->totals);
  const auto candidates = fix_candidates(gallery(), *desk.seen);
  EXPECT_TRUE(std::ranges::any_of(candidates, [](const FixCandidate& each) {
    return each.fix.kind == Fix::Kind::BlockShape;
  })) << "it is tried";
  EXPECT_FALSE(diagnosed(&desk).fix);
  Desk tile("transpose_float4");  // the same matrix whatever its blocks are
  const Diagnosis found = diagnosed(&tile);
  ASSERT_TRUE(found.fix);
  EXPECT_EQ(found.fix->kind, Fix::Kind::BlockShape);
}

// A block of 8 × 64 would leave a seventh of the loss, the padded tile leaves none; a plain copy by columns
// is mended by the rung before it, not by one that transposes.
TEST(Diagnosis, OffersTheRungThatLeavesLeast) {
  for (const auto& [scenario, rung, before, after] :
       {std::tuple{"transpose_naive_row", "transpose_padded", 18'874'368u, 4'194'304u},
        std::tuple{"copy_col", "copy_row", 33'554'432u, 4'194'304u},
        std::tuple{"histogram_global", "histogram_shared", 754'967u, 163'840u}}) {
    Desk desk(scenario);
    const Diagnosis found = diagnosed(&desk);
    ASSERT_TRUE(found.fix) << scenario;
    EXPECT_EQ(found.fix->kind, Fix::Kind::Rung) << found.fix->value;
    EXPECT_EQ(found.fix->name, rung);
    EXPECT_EQ(found.fix->before, before);
    EXPECT_EQ(found.fix->after, after);
  }
}

TEST(Diagnosis, OffersNoKernelOfTheLadderThatDoesOtherWork) {
  for (const char* scenario : {"gather", "copy_stride", "copy_offset", "shared_stride", "shared_multicast"}) {
    Desk desk(scenario);
    for (const FixCandidate& each : fix_candidates(gallery(), *desk.seen))
      EXPECT_NE(each.fix.kind, Fix::Kind::Rung) << scenario << " computes no " << each.fix.name;
    const Diagnosis found = diagnosed(&desk);
    EXPECT_FALSE(found.fix && found.fix->kind == Fix::Kind::Rung) << scenario;
  }
  Desk structs("sum_aos");
  const Diagnosis found = diagnosed(&structs);
  ASSERT_TRUE(found.fix) << "the same data, in an array for each field";
  EXPECT_EQ(found.fix->name, "sum_soa");
}

TEST(Diagnosis, OfAKernelOfOnesOwnIsAnEditOfItsText) {
  Desk desk;
  desk.act(OpenText{"/tmp/t.cu",
                    "__global__ void t(float* out, const float* in) {\n"
                    "  __shared__ float tile[32][32];\n"
                    "  int x = threadIdx.x, y = threadIdx.y;\n"
                    "  tile[y][x] = in[32 * y + x];\n"
                    "  __syncthreads();\n"
                    "  out[32 * y + x] = tile[x][y];\n"
                    "}\n"});
  fill(&desk, {{"grid.x", "1"},
               {"grid.y", "1"},
               {"block.x", "32"},
               {"block.y", "32"},
               {"elements.in", ""},
               {"elements.out", ""}});
  const Diagnosis found = diagnosed(&desk);
  ASSERT_TRUE(found.fix);
  EXPECT_EQ(found.fix->kind, Fix::Kind::Padding);
  EXPECT_THAT(*found.fix->settings.text, HasSubstr("tile[32][32 + 1]"));
  EXPECT_EQ(found.fix->before, 32u * 33);
  EXPECT_EQ(found.fix->after, 32u * 2);
}

TEST(Diagnosis, SaysNothingWhileAQuestionIsOpen) {
  Desk desk;
  diagnosed(&desk);
  desk.act(SetPredicting{true}).act(ShowFix{});
  EXPECT_FALSE(desk.state.pinned);
  const KeyPress show{Key::Character, 'd', {}, false, true};
  EXPECT_TRUE(actions_of(show, desk.state, gallery(), {}).empty());
}

TEST(Diagnosis, GoesToTheCostliestAccessOfTheWorstLine) {
  Desk desk;
  const auto lines = worst_lines(*desk.seen);
  ASSERT_FALSE(lines.empty());
  desk.act(GoToEnd{false}).act(GoToWorst{});
  ASSERT_TRUE(desk.seen->now);
  EXPECT_EQ(desk.seen->now->site->range.begin.line, lines[0].line);
  EXPECT_EQ(desk.seen->now->cost.wavefronts, 16);
}

sim::SharedArray array_at(const std::string& text, std::vector<std::int64_t> extents) {
  sim::SharedArray array;
  array.name = "tile";
  array.extents = std::move(extents);
  array.range.begin.offset = static_cast<int>(text.find("tile"));
  return array;
}

TEST(TextFixes, ChangeWhatTheyAreSureOf) {
  const std::string text = "{ __shared__ float tile[32][N]; tile[a[1]][c + 1] = tile[c][a[1]]; }\n// tile";
  EXPECT_THAT(*with_padding(text, array_at(text, {32, 32}), 1), HasSubstr("tile[32][N + 1];"));
  EXPECT_THAT(*with_swizzle(text, array_at(text, {32, 32})),
              HasSubstr("tile[a[1]][(c + 1) ^ ((a[1]) % (N))] = tile[c][(a[1]) ^ ((c) % (N))];"));
  EXPECT_FALSE(with_swizzle(text, array_at(text, {32, 33}))) << "no power of two";
  const std::string row = "{ __shared__ float tile[32][32]; tile[0][0] = 1; f(tile[1]); }";
  EXPECT_FALSE(with_padding(row, array_at(row, {32, 32}), 1)) << "a row is handed on";
  const std::string counts = "{ __shared__ float tile[32][32]; tile[i++][0] = 1; }";
  EXPECT_FALSE(with_swizzle(counts, array_at(counts, {32, 32}))) << "the row would be counted twice";
  EXPECT_TRUE(with_padding(counts, array_at(counts, {32, 32}), 1));
  const std::string axes = "a[threadIdx.y * blockDim.x + threadIdx.x]";
  EXPECT_EQ(with_axes_swapped(axes, 0, axes.size()), "a[threadIdx.x * blockDim.y + threadIdx.y]");
  EXPECT_FALSE(with_axes_swapped("a[threadIdx.x]", 0, 14));
}

}  // namespace warplens::app::getting_about_test
