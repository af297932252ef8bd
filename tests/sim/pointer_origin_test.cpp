// Pointers to an element at a known place, `&tile[1]`, are constants: they still point into their array.
#include <gtest/gtest.h>

#include "sim/count/totals.h"
#include "tests/sim/program_of.h"

namespace warplens::sim {
namespace pointer_origin_test {

// By classes; the launch is two blocks of a warp.
Totals totals_of(const std::string& text, std::map<std::string, Argument> arguments) {
  const Program program = program_of(text);
  Launch launch{.grid = {2}, .block = {32}, .arguments = std::move(arguments)};
  return grid_totals(program, launch, memory::default_gpu_model());
}

// Lane 19 is the last to write tile[1]: j is 16, 8, 4 and then 2, which is not above 19 & 15 = 3.
TEST(PointerOrigin, AStoreThatMayGoToSharedMemoryIsKeptForItsReaders) {
  const Totals totals = totals_of(
      "__global__ void k(int* out) {\n"
      "  __shared__ int tile[8];\n"
      "  int* p = threadIdx.x < 20 ? &tile[1] : &out[0];\n"
      "  *p = threadIdx.x;\n"
      "  for (int j = 16; j > (tile[1] & 15); j >>= 1) {}\n"
      "}\n",
      {});
  ASSERT_FALSE(totals.error);
  ASSERT_EQ(totals.shared_sites.size(), 2u);
  EXPECT_EQ(totals.shared_sites[0].active_lanes, 2 * 20u);
  EXPECT_EQ(totals.global_sites[0].active_lanes, 2 * 12u);
  EXPECT_EQ(totals.shared_sites[1].requests, 2 * 4u);
}

// Each lane reads its own local memory, though the pointer is the same in all.
TEST(PointerOrigin, WhatIsReadFromLocalMemoryDiffersFromLaneToLane) {
  const Totals totals = totals_of(
      "__global__ void k(int* out, int n) {\n"
      "  int local[2];\n"
      "  local[0] = 0;\n"
      "  local[1] = threadIdx.x;\n"
      "  int* p = n > 0 ? &local[1] : &out[0];\n"
      "  out[*p * 8] = 1;\n"
      "}\n",
      {{"n", std::int64_t{1}}});
  ASSERT_FALSE(totals.error);
  EXPECT_EQ(totals.global_sites.back().requests, 2u);
  EXPECT_EQ(totals.global_sites.back().sectors, 2 * 32u);
}

// What a pointer may be given on the way to an access, it may be given in any round of a loop, in a branch or
// by way of memory: the access reaches all of it.
TEST(PointerOrigin, AnAccessReachesAllThatItsPointerMayBeGiven) {
  for (const char* body : {
           "int *p = a, *q = a; for (int i = 0; i < n; ++i) { p[threadIdx.x] = i; p = q; q = b; }",
           "int* p = a; if (n > 100) p = b; p[threadIdx.x] = 1;",
           "int* p = b; if (n > 100) p = a; p[threadIdx.x] = 1;",
           "int* kept[2]; kept[0] = kept[1] = a; int* p = n > 100 ? b : kept[n & 1]; p[threadIdx.x] = 1;",
       }) {
    SCOPED_TRACE(body);
    const Totals totals = totals_of("__global__ void k(int* a, int* b, int n) { " + std::string(body) + " }",
                                    {{"n", std::int64_t{4}}});
    ASSERT_FALSE(totals.error) << totals.error->message;
    EXPECT_EQ(totals.global_sites[0].requests % 2, 0u);
    EXPECT_GT(totals.global_sites[0].requests, 0u);
  }
}

// The second leaves b for a: 2^38 ints before b begins a, in memory that is simulated.
TEST(PointerOrigin, OfTwoPointersOneAfterTheOtherEachKeepsToItsOwn) {
  const Totals totals = totals_of(
      "__global__ void k(int* a, int* b, int n) {\n"
      "  { int* p = a; if (n > 1) p = a + n; p[threadIdx.x] = 1; }\n"
      "  a[n] = 1;\n"
      "  { int* q = b; if (n > 1) q = b + n; q[threadIdx.x - (1ll << 38)] = 1; }\n"
      "}\n",
      {{"n", std::int64_t{4}}});
  ASSERT_TRUE(totals.error);
  EXPECT_EQ(totals.error->kind, RunError::Kind::OutOfRange) << totals.error->message;
}

}  // namespace pointer_origin_test
}  // namespace warplens::sim
