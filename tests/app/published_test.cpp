// Figures that others published: read strictly, told as what they are, and never on the axis of a
// measurement.
#include "app/readout/words/published.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "app/picture/pictures.h"
#include "app/readout/profiler_names.h"
#include "app/state/chosen_kernel.h"
#include "sim/memory/nvprof.h"
#include "sim/trace/trace.h"
#include "tests/app/gallery.h"

namespace warplens::app {
namespace published_test {

using language::Strings;
using measure::PublishedEntry;
using measure::PublishedPack;
using testing::HasSubstr;

const std::filesystem::path kSource = WARPLENS_SOURCE_DIR;

const Strings& strings_of(const char* language) {
  static std::map<std::string, Strings> known;
  std::string error;
  auto [place, is_new] = known.try_emplace(language);
  if (is_new) place->second = Strings::load(kSource / "assets" / "languages", language, &error);
  EXPECT_EQ(error, "");
  return place->second;
}

const std::vector<PublishedPack>& shipped() {
  static const auto packs = measure::load_published_packs(kSource / "assets" / "published");
  EXPECT_TRUE(packs.errors.empty());
  return *packs.value;
}

PublishedOf of(const char* scenario) {
  PublishedOf out{shipped(), gallery().find(scenario)};
  out.ladder = gallery().ladder_of(*out.here);
  return out;
}

const PublishedEntry& entry_of(const char* ladder, const char* scenario, std::size_t pack = 0) {
  for (const PublishedEntry& entry : published_of(shipped(), ladder).at(pack)->entries)
    if (entry.is_about(scenario)) return entry;
  throw std::runtime_error(scenario);
}

// The first error of a file with this text.
std::string error_of(const std::string& text) {
  const auto file = std::filesystem::path(testing::TempDir()) / "figures.json";
  std::ofstream(file) << text;
  const auto read = measure::load_published(file);
  return read.value ? "" : read.errors.front().english();
}

std::string document(const std::string& entry, const std::string& more = "") {
  return R"({"schema": "warplens.published/1", "title": "t", "source": "s", "ladder": "transpose")" + more +
         ",\n\"entries\": [" + entry + "]}";
}

TEST(Published, WhatComesWithTheProgramIsWhatTheNotesSay) {
  const PublishedPack& p2000 = *published_of(shipped(), "transpose").at(0);
  EXPECT_EQ(p2000.gpu, "Quadro P2000");
  EXPECT_EQ(p2000.size, (scenario::ParameterValues{{"ncols", 4096}, {"nrows", 4096}}));
  struct Row {
    const char* scenario;
    double seconds, loads, stores, efficiency;
  };
  for (const Row& row :
       {Row{"copy_row", 1.356e-3, 16, 4, 100}, Row{"transpose_naive_row", 4.451e-3, 16, 32, 12.5},
        Row{"transpose_shared", 2.331e-3, 16, 4, 100}}) {
    const PublishedEntry& entry = entry_of("transpose", row.scenario);
    EXPECT_DOUBLE_EQ(entry.seconds, row.seconds) << row.scenario;
    EXPECT_EQ(entry.counters.at("gld_transactions_per_request"), row.loads) << row.scenario;
    EXPECT_EQ(entry.counters.at("gst_transactions_per_request"), row.stores) << row.scenario;
    EXPECT_EQ(entry.counters.at("gst_efficiency"), row.efficiency) << row.scenario;
  }
  std::vector<double> milliseconds;
  for (const PublishedEntry& entry : published_of(shipped(), "sgemm").at(0)->entries)
    milliseconds.push_back(1e3 * entry.seconds);
  EXPECT_THAT(milliseconds, testing::Pointwise(testing::DoubleNear(1e-9),
                                               {15.338, 1.741, 1.466, 0.587, 0.568, 0.564, 0.473, 0.200}));
  const PublishedEntry &before = entry_of("sgemm", "sgemm_naive", 1),
                       &after = entry_of("sgemm", "sgemm_coalesced_2d", 1);
  EXPECT_EQ(before.gb_per_second, 15);
  EXPECT_EQ(after.gb_per_second, 110);
  EXPECT_EQ(before.gflop_per_second, 300);
  EXPECT_EQ(after.gflop_per_second, 2000);
}

TEST(Published, EveryRungIsOnItsLadderAndEveryTextInEveryLanguage) {
  for (const PublishedPack& pack : shipped()) {
    const auto has_both = [&](const scenario::LocalText& text) {
      EXPECT_TRUE(text.empty() || (text.contains("en") && text.contains("zh-CN"))) << pack.file;
    };
    has_both(pack.title), has_both(pack.source);
    for (const PublishedEntry& entry : pack.entries) {
      has_both(entry.label), has_both(entry.note);
      for (const std::string& rung : entry.rungs) {
        const scenario::Scenario* found = gallery().find(rung);
        ASSERT_NE(found, nullptr) << rung;
        EXPECT_EQ(found->ladder, pack.ladder) << rung;
      }
    }
  }
}

// Counted from the addresses of the rungs' first block, as nvprof counted them on a Quadro P2000.
TEST(Published, TransactionsOfThePascalGpuFollowFromItsModel) {
  const memory::GpuModel& gpu = *memory::find_gpu_model("sm_61");
  for (const char* name : {"copy_row", "transpose_naive_row", "transpose_shared"}) {
    const scenario::Scenario& rung = *gallery().find(name);
    auto prepared =
        scenario::prepare(*scenario::make_setup(rung, scenario::defaults(rung), rung.text).value, gpu);
    ASSERT_TRUE(prepared.value) << name;
    const sim::Trace trace =
        sim::trace_block(prepared.value->program, prepared.value->setup.launch, gpu, {0, 0, 0});
    for (std::size_t event = 0; event < trace.events.size(); ++event) {
      const memory::WarpAccess access = trace.access(prepared.value->program, event);
      if (access.space != memory::Space::Global) continue;
      const char* counter =
          access.op == memory::Op::Load ? "gld_transactions_per_request" : "gst_transactions_per_request";
      EXPECT_EQ(memory::count_nvprof_transactions(access, gpu),
                entry_of("transpose", name).counters.at(counter))
          << name;
    }
  }
}

TEST(Published, MistakesNameFileLineAndField) {
  const std::string good = R"({"label": "a", "rungs": ["copy_row"], "seconds": 1})";
  EXPECT_EQ(error_of(document(good)), "");
  const auto says = [](const std::string& text, const std::string& field) {
    EXPECT_THAT(error_of(text), testing::AllOf(HasSubstr("figures.json:"), HasSubstr(field))) << text;
  };
  says(document(good, R"(, "colour": 1)"), "colour");
  says(document(R"({"label": "a", "rungs": ["copy_row"], "second": 1})"), "entries[0].second");
  says(document(R"({"label": "a", "rungs": ["copy_row"], "seconds": 0})"), "entries[0].seconds");
  says(document(R"({"label": "a", "rungs": ["copy_row"], "seconds": -1})"), "entries[0].seconds");
  says(document(R"({"label": "a", "rungs": ["copy_row"], "seconds": "1 ms"})"), "entries[0].seconds");
  says(document(R"({"label": "a", "rungs": ["copy_row"]})"), "entries[0]");
  says(document(R"({"label": "a", "seconds": 1})"), "entries[0]");
  says(document(R"({"rungs": ["copy_row"], "seconds": 1})"), "entries[0].label");
  says(document(good + "," + good), "entries[1].rungs[0]");
  says(document(R"({"label": "a", "rungs": ["copy_row"], "seconds": 1, "counters": {"x": -1}})"),
       "entries[0].counters.x");
  says(document(good, R"(, "gpu": {"name": "g", "model": "sm_1"})"), "gpu.model");
  says(document(good, R"(, "size": {"n": 0})"), "size.n");
  says(document(""), "entries");
  says(R"({"schema": "warplens.published/2"})", "schema");
  says(R"({"schema": "warplens.pack/1"})", "schema");
}

TEST(Published, IsSaidToBePublishedByOthersAndNotMeasured) {
  for (const char* language : {"en", "zh-CN"}) {
    const Strings& strings = strings_of(language);
    const std::string never = std::string(language) == "en" ? "not measured here" : "并非在此测得";
    for (const char* name : {"transpose_shared", "sgemm_naive"}) {
      const PublishedLine line = published_line(shipped(), gallery().find(name), strings);
      EXPECT_THAT(line.words, HasSubstr(never));
      EXPECT_THAT(line.tip, HasSubstr(never));
      for (const scene::PublishedFigure& figure : published_view(of(name), true, strings).figures) {
        EXPECT_THAT(figure.source, HasSubstr(never));
        for (const scene::PublishedRow& row : figure.rows) EXPECT_THAT(row.tooltip, HasSubstr(never));
      }
    }
  }
  EXPECT_THAT(published_line(shipped(), gallery().find("transpose_shared"), strings_of("en")).words,
              testing::AllOf(HasSubstr("2.331 ms"), HasSubstr("Quadro P2000")));
  EXPECT_EQ(published_line(shipped(), gallery().find("transpose_swizzle"), strings_of("en")).words, "");
}

TEST(Published, SixteenTransactionsAreExplainedByTheModelsNumbers) {
  const auto notes = published_view(of("copy_row"), true, strings_of("en")).notes;
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0], testing::AllOf(HasSubstr("16 transactions"), HasSubstr("8 threads a part"),
                                       HasSubstr("4 parts"), HasSubstr("touch 4")));
  EXPECT_TRUE(published_view(of("sgemm_naive"), true, strings_of("en")).notes.empty());
}

TEST(Published, RatesHaveFiguresOfTheirOwn) {
  const auto figures = published_view(of("sgemm_coalesced_2d"), true, strings_of("en")).figures;
  ASSERT_EQ(figures.size(), 3u);
  EXPECT_EQ(figures[0].unit, scene::TimeUnit::Time);
  EXPECT_EQ(figures[1].unit, scene::TimeUnit::Bytes);
  EXPECT_EQ(figures[2].unit, scene::TimeUnit::Operations);
  EXPECT_THAT(figures[0].heading, HasSubstr("GPU not named"));
  EXPECT_THAT(figures[1].heading, HasSubstr("A6000"));
  for (const auto& figure : figures) {
    const auto current = std::ranges::find_if(figure.rows, &scene::PublishedRow::current);
    ASSERT_NE(current, figure.rows.end());
    EXPECT_EQ(current->rung, 2);
  }
}

scene::Canvas canvas(float width, float height, const Strings& strings) {
  scene::Canvas canvas;
  canvas.width = width, canvas.height = height;
  canvas.palette = &scene::dark_palette();
  canvas.strings = &strings;
  return canvas;
}

TimesApart apart_with(double measured_seconds) {
  TimesApart apart;
  apart.published = published_view(of("transpose_naive_row"), true, strings_of("en"));
  apart.heading = "NVIDIA H200 · 4096 × 4096";
  for (const double factor : {1.0, 2.0}) {
    scene::TimeBar bar;
    bar.label = "bar";
    bar.median_seconds = bar.low_seconds = bar.high_seconds = factor * measured_seconds;
    bar.recorded = true;
    apart.measured.bars.push_back(bar);
  }
  return apart;
}

// Where the published marks stand, left to right: layer 1 of what is published holds nothing else.
std::vector<float> marks_of(const scene::Scene& scene) {
  std::vector<float> out;
  for (const scene::Layer& layer : scene.layers)
    for (const scene::Cell& cell : layer.cells)
      if (cell.rect.width < 5 && cell.rect.width >= 2 && cell.rect.height > 8 && cell.rect.height < 16)
        out.push_back(cell.rect.x);
  return out;
}

// Their places do not depend on what was measured, and no length of a cell depends on what was published.
TEST(Published, StandsOnAnAxisOfItsOwn) {
  const Strings& strings = strings_of("en");
  for (const float width : {560.0f, 1200.0f}) {
    const scene::Scene fast = picture::published_times(apart_with(50e-6), canvas(width, 560, strings)),
                       slow = picture::published_times(apart_with(5), canvas(width, 560, strings));
    EXPECT_EQ(marks_of(fast).size(), 3u) << "each a tick";
    EXPECT_EQ(marks_of(fast), marks_of(slow)) << width;
    TimesApart tenfold = apart_with(50e-6);
    for (auto& row : tenfold.published.figures[0].rows) row.amount *= 10;
    const scene::Scene other = picture::published_times(tenfold, canvas(width, 560, strings));
    std::vector<float> widths_a, widths_b;
    const auto widths = [](const scene::Scene& scene) {
      std::vector<float> out;
      for (const auto& layer : scene.layers)
        for (const auto& cell : layer.cells)
          if (cell.hatch > 0) out.push_back(cell.rect.width);
      return out;
    };
    EXPECT_EQ(widths(fast).size(), 2u) << "the measured bars, and no published one";
    EXPECT_EQ(widths(fast), widths(other));
  }
}

// Headings of both, source and scale: each as text on the picture.
TEST(Published, BothAreHeaded) {
  const Strings& strings = strings_of("en");
  for (const float width : {560.0f, 1200.0f}) {
    const scene::Scene scene = picture::published_times(apart_with(50e-6), canvas(width, 560, strings));
    std::string texts;
    for (const auto& layer : scene.layers)
      for (const auto& label : layer.labels) texts += label.text + "\n";
    EXPECT_THAT(texts, testing::AllOf(HasSubstr("NVIDIA H200 · 4096 × 4096"),
                                      HasSubstr("Quadro P2000 (Pascal) · 4096 × 4096"),
                                      HasSubstr("published in lecture notes, not measured here"),
                                      HasSubstr("4.451 ms"), HasSubstr("gld/request")))
        << width;
  }
}

TEST(ProfilerNames, ThePageIsTheTable) {
  std::ifstream file(kSource / "docs" / "nvprof.md");
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string table = profiler_names_page(strings_of("en"));
  EXPECT_THAT(page, HasSubstr(table)) << "docs/nvprof.md has to hold this table";
}

TEST(ProfilerNames, TranslateBothWays) {
  EXPECT_EQ(find_profiler_name("gld_transactions")->counter,
            "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
  EXPECT_EQ(nvprof_names_of("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"), "gst_transactions");
  EXPECT_EQ(nvprof_names_of("no_such_counter"), "");
  EXPECT_EQ(nvprof_names_of(""), "");
  EXPECT_EQ(find_profiler_name("no_such_name"), nullptr);
  EXPECT_THAT(profiler_name_tip("gst_efficiency", strings_of("en")),
              HasSubstr("smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct"));
  EXPECT_THAT(profiler_name_tip("shared_load_transactions_per_request", strings_of("en")), HasSubstr("none"));
}

}  // namespace published_test
}  // namespace warplens::app
