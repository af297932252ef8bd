// The tour and the command palette.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/actions/apply.h"
#include "app/input/keys.h"
#include "app/input/palette.h"
#include "app/simulate/simulator.h"
#include "app/state/teaching.h"
#include "app/storage/files.h"
#include "tests/app/gallery.h"

namespace warplens::app {
namespace first_minute_test {

const std::filesystem::path kSource = WARPLENS_SOURCE_DIR;

struct App {
  State state = opening(gallery(), "transpose_naive_row");
  Simulation nothing;

  App& act(const Action& action) {
    state = apply(std::move(state), action, nothing, gallery());
    for (const Request& request : std::exchange(state.requests, {})) {
      for (const Action& answer : perform(request, state, gallery(), {})) act(answer);
    }
    return *this;
  }
  App& press(const KeyPress& key) {
    for (const Action& action : actions_of(key, state, gallery(), {})) act(action);
    return *this;
  }
  App& key(Key k, bool shift = false) { return press({k, 0, {}, shift, false}); }
  App& open_palette() { return press({Key::Character, 'p', {}, false, true}); }
  App& type(const std::string& text) { return act(EditField{state.field.text + text}); }
  std::vector<std::string> found() const {
    std::vector<std::string> labels;
    const CommandPalette& palette = *state.classroom.palette;
    for (const int i : fitting(*palette.entries, state.field.text))
      labels.push_back(palette.entries->all[static_cast<std::size_t>(i)].label);
    return labels;
  }
};

// ---- the tour ----

TEST(Tour, GoesForwardsAndBackwardsAndEnds) {
  App app;
  app.key(Key::F1, true);
  ASSERT_EQ(app.state.classroom.tour, 0);
  app.key(Key::Right).key(Key::Enter).key(Key::Left);
  EXPECT_EQ(app.state.classroom.tour, 1);
  app.key(Key::Left).key(Key::Left);
  EXPECT_EQ(app.state.classroom.tour, 0);
  for (std::size_t i = 0; i < tour_stops().size(); ++i) app.key(Key::Enter);
  EXPECT_FALSE(app.state.classroom.tour) << "past the last stop it ends";
}

TEST(Tour, ShowsWhatItSpeaksOfAndEscapeEndsIt) {
  App app;
  app.act(SetPresent{true}).act(OpenLesson{"padding"}).act(ShowTour{});
  EXPECT_FALSE(app.state.present);
  EXPECT_FALSE(app.state.classroom.active);
  for (std::size_t i = 0; i < tour_stops().size(); ++i) {
    ASSERT_EQ(app.state.classroom.tour, static_cast<int>(i));
    EXPECT_EQ(app.state.settings.scenario, tour_stops()[i].scenario);
    if (i + 1 < tour_stops().size()) app.key(Key::PageDown);
  }
  app.press({Key::Character, 'e', {}, false, false});
  EXPECT_FALSE(app.state.editing);
  app.key(Key::Escape);
  EXPECT_FALSE(app.state.classroom.tour);
}

App at_stop(TourPanel panel) {
  App app;
  app.act(ShowTour{});
  while (tour_stops()[static_cast<std::size_t>(*app.state.classroom.tour)].panel != panel)
    app.key(Key::Enter);
  return app;
}
std::int64_t padding(const App& app) {
  return app.state.settings.values.at("pad");
}
KeyPress letter(char c, bool shift = false) {
  return {Key::Character, c, {}, shift, false};
}
KeyPress control(char c) {
  return {Key::Character, c, {}, false, true};
}

TEST(Tour, WhatItSaysToPressIsTurnedAndTakenBack) {
  App app = at_stop(TourPanel::Parameters);
  const int stop = *app.state.classroom.tour;
  app.press(letter('p'));
  EXPECT_EQ(padding(app), 1);
  app.press(letter('p')).press(letter('p', true));
  EXPECT_EQ(padding(app), 1);
  app.press(letter('x', true));
  EXPECT_LT(app.state.settings.values.at("block_x"), 32);
  for (int i = 0; i < 20; ++i) app.press(control('z'));
  EXPECT_EQ(padding(app), 0);
  EXPECT_EQ(app.state.settings.scenario, "transpose_shared") << "the tour's own change of kernel stays";
  app.press(control('y'));
  EXPECT_EQ(padding(app), 1);
  EXPECT_EQ(app.state.classroom.tour, stop);
}

TEST(Tour, WhatWasTurnedStaysAtTheStopsThatFollowAndIsTakenBackThere) {
  App app = at_stop(TourPanel::Parameters);
  app.press(letter('p')).key(Key::Enter);
  EXPECT_EQ(padding(app), 1);
  app.press(control('z'));
  EXPECT_EQ(padding(app), 0);
  app.press(control('z'));
  EXPECT_EQ(app.state.settings.scenario, "transpose_shared");
}

TEST(Tour, AStopThatCountsShowsTheKernelAsItsWordsSay) {
  App app = at_stop(TourPanel::Parameters);
  app.press(letter('p')).key(Key::Backspace);
  EXPECT_EQ(padding(app), 0) << "two banks, sixteen words each";
  app.press(control('z')).press(control('y'));
  EXPECT_EQ(padding(app), 0);
  app.act(ShowTour{false}).press(control('z'));
  EXPECT_EQ(padding(app), 1) << "without the tour everything is taken back";
}

TEST(Tour, TakesBackWhatWasTurnedWithALongPast) {
  App app;
  for (int i = 0; i < 600; ++i) app.press(letter('r', i % 2 == 0));
  app.act(ShowTour{});
  for (int i = 0; i < 5; ++i) app.key(Key::Enter);
  app.press(letter('p')).press(control('z'));
  EXPECT_EQ(padding(app), 0);
  app.press(control('z'));
  EXPECT_EQ(app.state.settings.scenario, "transpose_shared");
}

TEST(Tour, TheKeysOfSteppingStepWhereItNamesThem) {
  App app = at_stop(TourPanel::Transport);
  const int stop = *app.state.classroom.tour;
  const auto first = [&](Key k, bool with_control) {
    return actions_of({k, 0, {}, false, with_control}, app.state, gallery(), {}).front();
  };
  EXPECT_EQ(first(Key::Right, false).as<StepAccess>()->by, 1);
  EXPECT_EQ(first(Key::Left, false).as<StepAccess>()->by, -1);
  EXPECT_EQ(first(Key::Down, false).as<StepWarp>()->by, 1);
  EXPECT_EQ(first(Key::Up, false).as<StepWarp>()->by, -1);
  EXPECT_EQ(first(Key::Right, true).as<StepWavefront>()->by, 1);
  EXPECT_TRUE(first(Key::Space, false).as<SetPlaying>()->on);
  app.key(Key::Space).key(Key::Right);
  EXPECT_EQ(app.state.classroom.tour, stop);
  app.key(Key::Enter);
  EXPECT_EQ(app.state.classroom.tour, stop + 1);
  EXPECT_FALSE(app.state.playback.playing);
}

TEST(Tour, TheOtherKeysItNamesDoWhatItSays) {
  App app = at_stop(TourPanel::Source);
  app.press(letter('e'));
  EXPECT_TRUE(app.state.editing);
  EXPECT_FALSE(app.state.classroom.tour);
  EXPECT_TRUE(at_stop(TourPanel::Source).press(control('o')).state.dialog);
  const auto last = [] { return at_stop(TourPanel::Top); };
  EXPECT_TRUE(last().key(Key::F8).state.classroom.list);
  EXPECT_TRUE(last().key(Key::F9).state.classroom.predicting);
  const State presenting = last().key(Key::F5).state;
  EXPECT_TRUE(presenting.present && !presenting.classroom.tour);
  EXPECT_TRUE(last().key(Key::F1).state.help);
  EXPECT_TRUE(last().open_palette().state.classroom.palette);
}

TEST(Tour, NamesTheKernelThatItTurnsTo) {
  for (const char* language : {"en", "zh-CN"}) {
    const auto& strings = strings_of(language);
    const scenario::Scenario& tile = *gallery().find("transpose_shared");
    EXPECT_THAT(strings("tour.shared"), testing::HasSubstr(scenario::in_language(tile.rung_label, language)));
  }
  // "The next rung" would be another one.
  const auto rungs = gallery().ladder_of(*gallery().find("transpose_naive_row"));
  const auto at = std::find(rungs.begin(), rungs.end(), gallery().find("transpose_naive_row"));
  EXPECT_NE((*(at + 1))->name, "transpose_shared");
}

TEST(Tour, EndsWhereAnotherKernelComes) {
  App app = at_stop(TourPanel::Access);
  app.press(letter('5')).press(letter(']'));
  EXPECT_TRUE(app.state.classroom.tour) << "the keys of the ladder are not its";
  app.act(SelectScenario{"copy_row"});
  EXPECT_FALSE(app.state.classroom.tour);
}

// ---- the palette ----

TEST(Palette, FindsACommandByAFewLettersAndDoesIt) {
  App app;
  app.open_palette();
  ASSERT_TRUE(app.state.classroom.palette && app.state.classroom.palette->entries);
  EXPECT_GT(app.found().size(), gallery().scenarios.size() + gallery().lessons.size());
  app.type("light");
  EXPECT_EQ(app.found().front(), "light or dark");
  app.key(Key::Enter);
  EXPECT_EQ(app.state.theme, Theme::Light);
  EXPECT_FALSE(app.state.classroom.palette);
  EXPECT_TRUE(app.state.field.id.empty());
}

TEST(Palette, OffersEachDirectionOfAPair) {
  App app;
  const int rung = gallery().find("transpose_naive_row")->rung;
  for (const auto& [words, by] : {std::pair{"next rung", 1}, std::pair{"previous rung", -1}}) {
    app.act(SelectScenario{"transpose_naive_row"}).open_palette().type(words);
    EXPECT_TRUE(app.found().front().starts_with(std::string(words) + ": ")) << "it says which";
    app.key(Key::Enter);
    EXPECT_EQ(gallery().find(app.state.settings.scenario)->rung, rung + by);
  }
  app.act(SelectScenario{"transpose_naive_row"}).open_palette().type("next rung");
  EXPECT_EQ(
      app.found().front(),
      "next rung: naive, columns · The costs change places: the store is coalesced, the load is scattered.")
      << "... and in a sentence what it brings";
  app.key(Key::Enter);
  app.act(SetLanguage{"zh-CN"}).open_palette().type("上一次访问");
  EXPECT_EQ(app.found().front(), "上一次访问");
}

TEST(Palette, OpensScenariosAndLessons) {
  App app;
  app.open_palette().type("transpose_swizzle").key(Key::Enter);
  EXPECT_EQ(app.state.settings.scenario, "transpose_swizzle");
  app.open_palette().type("atomics").key(Key::Enter);
  ASSERT_TRUE(app.state.classroom.active);
  EXPECT_EQ(app.state.classroom.active->lesson->name, "atomics");
}

TEST(Palette, AWordsBeginningBeatsScatteredLetters) {
  App app;
  app.open_palette().type("pad");
  EXPECT_EQ(app.found().front().find("predict"), std::string::npos) << app.found().front();
  EXPECT_GT(*fuzzy_score("Transpose through a padded tile", "pad"),
            *fuzzy_score("predict: hide the costs and ask", "pad"));
}

TEST(Palette, TheListOfScenariosOpensWhereOneIs) {
  App app;
  app.act(SelectScenario{"transpose_swizzle"});
  app.act(ShowPalette{true, CommandPalette::Offer::Scenarios});
  ASSERT_TRUE(app.state.classroom.palette->entries);
  EXPECT_GT(app.state.classroom.palette->selected, 0);
  app.key(Key::Enter);
  EXPECT_EQ(app.state.settings.scenario, "transpose_swizzle");
}

TEST(IndexExpression, IsTypedFromAnyKernel) {
  App app;
  app.act(SelectScenario{"sum_soa"}).press({Key::Character, 'i', {}, false, false});
  EXPECT_EQ(app.state.settings.scenario, "index_expression");
  EXPECT_EQ(app.state.field.id, "index");
  EXPECT_FALSE(app.state.field.text.empty());
}

TEST(Challenge, OncePassedEnterGoesOnWhateverTheValues) {
  App app;
  app.act(OpenLesson{gallery().lessons[0]->name});
  const auto lesson = app.state.classroom.active->lesson;
  app.act(GoToLessonStep{static_cast<int>(lesson->steps.size())});
  ASSERT_TRUE(app.state.classroom.active->in_challenge());
  EXPECT_FALSE(app.state.classroom.active->was_passed());
  lesson::Grade grade;
  grade.output_right = true;
  grade.goals.resize(1);
  grade.goals[0].holds = true;
  ASSERT_TRUE(grade.passed());
  app.act(LessonGraded{lesson, std::make_shared<const lesson::Grade>(grade), {}});
  grade.goals[0].holds = false;
  app.act(LessonGraded{lesson, std::make_shared<const lesson::Grade>(grade), {}});
  EXPECT_FALSE(app.state.classroom.active->passed());
  EXPECT_TRUE(app.state.classroom.active->was_passed());
  app.key(Key::Enter);
  ASSERT_TRUE(app.state.classroom.active);
  EXPECT_NE(app.state.classroom.active->lesson, lesson) << "the next lesson";
}

TEST(Palette, IsInTheLanguageAndKnowsTheEnglishToo) {
  App app;
  app.act(SetLanguage{"zh-CN"}).open_palette();
  app.type("present");
  EXPECT_EQ(app.found().front(), "演示");
}

TEST(Palette, MovesAndClosesAndTakesTheKeyboardWhole) {
  App app;
  app.open_palette().key(Key::Down).key(Key::Down).key(Key::Up);
  EXPECT_EQ(app.state.classroom.palette->selected, 1);
  app.key(Key::PageUp);
  EXPECT_EQ(app.state.classroom.palette->selected, 0);
  app.press({Key::Character, 'e', {}, false, false});
  EXPECT_FALSE(app.state.editing);
  app.type("qqqqqqq").key(Key::Enter);
  EXPECT_TRUE(app.state.classroom.palette) << "nothing fits";
  app.key(Key::Escape);
  EXPECT_FALSE(app.state.classroom.palette);
  EXPECT_TRUE(app.state.field.id.empty());
}

TEST(Palette, DoesNotTouchTheLaunchFormOfOnesOwnKernel) {
  App app;
  app.act(OpenText{"/tmp/k.cu", "__global__ void k(float* a) { a[threadIdx.x] = 1; }\n"});
  const Settings before = app.state.settings;
  app.open_palette().type("xyz");
  EXPECT_TRUE(app.state.settings == before);
}

TEST(Fuzzy, PrefersBeginningsOfWordsAndRuns) {
  EXPECT_FALSE(fuzzy_score("present", "px"));
  EXPECT_TRUE(fuzzy_score("Present", "prs"));
  EXPECT_GT(*fuzzy_score("light or dark", "dark"), *fuzzy_score("do a bark", "dark"));
  EXPECT_GT(*fuzzy_score("open a kernel", "ok"), *fuzzy_score("looking", "ok"));
  EXPECT_TRUE(fuzzy_score("anything", ""));
}

}  // namespace first_minute_test
}  // namespace warplens::app
