// What is known of counters before a kernel runs, and which loops a counting run leaves out. That nothing is
// lost by it is shown in tests/differential: traces execute every instruction, totals do not.
#include <gtest/gtest.h>

#include "sim/analyse/value_ranges.h"
#include "sim/count/totals.h"
#include "sim/lower/lower.h"
#include "sim/program/operands.h"
#include "tests/sim/program_of.h"

namespace warplens::sim {
namespace idle_loops_test {

Program compiled(const std::string& body) {
  return program_of("__global__ void k(float* out, const float* in, int n) {\n" + body + "}\n");
}

// Branches back that a counting run keeps: one a loop.
int loops_kept(const Program& program) {
  int kept = 0;
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    const Instr& instr = program.code[i];
    if (jumps(instr.op) && instr.target >= 0 && static_cast<std::size_t>(instr.target) <= i)
      kept += program.code[i].keep != Keep::Nothing ? 1 : 0;
  }
  return kept;
}

int local_accesses_kept(const Program& program) {
  int kept = 0;
  for (std::size_t i = 0; i < program.code.size(); ++i)
    if (is_access(program.code[i].op) && program.code[i].site < 0)
      kept += program.code[i].keep != Keep::Nothing ? 1 : 0;
  return kept;
}

Launch launch_of(int threads) {
  Launch launch;
  launch.block = {static_cast<std::uint32_t>(threads), 1, 1};
  launch.grid = {2, 1, 1};
  launch.arguments = {{"out", Buffer{1 << 16}}, {"in", Buffer{1 << 16, Fill::Iota}}, {"n", std::int64_t{5}}};
  return launch;
}

TEST(IdleLoops, AreLeftOutWhereNothingOfThemIsCounted) {
  struct Row {
    const char *why, *body;
    int loops;
  };
  for (const Row& row : {
           Row{"products in registers: p, both loads, both of the stores are kept",
               "float sum[2][3] = {}, a[2], b[3];\n"
               "for (int p = 0; p < n; ++p) {\n"
               "  for (int i = 0; i < 2; ++i) a[i] = in[i * n + p];\n"
               "  for (int j = 0; j < 3; ++j) b[j] = in[p * 3 + j + threadIdx.x];\n"
               "  for (int i = 0; i < 2; ++i)\n"
               "    for (int j = 0; j < 3; ++j) sum[i][j] += a[i] * b[j];\n"
               "}\n"
               "for (int i = 0; i < 2; ++i)\n"
               "  for (int j = 0; j < 3; ++j) out[(i * 3 + j) * 64 + threadIdx.x] = sum[i][j];\n",
               5},
           {"conditions inside",
            "float s = 0;\n"
            "for (int i = 6; i > 0; i -= 2)\n"
            "  if (threadIdx.x % 2 == 0) s += i; else s -= i;\n"
            "out[threadIdx.x] = s;\n",
            0},
           {"the result is an address",
            "int at[4], j = 0;\n"
            "for (int i = 0; i < 4; ++i) at[i] = i * 3 + threadIdx.x;\n"
            "for (int i = 0; i < 4; ++i) j += at[i];\n"
            "out[j] = 1;\n",
            2},
           {"stores what steers an address",
            "int at[4];\n"
            "for (int i = 0; i < 4; ++i) at[i] = 7;\n"
            "out[at[n & 3] * 2 + threadIdx.x] = 1;\n",
            1},
           {"the counter is read afterwards",
            "int i = 0;\n"
            "float sum = 0;\n"
            "for (; i < 7; i += 2) sum += i;\n"
            "out[i + threadIdx.x] = sum;\n",
            1},
           {"accesses memory", "float s = 0;\nfor (int i = 0; i < 4; ++i) s += in[i];\nout[0] = s;\n", 1},
           {"meets", "for (int i = 0; i < 4; ++i) __syncthreads();\n", 1},
           {"lanes that return in it are gone after it",
            "float s = 0;\n"
            "for (int i = 0; i < 4; ++i) {\n"
            "  if (threadIdx.x == i * 3) return;\n"
            "  s += i;\n"
            "}\n"
            "out[threadIdx.x] = s;\n",
            1},
           {"nobody knows that it ends: floats", "float s = 1;\nwhile (s < 9) s *= 2;\nout[0] = s;\n", 1},
           {"nobody knows that it ends: wraps", "unsigned i = 9;\nwhile (i >= 0) --i;\nout[0] = 1;\n", 1},
           {"nobody knows that it ends: no step",
            "float s = 0;\nfor (int i = 0; i < 4; i += 0) s += 1;\nout[0] = s;\n", 1},
           {"some lanes keep what it gave them",
            "int x = threadIdx.x;\n"
            "for (int i = 0; i < 4; ++i) x += i * n;\n"
            "if (threadIdx.x < 16) x = 3;\n"
            "out[x] = 1;\n",
            1},
           {"the next round of the loop around it reads the result",
            "int x = threadIdx.x;\n"
            "for (int p = 0; p < n; ++p) {\n"
            "  out[x] = 1;\n"
            "  x = threadIdx.x + p;\n"
            "  for (int i = 0; i < 4; ++i) x += i * p;\n"
            "}\n",
            2},
           {"what reads the result is skipped by a branch",
            "int x = threadIdx.x;\n"
            "for (int i = 0; i < 4; ++i) x += i * n;\n"
            "if (n > 3) out[x] = 1;\n",
            1},
       }) {
    const Program program = compiled(row.body);
    EXPECT_EQ(loops_kept(program), row.loops) << row.why;
    if (row.loops == 5) {
      EXPECT_EQ(local_accesses_kept(program), 0) << row.why;
    }
  }
}

// Index 4 of four: known, and found.
TEST(IdleLoops, AnIndexBeyondALocalArrayIsStillFound) {
  const Program program = compiled(
      "  float a[4];\n"
      "  for (int i = 0; i <= 4; ++i) a[i] = i;\n"
      "  out[0] = a[n % 4];\n");
  EXPECT_EQ(loops_kept(program), 1);
  for (const bool brute_force : {false, true}) {
    const Totals totals = totals_of(program, launch_of(32), brute_force);
    ASSERT_TRUE(totals.error);
    EXPECT_EQ(totals.error->kind, RunError::Kind::OutOfRange);
  }
}

TEST(ValueRanges, CountersOfNestedLoopsAndWhatFollowsFromThem) {
  const Program program = compiled(
      "  float a[8][4];\n"
      "  for (int i = 1; i < 8; i += 3)\n"
      "    for (int j = 3; j >= 0; --j) a[i][j] = j;\n"
      "  out[0] = a[n & 7][0];\n");
  const ValueRanges known(program);
  ASSERT_EQ(known.loops().size(), 2u);
  EXPECT_EQ(known.loops()[0].values, (ValueRange{0, 3, 1}));  // the inner one ends first
  EXPECT_EQ(known.loops()[1].values, (ValueRange{1, 7, 3}));
  EXPECT_EQ(local_accesses_kept(program), 0);  // also a[n & 7]
}

// By the text of an index: how long an array must be for every access to be known to lie inside.
TEST(ValueRanges, ReachAsFarAsTheIndexDoesAndNoFurther) {
  struct Reach {
    const char *loops, *index;
    int elements;
  };
  const Reach table[] = {
      {"for (int i = 0; i < 5; ++i)", "i", 5},
      {"for (int i = 0; i < 5; ++i)", "7 - i", 8},
      {"for (int i = 0; i < 5; ++i)", "i << 2", 17},
      {"for (int i = 0; i < 5; ++i)", "i * 3 + 1", 14},
      {"for (int i = 0; i < 9; ++i)", "i % 5", 5},
      {"for (int i = 0; i < 9; ++i)", "i / 2", 5},
      {"for (int i = 1; i <= 4; ++i) for (int j = 3; j >= 0; --j)", "i * j", 13},
      {"for (int i = 1; i <= 4; ++i) for (int j = 3; j >= 0; --j)", "i - j + 2", 7},
      {"", "n & 7", 8},
      {"", "threadIdx.x", 1024},
  };
  for (const Reach& reach : table) {
    SCOPED_TRACE(reach.index);
    const auto kept = [&](int elements) {
      return local_accesses_kept(compiled("  float a[" + std::to_string(elements) + "];\n  " + reach.loops +
                                          " a[" + reach.index + "] = 1;\n  out[0] = a[0];\n"));
    };
    EXPECT_EQ(kept(reach.elements), 0);
    EXPECT_EQ(kept(reach.elements - 1), 1);
  }
}

TEST(ValueRanges, HoldWhereTheyAreCertain) {
  struct Row {
    const char *why, *body;
    int kept;
  };
  for (const Row& row : {
           Row{"two factors that may be negative",
               "float a[16];\nfor (int i = -2; i < 3; ++i)\n  for (int j = 0; j < 3; ++j) a[i * j + 2] = "
               "1;\n",
               1},
           {"two floats may begin at an odd one",
            "float a[8];\nfor (int i = 0; i < 4; i += 2)\n"
            "  for (int j = 0; j < 4; ++j) *reinterpret_cast<float2*>(&a[i + j]) = make_float2(1, 2);\n",
            1},
           {"two floats begin at an even one",
            "float a[8];\nfor (int i = 0; i < 4; i += 2)\n"
            "  for (int j = 0; j < 4; j += 2) *reinterpret_cast<float2*>(&a[i + j]) = make_float2(1, 2);\n",
            0},
           {"one variable counts several loops",
            "float a[8];\nint i;\nfor (i = 0; i < 8; ++i) a[i] = i;\nfor (i = 2; i < 7; ++i) a[i + 1] = i;\n",
            0},
           {"behind its step a variable is elsewhere",
            "float a[4];\nfor (int i = 0; i < 4;) { ++i; a[i] = 1; }\n", 1},
           {"it may have no value yet", "float a[4];\nint x;\nif (n > 3) x = 1;\na[x] = 1;\n", 1},
       })
    EXPECT_EQ(local_accesses_kept(compiled(row.body + std::string("out[0] = a[0];\n"))), row.kept) << row.why;
}

// Which write of x reaches the loop that counts it is decided before: a jump leads around the last one, to
// somewhere in between.
TEST(ValueRanges, AJumpAroundAWriteIsSeenWhereverItLands) {
  for (int before = 0; before < 6; ++before) {
    for (int behind = 0; behind < 6; ++behind) {
      std::string body = "  float s = 0, a[4];\n  int x = n;\n  if (n > 3) {\n    x = 1;\n";
      for (int i = 0; i < before; ++i) body += "    s += in[" + std::to_string(i) + "];\n";
      body += "  }\n";
      for (int i = 0; i < behind; ++i) body += "  s *= in[" + std::to_string(i) + "];\n";
      EXPECT_EQ(local_accesses_kept(compiled(body + "  a[x] = s;\n  out[0] = a[0];\n")), 1) << body;
      EXPECT_EQ(local_accesses_kept(compiled(body + "  for (; x < 3; ++x) a[x] = s;\n  out[0] = a[0];\n")), 1)
          << body;
    }
  }
}

// A counter that something else writes as well, or that a path steps over, is not known.
TEST(ValueRanges, CountersThatAreWrittenTwice) {
  for (const char* loop : {"for (int i = 0; i < 8; ++i) { s += i; if (n == 3) i = 0; }\n",
                           "int i = 0;\ndo { s += 1; if (n != 3) ++i; } while (i < 8);\n",
                           "for (int i = 0; i < 8;) { s += 1; if (n != 3) ++i; s *= 2; }\n"}) {
    const std::string body = std::string("float s = 0;\n") + loop + "out[0] = s;\n";
    EXPECT_TRUE(ValueRanges(compiled(body)).loops().empty()) << loop;
  }
}

}  // namespace idle_loops_test
}  // namespace warplens::sim
