// What a grade lets pass, and what it does not: for every type of output, at the sizes of the trial and of
// the goals.
#include "sim/lesson/grade.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scenario/folder.h"

namespace warplens::lesson {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kScenario = R"({
  "schema": "warplens.scenario/1", "name": "made", "title": "Made for grading",
  "parameters": [
    {"name": "n", "default": 64, "minimum": 1, "maximum": 4096},
    {"name": "type", "default": 0, "choices": [0, 1, 2, 3, 4, 5, 6],
     "texts": ["float", "double", "int", "short", "unsigned char", "long long", "float2"]}
  ],
  "template": ["type"], "grid": ["(n + 31) / 32"], "block": [32], "scalars": {"n": "n"},
  "buffers": {"out": {"elements": "n"}, "in": {"elements": "n", "fill": "iota"}}
})";
const std::string kAtTrial = " (checked also with n = 40)";
enum Type { Float, Double, Int, Short, Byte, Long, Float2 };

class GradedKernel : public ::testing::Test {
 protected:
  GradedKernel() {
    folder_.write("made.cu", kernel("in[i] + (T)20000"));
    challenge_.view.scenario = folder_.write("made.scenario.json", kScenario).string();
    challenge_.view.values = {{"n", 64}};
    challenge_.goals = {{"global_load_requests > 0", {{"en", "it loads"}}}};
    challenge_.trial = {{"n", 40}};
  }

  static std::string kernel(const std::string& value, const std::string& also = "",
                            const std::string& parameters = "T* out, const T* in, int n") {
    return "template <typename T>\n__global__ void made(" + parameters +
           ") {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = " + value + ";\n" +
           also + "}\n";
  }

  // What is wrong with an edited kernel; empty: it passes.
  std::string verdict(Type type, const std::string& text) {
    challenge_.view.values["type"] = type;
    const Outcome<Grade> graded = grade(challenge_, {{}, text});
    if (!graded) return graded.errors.empty() ? "no error" : graded.errors[0].english();
    EXPECT_EQ(graded.value->passed(), graded.value->first_difference.empty());
    return graded.value->first_difference;
  }

  scenario::Folder folder_;
  Challenge challenge_;
};

TEST_F(GradedKernel, TheOriginalPassesInEveryType) {
  for (const Type type : {Float, Double, Int, Short, Byte, Long})
    EXPECT_THAT(verdict(type, kernel("(T)20000 + in[i]")), IsEmpty()) << type;
}

// Sums may be taken in another order: 1 in 20000 is forgiven a float, 10 are not. An integer is forgiven
// nothing.
TEST_F(GradedKernel, OnlyFloatsAreForgivenALittle) {
  for (const Type type : {Float, Double}) {
    EXPECT_THAT(verdict(type, kernel("in[i] + (T)20001")), IsEmpty()) << type;
    EXPECT_EQ(verdict(type, kernel("in[i] + (T)20010")), "out[0] is 20010; it should be 20000" + kAtTrial)
        << type;
  }
  for (const Type type : {Int, Short, Long})
    EXPECT_EQ(verdict(type, kernel("in[i] + (T)20001")), "out[0] is 20001; it should be 20000" + kAtTrial)
        << type;
}

TEST_F(GradedKernel, TheLastElementIsComparedInEveryType) {
  for (const Type type : {Float, Double, Int, Short, Long})
    EXPECT_EQ(verdict(type, kernel("in[i] + (T)(i == n - 1 ? 1 : 20000)")),
              "out[39] is 40; it should be 20039" + kAtTrial)
        << type;
  // 20039 is 71 modulo 256.
  EXPECT_EQ(verdict(Byte, kernel("in[i] + (T)(i == n - 1 ? 1 : 20000)")),
            "out[39] is 40; it should be 71" + kAtTrial);
}

TEST_F(GradedKernel, IsComparedAtTheTrialsSizesAndAtThoseOfTheGoals) {
  for (const char* size : {"40", "64"})
    EXPECT_THAT(verdict(Int, kernel("in[i] + (T)(n == " + std::string(size) + " ? 1 : 20000)")),
                HasSubstr("out[0] is 1;"));
}

TEST_F(GradedKernel, InfinityIsNoWildCard) {
  folder_.write("made.cu", kernel("i == 3 ? (T)1 / (T)0 : 2 * in[i]"));
  EXPECT_THAT(verdict(Float, kernel("i != 3 ? in[i] + in[i] : (T)1 / (T)0")), IsEmpty());
  EXPECT_EQ(verdict(Float, kernel("i == 3 ? (T)7 : 2 * in[i]")), "out[3] is 7; it should be inf" + kAtTrial);
}

TEST_F(GradedKernel, TheElementOfAVectorIsNamedWithItsComponent) {
  folder_.write("made.cu", kernel("make_float2(i, 1)"));
  EXPECT_EQ(verdict(Float2, kernel("make_float2(i, i == 2 ? 9 : 1)")),
            "out[2] (value 2 of 2) is 9; it should be 1" + kAtTrial);
}

TEST_F(GradedKernel, OneWithoutAnOutputIsNotRight) {
  const std::string reads =
      "template <typename T>\n__global__ void made(const T* out, const T* in, int n) {\n"
      "  if (n < 0) assert(out[0] == in[0]);\n}\n";
  folder_.write("made.cu", reads);
  EXPECT_THAT(verdict(Float, reads), HasSubstr("no output"));
}

TEST_F(GradedKernel, OneThatFailsAtTheTrialHasNotPassedWhateverItWrote) {
  EXPECT_THAT(verdict(Int, kernel("in[i] + (T)20000", "  if (n == 40 && i == 39) out[n] = 0;\n")),
              HasSubstr("out of range"));
}

TEST_F(GradedKernel, KeepsItsParameters) {
  EXPECT_THAT(verdict(Double, kernel("in[i] + 20000", "", "T* out, const float* in, int n")),
              HasSubstr("parameters must stay"));
  EXPECT_THAT(verdict(Float, kernel("in[i] + 20000", "", "T* out, const T* in, long long n")),
              HasSubstr("parameters must stay"));
}

TEST(Grade, PassesOnlyWhereEveryGoalHolds) {
  Grade grade;
  grade.goals = {{{}, "1", true, ""}, {{}, "0", false, ""}};
  EXPECT_FALSE(grade.passed());
  grade.goals[1].holds = true;
  EXPECT_TRUE(grade.passed());
  grade.output_right = false;
  EXPECT_FALSE(grade.passed());
}

}  // namespace
}  // namespace warplens::lesson
