// What the compiler made of a kernel, told from counters and machine code: made-up ones, where each case can
// be worked out by hand, and the recorded ones of an H200.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "app/measure/pack.h"
#include "app/measure/remark.h"

namespace warplens::measure {
namespace {

using testing::ElementsAre;

constexpr const char* kLoadsName = "smsp__inst_executed_op_shared_ld.sum";
constexpr const char* kStoresName = "smsp__inst_executed_op_shared_st.sum";

Measurement measured(CompileMode mode, double loads, double stores = 1024) {
  Measurement m;
  m.subject.text = "__global__ void k() {}";
  m.subject.kernel = "k";
  m.subject.mode = mode;
  m.counters.values = {{kLoadsName, loads}, {kStoresName, stores}};
  return m;
}

struct Modes {
  Measurement written = measured(CompileMode::AsWritten, 67108864);
  Measurement optimised = measured(CompileMode::AsOptimised, 67108864);
  std::vector<std::string> keys() const {
    std::vector<std::string> all;
    for (const Remark& remark : mode_difference(written, optimised)) all.push_back(remark.key);
    return all;
  }
  Remark first() const { return mode_difference(written, optimised).at(0); }
};

std::string english(const Remark& remark) {
  static const nlohmann::json texts = [] {
    std::ifstream file(WARPLENS_SOURCE_DIR "/assets/languages/measure.en.json");
    return nlohmann::json::parse(file);
  }();
  return in_words(remark, [](std::string_view key) { return texts.at(std::string(key)).get<std::string>(); });
}

TEST(ModeDifference, SaysThatNothingChanged) {
  EXPECT_EQ(
      english(Modes().first()),
      "The compiler left every shared access as it is written: 67,108,864 loads and 1,024 stores in both "
      "modes.");
}

// A tiled product as measured on an H200: half of the loads are merged by fours, 1/2 + 1/2 / 4 = 5/8 remain.
TEST(ModeDifference, TellsWhatIsExecutedAndWhatTheMachineCodeHas) {
  Modes m;
  m.written.counters.values[kLoadsName] = 67108864;
  m.optimised.counters.values[kLoadsName] = 41943040;
  m.written.machine_code = {{"LDS", 64}};
  m.optimised.machine_code = {{"LDS", 32}, {"LDS.128", 8}};
  EXPECT_EQ(english(m.first()), "Shared loads executed: 67,108,864 as written, 41,943,040 as optimised.");
  EXPECT_THAT(m.keys(), ElementsAre("difference.loads", "difference.code"));
}

TEST(ModeDifference, ComparesRegistersAndTimes) {
  Modes m;
  m.written.registers = 32;
  m.optimised.registers = 40;
  m.written.cold = summarise({10e-6, 10e-6, 10e-6});
  m.optimised.cold = summarise({8e-6, 8e-6, 8e-6});
  EXPECT_THAT(m.keys(), ElementsAre("difference.equal", "difference.registers", "difference.faster"));
  m.optimised.cold = summarise({9.0e-6, 9.9e-6, 10.8e-6});  // quartiles 0.9 us apart
  EXPECT_EQ(m.keys().back(), "difference.same_time");
  m.optimised.cold = summarise({12e-6, 12e-6, 12e-6});
  EXPECT_EQ(m.keys().back(), "difference.slower");
  m.optimised.check.state = CheckState::Wrong;
  EXPECT_EQ(m.keys().back(), "difference.registers");
}

TEST(ModeDifference, ComparesNothingThatIsNotTheSame) {
  Modes m;
  m.optimised.subject.grid.x = 7;
  EXPECT_TRUE(m.keys().empty());
  m = Modes();
  m.optimised.counters = {};
  m.optimised.counters.reason = Message::verbatim("not permitted");
  EXPECT_THAT(m.keys(), ElementsAre("difference.no_counters"));
  m.optimised.subject.mode = CompileMode::AsWritten;
  EXPECT_THAT(m.keys(), ElementsAre("difference.same_program"));
}

// The transposes have nothing to merge: a thread reads one element of the tile at a time. The one with
// 16-byte accesses has, where a tile's rows stay multiples of 8 bytes. Counters that differ from run to run,
// as the pipe's own and those of warps that diverge do, are not the compiler's doing.
TEST(ModeDifference, FindsTheRecordedTransposesUnchanged) {
  const auto pack = load_pack(WARPLENS_SOURCE_DIR "/assets/recorded/h200-transpose.json");
  ASSERT_TRUE(pack.value) << pack.errors.front();
  int pairs = 0, merged = 0;
  for (const Measurement& written : pack.value->measurements) {
    Subject other = written.subject;
    other.mode = CompileMode::AsOptimised;
    const Measurement* optimised = pack.value->find(key_of(other));
    if (written.subject.mode != CompileMode::AsWritten || optimised == nullptr) continue;
    if (written.scenario.rfind("transpose", 0) != 0) continue;
    ++pairs;
    const auto remarks = mode_difference(written, *optimised);
    ASSERT_FALSE(remarks.empty());
    const bool merges = optimised->machine_code.contains("STS.64");
    merged += merges;
    EXPECT_EQ(remarks[0].key, merges ? "difference.stores" : "difference.equal")
        << written.scenario << ": " << english(remarks[0]);
    EXPECT_TRUE(!merges || written.scenario == "transpose_float4") << written.scenario;
    for (const Remark& remark : remarks) EXPECT_EQ(english(remark).find('{'), std::string::npos);
  }
  EXPECT_EQ(merged, 2);
  EXPECT_GT(pairs, 200);
}

}  // namespace
}  // namespace warplens::measure
