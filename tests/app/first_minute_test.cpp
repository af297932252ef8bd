// The tour, the command palette, and the sheet of keys, which must know every key.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "app/session/apply.h"
#include "app/session/bindings.h"
#include "app/session/commands.h"
#include "app/session/files.h"
#include "app/session/simulator.h"
#include "app/session/tour.h"
#include "tests/app/gallery.h"

namespace warplens::session {
namespace {

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
  App& type(const std::string& text) { return press({Key::Text, 0, text, false, false}); }
  std::vector<std::string> found() const {
    std::vector<std::string> labels;
    const CommandPalette& palette = *state.classroom.palette;
    for (const int i : fitting(*palette.commands, state.field.text))
      labels.push_back(palette.commands->all[static_cast<std::size_t>(i)].label);
    return labels;
  }
};

// ---- the sheet
// ----------------------------------------------------------------------------------------------

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

// ---- the tour
// -----------------------------------------------------------------------------------------------

TEST(Tour, GoesForwardsAndBackwardsAndEnds) {
  App app;
  app.key(Key::F1, true);
  ASSERT_EQ(app.state.classroom.tour, 0);
  EXPECT_FALSE(app.state.hint);
  app.key(Key::Right).key(Key::Enter).key(Key::Left);
  EXPECT_EQ(app.state.classroom.tour, 1);
  app.key(Key::Left).key(Key::Left);
  EXPECT_EQ(app.state.classroom.tour, 0);
  for (std::size_t i = 0; i < tour_stops().size(); ++i) app.key(Key::Space);
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

// ---- the palette
// --------------------------------------------------------------------------------------------

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
