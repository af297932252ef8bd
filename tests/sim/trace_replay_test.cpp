// Any moment of a trace, reached from the nearest checkpoint, is the moment that a run from the start
// reaches.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "sim/lower/lower.h"
#include "sim/trace/checkpoints.h"
#include "sim/trace/trace.h"
#include "tests/sim/program_of.h"

namespace warplens::sim {
namespace trace_replay_test {

struct Scrubbed {
  const char* name;
  const char* body;            // of k(int* out, const int* in), 64 threads; `turn` counts the loop's turns
  std::size_t before, a_turn;  // events of warp 0 before the loop, and of each turn
  LaneMask live;               // lanes of warp 0 that run the loop
};

void PrintTo(const Scrubbed& scrubbed, std::ostream* out) {
  *out << scrubbed.name;
}

const Scrubbed kScrubbed[] = {
    {"InABranch", R"(
  for (int turn = 0; turn < 5000; ++turn) {
    if (t % 3 == 1) {
      sum += in[sum & 255];
      out[t] = sum;
    } else {
      sum -= turn;
    }
  })",
     0, 2, ~LaneMask{0}},
    {"AfterAReturn", R"(
  if (t % 32 >= 20) return;
  for (int turn = 0; turn < 9000; ++turn) {
    sum += in[(sum + t) & 255] + turn;
  })",
     0, 1, 0x000fffff},
    {"OverTwoMemories", R"(
  __shared__ int tile[64];
  tile[t] = t;
  int* from = t % 2 == 0 ? tile : out;
  for (int turn = 0; turn < 4000; ++turn) {
    sum += from[t];
    from[t] = sum + turn;
  })",
     1, 4, ~LaneMask{0}},
    {"BetweenBlockVotes", R"(
  for (int turn = 0; turn < 5000; ++turn) {
    sum += __syncthreads_count(in[(sum + t) & 255] & 1);
  })",
     0, 1, ~LaneMask{0}},
    {"WithinACase", R"(
  for (int turn = 0; turn < 5000; ++turn) {
    switch ((t + turn) % 3) {
      case 0: sum += in[turn & 255]; break;
      case 1: sum ^= turn;
      default: out[t] = sum; sum += 2;
    }
  })",
     0, 2, ~LaneMask{0}},
};

class TraceReplay : public testing::TestWithParam<Scrubbed> {
 protected:
  void SetUp() override {
    const std::string text = "__global__ void k(int* out, const int* in) {\n  int t = threadIdx.x, sum = 0;" +
                             std::string(GetParam().body) + "\n  out[64 + t] = sum;\n}\n";
    program_ = program_of(text);
    launch_.block = {64, 1, 1};
    launch_.arguments = {{"in", Buffer{256, Fill::Random}}};
    trace_ = trace_block(program_, launch_, memory::default_gpu_model(), {0, 0, 0});
    ASSERT_FALSE(trace_.error) << trace_.error->message;
    ASSERT_FALSE(trace_.checkpoints->taken.empty());  // none lies within an access to two memories
  }

  std::vector<LaneValues> values_at(const Trace& trace, std::size_t event) const {
    return variables_at(program_, launch_, memory::default_gpu_model(), trace, event);
  }

  // Around every checkpoint, at both ends, and anywhere.
  std::set<std::size_t> moments() const {
    std::set<std::size_t> events{0, trace_.events.size() - 1};
    for (const TraceCheckpoint& checkpoint : trace_.checkpoints->taken)
      for (std::size_t more = 0; more < 3; ++more) events.insert(checkpoint.event - 1 + more);
    std::mt19937 random(12);
    for (int i = 0; i < 8; ++i) events.insert(random() % trace_.events.size());
    return events;
  }

  Program program_;
  Launch launch_;
  Trace trace_;
};

TEST_P(TraceReplay, FromACheckpointIsAsFromTheStart) {
  Trace plain = trace_;
  plain.checkpoints = nullptr;
  for (const std::size_t event : moments()) {
    const std::vector<LaneValues> quick = values_at(trace_, event), slow = values_at(plain, event);
    ASSERT_EQ(quick.size(), slow.size());
    for (std::size_t v = 0; v < quick.size(); ++v) {
      ASSERT_EQ(quick[v].known, slow[v].known) << "event " << event << ", " << program_.variables[v].name;
      for (std::size_t lane = 0; lane < memory::kWarpLanes; ++lane) {
        if ((quick[v].known >> lane & 1) == 0) continue;
        ASSERT_EQ(quick[v].bits[lane], slow[v].bits[lane])
            << "event " << event << ", " << program_.variables[v].name << " of lane " << lane;
      }
    }
  }
}

// The turn follows from the event's number alone, in every lane that is still there.
TEST_P(TraceReplay, TellsTheTurn) {
  std::size_t turn = 0;
  while (turn < program_.variables.size() && program_.variables[turn].name != "turn") ++turn;
  ASSERT_LT(turn, program_.variables.size());
  const std::vector<std::uint32_t>& first_warp = trace_.warp_events[0];
  for (const std::size_t number : {std::size_t{1}, std::size_t{4095}, std::size_t{4096}, std::size_t{4097}}) {
    const LaneValues found = values_at(trace_, first_warp[GetParam().before + number])[turn];
    EXPECT_EQ(found.known, GetParam().live) << number;
    EXPECT_EQ(found.bits[4], number / GetParam().a_turn) << number;
    EXPECT_EQ(found.bits[16], number / GetParam().a_turn) << number;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, TraceReplay, testing::ValuesIn(kScrubbed),
                         [](const auto& scrubbed) { return std::string(scrubbed.param.name); });

TEST(TraceReplayScope, EndsBeforeItsLastInstruction) {
  const CompileResult compiled =
      compile({.text = "__global__ void k(int* out) { int x = threadIdx.x; out[x] = 1; }"});
  ASSERT_TRUE(compiled.program);
  Program program = *compiled.program;
  Launch launch{.grid = {}, .block = {32}, .arguments = {}};
  const memory::GpuModel& gpu = memory::default_gpu_model();
  const Trace trace = trace_block(program, launch, gpu, {0, 0, 0});
  ASSERT_EQ(trace.events.size(), 1u);
  const auto at = static_cast<std::int32_t>(trace.events[0].instr);
  std::size_t x = 0;
  while (x < program.variables.size() && program.variables[x].name != "x") ++x;
  ASSERT_LT(x, program.variables.size());
  program.variables[x].end_instr = at + 1;
  EXPECT_EQ(variables_at(program, launch, gpu, trace, 0)[x].known, ~LaneMask{0});
  program.variables[x].end_instr = at;
  EXPECT_EQ(variables_at(program, launch, gpu, trace, 0)[x].known, 0u);
}

}  // namespace trace_replay_test
}  // namespace warplens::sim
