// Lessons on the command line: listed, validated, and a student's attempt graded by exit code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>

#include "tests/cli/run_cli.h"
#include "tests/scenario/folder.h"

namespace warplens::cli_test {
namespace {

using ::testing::HasSubstr;

const std::string kLessons = WARPLENS_SOURCE_DIR "/assets/lessons/";
const std::string kPadding = kLessons + "10-padding.lesson.json";

TEST(CliLessons, AreListedAndSound) {
  const auto listed = run_cli({"list", "lessons", "--lang", "zh-CN"});
  EXPECT_EQ(listed.code, 0);
  EXPECT_THAT(listed.out, HasSubstr("三十二个存储体"));
  const auto sound = run_cli({"validate", kPadding});
  EXPECT_EQ(sound.code, 0) << sound.err;
  EXPECT_THAT(sound.out, HasSubstr("lesson padding: 4 steps, 4 predictions"));
}

TEST(CliLessons, GradeByExitCode) {
  const auto solved = run_cli({"check", "transpose_shared", "--set", "pad=2", "--against", kPadding});
  EXPECT_EQ(solved.code, 0) << solved.err;
  EXPECT_THAT(solved.out, HasSubstr("passed"));
  const auto missed = run_cli({"check", "transpose_shared", "--set", "pad=1", "--against", kPadding});
  EXPECT_EQ(missed.code, 1);
  EXPECT_THAT(missed.out, HasSubstr("not passed"));
  const auto not_free = run_cli({"check", "transpose_shared", "--set", "ncols=8", "--against", kPadding});
  EXPECT_EQ(not_free.code, 2);
  EXPECT_THAT(not_free.err, HasSubstr("does not leave \"ncols\" free"));
  const auto other = run_cli({"check", "copy", "--against", kPadding});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("is about transpose_shared, not copy"));
}

TEST(CliLessons, GradeWhatWasPasted) {
  EXPECT_EQ(run_cli({"check", "warplens:transpose_shared?pad=2", "--against", kPadding}).code, 0);
  EXPECT_EQ(run_cli({"check", "warplens:transpose_shared?pad=1", "--against", kPadding}).code, 1);
  // --set goes before.
  EXPECT_EQ(
      run_cli({"check", "warplens:transpose_shared?pad=2", "--set", "pad=1", "--against", kPadding}).code, 1);
  const auto wrong = run_cli({"check", "warplens:transpose_shared?pad=99", "--against", kPadding});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("pad"));
}

// Of a scenario of one's own the kernel beside it is graded, not the gallery's.
TEST(CliLessons, GradeTheKernelOfAScenarioFile) {
  const scenario::Folder folder;
  const std::filesystem::path kernels = WARPLENS_SOURCE_DIR "/kernels";
  std::filesystem::copy_file(kernels / "transpose_shared.scenario.json",
                             folder.path() / "transpose_shared.scenario.json");
  std::string text = folder.read(kernels / "transpose_shared.cu");
  const std::string stored = "tile[c][r]";
  ASSERT_NE(text.find(stored), std::string::npos);
  const auto grade = [&] {
    return run_cli({"check", (folder.path() / "transpose_shared.scenario.json").string(), "--set", "pad=2",
                    "--against", kPadding});
  };
  folder.write("transpose_shared.cu", text);
  EXPECT_EQ(grade().code, 0);
  text.replace(text.find(stored), stored.size(), "tile[c][r] + 1");
  folder.write("transpose_shared.cu", text);
  const auto broken = grade();
  EXPECT_EQ(broken.code, 1) << broken.out << broken.err;
  EXPECT_THAT(broken.out, HasSubstr("the output is not the original's"));
}

TEST(CliLessons, GradeWithinTheTimeGiven) {
  const scenario::Folder folder;
  std::string text = folder.read(WARPLENS_SOURCE_DIR "/kernels/transpose_shared.cu");
  const std::string line = "__syncthreads();";
  text.replace(text.find(line), line.size(),
               "for (int i = 0; i >= 0; i = (i + 1) % 7) row += 2; __syncthreads();");
  const auto ran =
      run_cli({"check", folder.write("endless.cu", text).string(), "--seconds", "1", "--against", kPadding});
  EXPECT_THAT(ran.code, ::testing::AnyOf(1, 4)) << "told to be endless, or out of time: " << ran.err;
}

TEST(CliLessons, ABlockSaysWhatItNames) {
  const std::string warps = kLessons + "01-warps.lesson.json";
  const auto flat = run_cli({"check", "copy_row", "--block", "256,1", "--against", warps});
  EXPECT_EQ(
      flat.code,
      run_cli({"check", "copy_row", "--set", "block_x=256", "--set", "block_y=1", "--against", warps}).code)
      << flat.err;
  EXPECT_NE(flat.code, 2) << flat.err;
}

// The gallery's own kernel is an attempt that changes nothing.
TEST(CliLessons, TakeAnEditedFile) {
  const auto same =
      run_cli({"check", WARPLENS_SOURCE_DIR "/kernels/transpose_shared.cu", "--against", kPadding, "--json"});
  EXPECT_EQ(same.code, 1) << same.err;
  EXPECT_THAT(same.out, HasSubstr("\"output_right\": true"));
  EXPECT_EQ(run_cli({"check", WARPLENS_SOURCE_DIR "/kernels/copy.cu", "--against", kPadding}).code, 2);
}

}  // namespace
}  // namespace warplens::cli_test
