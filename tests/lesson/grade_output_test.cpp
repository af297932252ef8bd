// What an edited kernel writes must be what the original writes: at the sizes at which its goals are counted,
// element by element, whatever their type.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "sim/lesson/grade.h"

namespace warplens::lesson {
namespace {

using ::testing::HasSubstr;

class GradeOutput : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              (std::string("grade_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // A challenge on `kernel(T* out, int n)` of 64 elements, tried at 40.
  Challenge challenge_on(const std::string& text) {
    std::ofstream(folder_ / "k.cu") << text;
    std::ofstream(folder_ / "k.scenario.json")
        << R"({"schema": "warplens.scenario/1", "name": "k", "title": "K", "teaches": "K.", "source": "k.cu",
               "kernel": "k", "parameters": [{"name": "n", "label": "n", "default": 64, "minimum": 1,
               "maximum": 4096}], "grid": ["(n + 31) / 32"], "block": ["32"], "scalars": {"n": "n"},
               "buffers": {"out": {"elements": "n"}}})";
    Challenge challenge;
    challenge.view.scenario = (folder_ / "k.scenario.json").string();
    challenge.trial = {{"n", 40}};
    challenge.goals.push_back({});
    challenge.goals[0].rule = "global_store_sectors >= 0";
    return challenge;
  }
  static std::string kernel(const std::string& type, const std::string& value,
                            const std::string& guard = "") {
    return "__global__ void k(" + type +
           "* out, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  " + guard +
           "if (i < n) out[i] = " + value + ";\n}\n";
  }
  static Grade grade_of(const Challenge& challenge, const std::string& text) {
    const Outcome<Grade> grade = lesson::grade(challenge, {{}, text});
    EXPECT_TRUE(grade) << ::testing::PrintToString(grade.errors);
    return grade ? *grade.value : Grade();
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(GradeOutput, IsComparedAtTheSizeAtWhichTheGoalsAreCounted) {
  const Challenge challenge = challenge_on(kernel("float", "2 * i"));
  EXPECT_TRUE(grade_of(challenge, kernel("float", "i + i")).passed());
  const Grade skips = grade_of(challenge, kernel("float", "i + i", "if (n == 64) return;\n  "));
  EXPECT_FALSE(skips.output_right);
  EXPECT_FALSE(skips.passed());
  EXPECT_EQ(skips.first_difference, "out[1] is 0; the original writes 2");
  const Grade trial_only = grade_of(challenge, kernel("float", "i + i", "if (n == 40) return;\n  "));
  EXPECT_FALSE(trial_only.passed());
}

TEST_F(GradeOutput, InfinityIsNoWildCard) {
  const Challenge challenge = challenge_on(kernel("float", "i == 3 ? 1.0f / 0.0f : 2.0f"));
  EXPECT_TRUE(grade_of(challenge, kernel("float", "i != 3 ? 2.0f : 1.0f / 0.0f")).passed());
  EXPECT_EQ(grade_of(challenge, kernel("float", "i == 3 ? 7.0f : 2.0f")).first_difference,
            "out[3] is 7; the original writes inf");
}

TEST_F(GradeOutput, NamesElementsOfEveryType) {
  const auto difference = [&](const std::string& type, const std::string& value, const std::string& edited) {
    return grade_of(challenge_on(kernel(type, value)), kernel(type, edited)).first_difference;
  };
  EXPECT_EQ(difference("long long", "i * 100000000000ll", "i == 3 ? -1 : i * 100000000000ll"),
            "out[3] is -1; the original writes 300000000000");
  EXPECT_EQ(difference("unsigned", "0xffffffffu - i", "0u - i"),
            "out[0] is 0; the original writes 4294967295");
  EXPECT_EQ(difference("short", "-i", "i == 5 ? 1 : -i"), "out[5] is 1; the original writes -5");
  EXPECT_EQ(difference("double", "i * 0.5", "i == 5 ? 1.0 : i * 0.5"),
            "out[5] is 1; the original writes 2.5");
  EXPECT_EQ(difference("float2", "make_float2(i, 1)", "make_float2(i, i == 2 ? 9 : 1)"),
            "out[2] (value 2 of 2) is 9; the original writes 1");
}

TEST_F(GradeOutput, AKernelWithoutAnOutputIsNotRight) {
  const std::string reads =
      "__global__ void k(const float* out, int n) { if (n < 0) assert(out[0] == 0); }\n";
  EXPECT_THAT(grade_of(challenge_on(reads), reads).first_difference, HasSubstr("no output"));
}

}  // namespace
}  // namespace warplens::lesson
