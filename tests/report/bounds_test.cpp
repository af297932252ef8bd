// The least time of each resource, counted by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sim/report/why.h"

namespace warplens::report {
namespace {

Peaks round_peaks() {
  Peaks p;
  p.launches = 1e6;
  p.blocks = 1e9;
  p.dram_read = 4e12, p.dram_write = 2e12, p.dram_copy = 3e12;
  p.l2_read = 4e11, p.l2_write = 1e11, p.l2_copy = 2e11;
  p.l1_lines = 1e12;
  p.shared_wavefronts = 2e11;
  p.atomic_turns = 1e11, p.atomic_slice = 2e9, p.atomic_one_address = 1e9;
  p.fma = 1e12;
  return p;
}

const Bound* of(const std::vector<Bound>& all, Resource resource) {
  const auto found = std::ranges::find(all, resource, &Bound::resource);
  return found == all.end() ? nullptr : &*found;
}

TEST(Bounds, AreCountsDividedByPeaks) {
  LaunchCounts c;
  c.blocks = 1000;
  c.shared_wavefronts = Counted{8e5};
  c.instructions = Counted{1e6, CountSource::Measured};
  const auto all = bounds(c, round_peaks());
  ASSERT_NE(of(all, Resource::Shared), nullptr);
  EXPECT_DOUBLE_EQ(of(all, Resource::Shared)->seconds, 4e-6);
  EXPECT_EQ(of(all, Resource::Shared)->source, CountSource::Predicted);
  EXPECT_DOUBLE_EQ(of(all, Resource::Issue)->seconds, 1e-6);
  EXPECT_EQ(of(all, Resource::Issue)->source, CountSource::Measured);
  EXPECT_EQ(of(all, Resource::Dram), nullptr) << "its count is not known";
  for (const Bound& bound : all) EXPECT_DOUBLE_EQ(bound.count / bound.peak_per_second, bound.seconds);
  EXPECT_EQ(longest(all)->resource, Resource::Shared);
  EXPECT_EQ(longest({}), nullptr);
}

TEST(Bounds, TheSecondIsAnotherResourceAndTiedWithinATenth) {
  const auto bound = [](Resource resource, const char* unit, double seconds) {
    return Bound{resource, 1, unit, 1, seconds};
  };
  std::vector<Bound> all = {bound(Resource::L1, "wavefronts", 9.9), bound(Resource::Shared, "wavefronts", 10),
                            bound(Resource::Issue, "warp instructions", 8.9)};
  EXPECT_EQ(second(all)->resource, Resource::Issue) << "L1's data stage serves shared memory too";
  EXPECT_EQ(tied(all), nullptr);
  all[2].seconds = 9;
  EXPECT_EQ(tied(all), &all[2]);
  all[0] = bound(Resource::L1, "lines", 9.9);
  EXPECT_EQ(tied(all), &all[0]) << "its tag stage does not";
  EXPECT_EQ(second({}), nullptr);
  EXPECT_EQ(second({all[0]}), nullptr);
  EXPECT_EQ(tied({all[0]}), nullptr);
}

TEST(Bounds, OfALaunchAreTheLaunchItselfOrItsBlocks) {
  LaunchCounts c;
  c.blocks = 10;
  EXPECT_DOUBLE_EQ(of(bounds(c, round_peaks()), Resource::Launch)->seconds, 1e-6);
  c.blocks = 16000;
  EXPECT_DOUBLE_EQ(of(bounds(c, round_peaks()), Resource::Launch)->seconds, 16e-6);
}

// As much read as written goes at the rate of a copy, what is over at its own.
TEST(Bounds, OfReadingAndWritingAtATimeAreThoseOfACopy) {
  const auto seconds = [](double read, double written) {
    LaunchCounts c;
    c.dram_read = Counted{read}, c.dram_write = Counted{written, CountSource::Modelled};
    const auto all = bounds(c, round_peaks());
    EXPECT_EQ(of(all, Resource::Dram)->source, CountSource::Modelled) << "the least certain of the two";
    return of(all, Resource::Dram)->seconds;
  };
  EXPECT_DOUBLE_EQ(seconds(4e6, 0), 1e-6);
  EXPECT_DOUBLE_EQ(seconds(0, 2e6), 1e-6);
  EXPECT_DOUBLE_EQ(seconds(3e6, 3e6), 2e-6);
  EXPECT_DOUBLE_EQ(seconds(7e6, 3e6), 3e-6);
  EXPECT_DOUBLE_EQ(seconds(3e6, 5e6), 3e-6);
}

TEST(Bounds, OfAtomicsAreAllTurnsOrThoseOfOnePlace) {
  LaunchCounts c;
  c.atomic_turns = Counted{1e6}, c.atomic_slice = Counted{1e6}, c.atomic_one_address = Counted{1e6};
  EXPECT_DOUBLE_EQ(of(bounds(c, round_peaks()), Resource::Atomics)->seconds, 1e-3);
  EXPECT_STREQ(of(bounds(c, round_peaks()), Resource::Atomics)->unit, "turns of one word");
  c.atomic_one_address = Counted{1};
  EXPECT_DOUBLE_EQ(of(bounds(c, round_peaks()), Resource::Atomics)->seconds, 5e-4);
}

TEST(Bounds, WithoutPeaksThereAreNone) {
  LaunchCounts c;
  c.blocks = 10;
  c.shared_wavefronts = c.fma = Counted{100};
  EXPECT_TRUE(bounds(c, Peaks{}).empty());
}

Why sample() {
  Why why;
  why.traffic.load_sectors = 1000, why.traffic.hit_sectors = 250, why.traffic.l2_read_sectors = 750;
  why.traffic.store_sectors = 100;
  why.traffic.l2_hits = 300, why.traffic.l2_misses = 700;
  why.traffic.dram_read_bytes = 22400;
  LaunchCounts c;
  c.blocks = 10;
  c.shared_wavefronts = Counted{8e5};
  why.bounds = bounds(c, round_peaks());
  why.peaks_of = "NVIDIA Test";
  return why;
}

TEST(Why, IsADocument) {
  Why why = sample();
  why.measured_seconds = 5e-6;
  why.kernel = "copy", why.gpu = "sm_90", why.warm = true;
  why.traffic.atomic_sectors = 7;
  const auto json = why_json(why);
  EXPECT_EQ(json.at("schema"), "warplens.why/1");
  EXPECT_EQ(json.at("kernel"), "copy");
  EXPECT_EQ(json.at("gpu"), "sm_90");
  EXPECT_EQ(json.at("l2_before"), "warm");
  EXPECT_EQ(json.at("l2").at("atomic_sectors"), 7);
  EXPECT_EQ(json.at("l1").at("hit_rate"), 0.25);
  EXPECT_EQ(json.at("l1").at("hit_sectors"), 250);
  EXPECT_EQ(json.at("l2").at("read_sectors"), 750);
  EXPECT_EQ(json.at("l2").at("hit_rate"), 0.3);
  EXPECT_EQ(json.at("dram").at("read_bytes"), 22400);
  EXPECT_EQ(json.at("bound"), "shared");
  ASSERT_EQ(json.at("bounds").size(), 2u);
  EXPECT_EQ(json.at("bounds")[1].at("resource"), "shared");
  EXPECT_EQ(json.at("bounds")[1].at("seconds"), 4e-6);
  EXPECT_EQ(json.at("bounds")[1].at("source"), "predicted");
  why.bounds.clear();
  EXPECT_TRUE(why_json(why).at("bounds").empty());
  EXPECT_EQ(why_json(why).at("bound"), "");
}

// A measured count takes the place of a modelled one, and an exact one's of neither.
TEST(Why, CountsSayWhereTheyComeFrom) {
  Report report;
  report.blocks_total = 4;
  report.shared[0].wavefronts = 7;
  report.global[0].data_wavefronts = 5;
  sim::Traffic traffic;
  traffic.dram_read_bytes = 64;
  const auto modelled = launch_counts(report, traffic, {}, {});
  EXPECT_EQ(modelled.dram_read->value, 64);
  EXPECT_EQ(modelled.dram_read->source, CountSource::Modelled);
  EXPECT_EQ(modelled.l1_wavefronts->value, 12);
  EXPECT_FALSE(modelled.instructions);
  const auto measured =
      launch_counts(report, traffic, {}, {{"dram__bytes_read.sum", 128.0}, {"smsp__inst_executed.sum", 9.0}});
  EXPECT_EQ(measured.dram_read->value, 128);
  EXPECT_EQ(measured.dram_read->source, CountSource::Measured);
  EXPECT_EQ(measured.instructions->value, 9);
  EXPECT_EQ(measured.shared_wavefronts->source, CountSource::Predicted);
}

// It may load four words of shared memory at once where the text loads one after another.
TEST(Why, WhatTheCompilerMadeOfTheTextIsCountedByCountersAlone) {
  Report report;
  report.shared[0].wavefronts = 7;
  EXPECT_FALSE(launch_counts(report, {}, {}, {}, true).shared_wavefronts) << "not known";
  const auto counts =
      launch_counts(report, {}, {}, {{"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum", 3.0}}, true);
  ASSERT_TRUE(counts.shared_wavefronts);
  EXPECT_EQ(counts.shared_wavefronts->value, 3);
  EXPECT_EQ(counts.shared_wavefronts->source, CountSource::Measured);
}

}  // namespace
}  // namespace warplens::report
