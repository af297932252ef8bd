// `warplens-cli measure`, with a stand-in for the program that it starts: exit codes, files, words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/measure/pack.h"
#include "tests/gpu/measure/stand_in.h"
#include "tests/scenario/folder.h"

namespace warplens::measure {
namespace command_test {

using testing::HasSubstr;
namespace fs = std::filesystem;

class MeasureCommand : public testing::Test {
 protected:
  const scenario::Folder folder;
  const fs::path file = folder.path() / "out.json",
                 kernel = folder.write(
                     "k.cu",
                     "__global__ void k(float* a, int n) { if (threadIdx.x < n) a[threadIdx.x] = 1; }\n");
  Ran run(const std::string& how, const std::string& words) {
    const std::string gpu =
        how.empty() ? "/nonexistent/warplens-gpu" : WARPLENS_BIN_DIR "/stand-in-gpu " + how;
    return run_line("WARPLENS_GPU='" + gpu + "' " WARPLENS_BIN_DIR "/warplens-cli measure " + words);
  }
  std::string target() const { return kernel.string() + " --grid 1 --block 32 --set n=32 --set a=@32"; }
  std::string into() const { return " -o " + file.string(); }
};

TEST_F(MeasureCommand, WritesTheMeasurement) {
  const Ran ran = run("good", target() + into());
  EXPECT_EQ(ran.code, 0) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("3.00 us cold"));
  const auto measurement = load_measurement(file);
  ASSERT_TRUE(measurement.value) << measurement.errors.front();
  EXPECT_EQ(measurement.value->subject.kernel, "k");
  EXPECT_EQ(measurement.value->subject.mode, CompileMode::AsWritten);
}

TEST_F(MeasureCommand, WritesTheDocumentToStandardOutputWithoutAFile) {
  EXPECT_THAT(run("good", target()).output, HasSubstr("\"warplens.measurement/1\""));
}

// No GPU, no program, a launcher that fails, one that says nothing.
TEST_F(MeasureCommand, ExitsWith3WhereNothingMeasures) {
  const std::string via = " --via '" WARPLENS_BIN_DIR "/stand-in-gpu ends-at-once warplens-gpu'";
  for (const auto& [how, more, words] : {std::tuple{"no-gpu", std::string(), "no NVIDIA driver"},
                                         {"", std::string(), "could not be started"},
                                         {"", via, "Could not resolve hostname lab"},
                                         {"silent", std::string(" --wait 0.3"), "did not answer within"}}) {
    const Ran ran = run(how, target() + into() + more);
    EXPECT_EQ(ran.code, 3) << ran.output;
    EXPECT_THAT(ran.output, HasSubstr(words));
    EXPECT_FALSE(fs::exists(file));
  }
}

TEST_F(MeasureCommand, ExitsWith2WhereTheCommandIsWrong) {
  EXPECT_EQ(run("good", "").code, 2);
  EXPECT_EQ(run("good", "nobody.cu" + into()).code, 2);
  EXPECT_EQ(run("good", target() + " --mode fast").code, 2);
  const Ran endless = run("good", kernel.string() + " --grid 1 --block 32 --set n=32" + into());
  EXPECT_EQ(endless.code, 2);
  EXPECT_THAT(endless.output, HasSubstr("length of every buffer"));
  EXPECT_THAT(run("good", into()).output, HasSubstr("tools/record.py"));
}

TEST_F(MeasureCommand, TellsAnotherVersionOfTheProgram) {
  EXPECT_THAT(run("older", target() + into()).output, HasSubstr("warplens-gpu is version 0.0.9"));
}

TEST_F(MeasureCommand, ExitsWith4AtTheDeadline) {
  EXPECT_EQ(run("endless", target() + into() + " --deadline 0.2").code, 4);
}

TEST_F(MeasureCommand, PrintsTheRequestForOtherTools) {
  const Ran ran = run("good", target() + " --request --samples 0");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(nlohmann::json::parse(ran.output).at("subject").at("kernel"), "k");
}

TEST_F(MeasureCommand, BuffersThatNobodyGivesALengthReachAsFarAsTheLaunch) {
  const Ran ran = run("good", kernel.string() + " --request");
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.output, HasSubstr("--set a=@"));
}

}  // namespace command_test
}  // namespace warplens::measure
