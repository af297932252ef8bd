// How long a buffer is taken to be that the host code says nothing of: an access in excess of what the
// launch's sizes say is a mistake to be seen, but halos and integers, which may be bounds, are longer by
// design.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/state/user_kernel.h"
#include "tests/app/desk.h"

namespace warplens::app {
namespace {

std::string kernel_of(const std::string& parameters, const std::string& body) {
  return "__global__ void k(" + parameters + ") {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
         body + "\n}\n";
}

const std::string kPair = "float* out, const float* in, int n";

std::shared_ptr<const Simulation> run(const UserKernel& own, const std::string& text) {
  Windowless desk;
  desk.state.settings = settings_of(own, std::make_shared<const std::string>(text));
  desk.derive();
  return desk.seen;
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

TEST(NaturalLength, FollowsFromTheSizesOfTheLaunch) {
  const std::string
      beyond = kernel_of(kPair, "  out[i] = in[i + 1];"),
      host = "int main() { float *a, *b; k<<<4, 256>>>(a, b, 1000); }\n",
      halo = "  float s = 0;\n  for (int d = 0; d < 2 * RADIUS + 1; ++d) s += in[i + d];\n  out[i] = s;";
  struct Row {
    const char* why;
    std::string text;
    const char *buffer, *length;
  };
  for (const Row& row : {
           Row{"a store", kernel_of(kPair, "  out[i + 1] = in[i];"), "out", "n"},
           {"the threads of the launch", kernel_of("float* out, const float* in", "  out[i] = in[i + 1];"),
            "in", "16384"},
           {"a row",
            "__global__ void k(float* out, const float* in, int rows, int cols) {\n"
            "  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;\n"
            "  if (r < rows && c < cols) out[r * cols + c] = in[r * cols + c + 1];\n}\n",
            "in", "rows * cols"},
           {"a missing guard is a mistake to be seen", beyond + host, "out", "n"},
           {"of what is read, too", beyond + host, "in", "n"},
           {"a guard", kernel_of(kPair, "  if (i < n) out[i] = in[i];") + host, "in", "n"},
           {"what is guarded needs no more", kernel_of(kPair, "  if (i + 1 < n) out[i] = in[i + 1];"), "in",
            "n"},
           {"on both sides", kernel_of(kPair, "  if (i > 0 && i < n - 1) out[i] = in[i - 1] + in[i + 1];"),
            "in", "n"},
           {"bounds are one more than what they bound",
            kernel_of("float* y, const float* x, const int* first, int n",
                      "  float sum = 0;\n  if (i < n)\n"
                      "    for (int j = first[i]; j < first[i + 1]; ++j) sum += x[j];\n  y[i] = sum;"),
            "first", "n + 1"},
           {"also where they are subtracted",
            kernel_of("int* degree, const int* row_ptr, int n",
                      "  if (i < n) degree[i] = row_ptr[i + 1] - row_ptr[i];"),
            "row_ptr", "n + 1"},
           {"a halo is meant", "#define RADIUS 2\n" + kernel_of(kPair, halo), "in", "n + 4"},
           {"a narrow one", "#define RADIUS 1\n" + kernel_of(kPair, halo), "in", "n + 2"},
           {"no slip", "#define RADIUS 40\n" + kernel_of(kPair, halo), "in", "1048656"},
       })
    EXPECT_EQ(field_text(opened_kernel("k.cu", row.text).form, std::string("elements.") + row.buffer),
              row.length)
        << row.why;
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
