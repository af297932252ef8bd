// Variables of the file that hold something before the kernel runs.
#include <gtest/gtest.h>

#include "sim/trace/trace.h"
#include "tests/sim/program_of.h"

namespace warplens::sim {
namespace initial_values_test {

Program program_of(const std::string& declarations, const std::string& body) {
  const std::string text =
      declarations + "\n__global__ void k(int* out, int n) {\n  int t = threadIdx.x, b = blockIdx.x;\n  " +
      body + "\n}\n";
  return sim::program_of(text);
}

Launch launch_of(std::uint32_t blocks = 1) {
  Launch launch{
      .grid = {blocks}, .block = {32}, .arguments = {{"out", Buffer{4096}}, {"n", std::int64_t{16}}}};
  return launch;
}

std::vector<int> out_of(const Program& program, const Launch& launch) {
  std::vector<int> out = values_of<int>(program, launch);
  out.resize(8);
  return out;
}

TEST(InitialValues, AreThereUnlessTheLaunchGivesOthers) {
  const Program program = program_of("__device__ int d[8] = {5, 0, -7};", "if (t < 8) out[t] = d[t]++;");
  EXPECT_EQ(out_of(program, launch_of()), (std::vector<int>{5, 0, -7, 0, 0, 0, 0, 0}));
  EXPECT_EQ(out_of(program, launch_of(2)), (std::vector<int>{6, 1, -6, 1, 1, 1, 1, 1}));
  Launch filled = launch_of();
  filled.arguments["d"] = Buffer{8, Fill::Iota};
  EXPECT_EQ(out_of(program, filled), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(InitialValues, LieWhereTheirElementsDo) {
  const Program program = program_of(
      "struct P { char c; short s[3]; double d; };\n"
      "__device__ P p[2] = {{1, {2, 3, 4}, 5}, {6, {7}, 8}};\n"
      "__device__ int rows[2][5000] = {{7}, {8, 9}};",  // the second row lies on a page of its own
      "out[t & 7] = t == 0 ? p[1].c : t == 1 ? p[0].s[2] : t == 2 ? p[1].s[0] : t == 3 ? p[1].s[2]\n"
      "  : t == 4 ? (int)p[1].d : t == 5 ? rows[0][0] : t == 6 ? rows[1][1] : rows[1][2];");
  Launch launch = launch_of();
  launch.block = {8, 1, 1};
  EXPECT_EQ(out_of(program, launch), (std::vector<int>{6, 4, 7, 0, 8, 7, 9, 0}));
}

TEST(InitialValues, MayComeFromAConstructor) {
  const Program program = program_of(
      "struct V { int x, y = 3; __device__ constexpr V(int a, int b) : x(a * b) {} };\n"
      "struct W { int x = 4; int y; };\n"
      "struct Empty { int x; __device__ Empty() {} };\n"
      "__device__ V v(2, 5), more[2] = {V(1, 1), {2, 2}};\n"
      "__device__ W w; __device__ W u[2] = {{}, {6, 7}}; __device__ Empty e[2000];",
      "if (t == 0) { out[0] = v.x; out[1] = more[1].x; out[2] = w.x; out[3] = w.y; out[4] = u[0].x;\n"
      "  out[5] = u[1].x; out[6] = e[1999].x; }");
  EXPECT_EQ(out_of(program, launch_of()), (std::vector<int>{10, 4, 4, 0, 4, 6, 0, 0}));
}

// What steers, block by block: strides of 1, 2, 4 and 8, and zero beyond the list.
TEST(InitialValues, SteerBlocksOneByOne) {
  const Program program = program_of("__device__ int stride[512] = {1, 2, 4, 8};", "out[t * stride[b]] = 1;");
  for (const bool brute_force : {false, true}) {
    const Totals totals = totals_of(program, launch_of(512), brute_force);
    ASSERT_FALSE(totals.error) << totals.error->message;
    std::uint64_t sectors = 0;
    for (const SiteTotals& site : totals.global_sites) sectors += site.sectors;
    EXPECT_EQ(sectors, 512u + 4 + 8 + 16 + 32 + 508);
  }
}

// Constants are not changed, whichever way a pointer to them has gone; and reading them is no request.
TEST(InitialValues, OfConstantMemoryStay) {
  const std::string constants = "__constant__ int c[4] = {5, 6, 7, 8}; __constant__ int one = 1;";
  const Program reads =
      program_of(constants, "int* p = c + (n & 1); p += t & 1; int* q = &one; out[t & 7] = *p + *q;");
  EXPECT_EQ(reads.sites.size(), 1u);
  EXPECT_EQ(out_of(reads, launch_of()), (std::vector<int>{6, 7, 6, 7, 6, 7, 6, 7}));
  for (const char* body : {"int* p = t < 40 ? c : out; p[t & 3] = 1;", "int* p = c; p += n & 1; *p = 1;",
                           "int* p[2] = {c, out}; atomicAdd(p[n & 1], 1);", "int* p = &c[n & 1]; ++*p;"}) {
    SCOPED_TRACE(body);
    const Program writes = program_of(constants, body);
    EXPECT_TRUE(trace_block(writes, launch_of(), memory::default_gpu_model(), {0, 0, 0}).error);
    for (const bool brute_force : {false, true}) {
      const Totals totals = totals_of(writes, launch_of(), brute_force);
      ASSERT_TRUE(totals.error);
      EXPECT_EQ(totals.error->kind, RunError::Kind::OutOfRange);
      EXPECT_EQ(totals.error->message.english().substr(0, 34), "c is const and cannot be changed, ");
    }
  }
}

TEST(InitialValues, OfConstantNumbersAreNotLoaded) {
  const Program program = program_of("__device__ const int kStride = 8; __device__ constexpr int kRows = 2;",
                                     "int v[kRows] = {t, kStride};\n"
                                     "  out[v[0] * kStride + n % kRows] = v[1];");
  EXPECT_EQ(program.sites.size(), 1u);
  EXPECT_EQ(program.parameters.size(), 2u);
}

}  // namespace initial_values_test
}  // namespace warplens::sim
