// The tour, the command palette, and the sheet of keys, which must know every key.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "app/actions/apply.h"
#include "app/input/bindings.h"
#include "app/input/commands.h"
#include "app/simulate/simulator.h"
#include "app/state/tour.h"
#include "app/storage/files.h"
#include "documented_keys.h"
#include "tests/app/gallery.h"

namespace warplens::session {
namespace {

const std::filesystem::path kSource = WARPLENS_SOURCE_DIR;

language::Strings english() {
  std::string error;
  return language::Strings::load(kSource / "assets" / "languages", "en", &error);
}

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
  App& type(const std::string& text) { return press({Key::Text, 0, text, false, false}); }
  std::vector<std::string> found() const {
    std::vector<std::string> labels;
    const CommandPalette& palette = *state.classroom.palette;
    for (const int i : fitting(*palette.commands, state.field.text))
      labels.push_back(palette.commands->all[static_cast<std::size_t>(i)].label);
    return labels;
  }
};

// ---- the sheet ----

std::vector<KeyPress> all_presses() {
  std::vector<KeyPress> all;
  for (const bool shift : {false, true}) {
    for (const bool control : {false, true}) {
      for (int k = 0; k < static_cast<int>(Key::Text); ++k) {
        if (static_cast<Key>(k) != Key::Character)
          all.push_back({static_cast<Key>(k), 0, {}, shift, control});
      }
      for (char c = ' '; c < 127; ++c) {
        if (c < 'A' || c > 'Z') all.push_back({Key::Character, c, {}, shift, control});
      }
    }
  }
  return all;
}

bool same(const KeyPress& a, const KeyPress& b, bool with_modifiers) {
  return a.key == b.key && a.character == b.character &&
         (!with_modifiers || (a.shift == b.shift && a.control == b.control));
}

// The press, or one that differs only in modifiers which make no difference, is on the sheet.
bool is_on_the_sheet(const KeyPress& press, const State& state) {
  const Actions done = actions_of(press, state, gallery(), {});
  for (const Binding& binding : bindings()) {
    for (const KeyPress& known : binding.presses) {
      if (same(press, known, true)) return true;
      const Actions other = actions_of(known, state, gallery(), {});
      if (same(press, known, false) && !other.empty() && !done.empty() &&
          other.front().value().index() == done.front().value().index())
        return true;
    }
  }
  return false;
}

std::string name_of(const KeyPress& press) {
  return std::string(press.control ? "Ctrl " : "") + (press.shift ? "Shift " : "") +
         (press.key == Key::Character ? std::string(1, press.character)
                                      : "key " + std::to_string(static_cast<int>(press.key)));
}

TEST(Sheet, KnowsEveryKey) {
  State plain = opening(gallery(), "transpose_shared"), editing = plain;
  plain.hint = false;
  App lesson, predicting;
  lesson.act(OpenLesson{"padding"});
  predicting.act(SetPredicting{true});
  State presenting = plain, mapping = plain;
  presenting.present = true;
  mapping.map.shown = true;
  for (const State* state :
       std::initializer_list<const State*>{&plain, &lesson.state, &predicting.state, &presenting, &mapping}) {
    for (const KeyPress& press : all_presses()) {
      if (actions_of(press, *state, gallery(), {}).empty()) continue;
      EXPECT_TRUE(is_on_the_sheet(press, *state)) << name_of(press);
    }
  }
}

TEST(Sheet, SpeaksOfNoKeyThatDoesNothing) {
  App own, lesson, predicting;
  own.act(
      OpenText{"/tmp/k.cu", "#define INDEX (threadIdx.x)\n__global__ void k(float* a) { a[INDEX] = 1; }\n"});
  lesson.act(OpenLesson{"padding"});
  predicting.act(SetPredicting{true});
  const State plain = opening(gallery(), "transpose_shared");
  State mapping = plain;
  mapping.map.shown = true;
  for (const Binding& binding : bindings()) {
    bool any = is_quit(binding.presses.front());
    for (const KeyPress& press : binding.presses) {
      for (const State* state : std::initializer_list<const State*>{&plain, &own.state, &lesson.state,
                                                                    &predicting.state, &mapping})
        any = any || !actions_of(press, *state, gallery(), {}).empty();
    }
    EXPECT_TRUE(any || binding.presses.front().key == Key::Escape) << binding.keys;
  }
}

// The tokens of "Ctrl ← →" in order, each as the press it stands for.
std::vector<KeyPress> written(const std::string& keys) {
  std::vector<KeyPress> all;
  std::istringstream words(keys);
  bool with_control = false, with_shift = false;
  for (std::string word; words >> word;) {
    if (word == "Ctrl") with_control = true;
    if (word == "Shift") with_shift = true;
    std::optional<KeyPress> key = key_named(word);
    if (!key) continue;
    key->control = with_control;
    key->shift = with_shift;
    all.push_back(*key);
  }
  return all;
}

TEST(Sheet, NamesKeysInTheOrderOfWhatTheyDo) {
  for (const Binding& binding : bindings()) {
    for (const KeyWay& way : binding.ways) {
      const auto keys = written(way.keys);
      ASSERT_EQ(keys.size(), 1u) << way.keys;
      EXPECT_TRUE(same(keys[0], way.press, true)) << way.keys;
    }
    const auto keys = written(binding.keys);
    if (binding.ways.empty() || keys.size() != binding.ways.size()) continue;
    for (std::size_t i = 0; i < keys.size(); ++i)
      EXPECT_TRUE(same(keys[i], binding.ways[i].press, true)) << binding.keys;
  }
}

TEST(Sheet, SaysWhatKeysDoInTheirOrder) {
  const std::vector<std::string> order[] = {{"previous", "next"}, {"first", "last"}, {"larger", "smaller"},
                                            {"上一", "下一"},     {"第一", "最后"},  {"放大", "缩小"}};
  for (const char* language : {"en", "zh-CN"}) {
    std::string error;
    const auto strings = language::Strings::load(kSource / "assets" / "languages", language, &error);
    int pairs = 0;
    for (const Binding& binding : bindings()) {
      const std::string words = strings(binding.text);
      for (const auto& pair : order) {
        const auto first = words.find(pair[0]), second = words.find(pair[1]);
        if (first == std::string::npos || second == std::string::npos) continue;
        ++pairs;
        EXPECT_LT(first, second) << words;
        if (std::string(binding.text) == "help.map_view") continue;  // not in the palette
        ASSERT_GE(binding.ways.size(), 2u) << words;
        EXPECT_THAT(strings(binding.ways[0].text), testing::HasSubstr(pair[0]));
        EXPECT_THAT(strings(binding.ways[1].text), testing::HasSubstr(pair[1]));
      }
    }
    EXPECT_GE(pairs, 7) << language;
  }
}

TEST(Sheet, HasAKeyForEveryMeaningOnTheMap) {
  const auto on_map = std::find_if(bindings().begin(), bindings().end(), [](const Binding& binding) {
    return std::string(binding.text) == "help.map_view";
  });
  const std::string words = english()("help.map_view");
  EXPECT_EQ(written(on_map->keys).size(),
            1u + static_cast<std::size_t>(std::count(words.begin(), words.end(), ',')));
  EXPECT_TRUE(same(written(on_map->keys).back(), {Key::Tab, 0, {}, false, false}, true));
}

// ---- the tour ----

TEST(Tour, GoesForwardsAndBackwardsAndEnds) {
  App app;
  app.key(Key::F1, true);
  ASSERT_EQ(app.state.classroom.tour, 0);
  EXPECT_FALSE(app.state.hint);
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
  EXPECT_TRUE(first(Key::Space, false).as<SetPlaying>()->playing);
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
    std::string error;
    const auto strings = language::Strings::load(kSource / "assets" / "languages", language, &error);
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
  ASSERT_TRUE(app.state.classroom.palette && app.state.classroom.palette->commands);
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
    EXPECT_EQ(app.found().front(), words);
    app.key(Key::Enter);
    EXPECT_EQ(gallery().find(app.state.settings.scenario)->rung, rung + by);
  }
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

}  // namespace
}  // namespace warplens::session
