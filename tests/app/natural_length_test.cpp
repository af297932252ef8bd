// How long a buffer is taken to be that the host code says nothing of: an access in excess of what the
// launch's sizes say is a mistake to be seen, but halos and integers, which may be bounds, are longer by
// design.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/simulate/simulator.h"
#include "app/state/user_kernel.h"
#include "tests/app/waits.h"

namespace warplens::app {
namespace {

std::string kernel_of(const std::string& parameters, const std::string& body) {
  return "__global__ void k(" + parameters + ") {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
         body + "\n}\n";
}

std::string length_of(const std::string& buffer, const std::string& text) {
  return field_text(opened_kernel("k.cu", text).form, "elements." + buffer);
}

const std::string kPair = "float* out, const float* in, int n";

std::shared_ptr<const Simulation> run(const UserKernel& own, const std::string& text) {
  static const Catalog none;
  jobs::Runner runner{jobs::waits_for_all()};
  Simulator simulator(&none, runner);
  State state;
  state.settings = settings_of(own, std::make_shared<const std::string>(text));
  return simulator.derive(state);
}

TEST(NaturalLength, AnElementTooManyIsAMistakeToBeSeen) {
  const std::string text = kernel_of(kPair, "  out[i] = in[i + 1];");
  const UserKernel own = opened_kernel("k.cu", text);
  EXPECT_EQ(field_text(own.form, "elements.in"), "n");
  EXPECT_EQ(field_text(own.form, "elements.out"), "n");
  const auto seen = run(own, text);
  ASSERT_FALSE(seen->problems.empty());
  const Problem& problem = seen->problems.front();
  EXPECT_THAT(problem.message.english(), testing::HasSubstr("in[1048576] is out of range: in has 1048576"));
  EXPECT_THAT(problem.remedy.english(), testing::HasSubstr("n is a guess"));
  ASSERT_TRUE(problem.at);
  EXPECT_EQ(problem.at->block.x, 4095u);
  EXPECT_EQ(problem.at->lane, 31);
  // Where it is longer, that is said in the form, and there is neither a mistake nor a guess.
  LaunchForm form = own.form;
  set_field(&form, "elements.in", "n + 1");
  EXPECT_TRUE(run(with_form(own, form), text)->problems.empty());
  EXPECT_TRUE(has_guessed_length(own, "in"));
  EXPECT_FALSE(has_guessed_length(with_form(own, form), "in"));
}

TEST(NaturalLength, AStoreAndARowAreLikewise) {
  EXPECT_EQ(length_of("out", kernel_of(kPair, "  out[i + 1] = in[i];")), "n");
  EXPECT_EQ(length_of("in", kernel_of("float* out, const float* in", "  out[i] = in[i + 1];")), "16384")
      << "the threads of the launch";
  const std::string matrix =
      "__global__ void k(float* out, const float* in, int rows, int cols) {\n"
      "  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;\n"
      "  if (r < rows && c < cols) out[r * cols + c] = in[r * cols + c + 1];\n}\n";
  EXPECT_EQ(length_of("in", matrix), "rows * cols");
}

TEST(NaturalLength, AMissingGuardIsAMistakeToBeSeen) {
  const std::string host = "int main() { float *a, *b; k<<<4, 256>>>(a, b, 1000); }\n";
  EXPECT_EQ(length_of("out", kernel_of(kPair, "  out[i] = in[i + 1];") + host), "n");
  EXPECT_EQ(length_of("in", kernel_of(kPair, "  out[i] = in[i + 1];") + host), "n");
  EXPECT_EQ(length_of("in", kernel_of(kPair, "  if (i < n) out[i] = in[i];") + host), "n");
}

TEST(NaturalLength, WhatIsGuardedNeedsNoMore) {
  EXPECT_EQ(length_of("in", kernel_of(kPair, "  if (i + 1 < n) out[i] = in[i + 1];")), "n");
  EXPECT_EQ(length_of("in", kernel_of(kPair, "  if (i > 0 && i < n - 1) out[i] = in[i - 1] + in[i + 1];")),
            "n");
}

TEST(NaturalLength, BoundsAreOneMoreThanWhatTheyBound) {
  const std::string rows = kernel_of("float* y, const float* x, const int* first, int n",
                                     "  float sum = 0;\n  if (i < n)\n"
                                     "    for (int j = first[i]; j < first[i + 1]; ++j) sum += x[j];\n"
                                     "  y[i] = sum;");
  EXPECT_EQ(length_of("first", rows), "n + 1");
  const std::string counts = kernel_of("int* degree, const int* row_ptr, int n",
                                       "  if (i < n) degree[i] = row_ptr[i + 1] - row_ptr[i];");
  EXPECT_EQ(length_of("row_ptr", counts), "n + 1");
}

TEST(NaturalLength, AHaloIsMeant) {
  const std::string sum =
      "  float s = 0;\n  for (int d = 0; d < 2 * RADIUS + 1; ++d) s += in[i + d];\n"
      "  out[i] = s;";
  EXPECT_EQ(length_of("in", "#define RADIUS 2\n" + kernel_of(kPair, sum)), "n + 4");
  EXPECT_EQ(length_of("in", "#define RADIUS 1\n" + kernel_of(kPair, sum)), "n + 2");
  EXPECT_EQ(length_of("in", "#define RADIUS 40\n" + kernel_of(kPair, sum)), "1048656") << "no slip";
}

TEST(NaturalLength, WhatIsNearNoSizeIsAsLongAsIsRead) {
  const std::string text = kernel_of(kPair, "  out[i] = in[i + 100];");
  const UserKernel own = opened_kernel("k.cu", text);
  EXPECT_EQ(field_text(own.form, "elements.in"), "1048676");
  EXPECT_TRUE(has_length_of_what_is_read(own, "in"));
  EXPECT_FALSE(has_length_of_what_is_read(own, "out"));
}

}  // namespace
}  // namespace warplens::app
