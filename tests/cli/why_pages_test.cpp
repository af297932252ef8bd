// The pages of hit rates and bounds, from launches made up by hand; and, over what comes with the program,
// that bounds are tight where they should be.
#include "app/cli/check/why_pages.h"

#include <gmock/gmock.h>

#include <list>

namespace warplens::cli {
namespace why_pages_test {

using report::Bound;
using report::Resource;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct Check {
  std::list<measure::Measurement> measurements;
  measure::Pack pack;
  WhyCheck why;
  Check() { why.pack = &pack; }

  // Of 1000 sectors loaded: what L1 and L2 answer, modelled and measured, in percent.
  WhyRow& add(const std::string& scenario, double l1, double measured_l1, double l2, double measured_l2) {
    measure::Measurement& m = measurements.emplace_back();
    m.scenario = scenario;
    m.counters.values = {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 1000},
                         {"lts__t_sectors_srcunit_tex_op_read.sum", 1000 - 10 * measured_l1},
                         {"lts__t_sectors_srcunit_tex_lookup_hit.sum", measured_l2},
                         {"lts__t_sectors_srcunit_tex_lookup_miss.sum", 100 - measured_l2}};
    WhyRow row{&m, {}};
    row.why.traffic.load_sectors = 1000;
    row.why.traffic.hit_sectors = 10 * l1;
    row.why.traffic.l2_hits = l2;
    row.why.traffic.l2_misses = 100 - l2;
    why.rows.push_back(row);
    return why.rows.back();
  }
};

TEST(WhyPages, ErrorsAreMeansOfWhatIsModelledAwayFromWhatIsMeasured) {
  Check check;
  check.add("a", 50, 53, 20, 30);
  check.add("b", 41, 40, 60, 54);
  const CacheErrors errors = cache_errors(check.why.rows);
  EXPECT_NEAR(errors.l1, 2, 1e-9);
  EXPECT_NEAR(errors.l2, 8, 1e-9);
  check.add("stores only", 0, 0, 50, 50).why.traffic.load_sectors = 0;
  EXPECT_NEAR(cache_errors(check.why.rows).l1, 2, 1e-9) << "it loads nothing";
  EXPECT_NEAR(cache_errors(check.why.rows).l2, 16.0 / 3, 1e-9);
}

TEST(WhyPages, WhatIsSpilledIsNamedAndNotOfTheMean) {
  Check check;
  check.add("a", 50, 53, 20, 30);
  EXPECT_THAT(caches_summary(check.why), Not(HasSubstr("spilled")));
  check.add("b", 50, -9000, 20, 30);
  EXPECT_NEAR(cache_errors(check.why.rows).l1, 3, 1e-9);
  check.why.left_out = 4;
  EXPECT_THAT(
      caches_summary(check.why),
      AllOf(HasSubstr("2 measurements; mean absolute error 3.00 points for the L1 hit rate, 10.00"),
            HasSubstr("without 1 whose registers are spilled"), HasSubstr("4 measurements left out")));
}

TEST(WhyPages, TellsEveryKernelsErrorTheFurthestOffFirst) {
  Check check;
  check.add("far", 50, 40, 20, 20);
  check.add("near", 50, 49, 20, 26);
  check.add("near", 50, 53, 20, 28);
  const std::string page = caches_page(check.why, "x.json");
  EXPECT_THAT(page, HasSubstr("| far | 1 | 10.0 | 0.0 |\n| near | 2 | 2.0 | 7.0 |\n"));
  EXPECT_THAT(page, AllOf(HasSubstr("**50.0 / 40.0**"), HasSubstr("| 50.0 / 49.0 |")))
      << "bold where they are more than five points apart";
}

TEST(WhyPages, CountsWhatExceedsTheTime) {
  Check check;
  for (const double seconds : {0.5, 1.02, 1.04}) {
    WhyRow& row = check.add("a", 0, 0, 0, 0);
    row.why.measured_seconds = 1;
    row.why.bounds = {Bound{Resource::Dram, 1, "bytes", 1, seconds}};
  }
  check.add("not timed", 0, 0, 0, 0);
  EXPECT_EQ(exceeding(check.why), 1u);
  EXPECT_THAT(bounds_summary(check.why), HasSubstr("1 bounds above 103 %"));
}

// Of the launches that come with the program: where one resource is known to take the time, and where the
// caches' model depends on one of its rules.
class Recorded : public testing::Test {
 protected:
  static const measure::Pack& pack(const char* name) {
    static std::map<std::string, measure::Pack> known;
    auto [at, is_new] = known.try_emplace(name);
    if (is_new) {
      auto read = measure::load_pack(std::string(WARPLENS_SOURCE_DIR "/assets/recorded/") + name);
      EXPECT_TRUE(read);
      if (read) at->second = std::move(*read.value);
    }
    return at->second;
  }

  using Parameters = std::map<std::string, std::int64_t>;

  // Of one launch, as written; `one` is what it is taken from, and has to outlive it.
  static WhyCheck check_of(const std::string& scenario, const Parameters& parameters, measure::Pack& one,
                           const char* name = "h200-gallery.json") {
    one = pack(name);
    std::erase_if(one.measurements, [&](const measure::Measurement& m) {
      const auto has = [&](const auto& wanted) {
        const auto found = m.parameters.find(wanted.first);
        return found != m.parameters.end() && found->second == wanted.second;
      };
      return m.scenario != scenario || m.subject.mode != measure::CompileMode::AsWritten ||
             !std::ranges::all_of(parameters, has);
    });
    EXPECT_EQ(one.measurements.size(), 1u) << scenario;
    return check_why(one, SimulationOptions());
  }

  // How far the model's hit rate of L1 is off, in points.
  static double l1_error(const std::string& scenario, const Parameters& parameters,
                         const char* name = "h200-gallery.json") {
    measure::Pack one;
    const WhyCheck check = check_of(scenario, parameters, one, name);
    return check.rows.size() == 1 ? cache_errors(check.rows).l1 : 100;
  }

  // The longest bound in percent of the recorded time.
  static double percent(const std::string& scenario, const Parameters& parameters, Resource expected) {
    measure::Pack one;
    const WhyCheck check = check_of(scenario, parameters, one);
    if (check.rows.size() != 1) return 0;
    const report::Bound* most = report::longest(check.rows[0].why.bounds);
    if (most == nullptr) return 0;
    EXPECT_EQ(name_of(most->resource), std::string(name_of(expected))) << scenario;
    return 100 * most->seconds / *check.rows[0].why.measured_seconds;
  }
};

TEST_F(Recorded, TheBoundOfCopiesInWideWordsIsMemorys) {
  EXPECT_GE(percent("copy", {{"element", 16}, {"n", 16777216}}, Resource::Dram), 85);
  EXPECT_GE(percent("copy_unroll", {{"element", 8}, {"n", 16777216}}, Resource::Dram), 85);
}

TEST_F(Recorded, TheBoundOfSixteenWayConflictsInAProductIsTheDataStages) {
  EXPECT_GE(percent("dgemm_tiled", {{"n", 1024}, {"pad", 0}, {"tile", 16}}, Resource::L1), 85);
}

TEST_F(Recorded, TheBoundOfTheNaiveProductIsTheDataStages) {
  EXPECT_GE(percent("sgemm_naive", {{"n", 1024}, {"block_x", 32}, {"block_y", 32}}, Resource::L1), 85);
}

// FP32 is at 79 %: with what is not arithmetic, issuing is longer.
TEST_F(Recorded, TheBoundOfTheLastRungIsIssues) {
  EXPECT_GE(percent("sgemm_warptiled", {{"n", 4096}}, Resource::Issue), 80);
}

TEST_F(Recorded, TheBoundOfAtomicsToOneAddressIsThatAddresss) {
  EXPECT_GE(percent("histogram_global", {{"nbins", 1}, {"data", 0}}, Resource::Atomics), 80);
}

// Two loads of a thread stand together: between them no other warp throws out what they share.
TEST_F(Recorded, CachesKnowWhichLoadsStandTogether) {
  EXPECT_LE(l1_error("transpose_unroll2",
                     {{"block_x", 1}, {"block_y", 128}, {"ncols", 4096}, {"nrows", 4096}, {"pad", 1}},
                     "h200-transpose.json"),
            2);
}

// Many blocks on a multiprocessor, and many waves of them, fall out of step.
TEST_F(Recorded, CachesKnowWhatFallsOutOfStep) {
  EXPECT_LE(l1_error("dgemm_tiled", {{"n", 1024}, {"pad", 1}, {"tile", 16}}), 5);
  EXPECT_LE(l1_error("sgemm_tiled", {{"n", 4096}, {"tile", 32}}), 5);
}

// Rows that do not begin with a line: neighbours ask for other sectors of the same one.
TEST_F(Recorded, CachesKnowThatNeighboursAskForTheSameSectorsOrShareNothing) {
  EXPECT_LE(l1_error("transpose_shared",
                     {{"block_x", 8}, {"block_y", 32}, {"ncols", 1537}, {"nrows", 1000}, {"pad", 0}},
                     "h200-transpose.json"),
            2);
}

}  // namespace why_pages_test
}  // namespace warplens::cli
