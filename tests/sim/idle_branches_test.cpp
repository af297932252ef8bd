// Decisions on registers alone are left out of counting, and blocks stay alike whatever they read; decisions
// on which an access depends are not. What was loaded and is added to a pointer is an offset.
#include <gtest/gtest.h>

#include "sim/count/totals.h"
#include "tests/sim/program_of.h"

namespace warplens::sim {
namespace {

struct Counted {
  std::string dependent;
  std::uint64_t simulated = 0, requests = 0;
  friend bool operator==(const Counted&, const Counted&) = default;
};

Counted count(const std::string& body, bool brute_force = false) {
  const Program program = program_of(
      "__global__ void k(float* out, const float* in, const long long* at, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
      body + "}\n");
  Launch launch;
  launch.grid = {8};
  launch.block = {64};
  launch.arguments = {
      {"in", Buffer{4096, Fill::Random}}, {"at", Buffer{1024, Fill::Zero}}, {"n", std::int64_t{4}}};
  const Totals totals = totals_of(program, launch, brute_force);
  EXPECT_FALSE(totals.error) << totals.error->message;
  Counted counted{totals.data_dependent.english(), totals.blocks_simulated, 0};
  for (const SiteTotals& site : totals.global_sites) counted.requests += site.requests;
  return counted;
}

TEST(IdleBranches, AMaximumDoesNotMakeBlocksDiffer) {
  const std::string body =
      "  float most = in[i];\n"
      "  for (int k = 1; k < n; ++k) {\n"
      "    float x = in[i * 4 + k];\n"
      "    if (x > most) most = x; else most += 1;\n"
      "  }\n"
      "  out[i] = most;\n";
  const Counted counted = count(body);
  EXPECT_EQ(counted.dependent, "");
  EXPECT_EQ(counted.simulated, 1u);
  EXPECT_EQ(counted.requests, count(body, true).requests);
}

TEST(IdleBranches, StayWhereAnAccessOrAnAddressDependsOnThem) {
  for (const std::string body :
       {"  if (in[i] > 0.5f) out[i] = 1;\n", "  int j = 0;\n  if (in[i] > 0.5f) j = i;\n  out[j] = 1;\n",
        "  if (in[i] > 0.5f) return;\n  out[i] = 1;\n",
        "  int turns = 1;\n  if (in[i] > 0.5f) turns = 3;\n  for (int k = 0; k < turns; ++k) out[i + k * "
        "512] = 1;\n",
        "  for (int k = 0; k < 4; ++k) {\n    if (in[i * 4 + k] > 0.9f) break;\n    out[i + 512 * k] = 1;\n  "
        "}\n"}) {
    const Counted counted = count(body);
    EXPECT_NE(counted.dependent, "") << body;
    EXPECT_EQ(counted.requests, count(body, true).requests) << body;
  }
}

// A loop that may not end is no idle part of a branch.
TEST(IdleBranches, StayWhereTheyHoldALoop) {
  const Counted counted = count("  float x = in[i];\n  if (x > 0.5f) while (x < 9) x *= 2;\n  out[i] = x;\n");
  EXPECT_NE(counted.dependent, "");
}

// out[at[i]]: the number is no pointer into `at`, so that nothing of it is written.
TEST(IdleBranches, ALoadedNumberBesideAPointerIsAnOffset) {
  const Counted counted = count("  long long j = at[i];\n  if (at[i + n] == 0) out[j] = 1;\n");
  EXPECT_EQ(counted.dependent.find("what the kernel writes"), std::string::npos) << counted.dependent;
}

}  // namespace
}  // namespace warplens::sim
