// Every picture and file that the app exports, of many scenarios, in both languages and themes.
#include "app/share/export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "app/readout/verdict.h"
#include "app/simulate/pricing.h"
#include "app/simulate/simulation.h"
#include "app/views/blocks.h"
#include "app/views/landscape.h"
#include "app/views/timeline.h"
#include "sim/scenario/target.h"
#include "tests/scenario/folder.h"
#include "tests/scene/checks.h"

namespace warplens::share {
namespace {

namespace fs = std::filesystem;
using app::ShareFormat;
using app::ShareWhat;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Subject subject_of(const std::string& scenario, const std::string& language, bool dark, int access) {
  auto loaded =
      scenario::load_scenario(fs::path(WARPLENS_SOURCE_DIR) / "kernels" / (scenario + ".scenario.json"));
  EXPECT_TRUE(loaded) << ::testing::PrintToString(loaded.errors);
  auto setup = scenario::make_setup(*loaded.value, {});
  auto prepared = scenario::prepare(std::move(*setup.value), memory::default_gpu_model());
  EXPECT_TRUE(prepared) << ::testing::PrintToString(prepared.errors);
  auto compiled = std::make_shared<app::Compiled>(
      std::make_shared<const sim::Program>(std::move(prepared.value->program)),
      std::move(prepared.value->setup), *prepared.value->gpu);
  auto trace = std::make_shared<const sim::Trace>(
      sim::trace_block(compiled->program, compiled->setup.launch, *compiled->gpu, {0, 0, 0}, sim::Limits{}));
  app::AccessId name;
  name.any = access == 0;
  name.number = access - 1;
  Subject out;
  out.simulation = app::simulation_of(compiled, trace, 0, name, 0);
  out.title = scenario::in_language(loaded.value->title, language);
  out.scenario = std::make_shared<const scenario::Scenario>(std::move(*loaded.value));
  std::string error;
  out.strings =
      language::Strings::load(fs::path(WARPLENS_SOURCE_DIR) / "assets" / "languages", language, &error);
  out.palette = dark ? &scene::dark_palette() : &scene::light_palette();
  return out;
}

void hide(Subject* subject, const app::Hidden& hidden) {
  subject->simulation = app::visible(subject->simulation, hidden);
}

constexpr ShareWhat kPictures[] = {ShareWhat::Slide, ShareWhat::Global, ShareWhat::Shared, ShareWhat::Map,
                                   ViewId::Map,      ViewId::Phases,    ShareWhat::Source, ShareWhat::Lanes,
                                   ShareWhat::Times, ViewId::Timeline,  ViewId::Landscape};

// The matrix map of what the subject looks at.
void add_map(Subject* subject) {
  jobs::Memos at_once(Budget::endless(), nullptr);
  auto made = std::make_shared<app::Made>();
  *made = views::row_of(ViewId::Map).derive({*subject->simulation, subject->plot_view, at_once, {}, nullptr});
  subject->made = std::move(made);
}

auto landscape_plan(const Subject& subject, const app::PlotView& axes) {
  app::Settings settings;
  settings.values = subject.simulation->compiled->setup.values;
  return views::plan_landscape(subject.scenario.get(), settings, axes).value();
}

void add_landscape(Subject* subject, views::Landscape landscape) {
  subject->made = std::make_shared<app::Made>(
      app::Made{ViewId::Landscape, std::make_shared<const views::Landscape>(std::move(landscape))});
}

// The timeline of its block, or a small landscape.
void add_plots(Subject* subject, ShareWhat what) {
  if (what != ViewId::Landscape) {
    auto made = std::make_shared<app::Made>();
    *made = {ViewId::Timeline,
             views::timeline_of(*subject->simulation->compiled, subject->simulation->trace)};
    subject->made = std::move(made);
    return;
  }
  const auto plan = landscape_plan(*subject, {});
  views::LandscapeCells cells(plan.size());
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t cell = views::nearest_first(plan)[i];
    cells.put(cell, views::count_cell(plan, cell, nullptr, nullptr));
  }
  add_landscape(subject, views::landscape_of(plan, cells, app::LandscapeMeasure::Usual));
}

// B with another scenario as A, at the access of the same name.
Subject compared(const std::string& a, const std::string& b, int access, const std::string& language) {
  Subject subject = subject_of(b, language, language == "en", access);
  const Subject other = subject_of(a, language, true, 0);
  auto beside = std::make_shared<Beside>();
  const app::Simulation &mine = *subject.simulation, &its = *other.simulation;
  const int at = app::find_event(its.program(), *its.events, app::name_of(mine, mine.place.event));
  beside->a = app::moved_to(its, at, 0);
  app::compare_accesses(*beside->a, mine, &beside->comparison);
  beside->rows = views::comparison_table({&beside->comparison, beside->a.get(), subject.simulation.get()},
                                         subject.strings);
  beside->words_a = {other.title, "padding 2"};
  beside->words_b = {subject.title, "padding 0 · 12 lines of code differ"};
  subject.beside = std::move(beside);
  return subject;
}

void expect_legible(const scene::Scene& scene, const scene::Palette& palette) {
  EXPECT_EQ(scene.width, kSlideWidth);
  EXPECT_EQ(scene.height, kSlideHeight);
  EXPECT_THAT(scene::checks::things_outside(scene), IsEmpty());
  EXPECT_THAT(scene::checks::overlapping_labels(scene), IsEmpty());
  EXPECT_THAT(scene::checks::pale_labels(scene, palette), IsEmpty());
  for (const scene::Label& label : scene::checks::labels_of(scene))
    EXPECT_GE(label.size * kSlideScale, 13) << label.text;  // pixels at 1920 x 1080
}
constexpr const char* kScenarios[] = {
    "copy_row",         "transpose_naive_row", "transpose_shared", "transpose_swizzle",
    "transpose_float4", "sgemm_warptiled",     "reduce_strided",   "histogram_shared",
    "gather",           "shared_stride",       "sum_aos"};

class Pictures : public ::testing::TestWithParam<const char*> {};

TEST_P(Pictures, AreLegible) {
  for (const char* language : {"en", "zh-CN"}) {
    Subject subject = subject_of(GetParam(), language, language[0] == 'e', 0);
    for (const ShareWhat what : kPictures) {
      add_plots(&subject, what);
      if (what == ViewId::Map) add_map(&subject);
      SCOPED_TRACE(std::string(GetParam()) + ", " + language + ", " + app::row_of(what).name);
      expect_legible(page(what, subject), *subject.palette);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Gallery, Pictures, ::testing::ValuesIn(kScenarios),
                         [](const auto& named) { return std::string(named.param); });

// With a scenario: tests/frozen, pictures.
TEST(Provenance, WithoutAScenarioTheParametersAreTold) {
  Subject subject = subject_of("transpose_shared", "en", true, 3);
  subject.scenario = nullptr;
  EXPECT_THAT(provenance_of(subject), HasSubstr("predicted for sm_90 by Warplens " WARPLENS_VERSION));
  EXPECT_THAT(provenance_of(subject), HasSubstr(", pad = 0"));
}

// Everything that a scene says.
std::string words_of(const scene::Scene& scene) {
  std::string all = scene.title + "|" + scene.answer;
  for (const scene::Label& label : scene::checks::labels_of(scene)) all += "|" + label.text;
  return all;
}

// The words of the margin in a row: figures and what they count, from left to right.
std::string margin_beside(const scene::Scene& scene, const std::string& line) {
  const auto labels = scene::checks::labels_of(scene);
  const auto number =
      std::find_if(labels.begin(), labels.end(), [&](const auto& l) { return l.text == line; });
  if (number == labels.end()) return "no such line";
  std::map<float, std::string> words;
  for (const scene::Label& label : labels) {
    if (label.at.y == number->at.y && label.align == scene::Align::Right && &label != &*number &&
        label.bold && label.text != line)
      words[label.at.x] = label.text;
  }
  std::string all;
  for (const auto& [x, text] : words) all += (all.empty() ? "" : " ") + text;
  return all;
}

TEST(Source, IsWholeOnASlideAndItsCostsSayWhatTheyCount) {
  for (const char* language : {"en", "zh-CN"}) {
    const Subject subject = subject_of("transpose_naive_row", language, true, 2);
    const scene::Scene source = view(ShareWhat::Source, subject, 440, 560);
    EXPECT_EQ(words_of(source).find("…"), std::string::npos) << words_of(source);
    std::string code;
    for (const scene::Label& label : scene::checks::labels_of(source)) {
      EXPECT_GE(label.size, 13);
      if (label.align == scene::Align::Left) code += label.text;
    }
    std::erase(code, ' ');
    EXPECT_THAT(code, HasSubstr("out[col*nrows+row]=in[row*ncols+col];"));
    EXPECT_EQ(margin_beside(source, "9"), language[0] == 'e' ? "32 + 4 sectors" : "32 + 4 个扇区");
  }
}

// What they say: tests/frozen, pictures.
TEST(Comparison, BothSidesAndTheirTableAreLegible) {
  for (const char* language : {"en", "zh-CN"}) {
    const Subject subject = compared("transpose_naive_row", "transpose_shared", 4, language);
    expect_legible(page(ShareWhat::Comparison, subject), *subject.palette);
  }
}

TEST(Comparison, IsWrittenWithItsDividerWhereItStands) {
  const auto head_of_b = [](float divider) {
    Subject subject = compared("transpose_naive_row", "transpose_shared", 4, "en");
    auto beside = std::make_shared<Beside>(*subject.beside);
    beside->divider = divider;
    subject.beside = beside;
    const scene::Scene scene = page(ShareWhat::Comparison, subject);
    expect_legible(scene, *subject.palette);
    for (const scene::Label& label : scene::checks::labels_of(scene))
      if (label.text.starts_with("B · ")) return label.at.x;
    return -1.0f;
  };
  const float middle = head_of_b(app::kMiddle), further = head_of_b(0.6f);
  EXPECT_GT(middle, 0);
  EXPECT_NEAR(further - middle, 0.1f * 2 * (middle - 32), 12);
}

// As the speaker sees of the next scene: not the nearest access to global memory.
TEST(Memory, IsThatOfTheAccessLookedAt) {
  const Subject shared = subject_of("transpose_shared", "en", true, 3);
  EXPECT_TRUE(view(ViewId::Memory, shared, 900, 600).title.starts_with("Shared memory"));
  const Subject global = subject_of("transpose_shared", "en", true, 4);
  EXPECT_TRUE(view(ViewId::Memory, global, 900, 600).title.starts_with("Global memory"));
}

TEST(Strip, IsBelowThePictureOfTheAccessAndOfNoOther) {
  const Subject subject = subject_of("transpose_shared", "en", true, 0);
  const auto has_strip = [&](const scene::Scene& scene) {
    return words_of(scene).find("|32 of 32 lanes work|") != std::string::npos;
  };
  ASSERT_EQ(subject.simulation->now->access.space, memory::Space::Shared);
  EXPECT_TRUE(has_strip(page(ShareWhat::Slide, subject)));
  EXPECT_TRUE(has_strip(page(ShareWhat::Shared, subject)));
  for (const ShareWhat what : {ShareWhat::Global, ShareWhat::Source, ShareWhat::Lanes, ShareWhat::Times})
    EXPECT_FALSE(has_strip(page(what, subject))) << app::row_of(what).name;
}

TEST(Landscape, NamesTheLeastAndItsReason) {
  Subject subject = subject_of("shared_stride", "en", true, 1);
  const auto plan = landscape_plan(subject, {});
  views::LandscapeCells cells(plan.size());
  views::count_landscape(plan, &cells);
  add_landscape(&subject, views::landscape_of(plan, cells, app::LandscapeMeasure::Usual));
  const scene::Scene scene = view(ViewId::Landscape, subject, 1100, 500);
  EXPECT_EQ(scene.title, "Landscape · stride × element type");
  EXPECT_THAT(words_of(scene), HasSubstr("Best for its work: "));
  EXPECT_THAT(words_of(scene), HasSubstr("bank conflict"));
  EXPECT_THAT(words_of(scene), Not(HasSubstr("1 sectors")));
  const int conflict = plan.cell_of({32, 4});
  EXPECT_THAT(views::cell_words(*app::made_of<views::Landscape>(subject.made.get(), ViewId::Landscape),
                                conflict, subject.strings),
              AllOf(HasSubstr("1,056 wavefronts in the whole grid, ideal 64"), HasSubstr("22 × the best")));
}

// Rows by block x: more rows are more work, and 4 ideal sectors no worse than one.
TEST(Landscape, CallsNothingIdealCostly) {
  for (const char* language : {"en", "zh-CN"}) {
    Subject subject = subject_of("copy_row", language, true, 0);
    app::PlotView axes;
    axes.x = "nrows", axes.y = "block_x";
    auto plan = landscape_plan(subject, axes);
    plan.x.values = {1, plan.here.x};
    plan.y.values = {8, plan.here.y};
    views::LandscapeCells cells(plan.size());
    views::count_landscape(plan, &cells);
    add_landscape(&subject, views::landscape_of(plan, cells, app::LandscapeMeasure::Sectors));
    const scene::Scene scene = view(ViewId::Landscape, subject, 1100, 500);
    EXPECT_TRUE(scene.answer_is_ideal) << scene.answer;
    EXPECT_FALSE(scene.answer_is_costly) << scene.answer;
    EXPECT_THAT(words_of(scene), Not(HasSubstr("1 sectors")));
  }
}

TEST(Times, SayOfWhichSizeAndInWhichModeTheyAre) {
  app::Catalog catalog;
  const Subject about = subject_of("transpose_shared", "en", true, 3);
  catalog.scenarios.push_back(*about.scenario);
  app::State state;
  state.settings.scenario = "transpose_shared";
  state.settings.values = scenario::defaults(*about.scenario);
  const auto caption = [&] {
    return words_of(
        page(ShareWhat::Times, share::subject_of(state, about.simulation, catalog, {}, about.strings)));
  };
  EXPECT_THAT(caption(), HasSubstr("4096 × 4096 · as written"));
  state.optimised = true;
  EXPECT_THAT(caption(), HasSubstr("4096 × 4096 · as optimised"));
}

TEST(WhileAQuestionIsOpen, NoPictureTellsTheAnswer) {
  for (const char* scenario : {"transpose_shared", "transpose_naive_row"}) {
    Subject subject = subject_of(scenario, "en", true, 0);
    const app::CostSummary summary = app::judge(*subject.simulation->now, subject.strings);
    ASSERT_THAT(words_of(page(ShareWhat::Slide, subject)), HasSubstr(summary.words));
    hide(&subject, {.costs = true, .lanes = false, .rest = true});
    for (const ShareWhat what : {ShareWhat::Slide, ShareWhat::Global, ShareWhat::Shared, ShareWhat::Source,
                                 ShareWhat::Map, ShareWhat::Steps}) {
      const std::string words = words_of(page(what, subject));
      SCOPED_TRACE(std::string(scenario) + ", " + app::row_of(what).name + ": " + words);
      for (const char* told : {"sectors", "-way", "wavefront", "conflict", "ideal"})
        EXPECT_EQ(words.find(told), std::string::npos) << told;
      EXPECT_EQ(words.find(summary.words), std::string::npos);
      EXPECT_EQ(words.find("|" + summary.figure + "|"), std::string::npos) << summary.figure;
    }
    EXPECT_THAT(words_of(page(ShareWhat::Slide, subject)), HasSubstr("|?|"));
  }
}

TEST(Tables, LanesAreWhatThePanelShows) {
  const Subject subject = subject_of("transpose_shared", "en", true, 3);
  const report::Table table = views::lanes_table(*subject.simulation, subject.strings);
  ASSERT_EQ(table.rows.size(), 32u);
  const std::string csv = table.csv(), names = csv.substr(0, csv.find("\r\n"));
  EXPECT_TRUE(names.starts_with("lane,") && names.ends_with(",wavefront")) << names;
  EXPECT_EQ(table.rows[5].front(), "5");
  EXPECT_EQ(table.rows[5].back(), "6");  // the sixth word of a bank
}

class Files : public ::testing::Test {
 protected:
  Files() {
    source_.subject = subject_of("transpose_shared", "en", true, 3);
    source_.whole = source_.subject.simulation;
    source_.name = "transpose_shared";
    source_.session = "{}\n";
  }
  Result write(ShareWhat what, ShareFormat format) {
    return carry_out({what, format, folder_, {}}, source_, Budget::endless(), nullptr);
  }
  std::string text(const fs::path& file) const { return own_.read(file); }
  std::size_t count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  const scenario::Folder own_;
  const fs::path folder_ = own_.path();
  Source source_;
};

// Locked, the access's own answer may be told, but not that of the next.
TEST_F(Files, WhatTellsTheAnswerIsNotWrittenWhileAQuestionIsOpen) {
  for (const bool locked : {false, true}) {
    source_.subject.simulation = source_.whole;
    hide(&source_.subject, {.costs = !locked, .lanes = false, .rest = true});
    const std::size_t before = count();
    const ShareWhat own = locked ? ShareWhat::Steps : ShareWhat::Lanes;
    for (const auto& [what, format] : {std::pair<ShareWhat, ShareFormat>{own, ShareFormat::Png},
                                       {own, locked ? ShareFormat::Svg : ShareFormat::Csv},
                                       {ShareWhat::Counters, ShareFormat::Csv},
                                       {ShareWhat::Source, ShareFormat::Csv},
                                       {ViewId::Map, ShareFormat::Png},
                                       {ViewId::Phases, ShareFormat::Svg},
                                       {ViewId::Timeline, ShareFormat::Svg},
                                       {ViewId::Landscape, ShareFormat::Png},
                                       {ViewId::Profile, ShareFormat::Png},
                                       {ShareWhat::Comparison, ShareFormat::Svg}})
      EXPECT_EQ(write(what, format).key, "share.hidden");
    EXPECT_EQ(count(), before);
    EXPECT_EQ(write(ShareWhat::Slide, ShareFormat::Svg).key, "");
  }
  EXPECT_EQ(write(ShareWhat::Lanes, ShareFormat::Csv).key, "") << "of the access looked at";
}

TEST_F(Files, ThePictureOfTheOtherMemoryNamesItsOwnAccess) {
  const Result other = write(ShareWhat::Global, ShareFormat::Svg);
  EXPECT_THAT(other.written.string(), HasSubstr("access4"));
  EXPECT_THAT(text(other.written), AllOf(HasSubstr("access 4 of 4"), Not(HasSubstr("next "))));
}

// A set of slides goes through accesses that may not be seen: each asks.
TEST_F(Files, EverySlideOfAQuestionAsks) {
  hide(&source_.subject, {.costs = true, .lanes = false, .rest = true});
  const Result steps = write(ShareWhat::Steps, ShareFormat::Svg);
  ASSERT_EQ(steps.key, "") << steps.words;
  EXPECT_EQ(steps.files, 4u);
  for (const char* slide : {"001.svg", "002.svg", "003.svg", "004.svg"}) {
    const std::string svg = text(steps.written / slide);
    EXPECT_THAT(svg, HasSubstr(">?</text>")) << slide;
    for (const char* told : {"sectors", "-way", "wavefront", "conflict", "ideal"})
      EXPECT_EQ(svg.find(told), std::string::npos) << slide << ": " << told;
  }
}

// The map is counted for the export where it is not on screen; what is not there is told.
TEST_F(Files, EveryViewOfTheWindowIsWritten) {
  EXPECT_EQ(write(ViewId::Map, ShareFormat::Png).key, "");
  EXPECT_EQ(write(ViewId::Phases, ShareFormat::Svg).key, "");
  EXPECT_EQ(write(ViewId::Timeline, ShareFormat::Png).key, "");
  EXPECT_EQ(write(ShareWhat::Comparison, ShareFormat::Svg).key, "share.nothing");
  EXPECT_EQ(write(ViewId::Profile, ShareFormat::Svg).key, "share.nothing") << "none is open";
  source_.subject = compared("transpose_naive_row", "transpose_shared", 4, "en");
  EXPECT_EQ(write(ShareWhat::Comparison, ShareFormat::Svg).key, "");
  source_.subject = subject_of("copy_row", "en", true, 1);
  EXPECT_EQ(write(ViewId::Phases, ShareFormat::Svg).key, "share.nothing");
  EXPECT_EQ(count(), 4u);
}

TEST_F(Files, WhatIsThereIsNotOverwritten) {
  const Result first = write(ShareWhat::Slide, ShareFormat::Svg);
  ASSERT_EQ(first.key, "");
  EXPECT_EQ(first.written.filename(), "warplens-transpose_shared-slide-access3.svg");
  own_.write(first.written.filename().string(), "mine");
  const Result second = write(ShareWhat::Slide, ShareFormat::Svg);
  EXPECT_EQ(second.written.filename(), "warplens-transpose_shared-slide-access3-2.svg");
  EXPECT_EQ(text(first.written), "mine");
}

TEST_F(Files, TheSameExportGivesTheSameBytes) {
  for (const ShareFormat format : {ShareFormat::Svg, ShareFormat::Png})
    EXPECT_EQ(text(write(ShareWhat::Slide, format).written), text(write(ShareWhat::Slide, format).written));
}

TEST_F(Files, AllOrNothing) {
  const Result nowhere = carry_out({ShareWhat::Slide, ShareFormat::Png, folder_ / "no", {}}, source_,
                                   Budget::endless(), nullptr);
  EXPECT_EQ(nowhere.key, "share.no_folder");
  EXPECT_EQ(write(ShareWhat::Times, ShareFormat::Csv).key, "share.nothing");  // there are none
  EXPECT_EQ(count(), 0u) << "something was left behind";
}

// The block is run again for each picture, within the export's own budget; so is the picture made, and the
// map counted.
TEST_F(Files, ReplayAndPicturesGoByTheBudget) {
  const std::atomic<bool> cancel{true};
  Budget cancelled({.cancel = &cancel});
  const app::Simulation& s = *source_.subject.simulation;
  EXPECT_THROW(app::moved_to(s, 1, 0, cancelled), Stopped);
  EXPECT_THROW(app::simulation_of(s.compiled, s.trace, 0, {}, 0, cancelled), Stopped);
  source_.subject.plot_view.map.scope = app::MapScope::Warp;
  for (const ShareWhat what :
       {ShareWhat(ShareWhat::Slide), ShareWhat(ShareWhat::Steps), ShareWhat(ViewId::Map)})
    EXPECT_EQ(carry_out({what, ShareFormat::Png, folder_, {}}, source_, cancelled, nullptr).key,
              "share.stopped")
        << app::row_of(what).name;
  EXPECT_EQ(count(), 0u) << "something was left behind";
}

TEST_F(Files, StepsAreANumberedSet) {
  std::atomic<double> progress{0};
  const Result steps =
      carry_out({ShareWhat::Steps, ShareFormat::Svg, folder_, {}}, source_, Budget::endless(), &progress);
  ASSERT_EQ(steps.key, "") << steps.words;
  EXPECT_EQ(steps.files, 4u);
  EXPECT_EQ(progress, 1.0);
  EXPECT_THAT(text(steps.written / "001.svg"), HasSubstr("access=1"));
  EXPECT_THAT(text(steps.written / "004.svg"), HasSubstr("access=4"));
}

TEST_F(Files, AFilmHasEveryWavefront) {
  const auto frames = film_frames(*source_.subject.simulation, true);
  EXPECT_EQ(frames.size(), 3u + 16u);  // three accesses of one wavefront or none, one of sixteen
  EXPECT_EQ(film_frames(*source_.subject.simulation, false).size(), 4u);
}

// Each has a control block in front of it; the bytes of one may be in another's data, which is rare.
std::size_t pictures_in(const std::string& gif) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = gif.find("\x21\xf9\x04", at)) != std::string::npos; ++at) ++count;
  return count;
}

TEST_F(Files, AFilmIsOneFile) {
  const Result film = write(ShareWhat::Steps, ShareFormat::Gif);
  ASSERT_EQ(film.key, "") << film.words;
  EXPECT_EQ(text(film.written).substr(0, 6), "GIF89a");
  EXPECT_EQ(count(), 1u) << "the film alone";
  EXPECT_GE(pictures_in(text(film.written)), 19u + 3 * 18u) << "and shows what moves between its moments";
  source_.subject.stills = true;
  EXPECT_NEAR(static_cast<double>(pictures_in(text(write(ShareWhat::Steps, ShareFormat::Gif).written))), 19,
              1);
}

}  // namespace
}  // namespace warplens::share
