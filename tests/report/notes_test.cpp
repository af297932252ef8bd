// What a report says beside its counts: data that steer them, arrays in local memory, barriers that
// not all threads reach together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sim/report/report.h"
#include "tests/sim/program_of.h"

namespace warplens::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Report report_of(const std::string& text, const sim::Launch& launch) {
  scenario::Prepared prepared;
  prepared.program = sim::program_of(text);
  prepared.gpu = &memory::default_gpu_model();
  prepared.setup.launch = launch;
  const sim::Totals totals = grid_totals(prepared.program, launch, *prepared.gpu);
  EXPECT_FALSE(totals.error) << totals.error->message;
  return make_report(prepared, totals);
}

// ---- data

constexpr const char* kHistogram =
    R"(__global__ void histo(const unsigned char* text, unsigned* bins, int n) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&s[text[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
})";

Report histogram(sim::Buffer text) {
  return report_of(kHistogram,
                   sim::launch_of(256, 1, {{"text", std::move(text)}, {"n", std::int64_t{4096}}}));
}

TEST(Notes, DataThatSteerAddressesAreNamed) {
  const Report guessed = histogram({4096, sim::Fill::Iota});
  ASSERT_EQ(guessed.steering.size(), 1u);  // not bins, of which no address follows
  EXPECT_THAT(report_text(guessed), HasSubstr("follow from what text holds, and here that is 0, 1, 2, ...:"));
  EXPECT_EQ(report_json(guessed)["steering"].dump(), R"([{"buffer":"text","fill":"iota"}])");
  const Report cleared = histogram({4096, sim::Fill::Zero});
  EXPECT_THAT(report_text(cleared), HasSubstr("follow from what text holds, and here all of it is zero:"));
  EXPECT_EQ(report_json(cleared)["steering"][0]["fill"], "zero");
  EXPECT_EQ(histogram({}).steering.size(), 1u);  // without an end, and zeros
}

// 3.15 wavefronts a request were counted of random bytes on an H100; increments of one word are counted at
// once.
TEST(Notes, DataThatSomebodyChoseAreNot) {
  const Report random = histogram({4096, sim::Fill::Random, 0, sim::FillRange{0, 255}});
  EXPECT_TRUE(random.steering.empty());
  EXPECT_FALSE(report_json(random).contains("steering"));
  const sim::SiteTotals& atomics = random.group(memory::Space::Shared, memory::Op::Atomic);
  EXPECT_NEAR(static_cast<double>(atomics.wavefronts) / static_cast<double>(atomics.requests), 3.15, 0.15);
}

// A decision, and a table of the file that its host would fill; one with values of its own has them.
TEST(Notes, DecisionsAndVariablesOfTheFile) {
  const Report report = report_of(R"(__device__ int map[32];
__constant__ int own[2] = {3, 4};
__global__ void k(const int* flags, float* out) {
  if (flags[threadIdx.x]) out[map[threadIdx.x]] = 1;
  out[own[threadIdx.x & 1]] = 2;
})",
                                  sim::launch_of(32));
  ASSERT_EQ(report.steering.size(), 2u);
  EXPECT_EQ(report.steering[0].name, "flags");
  EXPECT_EQ(report.steering[1].name, "map");
}

// ---- local memory: its words are in tests/frozen

TEST(Notes, WhichArraysAreIndexedAtRunTime) {
  const auto named = [](const std::string& body) {
    return !report_of(
                "__device__ float at(const float* p, int i) { return p[i]; }\n"
                "__global__ void k(const float* in, float* out, int n) {\n  float a[8];\n"
                "  int t = threadIdx.x;\n  for (int j = 0; j < 8; ++j) a[j] = in[t + j];\n  float sum = "
                "0;\n" +
                    body + "\n  out[t] = sum;\n}",
                sim::launch_of(32, 1, {{"n", std::int64_t{4}}}))
                .local_memory.empty();
  };
  EXPECT_TRUE(named("sum = a[t & 7];"));
  EXPECT_TRUE(named("for (int j = 0; j < n; ++j) sum += a[j];"));
  EXPECT_TRUE(named("sum = at(a, n);"));
  EXPECT_TRUE(named("int j = 0; if (n > 3) j = 5; sum = a[j];"));
  EXPECT_FALSE(named("for (int j = 0; j < 8; ++j) sum += a[7 - j] * a[j];"));
  EXPECT_FALSE(named("if (t < n) { for (int j = 0; j < 8; ++j) sum += a[j]; }"));
  EXPECT_FALSE(named("sum = at(a, 3);"));
  EXPECT_FALSE(named("for (int j = 0; j < 8; ++j) { if (in[j] < 0) break; sum += a[j]; }"));
}

}  // namespace
}  // namespace warplens::report
