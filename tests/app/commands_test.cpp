// The table of commands: reached by its keys as from the palette, shown on the sheet of F1, named in texts
// and in docs/keys.md.
#include "app/input/commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "app/actions/apply.h"
#include "app/input/palette.h"
#include "app/readout/question.h"
#include "app/state/loaded_profile.h"
#include "app/state/sheets.h"
#include "app/state/state.h"
#include "app/state/teaching.h"
#include "app/storage/session_file.h"
#include "tests/app/gallery.h"

namespace warplens::app::commands_test {

const std::filesystem::path kSource = WARPLENS_SOURCE_DIR;

language::Strings words(const std::string& language) {
  std::string error;
  return load_words(kSource / "assets" / "languages", language, &error);
}

struct Named {
  std::string name;
  State state;
};

// Of the kernel that the app opens with.
std::shared_ptr<const LoadedProfile> two_launches() {
  auto loaded = std::make_shared<LoadedProfile>();
  loaded->file = "ncu.csv";
  for (const char* id : {"0", "1"}) {
    profile::ProfiledLaunch launch;
    launch.id = id;
    launch.kernel = gallery().find(after({}).settings.scenario)->kernel;
    loaded->profile.launches.push_back(std::move(launch));
  }
  return loaded;
}

// States in which, between them, every command is there to be done.
const std::vector<Named>& states() {
  static const std::vector<Named> kStates = [] {
    const std::string kernel = "#define INDEX (threadIdx.x)\n__global__ void k(float* a) { a[INDEX] = 1; }\n";
    std::vector<Named> all{{"plain", after({})},
                           {"lesson", after({OpenLesson{"padding"}})},
                           {"drawing", after({OpenLesson{"misalignment"}, StepLesson{1}})},
                           {"predicting", after({SetPredicting{true}})},
                           {"voting", after({AskClass{}, TakeRound{vote::Round(), 16}})},
                           {"map", after({ShowView{ViewId::Map}})},
                           {"timeline", after({ShowView{ViewId::Timeline}})},
                           {"landscape", after({ShowView{ViewId::Landscape}})},
                           {"profile", after({TakeProfile{two_launches()}})},
                           {"why", after({ShowView{ViewId::Why}})},
                           {"roofline", after({ShowView{ViewId::Roofline}})},
                           {"layout", after({ShowView{ViewId::Layout}})},
                           {"fragments", after({ShowView{ViewId::Fragments}})},
                           {"map held", after({ShowView{ViewId::Map}, HoldView{true}})},
                           {"A and B", after({PinA{}})},
                           {"own kernel", after({OpenText{"/tmp/k.cu", kernel}})},
                           {"palette", after({ShowPalette{}})},
                           {"chooser", after({ShowDialog{false}})},
                           {"share", after({ShowShare{true}})},
                           {"folder", after({ShowShare{true}, FocusField{kShareFolder}})},
                           {"tour", after({ShowTour{true}})},
                           {"presenting", after({SetPresent{true}})},
                           {"lecture", after({SetPresent{true}, KeepScene{}, KeepScene{}})},
                           {"scenes", after({KeepScene{}, KeepScene{}, ShowScenes{true}})}};
    all.push_back(all.front());
    all.back().name = "reading", all.back().state.reading = "k.cu";
    all.push_back(all.front());
    all.back().name = "diagnosed";
    Diagnosis found{all.back().state.settings, Fix{}};
    found.fix->settings = found.of;
    found.fix->settings.values["pad"] = 2;
    all.back().state.diagnosis = std::make_shared<const Diagnosis>(std::move(found));
    return all;
  }();
  return kStates;
}

// All that an outsider sees of a state.
std::string seen(const State& state) {
  const Simulation nothing;
  return to_json(state, nothing, true).dump(1) + std::to_string(state.requests.size());
}

KeyPress first_press(const Command& command) {
  return presses_of(command.keys).front();
}

TEST(Keys, AreReadAsTheyAreWritten) {
  const auto presses = presses_of("Ctrl ← →, Shift F10, A … C");
  ASSERT_EQ(presses.size(), 6u);
  EXPECT_TRUE(presses[1].key == Key::Right && presses[1].control && !presses[1].shift);
  EXPECT_TRUE(presses[2].key == Key::F10 && presses[2].shift && !presses[2].control);
  EXPECT_EQ(presses[4].character, 'b');
  EXPECT_TRUE(presses_of("Escape").empty());
  EXPECT_EQ(presses_of("−")[0].character, '-');
}

TEST(Commands, HaveIdsAndKeysAndTextsOfTheirOwn) {
  const language::Strings english = words("en");
  std::set<std::string> ids;
  for (const Command* command : commands()) {
    EXPECT_TRUE(ids.insert(command->id).second) << command->id;
    EXPECT_FALSE(presses_of(command->keys).empty()) << command->id;
    for (const char* text : {command->text, command->row}) {
      if (text != nullptr) {
        EXPECT_TRUE(english.texts().contains(text)) << text;
      }
    }
  }
  EXPECT_GT(ids.size(), 90u);
}

TEST(Commands, AreEachReachedByAKeySomewhere) {
  for (const Command* command : commands()) {
    bool any = false;
    for (const Named& at : states()) {
      KeyPress press = first_press(*command);
      if (std::string(command->id) == "parameter") press.character = 'p';
      const Situation in{at.state, gallery(), {}, press.character, press.shift};
      any = any || (command_of(press, command->focus, in) == command &&
                    !actions_of(press, at.state, gallery(), {}).empty());
    }
    EXPECT_TRUE(any) << command->id;
  }
}

// The palette opens over what is there, and closes: what is done then is what the key would have done.
TEST(Commands, DoTheSameByTheirKeyAsFromThePalette) {
  const language::Strings english = words("en");
  int compared = 0;
  for (const Named& at : states()) {
    if (!sheets_of(at.state).empty() || at.state.reading) continue;
    State with_palette = done(at.state, {ShowPalette{}});
    const auto entries = std::make_shared<const PaletteEntries>(
        palette_entries(with_palette, gallery(), english, english, {}));
    with_palette.requests.clear();
    with_palette = done(with_palette, {TakeCommands{entries}});
    for (std::size_t i = 0; i < entries->all.size(); ++i) {
      const Command* command = entries->all[i].command;
      if (command == nullptr) continue;
      SCOPED_TRACE(at.name + ": " + command->id);
      const State by_palette = done(with_palette, {ChooseCommand{static_cast<int>(i)}});
      const State by_key = done(at.state, actions_of(first_press(*command), at.state, gallery(), {}));
      const bool arrows_are_the_maps = at.state.plot.held && command->focus == Focus::Picture;
      const bool a_clicker_has_it = takes_clicker(at.state) && std::string(command->id).starts_with("block_");
      const bool asks = at.state.classroom.predicting || is_drawn(at.state);
      const bool question_has_digits = asks && command->focus != Focus::Anywhere;
      // A letter that names a parameter of the kernel on screen turns that: the sheet has another key for the
      // command.
      const Situation in{
          at.state, gallery(), {}, first_press(*command).character, first_press(*command).shift};
      const bool letter_is_a_parameters = command->focus > Focus::Parameter &&
                                          command_of(first_press(*command), Focus::Parameter, in) != nullptr;
      if (arrows_are_the_maps || a_clicker_has_it || question_has_digits || letter_is_a_parameters) continue;
      EXPECT_EQ(seen(by_palette), seen(by_key));
      ++compared;
    }
  }
  EXPECT_GT(compared, 200);
}

TEST(Palette, OffersWhatMakesSenseNow) {
  const language::Strings english = words("en");
  const auto offers = [&](const std::string& state, const std::string& id) {
    const auto at =
        std::find_if(states().begin(), states().end(), [&](const Named& n) { return n.name == state; });
    const PaletteEntries entries = palette_entries(at->state, gallery(), english, english, {});
    return std::any_of(entries.all.begin(), entries.all.end(), [&](const PaletteEntry& entry) {
      return entry.command != nullptr && entry.command->id == id;
    });
  };
  EXPECT_TRUE(offers("plain", "access_next") && offers("plain", "quit"));
  EXPECT_FALSE(offers("plain", "lesson_hint") || offers("plain", "swap") || offers("plain", "form"));
  EXPECT_TRUE(offers("lesson", "lesson_hint") && offers("A and B", "swap") && offers("own kernel", "form"));
}

// ---- the sheet --------------------------------------------------------------------------------------------

TEST(Sheet, KnowsEveryKeyOfThePictureAndTheWindow) {
  std::set<const Command*> shown;
  for (const KeyRow& row : key_rows()) shown.insert(row.commands.begin(), row.commands.end());
  const std::set<std::string> told_elsewhere{"end_reading",   "map_page_up",   "map_page_down",
                                             "predict_leave", "mark_previous", "mark_next",
                                             "mark_above",    "mark_below",    "mark"};
  for (const Command* command : commands()) {
    const bool of_a_sheet = command->focus >= Focus::Palette && command->focus <= Focus::Tour;
    if (!of_a_sheet && !told_elsewhere.contains(command->id)) {
      EXPECT_TRUE(shown.contains(command)) << command->id;
    }
  }
}

TEST(Sheet, SaysWhatKeysDoInTheirOrder) {
  const std::vector<std::string> order[] = {{"previous", "next"}, {"first", "last"}, {"larger", "smaller"},
                                            {"上一", "下一"},     {"第一", "最后"},  {"放大", "缩小"}};
  for (const char* language : {"en", "zh-CN"}) {
    const language::Strings strings = words(language);
    int pairs = 0;
    for (const KeyRow& row : key_rows()) {
      const std::string text = strings(row.text);
      for (const auto& pair : order) {
        const auto first = text.find(pair[0]), second = text.find(pair[1]);
        if (first == std::string::npos || second == std::string::npos) continue;
        ++pairs;
        EXPECT_LT(first, second) << text;
        ASSERT_GE(row.commands.size(), 2u) << text;
        if (row.commands[0]->text == nullptr) continue;  // of the map: not in the palette
        EXPECT_THAT(strings(row.commands[0]->text), testing::HasSubstr(pair[0]));
        EXPECT_THAT(strings(row.commands[1]->text), testing::HasSubstr(pair[1]));
      }
    }
    EXPECT_GE(pairs, 7) << language;
  }
}

// ---- texts and the page -----------------------------------------------------------------------------------

// 1280 × 720 has room for three columns of 30 lines; what a stage has no room for is left to the palette.
TEST(Sheet, FitsOneScreenInGroups) {
  const std::vector<KeyRow> all = sheet_rows(90);
  std::set<std::string> groups;
  std::size_t headings = 0;
  for (const KeyRow& row : all) {
    groups.insert(row.group);
    if (row.keys.empty()) ++headings;
  }
  EXPECT_EQ(headings, groups.size()) << "each group stands together";
  EXPECT_EQ(all.size(), key_rows().size() + headings) << "nothing is left out";
  EXPECT_TRUE(all.front().keys.empty());
  for (const int most : {5, 20, 48}) {
    const std::vector<KeyRow> few = sheet_rows(most);
    EXPECT_LE(few.size(), static_cast<std::size_t>(most));
    EXPECT_EQ(few.back().text, "help.palette");
    EXPECT_FALSE(few[few.size() - 2].keys.empty()) << "no heading without rows";
  }
  // Two columns of 25 lines on a stage: who presents asks, votes and compares, and edits no kernel.
  const std::vector<KeyRow> stage = sheet_rows(50, true);
  for (const char* row : {"help.access", "help.predict", "help.vote_moves", "help.notes", "help.compare",
                          "help.present", "help.escape"})
    EXPECT_NE(std::ranges::find(stage, row, &KeyRow::text), stage.end()) << row;
  for (const char* language : {"en", "zh-CN"})
    for (const std::string& group : groups) EXPECT_NE(words(language)(group), group);
}

TEST(KeyNames, InTextsAreThoseOfTheTable) {
  for (const char* language : {"en", "zh-CN"}) {
    const std::map<std::string, std::string, std::less<>> texts = words(language).texts();
    for (const auto& [key, text] : texts)
      EXPECT_THAT(text, testing::Not(testing::HasSubstr("{keys."))) << key << " names no command";
    // None is written out: it would stay behind when the table changes.
    const auto& raw = strings_of(language);
    const std::regex written("\\bF[0-9]+\\b|\\bCtrl (Shift )?[A-Z0-9.+]|\\bEsc\\b|\\bPg(Up|Dn)\\b");
    for (const auto& [key, text] : raw.texts())
      EXPECT_FALSE(std::regex_search(text, written)) << language << ": " << key << ": " << text;
    EXPECT_THAT(texts.at("transport.play.tip"),
                testing::HasSubstr(language == std::string("en") ? "Space" : "空格"));
  }
}

TEST(KeyNames, OnThePageAreThoseOfTheTable) {
  std::stringstream page;
  page << "# Keys\n\nWhat <kbd>F1</kbd> shows. A key that does something else in a sheet (arrows, "
          "<kbd>Enter</kbd>, "
          "<kbd>Esc</kbd>) is named there.\n\n| keys | what they do |\n|---|---|\n";
  const language::Strings english = words("en");
  for (const KeyRow& row : key_rows()) page << "| " << row.keys << " | " << english(row.text) << " |\n";
  std::stringstream written;
  written << std::ifstream(kSource / "docs" / "keys.md").rdbuf();
  EXPECT_EQ(written.str(), page.str()) << "copy the page that is wanted to docs/keys.md";
}

// Every key that the documentation names does something in the app: <kbd>Ctrl</kbd> + <kbd>P</kbd>.
TEST(DocumentedKeys, DoSomething) {
  std::vector<std::filesystem::path> pages{kSource / "README.md"};
  for (const auto& entry : std::filesystem::directory_iterator(kSource / "docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  const auto does_something = [](const KeyPress& press) {
    return std::ranges::any_of(
        states(), [&](const Named& at) { return !actions_of(press, at.state, gallery(), {}).empty(); });
  };
  const std::regex chord("((?:<kbd>(?:Ctrl|Shift)</kbd> (?:\\+ )?)*)<kbd>([^<]*)</kbd>");
  int keys = 0;
  for (const auto& page : pages) {
    std::stringstream text;
    text << std::ifstream(page).rdbuf();
    const std::string words = text.str();
    for (std::sregex_iterator at(words.begin(), words.end(), chord), end; at != end; ++at) {
      const std::string with = (*at)[1], name = (*at)[2];
      if (name == "Shift" || name == "Ctrl") continue;  // "with Shift for less"
      const std::vector<KeyPress> presses =
          presses_of(std::regex_replace(with, std::regex("<[^>]*>|\\+"), " ") + name);
      ASSERT_EQ(presses.size(), 1u) << page << ": no key is called " << name;
      EXPECT_TRUE(does_something(presses[0])) << page.filename() << ": " << at->str() << " does nothing";
      ++keys;
    }
  }
  EXPECT_GT(keys, 60);
  EXPECT_FALSE(does_something({Key::Character, '#', {}, false, true})) << "a key that is not bound";
}

// A browser opens and closes windows and tabs by these, whatever its page wants; there nothing quits.
TEST(Commands, HaveNoKeyThatAPageCannotTakeFromABrowser) {
  for (const Command* command : commands()) {
    if (command->id == std::string_view("quit")) continue;
    for (const KeyPress& press : presses_of(command->keys)) {
      const bool is_tab = press.key == Key::Tab || press.key == Key::PageUp || press.key == Key::PageDown,
                 is_window = std::string_view("tnwq").find(press.character) != std::string_view::npos ||
                             (press.shift && press.character == 'p');
      EXPECT_FALSE(press.control && (is_tab || is_window)) << command->id;
    }
  }
}

// One key, one meaning: E edits whatever the kernel's parameters are.
TEST(Commands, ShareNoLetterWithAParameter) {
  std::set<char> letters;
  for (const Command* command : commands())
    for (const KeyPress& press : presses_of(command->keys))
      if (press.key == Key::Character && !press.control && std::string_view(command->id) != "parameter" &&
          (command->focus == Focus::Picture || command->focus == Focus::Window))
        letters.insert(static_cast<char>(press.character));
  ASSERT_TRUE(letters.contains('e') && letters.contains('w'));
  for (const scenario::Scenario& scenario : gallery().scenarios)
    for (const scenario::ScenarioParameter& parameter : scenario.parameters)
      EXPECT_FALSE(!parameter.key.empty() && letters.contains(parameter.key[0]))
          << scenario.name << " " << parameter.name << ": " << parameter.key;
}

TEST(Commands, AKeyThatIsHeldGoesOnWithStepsAlone) {
  const Catalog& catalog = gallery();
  const auto held = [&](const char* keys) {
    KeyPress press = presses_of(keys).at(0);
    press.repeated = true;
    return actions_of(press, after({}), catalog, Clipboard{});
  };
  for (const char* steps : {"→", "←", "↓", "PgDn", "Ctrl →", "P", "]", "Ctrl +"})
    EXPECT_FALSE(held(steps).empty()) << steps;
  for (const char* switches : {"F1", "Space", "F5", "F6", "F10", "F11", "Ctrl E", "E"})
    EXPECT_TRUE(held(switches).empty()) << switches;
}

// Once pressed, and once held: two steps of undo, however long it is held.
TEST(Commands, WhatAHeldKeyTurnsIsUndoneTogether) {
  const Catalog& catalog = gallery();
  State state = after({});
  Simulation none;
  const auto turned = [&] {
    const auto pad = state.settings.values.find("pad");
    return pad == state.settings.values.end() ? 0 : pad->second;
  };
  const std::int64_t before = turned();
  KeyPress press = presses_of("P").at(0);
  for (int i = 0; i < 6; ++i) {
    press.repeated = i > 0;
    for (const Action& action : actions_of(press, state, catalog, Clipboard{}))
      state = apply(std::move(state), action, none, catalog);
  }
  ASSERT_EQ(turned(), before + 6);
  state = apply(std::move(state), Undo{}, none, catalog);
  EXPECT_EQ(turned(), before + 1);
  state = apply(std::move(state), Undo{}, none, catalog);
  EXPECT_EQ(turned(), before);
}

TEST(Sheet, ShowsKeysTogetherThatBelongTogether) {
  std::map<std::string, std::string> rows;
  for (const KeyRow& row : key_rows()) EXPECT_TRUE(rows.emplace(row.text, row.keys).second) << row.text;
  for (const auto& [text, keys] :
       std::map<std::string, std::string>{{"help.wavefront", "Ctrl ← →"},
                                          {"help.block", "PgUp PgDn"},
                                          {"help.edit", "E  F2"},
                                          {"help.redo", "Ctrl Y"},
                                          {"help.save", "Ctrl S"},
                                          {"help.map", "F10"},
                                          {"help.map_view", "+ − 0 . Tab"},
                                          {"help.lesson_step", "Shift PgUp PgDn  Ctrl F8"},
                                          {"help.zoom", "Ctrl + − 0"},
                                          {"help.parameter", "P X Y …"}})
    EXPECT_EQ(rows.at(text), keys);
}

TEST(Sheet, HasAKeyForEveryMeaningOnTheMap) {
  const auto on_map = std::find_if(key_rows().begin(), key_rows().end(),
                                   [](const KeyRow& row) { return row.text == "help.map_view"; });
  const std::string text = words("en")("help.map_view");
  EXPECT_EQ(on_map->commands.size(),
            1u + static_cast<std::size_t>(std::count(text.begin(), text.end(), ',')));
}

}  // namespace warplens::app::commands_test
