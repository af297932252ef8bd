// One sheet at a time: whatever is open, the one asked for is the one that is there and has the keys.
#include "app/state/sheets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/input/palette.h"
#include "tests/app/gallery.h"

namespace warplens::app::sheets_test {

using testing::ElementsAre;
using testing::IsEmpty;

struct Way {
  Sheet sheet;
  const char* name;
  KeyPress press;
  Action action;
};
const std::vector<Way>& ways() {
  static const std::vector<Way> kWays{
      {Sheet::Help, "help", {Key::F1, 0, {}, false, false}, SetHelp{true}},
      {Sheet::Palette,
       "lessons",
       {Key::F8, 0, {}, false, false},
       ShowPalette{CommandPalette::Offer::Lessons}},
      {Sheet::Dialog, "open", {Key::Character, 'o', {}, false, true}, ShowDialog{false}},
      {Sheet::Dialog, "save", {Key::Character, 's', {}, false, true}, ShowDialog{true}},
      {Sheet::Share, "share", {Key::Character, 'e', {}, false, true}, ShowShare{true}},
      {Sheet::Palette, "palette", {Key::Character, 'p', {}, false, true}, ShowPalette{}},
      {Sheet::Scenes, "scenes", {Key::Character, 'l', {}, true, true}, ShowScenes{true}},
  };
  return kWays;
}

using App = Unsimulated;

TEST(Sheets, TheNewestTakesThePlaceOfAnyOther) {
  for (const Way& before : ways()) {
    for (const Way& after : ways()) {
      if (before.name == after.name) continue;
      SCOPED_TRACE(std::string(before.name) + ", then " + after.name);
      App keys, actions;
      keys.press(before.press).press(after.press);
      EXPECT_THAT(sheets_of(keys.state), ElementsAre(after.sheet));
      actions.act(before.action).act(after.action);
      EXPECT_THAT(sheets_of(actions.state), ElementsAre(after.sheet));
      if (after.sheet == Sheet::Dialog) {
        EXPECT_EQ(keys.state.dialog->saving, std::string(after.name) == "save");
      }
      // One Esc is enough: nothing was left behind it, nor its one-line input.
      keys.key(Key::Escape);
      EXPECT_THAT(sheets_of(keys.state), IsEmpty());
      EXPECT_EQ(keys.state.field.id, "");
    }
  }
}

TEST(Sheets, TheSameKeyClosesIt) {
  for (const Way& way : ways()) {
    if (way.sheet == Sheet::Dialog) continue;  // a second Ctrl O would forget what is typed
    EXPECT_THAT(sheets_of(App().press(way.press).press(way.press).state), IsEmpty()) << way.name;
  }
}

TEST(Sheets, ComeWhileALineIsTypedIn) {
  for (const Way& way : ways()) {
    App app;
    app.letter('e', false, true).key(Key::Tab);
    ASSERT_EQ(app.state.field.id, kShareFolder);
    if (way.sheet == Sheet::Share) continue;
    EXPECT_THAT(sheets_of(app.press(way.press).state), ElementsAre(way.sheet)) << way.name;
    EXPECT_NE(app.state.field.id, kShareFolder);
  }
}

TEST(Sheets, AKeyForTheNewOneWritesNoFile) {
  App app;
  app.letter('e', false, true).key(Key::F8);
  const auto all = palette_entries(app.state, gallery(), english(), english(), {});  // as the window fills it
  app.act(TakeCommands{std::make_shared<const PaletteEntries>(all)}).key(Key::Down).key(Key::Enter);
  EXPECT_TRUE(app.state.classroom.active) << "Enter begins the lesson";
  for (const Request& request : app.state.requests) EXPECT_EQ(std::get_if<ShareRequest>(&request), nullptr);
}

TEST(Sheets, GiveWayToWhatBegins) {
  for (const Way& way : ways()) {
    for (const Action& action :
         {Action(SetEditing{true}), Action(SetPredicting{true}), Action(OpenLesson{"padding"}),
          Action(OpenText{"/tmp/k.cu", "__global__ void k(float* a) { a[0] = 1; }\n"})})
      EXPECT_THAT(sheets_of(App().act(way.action).act(action).state), IsEmpty()) << way.name;
  }
}

TEST(Sheets, AFileThatIsBeingChosenIsNotForgottenByItsOwnKey) {
  App app;
  app.letter('o', false, true).act(EditField{"tile"});
  app.letter('o', false, true);
  EXPECT_EQ(app.state.field.text, "tile");
}

}  // namespace warplens::app::sheets_test
