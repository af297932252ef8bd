// Random kernels in three ways, and that the generator reaches what it is meant to reach.
#include <gtest/gtest.h>

#include "tests/differential/coverage.h"

namespace warplens::differential {
namespace {

using Kind = sim::RunError::Kind;

// Where a value that counts may come from another block, blocks run one after another: no classes. A pointer
// that memory holds may point to all that the kernel writes.
bool may_have_no_classes(Feature feature) {
  return feature == Feature::GlobalOldValueSteers || feature == Feature::WrittenIsRead ||
         feature == Feature::OwnElement || feature == Feature::StoredPointer;
}

TEST(Differential, RandomKernelsCountTheSameInThreeWays) {
  constexpr std::uint64_t kKernels = 1000;
  Coverage coverage;
  std::uint64_t apart = 0;
  for (std::uint64_t seed = 1; seed <= kKernels; ++seed) {
    const RandomKernel kernel = random_kernel(seed);
    ASSERT_GE(kernel.launch.grid.count(), 30u);
    const Trial trial = try_kernel(kernel);
    coverage.add(kernel, trial);
    EXPECT_FALSE(trial.is_fault()) << "tests/differential/run 1 " << seed << " shows it\n"
                                   << trial.diagnostics << trial.ways.difference;
    apart += trial.ways.barriers_apart ? 1 : 0;
  }
  SCOPED_TRACE(coverage.table());
  EXPECT_GE(coverage.all.ran, kKernels * 8 / 10);
  EXPECT_GE(coverage.quick, kKernels / 3);
  EXPECT_EQ(coverage.limits, 0u);
  for (std::size_t f = 0; f < kFeatures; ++f) {
    const auto feature = static_cast<Feature>(f);
    EXPECT_GE(coverage.of[f].ran, 12u) << name_of(feature);
    const std::uint64_t classed = may_have_no_classes(feature) ? 0 : 3;
    EXPECT_GE(coverage.of[f].classed, classed) << name_of(feature);
  }
  for (const Kind kind : {Kind::OutOfRange, Kind::Misaligned, Kind::DivisionByZero, Kind::Assertion}) {
    EXPECT_GE(coverage.failed[kind], 3u) << "error of kind " << static_cast<int>(kind);
  }
  EXPECT_GE(coverage.failed[Kind::DivergentBarrier], 1u) << "warps at barriers of two kinds";
  EXPECT_GE(apart, 3u) << "barriers that CUDA forbids and GPUs pass";
}

TEST(Differential, ASeedNamesOneKernel) {
  EXPECT_EQ(random_kernel(77).text(), random_kernel(77).text());
  EXPECT_NE(random_kernel(77).text(), random_kernel(78).text());
}

}  // namespace
}  // namespace warplens::differential
