// Launch rules, and what a file offers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/lower/lower.h"

namespace warplens::sim {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::map<std::string, std::int64_t> kNames = {{"ncols", 100}, {"block_x", 32}, {"big", INT64_MAX}};

std::int64_t value_of(const std::string& text) {
  const IntegerResult result = evaluate_integer(text, kNames);
  EXPECT_EQ(result.error, "") << text;
  return result.value.value_or(-999);
}
std::string error_of(const std::string& text) {
  const IntegerResult result = evaluate_integer(text, kNames);
  EXPECT_FALSE(result.value) << text;
  return result.error;
}

TEST(EvaluateInteger, ComputesIn64Bits) {
  EXPECT_EQ(value_of("(ncols + block_x - 1) / block_x"), 4);
  EXPECT_EQ(value_of("3000000000 * 3"), 9000000000);
  EXPECT_EQ(value_of("-7 / 2 * 10 + -7 % 3"), -31);
  EXPECT_EQ(value_of("1 << 40 | 5 & 6 ^ 3"), (std::int64_t{1} << 40 | 7));
  EXPECT_EQ(value_of("ncols > 50 ? min(ncols, 64) : max(1, 2)"), 64);
  EXPECT_EQ(value_of("!(ncols == 100) || block_x >= 32 && 7 != 8"), 1);
  EXPECT_EQ(value_of("0 && 1 / 0"), 0);
  EXPECT_EQ(value_of("sizeof(float4) + sizeof(int)"), 20);
  EXPECT_EQ(value_of("~5 >> 1"), -3);
}

TEST(EvaluateInteger, FailsInWords) {
  EXPECT_EQ(error_of("ncols / (block_x - 32)"), "division by zero: 100 / 0");
  EXPECT_EQ(error_of("big + 1"), "9223372036854775807 + 1 does not fit in 64 bits");
  EXPECT_EQ(error_of("big * 2"), "9223372036854775807 * 2 does not fit in 64 bits");
  EXPECT_EQ(error_of("1 << 64"), "a shift by 64 is not possible in 64 bits");
  EXPECT_EQ(error_of("1 << 63"), "1 << 63 does not fit in 64 bits");
  EXPECT_EQ(error_of("ncol / 2"), "'ncol' is not known here: did you mean 'ncols'?");
  EXPECT_EQ(error_of("zzz"), "'zzz' is not known here; known are big, block_x, ncols");
  EXPECT_EQ(error_of("1.5 * 2"), "only integers are possible here");
  EXPECT_EQ(error_of("ncols = 3"), "only a value can be computed here, nothing can be assigned");
  EXPECT_NE(error_of("3 +"), "");
  EXPECT_NE(error_of(""), "");
}

TEST(ListKernels, OffersWhatAFormNeeds) {
  const KernelList list = list_kernels(
      "template <int BX, typename T> __global__ void a(T* out, const float* __restrict__ in, int n) {}\n"
      "__device__ int helper() { return 1; }\n"
      "__global__ void b() {}\n"
      "int main() { a<32, float><<<dim3(4, 4), 256>>>(out, in, n); }\n");
  EXPECT_THAT(list.diagnostics, IsEmpty());
  ASSERT_EQ(list.kernels.size(), 2u);
  EXPECT_EQ(list.kernels[0].name, "a");
  EXPECT_THAT(list.kernels[0].template_parameters, ElementsAre("int BX", "typename T"));
  EXPECT_THAT(list.kernels[0].parameters, ElementsAre("T* out", "const float* in", "int n"));
  EXPECT_EQ(list.kernels[1].name, "b");
  EXPECT_EQ(list.kernels[1].range.begin.line, 3);
  ASSERT_EQ(list.launches.size(), 1u);
  EXPECT_EQ(list.launches[0].kernel, "a");
}

}  // namespace
}  // namespace warplens::sim
