// One budget for a whole request: who stops it, what is said, and that every entry gives a result.
#include "sim/base/budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "sim/base/sweeps.h"
#include "sim/trace/trace.h"
#include "tests/sim/program_of.h"

namespace warplens::sim {
namespace budget_test {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kScatter =
    "__global__ void k(int* out) { out[(blockIdx.x * 32 + threadIdx.x) * 4096] = 1; }";

TEST(Budget, TheFirstReasonStays) {
  const std::atomic<bool> cancel{true};
  Budget budget({.instructions = 10, .cancel = &cancel});
  EXPECT_EQ(budget.spend_instructions(11), StopReason::InstructionLimit);
  EXPECT_EQ(budget.look(), StopReason::InstructionLimit);
  EXPECT_EQ(budget.stop(StopReason::MemoryLimit), StopReason::InstructionLimit);
  EXPECT_THAT(budget.why(Stage::Counting).message(), HasSubstr("stopped after 10 instructions"));
  Budget without_flag({.instructions = 10});
  EXPECT_EQ(without_flag.spend_instructions(11), StopReason::InstructionLimit);
  EXPECT_EQ(without_flag.look(), StopReason::InstructionLimit);  // though nothing new ends it
}

TEST(Budget, TheLastInstructionAndTheLastByteAreAllowed) {
  Budget budget({.instructions = 10, .memory_bytes = 100});
  EXPECT_EQ(budget.spend_instructions(4), StopReason::None);
  EXPECT_EQ(budget.spend_instructions(6), StopReason::None);
  EXPECT_TRUE(budget.take(40));
  EXPECT_TRUE(budget.take(60));
  EXPECT_EQ(budget.spend_instructions(1), StopReason::InstructionLimit);
}

TEST(Budget, MoreThanAllMemoryIsNeverThere) {
  for (const std::uint64_t bytes : {std::uint64_t{101}, ~std::uint64_t{0}}) {
    Budget budget({.memory_bytes = 100});
    EXPECT_FALSE(budget.take(bytes));
    EXPECT_EQ(budget.used_bytes(), 0u);
  }
}

TEST(Budget, LimitsAreToldInWords) {
  const auto memory = [](double bytes) {
    return Stopped{StopReason::MemoryLimit, Stage::Tracing, bytes}.message();
  };
  EXPECT_EQ(memory(512), "stopped at 0.5 KiB of memory, while tracing a block");
  EXPECT_EQ(memory(1 << 20), "stopped at 1 MiB of memory, while tracing a block");
  EXPECT_EQ(memory(1 << 30), "stopped at 1 GiB of memory, while tracing a block");
  // The time that was given, not the time that is left.
  Budget budget({.deadline = Budget::in(0.05)});
  while (budget.look() == StopReason::None) {
  }
  EXPECT_GT(budget.why(Stage::Counting).limit, 0);
  EXPECT_LE(budget.why(Stage::Counting).limit, 0.05);
}

TEST(Budget, ADayIsADeadlineAndThirtyYearsAreNone) {
  EXPECT_LT(Budget::in(24 * 3600), Budget::Clock::time_point::max());
  EXPECT_EQ(Budget::in(1e10), Budget::Clock::time_point::max());
}

TEST(Budget, MemoryIsOfAllTogetherAndComesBack) {
  Budget budget({.memory_bytes = 100});
  {
    HeldMemory held(budget);
    EXPECT_TRUE(held.take(60));
    EXPECT_TRUE(held.take(20));
    EXPECT_EQ(budget.used_bytes(), 80u);
  }
  EXPECT_EQ(budget.used_bytes(), 0u);
  HeldMemory one(budget), other(budget);
  EXPECT_TRUE(one.take(60));
  EXPECT_THROW(other.need(41, Stage::Tracing), Stopped);
  EXPECT_EQ(budget.stopped(), StopReason::MemoryLimit);
}

TEST(Budget, ItsTimeEndsAPace) {
  Budget budget({.deadline = Budget::in(0)});
  Pace pace(budget, Stage::Parsing);
  const auto stopped = stopped_in(Stage::Reading, [&] {
    for (int i = 0; i < 1'000'000; ++i) pace.step();
  });
  ASSERT_TRUE(stopped);
  EXPECT_EQ(stopped->why, StopReason::TimeLimit);
  EXPECT_THAT(stopped->message(), HasSubstr("while parsing the text"));
}

TEST(Budget, APaceLooksAgainAndAgain) {
  std::atomic<bool> cancel{false};
  Budget budget({.cancel = &cancel});
  Pace pace(budget, Stage::Parsing);
  for (int i = 0; i < 5000; ++i) pace.step();
  cancel = true;
  EXPECT_TRUE(stopped_in(Stage::Parsing, [&] {
    for (int i = 0; i < 5000; ++i) pace.step();
  }));
}

TEST(Budget, LargeStepsOfAPaceCountForWhatTheyAre) {
  const std::atomic<bool> cancel{true};
  Budget budget({.cancel = &cancel});
  Pace pace(budget, Stage::Parsing);
  EXPECT_TRUE(stopped_in(Stage::Parsing, [&] {
    for (int i = 0; i < 3; ++i) pace.step(1500);
  }));
}

TEST(Budget, WhatTheMachineDoesNotHaveIsALimitToo) {
  const std::optional<Stopped> all[] = {
      stopped_in(Stage::Tracing, [] { throw std::bad_alloc(); }),
      stopped_in(Stage::Tracing, [] { throw std::length_error("vector"); })};
  for (const std::optional<Stopped>& stopped : all) {
    ASSERT_TRUE(stopped);
    EXPECT_EQ(stopped->why, StopReason::MemoryLimit);
    EXPECT_THAT(stopped->message(), HasSubstr("this machine's memory is used up"));
  }
}

// Every entry: stopped before it begins, it says so and gives nothing.
TEST(Budget, EveryEntryStopsWithWords) {
  const Program program = program_of(kScatter);
  const std::atomic<bool> cancel{true};
  Budget budget({.cancel = &cancel});
  ASSERT_EQ(budget.look(), StopReason::Cancelled);
  const std::string long_text = std::string(10'000, ';') + kScatter;
  const CompileResult result = compile({.text = long_text}, &budget);
  ASSERT_TRUE(result.stopped);
  EXPECT_FALSE(result.program);
  EXPECT_EQ(result.stopped->why, StopReason::Cancelled);
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_THAT(result.diagnostics.back().message, HasSubstr("cancelled, while"));
  EXPECT_TRUE(list_kernels(long_text, {}, &budget).stopped);

  TotalsOptions options;
  options.limits.budget = &budget;
  options.brute_force = true;
  const memory::GpuModel& gpu = memory::default_gpu_model();
  const Totals totals = grid_totals(program, launch_of(32, 100'000), gpu, options);
  ASSERT_TRUE(totals.error);
  EXPECT_EQ(totals.error->kind, RunError::Kind::Cancelled);
  const CheckedBlocks checked = check_blocks(program, launch_of(32, 100'000), gpu, {}, options.limits);
  ASSERT_TRUE(checked.error);
  EXPECT_EQ(checked.error->kind, RunError::Kind::Cancelled);
}

// Four threads that write 64 MiB each have no more than the 32 MiB of them all.
TEST(Budget, ThreadsShareTheirMemory) {
  const Program program = program_of(
      "__global__ void k(int* out) { int v = out[0];"
      "  for (int i = 0; i < 4096; ++i) { out[(blockIdx.x * 4096 + i) * 4096 + v] = 1; v = out[i * 4096] & "
      "1; } }");
  Budget budget({.memory_bytes = std::uint64_t{32} << 20});
  TotalsOptions options;
  options.limits.budget = &budget;
  options.brute_force = true;
  options.threads = 4;
  const Totals totals = grid_totals(program, launch_of(32, 16), memory::default_gpu_model(), options);
  ASSERT_TRUE(totals.error);
  EXPECT_EQ(totals.error->kind, RunError::Kind::MemoryLimit);
  EXPECT_EQ(budget.used_bytes(), 0u);  // given back
}

// What each of them reads, the 6 MiB of the buffer, does not lie there four times in 13 MiB: a block reads a
// quarter of it, so that four of them have room above the half at which a thread lets go.
TEST(Budget, ThreadsThatReadTheSameHaveRoom) {
  const Program program = program_of(
      "__global__ void k(const int* in, int* out) { int at = blockIdx.x;"
      "  for (int i = 0; i < 96; ++i) at = in[i * 16384 + at % 16384];"
      "  for (int i = 0; i < 4000; ++i) at ^= at >> 3 ^ i; out[threadIdx.x + at % 32] = 1; }");
  Budget budget({.memory_bytes = std::uint64_t{13} << 20});
  Launch launch = launch_of(32, 128);
  launch.arguments["in"] = Buffer{.elements = 96 * 16384, .fill = Fill::Random};
  TotalsOptions options;
  options.limits.budget = &budget;
  options.threads = 4;
  const Totals totals = grid_totals(program, launch, memory::default_gpu_model(), options);
  EXPECT_FALSE(totals.error) << totals.error->message.english();
  EXPECT_EQ(totals.blocks_simulated, 128u);
}

TEST(Sweeps, VisitsAsFullPassesWouldInTheirOrder) {
  // 3 -> 1 -> 2: what 3 has reaches 1 in the second sweep, and 2 in the same.
  Sweeps work(4, Pace(Budget::endless(), Stage::Analysing));
  std::vector<std::size_t> order;
  bool first = true;
  work.run([&](std::size_t i) {
    order.push_back(i);
    if (i == 3 && first) work.mark(1);
    if (i == 1 && order.size() > 4) work.mark(2);
    if (i == 3) first = false;
  });
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 3, 1, 2));
}

TEST(Sweeps, GoUpwardsHoweverTheirEntriesWereMarked) {
  Sweeps work(4, Pace(Budget::endless(), Stage::Analysing));
  std::vector<std::size_t> order;
  work.run([&](std::size_t i) {
    order.push_back(i);
    if (order.size() != 4) return;
    for (const std::size_t entry : {2, 0, 1}) work.mark(entry);
  });
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 3, 0, 1, 2));
}

TEST(Sweeps, AnEntryMayMarkItself) {
  Sweeps work(3, Pace(Budget::endless(), Stage::Analysing));
  std::vector<std::size_t> order;
  work.run([&](std::size_t i) {
    order.push_back(i);
    if (i == 1 && order.size() < 6) work.mark(1);
  });
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 1, 1, 1));
}

}  // namespace budget_test
}  // namespace warplens::sim
