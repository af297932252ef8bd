// Kernels whose counts follow by hand from the text: what a block's index, an old value, a vote or a shuffle
// steers must be counted block by block. Classes of alike blocks and brute force must both give the sums that
// are worked out here.
#include <gtest/gtest.h>

#include "sim/count/totals.h"
#include "tests/sim/program_of.h"

namespace warplens::sim {
namespace hand_counts_test {

// Distinct 32-byte sectors of 32 ints that lie `stride` apart, from the start of a sector on.
std::uint64_t sectors_of(std::uint64_t stride) {
  return stride >= 8 ? 32 : 31 * stride / 8 + 1;
}

// Over blocks: the sectors of a store whose stride the block's index decides.
template <typename StrideOf>
std::uint64_t sectors_over(std::uint32_t blocks, StrideOf stride_of) {
  std::uint64_t sum = 0;
  for (std::uint32_t b = 0; b < blocks; ++b) sum += sectors_of(static_cast<std::uint64_t>(stride_of(b)));
  return sum;
}

struct Expected {
  std::uint64_t requests = 0, sectors = 0;  // of global memory, all sites together
  std::uint64_t wavefronts = 0;             // of shared memory
};

struct HandCase {
  const char* name;
  const char* body;  // t: threadIdx.x, b: blockIdx.x
  Dim3 grid;
  Expected expected;
  std::optional<RunError::Kind> error = {};  // then nothing else is expected
  std::map<std::string, Argument> arguments = {};
  std::uint32_t block = 32;
};

void PrintTo(const HandCase& hand, std::ostream* out) {
  *out << hand.name;
}

Launch launch_of(const HandCase& hand) {
  Launch launch{.grid = hand.grid, .block = {hand.block}, .arguments = hand.arguments};
  launch.arguments.try_emplace("n", std::int64_t{64});
  return launch;
}

std::string text_of(const HandCase& hand) {
  return "__global__ void k(int* out, const float* in, const int* idx, int* bins, int n) {\n"
         "  int t = threadIdx.x, b = blockIdx.x;\n  " +
         std::string(hand.body) + "\n}\n";
}

std::uint64_t square(std::uint64_t b) {
  return b * b;
}

// Strides 1 to 700 give 700 shapes of one access, more than are kept: those beyond are priced one by one.
std::uint64_t sectors_of_700_strides() {
  std::uint64_t sum = 0;
  for (std::uint64_t stride = 1; stride <= 700; ++stride) sum += sectors_of(stride);
  return sum;
}

// Word t * stride of 1024, stride = 2^a * odd: up to 2^5 lanes fall in one bank, and beyond that two, four
// ... of them share a word.
std::uint64_t wavefronts_of_700_strides() {
  std::uint64_t sum = 0;
  for (unsigned stride = 1; stride <= 700; ++stride) {
    const unsigned power = stride & (~stride + 1);
    sum += power <= 32 ? power : 1024 / power;
  }
  return sum;
}

const std::vector<HandCase>& hand_cases() {
  using Kind = RunError::Kind;
  const std::uint64_t squares = sectors_over(64, square);
  static const std::vector<HandCase> cases{
      // What is priced one by one counts for every block of its class.
      {"StridesBeyondTheKept",
       "float s = 0; for (int j = 1; j <= 700; ++j) s += in[t * j]; out[b * 32 + t] = s;",
       {64, 1, 1},
       {64 * 701, 64 * (sectors_of_700_strides() + 4)}},
      {"SharedStridesBeyondTheKept",
       "__shared__ int tile[1024]; for (int q = t; q < 1024; q += 32) tile[q] = q; __syncthreads();\n"
       "  int s = 0; for (int j = 1; j <= 700; ++j) s += tile[t * j & 1023]; out[b * 32 + t] = s;",
       {64, 1, 1},
       {64, 64 * 4, 64 * (32 + wavefronts_of_700_strides())}},

      // What steers, and depends on the block in no linear way.
      {"OldValueOfAnAtomic",  // lane 0 gets what was there, each other what the lane before it brought
       "__shared__ int c; if (t == 0) c = 0; __syncthreads(); int o = atomicExch(&c, b * b); out[o * t] = 1;",
       {64, 1, 1},
       {64, squares, 64 * (1 + 32)}},
      {"BlockVote",  // no access by itself
       "int below = __syncthreads_count(t < b); out[below * t] = 1;",
       {64, 1, 1},
       {64, sectors_over(64, [](std::uint32_t b) { return std::min(b, 32u); })}},
      {"BlockVoteOfThoseThatAreLeft",
       "if (t >= 20) return; int all = __syncthreads_and(1); out[t << 3 * all] = 1;",
       {64, 1, 1},
       {64, 64 * 20}},
      {"BlockVoteOfAnotherWarp",  // warp 1 knows, warp 0 stores
       "int odd = __syncthreads_or(t == 40 && __popc(b) & 1); if (t < 32) out[odd * 8 * t + t] = 1;",
       {64, 1, 1},
       {64, 32 * 4 + 32 * 32},
       {},
       {},
       64},
      {"BlockVoteOnWhatIsLoaded",  // idx[b] is b; in the second half all threads agree
       "int all = __syncthreads_and(idx[b] > 31); out[t << 3 * all] = 1;",
       {64, 1, 1},
       {128, 64 + 32 * 4 + 32 * 32},
       {},
       {{"idx", Buffer{0, Fill::Iota}}}},
      {"LocalMemory",
       "int l[4] = {0, 0, 0, 0}; l[t & 3] = b * b; out[l[t & 3] * t] = 1;",
       {64, 1, 1},
       {64, squares}},
      {"SharedMemory",
       "__shared__ int c[32]; c[t] = b * b; __syncthreads(); out[c[31 - t] * t] = 1;",
       {64, 1, 1},
       {64, squares, 64 * 2}},
      {"SharedRowOfTheBlock",  // where the worst access lies is that of the first row
       "__shared__ int tile[2048]; tile[b * 32 + t] = t; out[b * 32 + t] = tile[b * 32 + t];",
       {64, 1, 1},
       {64, 64 * 4, 64 * 2}},
      {"VoteOfAny",  // b * b % 7 is 2 where b % 7 is 3 or 4: in 18 of 64 blocks
       "bool v = __any_sync(0xffffffffu, b * b % 7 == 2 && t == 5); out[v ? t * 32 : t] = 1;",
       {64, 1, 1},
       {64, 18 * 32 + 46 * 4}},
      {"VoteOfAll",  // all lanes are below 50 up to block 18
       "if (__all_sync(0xffffffffu, b + t < 50)) out[t * 32] = 1;",
       {64, 1, 1},
       {19, 19 * 32}},
      {"Ballot",  // one lane, where t is b
       "unsigned m = __ballot_sync(0xffffffffu, t == b); out[__popc(m) * t] = 1;",
       {64, 1, 1},
       {64, 32 * 4 + 32 * 1}},
      {"SourceOfAShuffle",
       "int v = __shfl_sync(0xffffffffu, t * t, b & 31); out[v * t] = 1;",
       {64, 1, 1},
       {64, sectors_over(64, [](std::uint32_t b) { return (b & 31) * (b & 31); })}},
      {"ShuffleAmongHalfOfTheLanes",
       "int v = b * b; if (t < 16) { int s = __shfl_sync(0xffffu, v, 3); out[s * t] = 1; }",
       {64, 1, 1},  // 16 lanes: half as far
       {64, 1 + 2 + 8 + 61 * 16}},
      {"AssignmentInABranch",  // lanes 0 to 15 keep apart from the block, the others go with it
       "int v = b * b; if (t < 16) v = t; out[v * t + (t & 16) * 256] = 1;",
       {64, 1, 1},
       {64, 64 * 14 + 1 + 2 + 8 + 61 * 16}},
      {"CaseOfASwitch",  // block 5 k + 1 takes the first way
       "switch (b % 5) { case 1: out[t] = 1; break; default: out[t * 32] = 2; }",
       {60, 1, 1},
       {60, 12 * 4 + 48 * 32}},
      {"CaseOfASwitchByLane",  // half of the lanes go with the block, half without
       "switch ((b + t) & 1) { case 1: out[t] = 1; break; default: out[t * 32] = 2; }",
       {64, 1, 1},
       {128, 64 * (4 + 16)}},
      {"QuotientByANegativeNumber",  // -3 b: blocks 0 to 6 take the first way
       "if (6 * b / n > -20) out[t] = 1; else out[t * 32] = 1;",
       {64, 1, 1},
       {64, 7 * 4 + 57 * 32},
       {},
       {{"n", std::int64_t{-2}}}},
      {"BitsOfCountedFloats",  // the exponent of number 32 b + t is that of b, plus 5; block 0 has several
       "int e = (((const int*)in)[b * 32 + t] >> 23) & 3; out[t * e] = 1;",
       {60, 1, 1},  // the middle is no power of two, where a chunk of numbers with one exponent begins
       {120, 60 * 4 + 9 + 1 + 2 * 4 + 4 * 8 + 8 * 12 + 16 * 1 + 28 * 4},
       {},
       {{"in", Buffer{0, Fill::Iota}}}},
      {"TicketsOfOtherBlocks",  // block b reads 0 + 1 + ... + b
       "if (t == 0) atomicAdd(&bins[0], b); int o = bins[0]; out[o * t] = 1;",
       {64, 1, 1},
       {64 * 3, 64 * 2 + sectors_over(64, [](std::uint32_t b) { return b * (b + 1) / 2; })}},
      {"ValueOfASharedAtomic",
       "__shared__ int c[32]; c[t] = 0; __syncthreads(); atomicAdd(&c[t], t * 3); __syncthreads();\n"
       "  out[c[31 - t] * 8] = 1;",
       {4, 1, 1},
       {4, 4 * 32, 4 * 3}},

      {"TicketsByADetour",  // bins, though the pointer began as idx
       "if (t == 0) atomicAdd(&bins[0], b);\n"
       "  int o = *(const int*)((const char*)idx + ((long long)bins - (long long)idx)); out[o * t] = 1;",
       {64, 1, 1},
       {64 * 3, 64 * 2 + sectors_over(64, [](std::uint32_t b) { return b * (b + 1) / 2; })}},

      // Lanes that go their own ways in a switch.
      {"ReturnInACase",
       "switch (t & 1) { case 0: return; default: break; } out[t * 8] = 1;",
       {4, 1, 1},
       {4, 4 * 16}},
      {"SwitchThatTakesSomeLanes",
       "switch (t & 3) { case 0: out[t] = 1; } out[t * 8] = 2;",
       {4, 1, 1},
       {8, 4 * (4 + 32)}},
      {"DivisionInACaseThatNoLaneTakes",
       "int q = 1; switch (t & 1) { case 2: q = 100 / (n - 64); break; default: q = 2; } out[t * q] = 1;",
       {4, 1, 1},
       {4, 4 * 8}},

      // What leaves its type, or its buffer, in one block of many.
      {"SignOfAWideShift",  // bit 6 of b becomes the sign
       "long long w = (long long)b << 57; if (w < 0) out[t * 32] = 1; else out[t] = 1;",
       {256, 1, 1},
       {256, 128 * 32 + 128 * 4}},
      {"DistanceThatTurns",  // below 9 from block 32 to block 48
       "if (abs(b - 40) < 9) out[t * 32] = 1; else out[t] = 1;",
       {64, 1, 1},
       {64, 17 * 32 + 47 * 4}},
      {"DivisorThatIsZeroInTheLastBlock", "out[t] = 100 / (b - 200);", {201, 1, 1}, {}, Kind::DivisionByZero},
      {"StoreBehindTheEndInTheLastBlock",
       "out[b * 32] = 1;",
       {33, 1, 1},
       {},
       Kind::OutOfRange,
       {{"out", Buffer{1024}}},
       1},
      {"OneBufferOfTwoLeftByOneInTheLastBlock",
       "int* p = t < 16 ? out : bins; p[b * 32 + t] = 1;",
       {4096, 1, 1},
       {},
       Kind::OutOfRange,
       {{"out", Buffer{4095 * 32 + 15}}}},
      {"LoadBehindTheEndInTheLastBlock",
       "out[idx[b * 32]] = 1;",
       {33, 1, 1},
       {},
       Kind::OutOfRange,
       {{"idx", Buffer{1024}}},
       1},
      {"LoadBehindTheEndInTheLastTurn",
       "int s = 0; for (int j = 0; j <= 64; ++j) s += idx[j * 32 + t]; out[t] = s;",
       {1, 1, 1},
       {},
       Kind::OutOfRange,
       {{"idx", Buffer{2048}}}},
      {"IndexOfTheLastLaneThatWraps",
       "int j = 0x7fffff00; float s = 0; for (int q = 0; q < 8; ++q) { s += in[j + t * 2]; j += 32; } out[t] "
       "= s;",
       {1, 1, 1},
       {},
       Kind::OutOfRange},
      {"IndexThatWrapsInTheLastBlock",
       "int v = idx[b * (1 << 28) + t]; out[v & 1023] = 1;",
       {9, 1, 1},
       {},
       Kind::OutOfRange},
      {"LocalArrayBelow",
       "int l[4] = {1, 2, 3, 4}; int s = 0; for (int q = -1; q < 3; ++q) s += l[q]; out[t] = s;",
       {2, 1, 1},
       {},
       Kind::OutOfRange},
  };
  return cases;
}

// Block 32 is the middle of the grid, and with it the first to be simulated; the last are each alone, without
// a reason.
TEST(HandReasons, AreThoseOfTheFirstClass) {
  const std::string text =
      "__global__ void k(int* out, const int* idx) {\n"
      "  int b = blockIdx.x;\n"
      "  if (b < 40)\n"
      "    out[idx[b]] = 1;\n"
      "  else\n"
      "    out[b * b] = 1;\n"
      "}\n";
  const Program program = program_of(text);
  Launch launch{.grid = {64}, .block = {32}, .arguments = {{"idx", Buffer{64, Fill::Random}}}};
  EXPECT_EQ(grid_totals(program, launch, memory::default_gpu_model()).data_dependent,
            "an address in line 4 depends on values that the kernel reads from memory");
}

// The first of five buffers is written, what the fifth holds steers.
TEST(HandClasses, AFifthBufferIsAnotherThanTheFirst) {
  const std::string text =
      "__global__ void k(int* out, int* p, int* q, int* r, const int* idx) {\n"
      "  out[idx[blockIdx.x * 32 + threadIdx.x]] = 1;\n"
      "}\n";
  const Program program = program_of(text);
  Launch launch{.grid = {8192}, .block = {32}, .arguments = {{"idx", Buffer{0, Fill::Iota}}}};
  const Totals totals = grid_totals(program, launch, memory::default_gpu_model());
  ASSERT_FALSE(totals.error);
  EXPECT_EQ(totals.global_sites[0].sectors + totals.global_sites[1].sectors, 8192u * 8);
  EXPECT_LT(totals.blocks_simulated, 100u);
}

// A step of 2^32 - 1 is one of -1. Words move by one from block to block, sectors by eight: eight classes,
// and blocks beside them until that is found.
TEST(HandClasses, AFallingUnsignedIndexIsFollowed) {
  const std::string text =
      "__global__ void k(int* out) { out[100000u + (blockIdx.x + threadIdx.x) * 4294967295u] = 1; }";
  const Program program = program_of(text);
  Launch launch{.grid = {8192}, .block = {32}, .arguments = {}};
  const Totals totals = grid_totals(program, launch, memory::default_gpu_model());
  ASSERT_FALSE(totals.error);
  EXPECT_EQ(totals.global_sites[0].sectors, 8192u / 8 * (4 + 7 * 5));
  EXPECT_LT(totals.blocks_simulated, 100u);
}

class HandCounts : public testing::TestWithParam<HandCase> {};

TEST_P(HandCounts, AreThoseOfClassesAndOfBruteForce) {
  const std::string text = text_of(GetParam());
  const Program program = program_of(text);
  std::vector<Totals> ways;
  for (const bool brute_force : {false, true}) {
    SCOPED_TRACE(brute_force ? "brute force" : "classes");
    const TotalsOptions options{.brute_force = brute_force, .threads = 1, .limits = {}};
    ways.push_back(grid_totals(program, launch_of(GetParam()), memory::default_gpu_model(), options));
    const Totals& totals = ways.back();
    ASSERT_EQ(totals.error.has_value(), GetParam().error.has_value())
        << (totals.error ? totals.error->message.english() : "");
    if (totals.error) {
      EXPECT_EQ(static_cast<int>(totals.error->kind), static_cast<int>(*GetParam().error))
          << totals.error->message;
      continue;
    }
    Expected sum;
    for (const SiteTotals& site : totals.global_sites) {
      sum.requests += site.requests;
      sum.sectors += site.sectors;
    }
    for (const SiteTotals& site : totals.shared_sites) sum.wavefronts += site.wavefronts;
    EXPECT_EQ(sum.requests, GetParam().expected.requests);
    EXPECT_EQ(sum.sectors, GetParam().expected.sectors);
    EXPECT_EQ(sum.wavefronts, GetParam().expected.wavefronts);
  }
  if (GetParam().error) return;
  EXPECT_TRUE(ways[0].global_shapes == ways[1].global_shapes);
  EXPECT_TRUE(ways[0].shared_shapes == ways[1].shared_shapes);
  EXPECT_EQ(ways[0].barriers, ways[1].barriers);
}

INSTANTIATE_TEST_SUITE_P(Kernels, HandCounts, testing::ValuesIn(hand_cases()),
                         [](const auto& hand) { return std::string(hand.param.name); });

}  // namespace hand_counts_test
}  // namespace warplens::sim
