// Loads on their way at a time, counted by hand.
#include "sim/count/load_waits.h"

#include <gtest/gtest.h>

#include "sim/lower/lower.h"
#include "tests/sim/program_of.h"

namespace warplens::sim {
namespace load_waits_test {

// One block of two warps; n is 4.
LoadWaits waits_of(const std::string& body, const std::vector<std::string>& template_arguments = {}) {
  CompileRequest request;
  const std::string form = template_arguments.empty() ? "" : "template <int N> ";
  request.text = form + "__global__ void k(float* out, const float* in, const int* index, int n) {\n" +
                 "__shared__ float tile[64]; int t = threadIdx.x;\n" + body + "\n}";
  request.template_arguments = template_arguments;
  const Program program = program_of(request);
  Launch launch{.grid = {}, .block = {64}, .arguments = {{"n", std::int64_t{4}}}};
  const LoadWaits waits = load_waits(program, launch, memory::default_gpu_model());
  EXPECT_FALSE(waits.error) << (waits.error ? waits.error->message.english() : "");
  EXPECT_EQ(waits.warps, 2u);
  return waits;
}

// Of one warp: loads and waits.
void expect(const std::string& body, std::uint64_t loads, std::uint64_t waits,
            const std::vector<std::string>& template_arguments = {}) {
  const LoadWaits found = waits_of(body, template_arguments);
  EXPECT_EQ(found.loads, 2 * loads) << body;
  EXPECT_EQ(found.waits, 2 * waits) << body;
}

TEST(LoadWaits, AStoreToGlobalMemoryWaitsForWhatItStores) {
  expect("out[t] = in[t];", 1, 1);
  expect("out[t] = in[t]; out[t + 64] = in[t + 64];", 2, 2);
  expect("float a = in[t], b = in[t + 64]; out[t] = a; out[t + 64] = b;", 2, 1);
  expect("out[t] = 1; float a = in[t]; out[t + 64] = 2; float b = in[t + 64]; out[t] = a + b;", 2, 1);
}

TEST(LoadWaits, WhatIsLoadedIsWhatCountsInBytes) {
  const LoadWaits rows = waits_of("float a = in[t], b = in[t + 64]; out[t] = a + b;");
  EXPECT_EQ(rows.sectors, 2u * 2 * 4);
  EXPECT_EQ(rows.most, 2u);
  EXPECT_DOUBLE_EQ(rows.loads_a_wait(), 2);
  EXPECT_DOUBLE_EQ(rows.bytes_a_wait(), 256);
  EXPECT_DOUBLE_EQ(waits_of("out[t] = in[t * 8];").bytes_a_wait(), 32 * 32);
  EXPECT_DOUBLE_EQ(waits_of("out[t] = in[3 * t] + in[3 * t + 1] + in[3 * t + 2];").bytes_a_wait(), 3 * 128)
      << "the same twelve sectors, on their way once";
  EXPECT_EQ(waits_of("out[t] = in[t]; out[t + 64] = in[t] + 1;").sectors, 2u * 2 * 4) << "once each time";
  EXPECT_DOUBLE_EQ(waits_of("out[t] = 1;").bytes_a_wait(), 0);
}

TEST(LoadWaits, AnAddressThatWasLoadedHasToBeThere) {
  expect("out[t] = in[index[t]];", 2, 2);
  expect("int i = index[t]; float a = in[t]; out[t] = a + in[i];", 3, 2);
  expect("out[index[t]] = 1; out[index[t + 64]] = 1;", 2, 2);
}

TEST(LoadWaits, ADecisionHasToBeMade) {
  expect("float a = in[t]; if (a == 0) out[t] = in[t + 64];", 2, 2);
  expect("float a = in[t]; if (n > 0) out[t] = a + in[t + 64];", 2, 1);
}

// As two tiles a block are filled: the second load goes before the first store to shared memory.
TEST(LoadWaits, StoringToSharedMemoryIsPutOffUntilTheBarrier) {
  expect("tile[t] = in[t]; if (n > 3) tile[t ^ 1] = in[t + 64]; __syncthreads(); out[t] = tile[t];", 2, 1);
  expect("tile[t] = in[t]; __syncthreads(); tile[t] += in[t + 64]; __syncthreads(); out[t] = tile[t];", 2, 2);
  expect("tile[t] = in[t]; out[t] = tile[t]; tile[t] = in[t + 64]; out[t] = tile[t];", 2, 2);
}

// The next tile is on its way across the barrier: its value is not needed yet.
TEST(LoadWaits, AVoteOfTheBlockHasToBeGiven) {
  expect("float a = in[t]; int c = __syncthreads_or(a > 0); out[t] = in[t + 64] + c;", 2, 2);
  expect("float a = in[t]; int c = __syncthreads_or(n > t); out[t] = in[t + 64] + a + c;", 2, 1);
}

TEST(LoadWaits, ALoadMayCrossABarrier) {
  expect("float a = in[t]; tile[t] = 1; __syncthreads(); float b = in[t + 64]; out[t] = a + b;", 2, 1);
  expect("float a = in[t] * 2; __syncthreads(); float b = in[t + 64]; out[t] = a + b;", 2, 2);
}

TEST(LoadWaits, ALoopOfUnknownLengthWaitsInEachTurn) {
  const std::string sum = "float s = 0; for (int i = 0; i < ";
  expect(sum + "n; ++i) s += in[t + 64 * i]; out[t] = s;", 4, 4);
  expect(sum + "n; ++i) s += in[t + 64 * i] * in[i]; out[t] = s;", 8, 4);
  expect(sum + "4; ++i) s += in[t + 64 * i]; out[t] = s;", 4, 1);
  expect(sum + "N; ++i) s += in[t + 64 * i]; out[t] = s;", 8, 1, {"8"});
  expect("float s = 0; int i = 0; do { s += in[t + 64 * i]; } while (++i < n); out[t] = s;", 4, 4);
  // By lanes of their own.
  expect(sum + "t % 2 + 3; ++i) s += in[t + 64 * i]; out[t] = s;", 4, 4);
}

TEST(LoadWaits, AThreadsOwnArrayKeepsWhatIsOnItsWay) {
  expect(
      "float v[N]; for (int i = 0; i < N; ++i) v[i] = in[t + 64 * i];"
      "for (int i = 0; i < N; ++i) out[t + 64 * i] = v[i];",
      4, 1, {"4"});
  // It is stored turn by turn, and read back in a loop whose length is not known.
  expect(
      "float v[N]; for (int i = 0; i < n; ++i) v[i % N] = in[t + 64 * i];"
      "for (int i = 0; i < n; ++i) out[t + 64 * i] = v[i % N];",
      4, 1, {"4"});
}

TEST(LoadWaits, LanesTalkToEachOtherAboutValuesThatAreThere) {
  expect("float a = in[t]; a += __shfl_down_sync(~0u, a, 1); out[t] = a + in[t + 64];", 2, 2);
}

TEST(LoadWaits, WhatNobodyNeedsArrivesInTheEnd) {
  expect("float a = in[t]; tile[t] = a;", 1, 1);
}

// Of the whole block; the launch tells how many run at once.
TEST(LoadWaits, TellWhatDecidesHowManyBlocksRunAtOnce) {
  const LoadWaits waits = waits_of("tile[t] = in[t]; __syncthreads(); out[t] = tile[t];");
  EXPECT_EQ(waits.block_threads, 64);
  EXPECT_EQ(waits.shared_bytes, 256u);
  EXPECT_EQ(waits.grid_blocks, 1u);
}

TEST(LoadWaits, ALaunchThatCannotBeMadeSaysWhy) {
  const Program program = program_of("__global__ void k(float* out, int n) { out[n] = 1; }");
  EXPECT_TRUE(load_waits(program, Launch{}, memory::default_gpu_model()).error);
}

}  // namespace load_waits_test
}  // namespace warplens::sim
