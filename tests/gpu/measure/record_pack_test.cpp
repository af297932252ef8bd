// A pack is recorded whole, goes on after an interruption, and says what went wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "app/measure/pack.h"
#include "tests/scenario/folder.h"

namespace warplens::measure {
namespace record_pack_test {

using testing::HasSubstr;
namespace fs = std::filesystem;

class RecordPack : public testing::Test {
 protected:
  const scenario::Folder folder;
  const fs::path file = folder.path() / "pack.json", partial = folder.path() / "pack.json.partial";

  static PackPlan plan(int count) {
    PackPlan p;
    for (int i = 1; i <= count; ++i) {
      MeasureRequest r;
      r.subject.text = "__global__ void k(int n) {}";
      r.subject.kernel = "k";
      r.subject.arguments = {{"n", sim::ScalarType::I32, std::int64_t{i}}};
      r.useful_bytes = 128;
      p.measurements.push_back({"k n=" + std::to_string(i), key_of(r.subject), r});
    }
    return p;
  }
  Recorded record(const std::string& how, const PackPlan& p, const std::atomic<bool>* stop = nullptr) {
    GpuClient client({WARPLENS_BIN_DIR "/stand-in-gpu", how}, ClientOptions{});
    RecordOptions options;
    options.file = file;
    options.title = "test";
    options.stop = stop;
    options.progress = [this](const RecordProgress& at, const std::string&) { seen.push_back(at); };
    return record_pack(p, client, options);
  }
  std::vector<RecordProgress> seen;
};

TEST_F(RecordPack, WritesWhatWasPlannedAndNothingBesideIt) {
  const Recorded recorded = record("good", plan(3));
  EXPECT_FALSE(recorded.stopped);
  EXPECT_EQ(recorded.measured, 3u);
  EXPECT_EQ(seen.back().done, 3u);
  EXPECT_EQ(seen.back().left, 0u);
  const auto pack = load_pack(file);
  ASSERT_TRUE(pack.value) << pack.errors.front();
  EXPECT_EQ(pack.value->measurements.size(), 3u);
  EXPECT_EQ(pack.value->device.name, "Stand-in GPU");
  for (const auto& planned : plan(3).measurements) EXPECT_NE(pack.value->find(planned.key), nullptr);
  EXPECT_FALSE(fs::exists(partial));
}

TEST_F(RecordPack, GoesOnAfterAnInterruption) {
  record("good", plan(2));
  const auto first = load_pack(file);
  // What an interrupted run of five leaves: two lines, and a torn third.
  std::ofstream out(partial);
  for (Measurement m : first.value->measurements) {
    m.device = first.value->device;
    out << to_json(m).dump() << "\n";
  }
  out << "{\"schema\": \"warplens.measurement/1\", \"subj";
  out.close();
  seen.clear();
  const Recorded recorded = record("good", plan(5));
  EXPECT_EQ(recorded.taken_over, 2u);
  EXPECT_EQ(recorded.measured, 3u);
  EXPECT_EQ(load_pack(file).value->measurements.size(), 5u);
  // What is left to wait for is what is left to be measured.
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen.front().done, 3u);
  EXPECT_EQ(seen.front().left, 2u);
  EXPECT_EQ(seen.back().left, 0u);
}

TEST_F(RecordPack, WritesNothingWithoutAGpu) {
  const Recorded recorded = record("no-gpu", plan(2));
  ASSERT_TRUE(recorded.stopped);
  EXPECT_EQ(recorded.stopped->kind, FailureKind::NoGpu);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST_F(RecordPack, StopsWhenTold) {
  const std::atomic<bool> stop{true};
  const Recorded recorded = record("endless", plan(2), &stop);
  ASSERT_TRUE(recorded.stopped);
  EXPECT_EQ(recorded.stopped->kind, FailureKind::Cancelled);
  EXPECT_FALSE(fs::exists(file));
}

TEST_F(RecordPack, ReportsEachFailureAndGoesOn) {
  const Recorded recorded = record("sticky", plan(2));
  EXPECT_EQ(recorded.problems.size(), 2u);
  EXPECT_THAT(recorded.problems.front(), HasSubstr("k n=1: illegal address"));
  ASSERT_TRUE(recorded.stopped);  // nothing was measured at all
}

}  // namespace record_pack_test
}  // namespace warplens::measure
