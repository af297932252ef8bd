// A profile of Nsight Compute in a session: opened, beside the prediction, hidden, kept.
#include "app/views/profile.h"

#include <gmock/gmock.h>

#include "app/storage/files.h"
#include "app/storage/session_file.h"
#include "tests/app/desk.h"
#include "tests/scenario/folder.h"

namespace warplens::app::profile_test {

using explain::Agreement;
using ::testing::HasSubstr;

const std::string kHeader =
    "\"ID\",\"Process ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"Metric Name\",\"Metric "
    "Unit\",\"Metric Value\"\n";

// Of transpose_shared at 1024 x 1024 with blocks of 32 x 16.
std::string conflicts(const std::string& id, const std::string& kernel, const std::string& value) {
  return "\"" + id + "\",\"1\",\"" + kernel +
         "\",\"(32, 16, 1)\",\"(32, 64, "
         "1)\",\"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum\",\"\",\"" +
         value + "\"\n";
}

struct Desk : PlotDesk {
  Desk() : PlotDesk("transpose_shared") {
    for (const auto& [name, value] :
         {std::pair{"nrows", 1024}, {"ncols", 1024}, {"block_x", 32}, {"block_y", 16}, {"pad", 0}})
      set(name, value);
  }
  void open(const std::string& text, const std::string& name = "ncu.csv") {
    const auto file = folder.write(name, text);
    for (const Action& action : perform(ReadFile{file.string()}, state, gallery(), {})) act(action);
  }
  std::shared_ptr<const views::ProfileReading> reading() const {
    return made_of<views::ProfileReading>(made.get(), ViewId::Profile);
  }
  const explain::ExplainedCounter& first() const { return reading()->explanation.counters.at(0); }

  scenario::Folder folder;
};

TEST(Profile, ADropIsReadBesideWhatIsOnScreen) {
  Desk d;
  d.open(kHeader + conflicts("0", "void transpose_shared<32, 16, 0>(float*)", "492,520"));
  EXPECT_EQ(d.state.shown, ViewId::Profile);
  ASSERT_TRUE(d.reading());
  EXPECT_EQ(d.first().predicted, 491'520.0) << "32,768 loads, 15 conflicts each";
  ASSERT_EQ(d.first().parts.size(), 2u);
  EXPECT_EQ(d.first().parts[1].amount, 1'000.0);
  const auto before = d.reading();
  d.derive();
  EXPECT_EQ(d.reading(), before) << "nothing changed, nothing is read again";
  d.act(SetParameter{"pad", 1, {}});
  EXPECT_EQ(d.first().state, Agreement::Unexplained) << "it was profiled without padding";
  d.act(SetParameter{"nrows", 2048, {}});
  ASSERT_EQ(d.reading()->trouble.size(), 1u);
  EXPECT_THAT(d.reading()->trouble[0].english(), HasSubstr("32 x 64 / 32 x 16"));
}

TEST(Profile, OfAnotherKernelLeavesTheStateAsItWas) {
  Desk d;
  d.open(kHeader + conflicts("0", "transpose_shared", "1"));
  d.act(ShowView{});
  const auto before = d.state.profile;
  d.open(kHeader + conflicts("0", "reduce(float*)", "1"));
  EXPECT_EQ(d.state.profile, before);
  EXPECT_EQ(d.state.shown, ViewId::Memory);
  ASSERT_TRUE(d.state.notice);
  EXPECT_EQ(d.state.notice->key, "explain.other_kernel");
  EXPECT_THAT(d.state.notice->words.english(), HasSubstr("no launch of transpose_shared; it has reduce (1)"));
}

TEST(Profile, AFileThatIsNoneIsToldWithItsPlace) {
  Desk d;
  d.open(kHeader + "\"0\",\"1\"\n");
  ASSERT_TRUE(d.state.notice);
  EXPECT_THAT(d.state.notice->words.english(), HasSubstr("ncu.csv: line 2: the row has 2 cells"));
  d.open(std::string("NVR\0", 4), "report.ncu-rep");
  EXPECT_THAT(d.state.notice->words.english(), HasSubstr("ncu --import"));
  EXPECT_EQ(d.state.profile, nullptr);
}

TEST(Profile, TabGoesThroughTheKernelsLaunches) {
  Desk d;
  d.open(kHeader + conflicts("3", "transpose_shared", "491,520") + conflicts("4", "other", "1") +
         conflicts("5", "transpose_shared", "491,521"));
  EXPECT_EQ(d.reading()->launch().id, "3");
  EXPECT_EQ(d.reading()->choice.others.size(), 1u);
  const auto tab = [&](bool shift) { d.key(Key::Tab, shift); };
  tab(false);
  EXPECT_EQ(d.reading()->launch().id, "5");
  tab(false);
  EXPECT_EQ(d.reading()->launch().id, "3");
  tab(true);
  EXPECT_EQ(d.reading()->launch().id, "5");
}

TEST(Profile, TellsNothingWhileAQuestionIsOpen) {
  Desk d;
  d.open(kHeader + conflicts("0", "transpose_shared", "491,520"));
  d.act(SetPredicting{true});
  EXPECT_EQ(d.made, nullptr);
}

TEST(Profile, ASessionKeepsIt) {
  Desk d;
  d.open(kHeader + conflicts("0", "transpose_shared", "491,520") +
         conflicts("1", "transpose_shared", "491,777"));
  d.act(StepProfileLaunch{1});
  const auto file = d.folder.write("kept.warplens.json", to_json(d.state, *d.seen).dump());
  const auto loaded = load_session(file, gallery());
  ASSERT_TRUE(loaded) << loaded.errors.front();
  EXPECT_EQ(loaded.value->shown, ViewId::Profile);
  EXPECT_EQ(loaded.value->plot.launch, "1");
  ASSERT_TRUE(loaded.value->profile);
  EXPECT_EQ(loaded.value->profile->file, "ncu.csv");
  const auto& launches = loaded.value->profile->profile.launches;
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(launches[1].grid, (sim::Dim3{32, 64, 1}));
  EXPECT_EQ(launches[1].metrics.at(0).value, 491'777);
  // Dropped onto a window, it is shown there.
  Desk other;
  for (const Action& action : perform(ReadFile{file.string()}, other.state, gallery(), {})) other.act(action);
  EXPECT_EQ(other.state.shown, ViewId::Profile);
  EXPECT_TRUE(other.reading());
}

TEST(Profile, OfASessionThatIsWrongIsRefused) {
  Desk d;
  d.open(kHeader + conflicts("0", "transpose_shared", "491,520"));
  auto session = to_json(d.state, *d.seen);
  session["profile"]["launches"][0]["grid"] = {0, 1, 1};
  const auto file = d.folder.write("bad.warplens.json", session.dump());
  const auto loaded = load_session(file, gallery());
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.errors.front().english(), HasSubstr("grid"));
}

}  // namespace warplens::app::profile_test
