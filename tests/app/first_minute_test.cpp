// The tour and the command palette.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/input/palette.h"
#include "app/state/teaching.h"
#include "app/storage/files.h"
#include "tests/app/gallery.h"

namespace warplens::app::first_minute_test {

const std::filesystem::path kSource = WARPLENS_SOURCE_DIR;

struct App : Unsimulated {
  App& act(const Action& action) override {
    Unsimulated::act(action);
    for (const Request& request : std::exchange(state.requests, {})) {
      for (const Action& answer : perform(request, state, gallery(), {})) act(answer);
    }
    return *this;
  }
  Unsimulated& open_palette() { return letter('p', false, true); }
  App& type(const std::string& text) override { return act(EditField{state.field.text + text}); }
  std::vector<std::string> found() const {
    std::vector<std::string> labels;
    const CommandPalette& palette = *state.classroom.palette;
    for (const int i : fitting(*palette.entries, state.field.text))
      labels.push_back(palette.entries->all[static_cast<std::size_t>(i)].label);
    return labels;
  }
};

// ---- the tour ----

std::string asked(const Unsimulated& app) {
  const TourStop* stop = tour_stop(app.state);
  return stop != nullptr ? stop->words : "";
}
App in_tour() {
  App app;
  app.key(Key::F1, true);
  return app;
}

TEST(Tour, EachSentenceNamesTheKeyOfItsCommand) {
  App app;
  for (const TourStop& stop : tour_stops()) {
    const auto is_its = [&](const Command* command) { return std::string_view(command->id) == stop.command; };
    const auto all = commands();
    ASSERT_TRUE(std::any_of(all.begin(), all.end(), is_its)) << stop.command;
    const std::string key =
        stop.command == std::string_view("parameter") ? "P" : "{keys." + std::string(stop.command) + "}";
    for (const char* language : {"en", "zh-CN"})
      EXPECT_THAT(strings_of(language).texts().at(stop.words), testing::HasSubstr(key)) << language;
  }
}

TEST(Tour, SpeaksOfWhatIsThereWhereOneGoesAhead) {
  App app = in_tour();
  const std::string first = asked(app);
  EXPECT_EQ(asked(in_tour().letter('q')), "tour.load");
  EXPECT_EQ(asked(app.act(ShowView{ViewId::Phases})), "") << "its sentence is of the memory's picture";
  EXPECT_EQ(asked(app.act(ShowView{ViewId::Memory})), first) << "and is there again with it";
  EXPECT_EQ(asked(app.letter(']').letter(']')), "tour.pad");
  EXPECT_TRUE(app.state.position.access.any) << "at the costliest access, where lanes queue";
  EXPECT_EQ(asked(app.letter('p').letter('z', false, true)), "tour.pad")
      << "taken back, lanes queue as before";
  for (const char* words : {"tour.pad_more", "tour.workbench", "tour.pad_less", "tour.pad_less",
                            "tour.pad_less", "tour.workbench"})
    EXPECT_EQ(asked(app.letter('p')), words);
  EXPECT_EQ(asked(app.letter(']')), "tour.workbench");
  EXPECT_EQ(asked(app.letter('[').letter('[')), "tour.tile");
  App other = in_tour();
  EXPECT_EQ(asked(other.key(Key::Space)), "tour.columns") << "the load is there already";
}

TEST(Tour, EndsWhereOneGoesElsewhere) {
  EXPECT_EQ(asked(in_tour().key(Key::Escape)), "");
  EXPECT_EQ(asked(in_tour().letter('w')), "");
  App helped = in_tour();
  EXPECT_FALSE(helped.key(Key::F1).key(Key::Escape).state.help);
  EXPECT_EQ(asked(helped), "tour.count") << "Esc closes what lies over it first";
  EXPECT_EQ(asked(in_tour().key(Key::F5)), "");
  EXPECT_EQ(asked(in_tour().key(Key::F9)), "");
  EXPECT_EQ(asked(in_tour().key(Key::F3)), "");
  EXPECT_EQ(asked(in_tour().act(OpenLesson{"padding"})), "");
  EXPECT_EQ(asked(in_tour().act(SelectScenario{"copy_row"})), "");
  EXPECT_EQ(asked(in_tour().act(OpenText{"/tmp/k.cu", "__global__ void k(float* a) { a[0] = 1; }"})), "");
  EXPECT_EQ(asked(in_tour().key(Key::F8)), "tour.count") << "the list of lessons closes again";
}

// An own file's form stands on the workbench, which W leaves at once.
TEST(Workbench, IsLeftWithTheForm) {
  App app = in_tour();
  app.act(OpenText{"/tmp/k.cu", "__global__ void k(float* a) { a[0] = 1; }"});
  ASSERT_TRUE(app.state.form);
  app.letter('w');
  EXPECT_TRUE(app.state.panels.none() && !app.state.form);
  EXPECT_TRUE(app.letter('w').state.panels.any());
}

// ---- the palette ----

TEST(Palette, FindsACommandByAFewLettersAndDoesIt) {
  App app;
  app.open_palette();
  ASSERT_TRUE(app.state.classroom.palette && app.state.classroom.palette->entries);
  EXPECT_GT(app.found().size(), gallery().scenarios.size() + gallery().lessons.size());
  app.type("qqqqqqq").key(Key::Enter);
  ASSERT_TRUE(app.state.classroom.palette) << "nothing fits";
  app.act(EditField{"light"});
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
    app.key(Key::Enter);
    EXPECT_EQ(gallery().find(app.state.settings.scenario)->rung, rung + by);
  }
  app.act(SetLanguage{"zh-CN"}).open_palette().type("上一次访问");
  EXPECT_EQ(app.found().front(), "上一次访问");
}

std::vector<int> fitting_of(const std::vector<PaletteEntry>& all, std::string_view typed) {
  return fitting(PaletteEntries{all}, typed);
}
PaletteEntry entry_of(std::string label, std::string also = {}, std::string about = {}) {
  PaletteEntry entry;
  entry.label = std::move(label), entry.also = std::move(also), entry.about = std::move(about);
  return entry;
}

TEST(Palette, EveryWordIsFoundAtTheBeginningOfOne) {
  const std::vector<PaletteEntry> all{
      entry_of("predict: hide the costs and ask"),
      entry_of("Rotary embedding", "rope", "bank conflicts, and their padding"),
      entry_of("Transpose through a padded tile", "transpose_padded"), entry_of("databank"),
      entry_of("异或重排：存储体不冲突")};
  EXPECT_EQ(fitting_of(all, "pad"), (std::vector{2, 1})) << "what it is called goes before what it is about";
  EXPECT_EQ(fitting_of(all, "BANK"), std::vector{1}) << "in the middle of a word it is none";
  EXPECT_EQ(fitting_of(all, "tile trans"), std::vector{2}) << "in any order";
  EXPECT_EQ(fitting_of(all, "transpose pad"), std::vector{2}) << "a name has words too";
  EXPECT_EQ(fitting_of(all, "tile bank"), std::vector<int>{});
  EXPECT_EQ(fitting_of(all, "存储体"), std::vector{4});
  EXPECT_EQ(fitting_of(all, "phk"), std::vector<int>{}) << "scattered letters are no word";
  EXPECT_EQ(fitting_of(all, "").size(), all.size());
}

TEST(Palette, BankAndPaddingFindWhatIsAboutThem) {
  App app;
  for (const char* word : {"bank", "padding"}) {
    app.act(ShowPalette{CommandPalette::Offer::Scenarios}).type(word);
    const CommandPalette& palette = *app.state.classroom.palette;
    const std::vector<int> found = fitting(*palette.entries, word);
    EXPECT_GT(found.size(), 3u) << word;
    for (const int i : found) {
      const PaletteEntry& entry = palette.entries->all[static_cast<std::size_t>(i)];
      std::string text = entry.label + " " + entry.also + " " + entry.about;
      std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
      EXPECT_THAT(text, testing::HasSubstr(word));
    }
    app.key(Key::Escape);
  }
}

TEST(Palette, TheListOfScenariosOpensWhereOneIs) {
  App app;
  app.act(SelectScenario{"transpose_swizzle"});
  app.act(ShowPalette{CommandPalette::Offer::Scenarios});
  ASSERT_TRUE(app.state.classroom.palette->entries);
  EXPECT_GT(app.state.classroom.palette->selected, 0);
  app.key(Key::Enter);
  EXPECT_EQ(app.state.settings.scenario, "transpose_swizzle");
}

TEST(IndexExpression, IsTypedFromAnyKernel) {
  App app;
  app.act(SelectScenario{"sum_soa"}).letter('i');
  EXPECT_EQ(app.state.settings.scenario, "index_expression");
  EXPECT_EQ(app.state.field.id, "index");
  EXPECT_FALSE(app.state.field.text.empty());
}

TEST(Palette, IsInTheLanguageAndKnowsTheEnglishToo) {
  App app;
  app.act(SetLanguage{"zh-CN"}).open_palette();
  app.type("present");
  EXPECT_EQ(app.found().front(), "演示");
}

TEST(Palette, DoesNotTouchTheLaunchFormOfOnesOwnKernel) {
  App app;
  app.act(OpenText{"/tmp/k.cu", "__global__ void k(float* a) { a[threadIdx.x] = 1; }\n"});
  const Settings before = app.state.settings;
  app.open_palette().type("xyz");
  EXPECT_TRUE(app.state.settings == before);
}

TEST(Palette, OpensScenariosAndLessons) {
  App app;
  app.open_palette().type("transpose_swizzle").key(Key::Enter);
  EXPECT_EQ(app.state.settings.scenario, "transpose_swizzle");
  app.open_palette().type("atomics").key(Key::Enter);
  ASSERT_TRUE(app.state.classroom.active);
  EXPECT_EQ(app.state.classroom.active->lesson->name, "atomics");
}

}  // namespace warplens::app::first_minute_test
