// `check`: a prediction against measurements made up for the purpose.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <tuple>

#include "app/measure/gpu_client.h"
#include "app/measure/pack.h"
#include "kernels/protocol/measurement.h"
#include "sim/scenario/target.h"
#include "tests/cli/run_cli.h"
#include "tests/scenario/folder.h"

namespace warplens::cli_test::check_test {

using measure::CompileMode;
using ::testing::HasSubstr;

constexpr const char* kLoads = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
constexpr const char* kTags = "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_ld.sum";
constexpr const char* kSharedLoads = "smsp__sass_inst_executed_op_shared_ld.sum";
constexpr const char* kWavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";

// transpose_shared, 64 x 64 in blocks of 32 x 16, no padding: 128 requests, 512 sectors, 16 wavefronts a
// request.
measure::Measurement right(CompileMode mode = CompileMode::AsWritten) {
  const scenario::Target target{.what = WARPLENS_SOURCE_DIR "/kernels/transpose_shared.scenario.json",
                                .block = "32,16",
                                .sets = {"nrows=64", "ncols=64", "pad=0"}};
  auto setup = scenario::resolve(target);
  auto prepared = scenario::prepare(*setup.value, memory::default_gpu_model());
  measure::Measurement m;
  m.subject = measure::make_request(prepared.value->setup, prepared.value->program, mode).value->subject;
  m.subject.text_hash = measure::hash_text(m.subject.text);
  m.key = measure::key_of(m.subject);
  m.device.name = "Made-up GPU";
  m.when = "2025-01-01T00:00:00Z";
  m.cold = measure::summarise({1e-5, 1e-5});
  m.warm = m.cold;
  m.check.state = measure::CheckState::Right;
  m.counters.values = {{kLoads, 512}, {kSharedLoads, 128}, {kWavefronts, 2048}, {"dram__bytes_read.sum", 7}};
  return m;
}

class Check : public ::testing::Test {
 protected:
  Ran check(const measure::Measurement& m, std::vector<std::string> more = {}) {
    const std::string file = folder_.write("m.json", measure::to_json(m).dump(1)).string();
    std::vector<std::string> words = {
        "check", "transpose_shared", "--block", "32,16", "--set",     "nrows=64",
        "--set", "ncols=64",         "--set",   "pad=0", "--against", file};
    words.insert(words.end(), more.begin(), more.end());
    return run_cli(words);
  }
  scenario::Folder folder_;
};

TEST_F(Check, APackThatCannotBeIsRefusedByItsField) {
  std::ifstream recorded(WARPLENS_SOURCE_DIR "/assets/recorded/h200-transpose.json");
  nlohmann::json sound = nlohmann::json::parse(recorded);
  sound["measurements"].erase(sound["measurements"].begin() + 2, sound["measurements"].end());
  const std::tuple<const char*, nlohmann::json, const char*> lies[] = {
      {"/measurements/0/cold/samples_ns/0", -5, "samples"},
      {"/measurements/0/counters/values/dram__bytes_read.sum", -1, "dram__bytes_read.sum: is not a count"},
      {"/measurements/0/cold/samples_ns/0", "soon", "samples_ns"},
      {"/measurements/1/check/checked", "maybe", "checked"},
      {"/measurements/1/when", "yesterday", "when"},
      {"/measurements/0/subject/grid", {0, 1, 1}, "grid"},
      {"/device/compute_capability", "nine", "compute_capability"}};
  for (const auto& [at, value, words] : lies) {
    nlohmann::json pack = sound;
    pack[nlohmann::json::json_pointer(at)] = value;
    const std::string file = folder_.write("p.json", pack.dump()).string();
    const Ran ran = run_cli({"check", "transpose_shared", "--against", file});
    EXPECT_EQ(ran.code, 2) << at;
    EXPECT_THAT(ran.err, HasSubstr(words));
  }
}

TEST_F(Check, EqualCountersPass) {
  const Ran ran = check(right(), {"--json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.json()["passed"], true);
  EXPECT_EQ(ran.json()["counters"].size(), 3u);
  EXPECT_EQ(ran.json()["gpu"], "Made-up GPU");
}

TEST_F(Check, WhatArbitrationAddedIsTold) {
  measure::Measurement m = right();
  m.counters.values[kWavefronts] = 2200;
  const nlohmann::json document = check(m, {"--json"}).json();
  bool told = false;
  for (const auto& counter : document["counters"]) {
    if (counter["name"] != kWavefronts) continue;
    told = counter["residual"] == 152 && counter["note"] == "also counts arbitration with other traffic";
  }
  EXPECT_TRUE(told);
}

// Arbitration may add wavefronts but not take them away; misses may be looked up again in the tags, but no
// line left out; a compiler merges accesses and drops some, but never executes more than written, nor none.
TEST_F(Check, WhatMayDifferAndHowFar) {
  constexpr auto kWritten = CompileMode::AsWritten, kOptimised = CompileMode::AsOptimised;
  constexpr const char* kExact = "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum";
  for (const auto& [counter, mode, measured, code, words] :
       {std::tuple{kLoads, kWritten, 513, 1, "WRONG"},
        {kWavefronts, kWritten, 2200, 0, ""},
        {kWavefronts, kWritten, 3072, 0, ""},
        {kWavefronts, kWritten, 3277, 1, ""},
        {kWavefronts, kWritten, 2000, 1, ""},
        {kTags, kWritten, 128, 0, ""},
        {kTags, kWritten, 200, 0, ""},
        {kTags, kWritten, 300, 1, ""},
        {kTags, kWritten, 100, 1, ""},
        {kSharedLoads, kOptimised, 64, 0, ""},
        {kSharedLoads, kWritten, 64, 1, ""},
        {kExact, kWritten, 2175, 1, "differs"},
        {kExact, kWritten, 2177, 1, "differs"},
        {kExact, kOptimised, 2176, 0, "equal"},
        {kExact, kOptimised, 2175, 0, "merge"},
        {kExact, kOptimised, 2177, 1, "more than written"},
        {kExact, kOptimised, 0, 1, "none at all"}}) {
    measure::Measurement m = right(mode);
    m.counters.values = {{counter, measured}};
    const Ran ran = check(m);
    EXPECT_EQ(ran.code, code) << counter << " " << measured << ran.err;
    EXPECT_THAT(ran.out, HasSubstr(words)) << counter << " " << measured;
  }
}

TEST_F(Check, AWrongOutputFails) {
  measure::Measurement m = right();
  m.check.state = measure::CheckState::Wrong;
  EXPECT_EQ(check(m).code, 1);
}

TEST_F(Check, WithoutCountersNothingIsDecided) {
  measure::Measurement m = right();
  m.counters.values.clear();
  m.counters.reason = Message::verbatim("no permission");
  const Ran ran = check(m);
  EXPECT_EQ(ran.code, 2) << "another file would do";
  EXPECT_THAT(ran.err, HasSubstr("no permission"));
}

TEST_F(Check, AMeasurementOfSomethingElseIsRefused) {
  const std::string file = folder_.write("m.json", measure::to_json(right()).dump()).string();
  const Ran ran = run_cli({"check", "transpose_shared", "--set", "nrows=96", "--against", file});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("something else: another launch"));
}

TEST_F(Check, ARecordedPackIsSearchedForTheTarget) {
  measure::Pack pack;
  pack.title = "made up";
  pack.device = right().device;
  pack.measurements = {right()};
  const std::string file = folder_.write("pack.json", measure::pack_text(pack)).string();
  const std::vector<std::string> words = {
      "check", "transpose_shared", "--block",   "32,16", "--set", "nrows=64",
      "--set", "ncols=64",         "--against", file};
  EXPECT_EQ(run_cli(words).code, 0) << run_cli(words).err;
  std::vector<std::string> other = words;
  other[5] = "nrows=65";
  const Ran ran = run_cli(other);
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("holds no measurement of exactly this"));
}

}  // namespace warplens::cli_test::check_test
