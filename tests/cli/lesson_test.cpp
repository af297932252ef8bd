// Lessons on the command line: listed, validated, and a student's attempt graded by exit code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
