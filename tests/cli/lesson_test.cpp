// Lessons on the command line: listed, validated, and a student's attempt graded by exit code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/run_cli.h"
#include "tests/scenario/folder.h"

namespace warplens::cli_test {
namespace {

using ::testing::HasSubstr;

const std::string kLessons = WARPLENS_SOURCE_DIR "/assets/lessons/";
const std::string kPadding = kLessons + "10-padding.lesson.json";

// By exit code: solved, missed, not an attempt.
TEST(CliLessons, GradeAttempts) {
  const std::string kernels = WARPLENS_SOURCE_DIR "/kernels/";
  struct Attempt {
    std::vector<std::string> words;
    int code;
    const char* says;
  };
  for (const Attempt& one : {
           Attempt{{"transpose_shared", "--set", "pad=2"}, 0, "passed"},
           {{"transpose_shared", "--set", "pad=1"}, 1, "not passed"},
           {{"transpose_shared", "--set", "ncols=8"}, 2, "does not leave \"ncols\" free"},
           {{"copy"}, 2, "is about transpose_shared, not copy"},
           {{"warplens:transpose_shared?pad=2"}, 0, ""},
           {{"warplens:transpose_shared?pad=1"}, 1, ""},
           {{"warplens:transpose_shared?pad=2", "--set", "pad=1"}, 1, ""},  // --set goes before
           {{"warplens:transpose_shared?pad=99"}, 2, "pad"},
           {{kernels + "transpose_shared.cu", "--json"}, 1, "\"output_right\": true"},  // changes nothing
           {{kernels + "copy.cu"}, 2, ""},
       }) {
    std::vector<std::string> words = one.words;
    words.insert(words.begin(), "check");
    words.insert(words.end(), {"--against", kPadding});
    const Ran ran = run_cli(words);
    EXPECT_EQ(ran.code, one.code) << ::testing::PrintToString(words) << ran.err;
    EXPECT_THAT(ran.out + ran.err, HasSubstr(one.says));
  }
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

}  // namespace
}  // namespace warplens::cli_test
