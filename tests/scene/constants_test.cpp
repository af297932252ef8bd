// The names that padding is written with.
#include <gmock/gmock.h>

#include "app/simulate/matrix_shape.h"

namespace warplens::scene {
namespace {

using app::constants_of;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

constexpr const char* kText =
    "template <typename T, int BX, unsigned PAD = 1> __global__ void k(T* out) {\n"
    "  __shared__ T tile[BX][BX + PAD];\n"
    "  out[threadIdx.x] = tile[threadIdx.x][0];\n"
    "}\n"
    "template <int OTHER> __global__ void unused(int* out) { out[0] = OTHER; }\n";

TEST(Constants, AreTemplateArgumentsAndMacros) {
  sim::CompileRequest request;
  request.text = kText;
  request.kernel = "k";
  request.template_arguments = {"float", "32", "2"};
  request.defines = {{"EXTRA", "3"}, {"NAME", "not_a_number"}};
  EXPECT_THAT(constants_of(request), UnorderedElementsAre(Pair("EXTRA", 3), Pair("BX", 32), Pair("PAD", 2)));
}

TEST(Constants, BrokenTextHasNone) {
  sim::CompileRequest request;
  request.text = "template <int BX __global__ ((";
  request.template_arguments = {"1", "2", "3"};
  EXPECT_TRUE(constants_of(request).empty());
}

}  // namespace
}  // namespace warplens::scene
