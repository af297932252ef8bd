// What accesses come to, as a lesson's rules name it: sharing, caches, bytes on their way, least times. The
// figures themselves are tested where they are worked out; here their names, and what they go by.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/lesson/figures.h"
#include "sim/lesson/grade.h"

namespace warplens::lesson {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

View launch_of(const std::string& scenario, ParameterValues values = {}, int warp = 0, int access = 0) {
  View view;
  view.scenario = scenario;
  view.values = std::move(values);
  view.warp = warp;
  view.access = access;
  return view;
}

Outcome<std::int64_t> outcome_of(const std::string& rule, const View& view, const Means& means = {}) {
  const auto prepared = prepare_view(view);
  if (!prepared) return {{}, prepared.errors};
  Prediction asked;
  asked.ask = rule;
  return answer(asked, *prepared.value, view, means);
}

std::int64_t value_of(const std::string& rule, const View& view, const Means& means = {}) {
  const Outcome<std::int64_t> found = outcome_of(rule, view, means);
  EXPECT_TRUE(found) << rule << ::testing::PrintToString(found.errors);
  return found.value.value_or(-1);
}

Recorded as_if_recorded() {
  Recorded recorded;
  recorded.seconds = 20e-6;
  report::Peaks& p = recorded.peaks.emplace();
  p.launches = 1e6;
  p.blocks = 1e9;
  p.dram_read = p.dram_write = p.dram_copy = 4e12;
  p.l2_read = p.l2_write = p.l2_copy = 2e11;
  p.l1_lines = p.shared_wavefronts = 2.5e11;
  p.fma = 1e12;
  return recorded;
}

TEST(ReuseFigures, TellWhoTouchedTheSectorsBefore) {
  const View x = launch_of("sum_aos", {{"n", 256}}), y = launch_of("sum_aos", {{"n", 256}}, 0, 1);
  EXPECT_EQ(value_of("sectors_first * 100 + sectors_of_warp + sectors_of_block", x), 1200);
  EXPECT_EQ(value_of("sectors_of_warp", y), 12);
  const ParameterValues small{{"nrows", 64}, {"ncols", 64}};
  EXPECT_EQ(value_of("sectors_first", launch_of("copy_col", small, 0)), 32);
  EXPECT_EQ(value_of("sectors_of_block", launch_of("copy_col", small, 3)), 32);
}

TEST(ReuseFigures, CountEachSectorOfTheGridOnce) {
  const View view = launch_of("sum_aos", {{"n", 4096}});
  EXPECT_EQ(value_of("global_load_distinct_sectors", view), 4096 * 12 / 32);
  EXPECT_EQ(value_of("global_load_sectors / global_load_distinct_sectors", view), 3);
  EXPECT_EQ(value_of("global_store_distinct_sectors", view), 4096 * 4 / 32);
}

TEST(CacheFigures, AreOfTheModel) {
  const View view = launch_of("sum_aos", {{"n", 65536}});
  EXPECT_EQ(value_of("l1_hit_percent", view), 67);
  EXPECT_EQ(value_of("l2_read_sectors", view), 65536 * 12 / 32);
  EXPECT_EQ(value_of("dram_read_bytes", view), 65536 * 12);
}

TEST(InFlightFigures, AreWarpsAndBytesOfTheDefaultGpu) {
  const View copy = launch_of("copy", {{"n", 1 << 22}, {"block_x", 1024}});
  EXPECT_EQ(value_of("multiprocessors", copy), 132);
  EXPECT_EQ(value_of("resident_blocks * 1000 + resident_warps", copy), 2064);
  EXPECT_EQ(value_of("in_flight_warps", copy), 132 * 64);
  EXPECT_EQ(value_of("in_flight_bytes", copy), 132 * 64 * 128);
  EXPECT_EQ(value_of("in_flight_bytes", launch_of("copy_unroll", {{"n", 1 << 22}, {"unroll", 2}})),
            132 * 64 * 256);
}

// 64 registers a thread leave room for half the warps.
TEST(InFlightFigures, GoByRecordedRegisters) {
  const View copy = launch_of("copy", {{"n", 1 << 22}});
  const auto registers = [](int count) {
    return Means({}, [count](const View&) {
      Recorded recorded;
      recorded.registers = count;
      return recorded;
    });
  };
  EXPECT_EQ(value_of("resident_warps", copy, registers(16)), 64);
  EXPECT_EQ(value_of("resident_warps", copy, registers(64)), 32);
}

TEST(TimeFigures, AreCountsThroughPeaksAndWhatWasRecorded) {
  const View copy = launch_of("copy", {{"n", 1 << 22}});
  const Means means({}, [](const View&) { return as_if_recorded(); });
  EXPECT_EQ(value_of("recorded_ns", copy, means), 20000);
  EXPECT_EQ(value_of("least_launch_ns", copy, means), (1 << 22) / 256);  // a block a nanosecond
  EXPECT_EQ(value_of("least_l2_ns", copy, means), 5243);  // 2 x 524,288 sectors at 200 a nanosecond
  EXPECT_EQ(value_of("least_shared_ns + least_atomics_ns", copy, means), 0);
  EXPECT_EQ(value_of("least_launch_ns == least_ns", copy, means), 1);
}

TEST(TimeFigures, ThatAreNotRecordedAreAnError) {
  const View copy = launch_of("copy", {{"n", 4096}});
  EXPECT_THAT(outcome_of("recorded_ns", copy).errors, ElementsAre(HasSubstr("no time of copy is recorded")));
  EXPECT_THAT(outcome_of("least_ns", copy).errors,
              ElementsAre(HasSubstr("highest rates of this GPU are not recorded")));
  EXPECT_TRUE(outcome_of("l1_hit_percent", copy));
}

TEST(FiguresBeside, AreThoseOfTheOtherLaunch) {
  View view = launch_of("copy", {{"n", 4096}});
  View other = launch_of("copy_stride", {{"n", 4096}, {"stride", 8}});
  EXPECT_THAT(outcome_of("beside_sectors", view).errors, ElementsAre(HasSubstr("nothing stands beside")));
  view.beside.push_back(other);
  EXPECT_EQ(value_of("sectors * 100 + beside_sectors", view), 432);
  EXPECT_EQ(value_of("beside_stride", view), 8);
  const Means means({}, [](const View& of) {
    Recorded recorded = as_if_recorded();
    if (of.scenario == "copy_stride") recorded.seconds = 30e-6;
    return recorded;
  });
  EXPECT_EQ(value_of("beside_recorded_ns - recorded_ns", view, means), 10000);
}

TEST(Rules, SayWhatTheySpeakOf) {
  EXPECT_THAT(names_in("2*beside_n >= least_l2_ns+32"), ElementsAre("beside_n", "least_l2_ns"));
  EXPECT_TRUE(speaks_of_times("2 * beside_recorded_ns < 7"));
  EXPECT_TRUE(speaks_of_times("least_ns == 1"));
  EXPECT_FALSE(speaks_of_times("l1_hit_percent > in_flight_bytes"));
  EXPECT_TRUE(speaks_of_resources("beside_l1_hit_percent > 3"));
  EXPECT_FALSE(speaks_of_resources("shared_load_sectors + unrecorded_ns"));
  EXPECT_FALSE(speaks_of_access("beside_sectors + dram_read_bytes"));
}

// A student's edit has no recorded time, whatever the kernel that it came from took.
TEST(Grade, GivesAnEditedKernelNoneOfTheOriginalsTimes) {
  Challenge challenge;
  challenge.view = launch_of("copy", {{"n", 4096}});
  challenge.goals = {{"recorded_ns < 30000", {}}};
  const Means means({}, [](const View&) { return as_if_recorded(); });
  const auto as_it_is = grade(challenge, {}, means);
  ASSERT_TRUE(as_it_is) << ::testing::PrintToString(as_it_is.errors);
  EXPECT_TRUE(as_it_is.value->passed());
  const std::string text =
      "template <typename T> __global__ void copy(T* out, const T* in, int n) {\n"
      "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i]; }";
  EXPECT_THAT(grade(challenge, {{}, text}, means).errors,
              ElementsAre(HasSubstr("no time of copy is recorded")));
  challenge.goals = {{"least_launch_ns > 0", {}}};
  EXPECT_TRUE(grade(challenge, {{}, text}, means)) << "peaks are the GPU's";
}

}  // namespace
}  // namespace warplens::lesson
