// Launch rules, and what a file offers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/lower/lower.h"

namespace warplens::sim {
namespace lower_evaluate_test {

using testing::ElementsAre;
using testing::IsEmpty;

const std::map<std::string, std::int64_t> kNames = {
    {"ncols", 100}, {"block_x", 32}, {"big", INT64_MAX}, {"view.ext.e0", 7}};

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
  EXPECT_EQ(value_of("view.ext.e0 * 2"), 14);
}

// As C++ has it: an integer's quotient is cut before ceil() sees it.
TEST(EvaluateInteger, FloatingNumbersMayOccurOnTheWay) {
  EXPECT_EQ(value_of("ceil(ncols / 32.0)"), 4);
  EXPECT_EQ(value_of("ceil(ncols / 32)"), 3);
  EXPECT_EQ(value_of("std::ceil((float)ncols / block_x)"), 4);
  EXPECT_EQ(value_of("ceilf(float(ncols) / block_x) + 1"), 5);
  EXPECT_EQ(value_of("(int)(ncols / 32.0)"), 3);
  EXPECT_EQ(value_of("(unsigned)round(2.5) + (int)-2.7"), 1);
  EXPECT_EQ(value_of("(int)sqrt(ncols) + (int)log2(32.0)"), 15);
  EXPECT_EQ(value_of("1.5 * 2"), 3);
  EXPECT_EQ(value_of("max(1.5, 2) < 2.5 ? min(3, 4) : 0"), 3);
  EXPECT_EQ(value_of("(float)16777217 == 16777216"), 1);  // a float's 24 bits
  EXPECT_EQ(value_of("(double)16777217 == 16777216"), 0);
  EXPECT_EQ(value_of("(int)(1.0f / 3.0f * 3e8f)"), 100000000);  // rounded as a float: 1e8, not 99999999
  EXPECT_EQ(value_of("!0.5 || 0.0 && 1"), 0);
}

TEST(EvaluateInteger, FailsInWords) {
  EXPECT_EQ(error_of("ncols / (block_x - 32)"), "division by zero: 100 / 0");
  EXPECT_EQ(error_of("big + 1"), "9223372036854775807 + 1 does not fit in 64 bits");
  EXPECT_EQ(error_of("big * 2"), "9223372036854775807 * 2 does not fit in 64 bits");
  EXPECT_EQ(error_of("1 << 64"), "a shift by 64 is not possible in 64 bits");
  EXPECT_EQ(error_of("1 << 63"), "1 << 63 does not fit in 64 bits");
  EXPECT_EQ(error_of("ncol / 2"), "'ncol' is not known here: did you mean 'ncols'?");
  EXPECT_EQ(error_of("zzz"), "'zzz' is not known here; known are big, block_x, ncols, view.ext.e0");
  EXPECT_EQ(error_of("1.5 * 3"), "4.5 is not an integer: ceil(...), floor(...) and (int) make one of it");
  EXPECT_EQ(error_of("7.5 % 2"), "'%' takes integers only");
  EXPECT_EQ(error_of("~1.5"), "'~' takes integers only");
  EXPECT_EQ(error_of("ncols / 0.0"), "division by zero");
  EXPECT_EQ(error_of("sqrt(0 - ncols)"), "sqrt(-100) is not a number");
  EXPECT_EQ(error_of("1e300"), "1e+300 does not fit in 64 bits");
  EXPECT_EQ(error_of("nullptr"), "only numbers are possible here");
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
}

}  // namespace lower_evaluate_test
}  // namespace warplens::sim
