// Launches that cannot be made, in words; arguments bound to parameters; what filled buffers hold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "sim/machine/memory.h"
#include "sim/scalar/types.h"
#include "tests/sim/machine_kernels.h"

namespace warplens::sim {
namespace machine_launch_test {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto gpu = memory::default_gpu_model;

Launch good() {
  Launch launch{.grid = {4}, .block = {32, 8}, .arguments = {{"out", Buffer{100}}, {"n", std::int64_t{100}}}};
  return launch;
}

std::vector<std::string> check(const Launch& launch) {
  return english(check_launch(copy_program(), launch, gpu()));
}

TEST(MachineLaunch, AGoodOneHasNothingToSay) {
  EXPECT_THAT(check(good()), IsEmpty());
}

TEST(MachineLaunch, Blocks) {
  Launch launch = good();
  launch.block = {64, 32, 1};
  EXPECT_THAT(check(launch), ElementsAre("block 64 x 32 has 2048 threads; sm_90 takes at most 1024"));
  launch.block = {0, 1, 1};
  EXPECT_THAT(check(launch), ElementsAre(HasSubstr("has no threads")));
  launch.block = {1, 1, 65};
  EXPECT_THAT(check(launch), ElementsAre("block 1 x 1 x 65 is 65 wide in z; sm_90 takes at most 64"));
  launch.block = {4294967295u, 4294967295u, 4294967295u};
  EXPECT_EQ(check(launch).size(), 3u);
  launch.block = {1024, 1, 1};
  EXPECT_THAT(check(launch), IsEmpty());
}

TEST(MachineLaunch, LaunchBounds) {
  const Program program = program_of("__global__ void __launch_bounds__(128 * 2, 4) k() {}");
  EXPECT_THAT(check_launch(program, launch_of(512), gpu()),
              ElementsAre("block 512 x 1 has 512 threads; k is declared with __launch_bounds__(256)"));
}

TEST(MachineLaunch, Grids) {
  Launch launch = good();
  launch.grid = {1, 65536, 1};
  EXPECT_THAT(check(launch), ElementsAre("grid 1 x 65536 has 65536 blocks in y; sm_90 takes at most 65535"));
  launch.grid = {0, 1, 1};
  EXPECT_THAT(check(launch), ElementsAre(HasSubstr("has no blocks")));
  launch.grid = {2147483647, 1, 1};
  EXPECT_THAT(check(launch), IsEmpty());
}

TEST(MachineLaunch, SharedMemory) {
  Launch launch = good();
  launch.shared_bytes = 227 * 1024;
  EXPECT_THAT(check(launch), IsEmpty());
  launch.shared_bytes += 1;
  EXPECT_THAT(check(launch),
              ElementsAre(HasSubstr("232449 bytes of dynamic shared memory; sm_90 has 232448")));
  launch.shared_bytes = ~std::uint64_t{0};
  EXPECT_EQ(check(launch).size(), 1u);
  Program program = copy_program();
  program.static_shared_bytes = 48 * 1024 + 4;
  EXPECT_THAT(check_launch(program, good(), gpu()), ElementsAre(HasSubstr("use extern __shared__ for more")));
}

TEST(MachineLaunch, NamesAndKindsOfArguments) {
  Launch launch = good();
  launch.arguments.erase("n");
  EXPECT_THAT(check(launch),
              ElementsAre("n (int) has no value: copy needs one; on the command line: --set n=VALUE"));
  launch = good();
  launch.arguments["m"] = std::int64_t{1};
  EXPECT_THAT(check(launch), ElementsAre("copy has no parameter named m"));
  launch = good();
  launch.arguments["in"] = std::int64_t{4096};
  EXPECT_THAT(check(launch), ElementsAre(HasSubstr("in is a pointer (float*)")));
  launch = good();
  launch.arguments["n"] = Buffer{10};
  EXPECT_THAT(check(launch), ElementsAre(HasSubstr("n (int) is a number, not a buffer")));
  launch = good();
  launch.arguments["in"] = Buffer{std::uint64_t{1} << 60};
  EXPECT_THAT(check(launch), ElementsAre(HasSubstr("a buffer holds at most")));
}

BoundScalar bind_as(ScalarType type, const Argument& argument) {
  KernelParameter p;
  p.name = "v";
  p.type = type;
  p.type_text = name_of(type);
  return bind_scalar(p, argument);
}

TEST(MachineLaunch, ScalarsThatDoNotFit) {
  EXPECT_EQ(bind_as(ScalarType::I32, std::int64_t{1} << 40).error,
            "v = 1099511627776 does not fit int (-2147483648 to 2147483647)");
  EXPECT_EQ(bind_as(ScalarType::U64, std::int64_t{-1}).error,
            "v = -1 does not fit unsigned long long (0 to 18446744073709551615)");
  EXPECT_THAT(bind_as(ScalarType::I8, std::int64_t{128}).error, HasSubstr("(-128 to 127)"));
  EXPECT_THAT(bind_as(ScalarType::Bool, std::int64_t{2}).error, HasSubstr("(0 to 1)"));
  EXPECT_THAT(bind_as(ScalarType::I32, std::nan("")).error, HasSubstr("NaN"));
  EXPECT_THAT(bind_as(ScalarType::F32, std::nan("")).error, HasSubstr("NaN"));
  EXPECT_THAT(bind_as(ScalarType::I32, 1.5).error, HasSubstr("not a whole number"));
  EXPECT_THAT(bind_as(ScalarType::I32, HUGE_VAL).error, HasSubstr("not a whole number"));
  EXPECT_THAT(bind_as(ScalarType::F32, 1e300).error, HasSubstr("does not fit float"));
}

TEST(MachineLaunch, ScalarsAsTheyLieInRegisters) {
  EXPECT_EQ(bind_as(ScalarType::I32, std::int64_t{-1}).bits, 0xffffffffu);
  EXPECT_EQ(bind_as(ScalarType::I64, std::int64_t{-1}).bits, ~std::uint64_t{0});
  EXPECT_EQ(bind_as(ScalarType::I8, std::int64_t{-1}).bits, 0xffffffffu);
  EXPECT_EQ(bind_as(ScalarType::U8, std::int64_t{255}).bits, 255u);
  EXPECT_EQ(bind_as(ScalarType::I32, 4.0).bits, 4u);
  EXPECT_EQ(bind_as(ScalarType::F32, std::int64_t{2}).bits, std::bit_cast<std::uint32_t>(2.0f));
  EXPECT_EQ(bind_as(ScalarType::F64, 0.1).bits, std::bit_cast<std::uint64_t>(0.1));
}

// A page at once as element by element; beyond 2^31 elements too, where an index is no int.
TEST(MachineLaunch, FilledBytesAreTheElements) {
  for (const ScalarType type :
       {ScalarType::U8, ScalarType::F16, ScalarType::I32, ScalarType::F32, ScalarType::F64}) {
    const auto size = static_cast<std::uint64_t>(size_of(type));
    for (const Fill fill : {Fill::Zero, Fill::Iota, Fill::Random, Fill::Zipf}) {
      for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{1 << 24} - 100,
                                        (std::uint64_t{1} << 31) - 100, (std::uint64_t{1} << 33) + 1}) {
        std::byte bytes[8 * 200];
        fill_bytes(fill, type, 1000, {}, first * size, bytes, 200 * size);
        for (std::uint64_t i = 0; i < 200; ++i) {
          std::uint64_t bits = 0;
          std::memcpy(&bits, bytes + i * size, size);
          ASSERT_EQ(bits, fill_element(fill, type, first + i, 1000))
              << "element " << first + i << " of " << size << " bytes, fill " << static_cast<int>(fill);
        }
      }
    }
  }
}

// k is 1 / (k + 1) times as often as 0, up to the bound; the first ones are written down, so that no machine
// and no later version draws others: recorded measurements are of these.
TEST(MachineLaunch, ZipfIsZipfAndTheSameEverywhere) {
  constexpr std::uint64_t kDrawn = 400000;
  for (const std::uint64_t elements : {std::uint64_t{1}, std::uint64_t{5}, std::uint64_t{300}, kDrawn}) {
    const std::uint64_t ranks = std::min<std::uint64_t>(elements, 1024);
    std::vector<double> seen(ranks);
    double harmonic = 0;
    for (std::uint64_t k = 1; k <= ranks; ++k) harmonic += 1.0 / static_cast<double>(k);
    for (std::uint64_t i = 0; i < kDrawn; ++i) {
      const std::uint64_t k = fill_element(Fill::Zipf, ScalarType::I32, i, elements);
      ASSERT_LT(k, ranks);
      ++seen[k];
    }
    for (std::uint64_t k = 0; k < ranks; ++k) {
      const double expected = static_cast<double>(kDrawn) / harmonic / static_cast<double>(k + 1);
      EXPECT_NEAR(seen[k], expected, 6 * std::sqrt(expected)) << k << " of " << ranks;
    }
  }
  std::vector<std::uint64_t> first;
  for (std::uint64_t i = 0; i < 8; ++i)
    first.push_back(fill_element(Fill::Zipf, ScalarType::I32, i, 1 << 20));
  EXPECT_THAT(first, ElementsAre(942, 19, 0, 11, 784, 9, 2, 315));
  EXPECT_LT(fill_element(Fill::Zipf, ScalarType::I8, 3, 1000), 128u);
  EXPECT_EQ(
      fill_element(Fill::Zipf, ScalarType::F32, 0, 1000),
      std::bit_cast<std::uint32_t>(static_cast<float>(fill_element(Fill::Zipf, ScalarType::I32, 0, 1000))));
}

TEST(MachineLaunch, FilledElements) {
  EXPECT_EQ(fill_element(Fill::Zero, ScalarType::F32, 7, 0), 0u);
  EXPECT_EQ(fill_element(Fill::Iota, ScalarType::I32, 7, 0), 7u);
  EXPECT_EQ(fill_element(Fill::Iota, ScalarType::U8, 257, 0), 1u);
  EXPECT_EQ(fill_element(Fill::Iota, ScalarType::F32, 3, 0), std::bit_cast<std::uint32_t>(3.0f));
  EXPECT_EQ(fill_element(Fill::Iota, ScalarType::F16, 1, 0), 0x3c00u);
  EXPECT_EQ(fill_element(Fill::Iota, ScalarType::F64, 3, 0), std::bit_cast<std::uint64_t>(3.0));
  bool differs = false;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    EXPECT_LT(fill_element(Fill::Random, ScalarType::I32, i, 100), 100u);
    EXPECT_LT(fill_element(Fill::Random, ScalarType::I32, i, 0), 65536u);
    EXPECT_LT(fill_element(Fill::Random, ScalarType::I8, i, 1000), 128u);
    const auto f =
        std::bit_cast<float>(static_cast<std::uint32_t>(fill_element(Fill::Random, ScalarType::F32, i, 0)));
    EXPECT_TRUE(f >= 0 && f < 1 && f * 4096 == std::floor(f * 4096));
    differs |= fill_element(Fill::Random, ScalarType::I32, i, 100) !=
               fill_element(Fill::Random, ScalarType::I32, 0, 100);
  }
  EXPECT_TRUE(differs);
  // The GPU's side writes the same numbers: they must never change.
  EXPECT_EQ(fill_element(Fill::Random, ScalarType::U32, 0, 1000),
            fill_element(Fill::Random, ScalarType::U64, 0, 1000));
}

}  // namespace machine_launch_test
}  // namespace warplens::sim
