#include "sim/profile/ncu_profile.h"

#include <gmock/gmock.h>

namespace warplens::profile {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

const std::string kDetails =
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block "
    "Size\","
    "\"Grid Size\",\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric "
    "Value\",\"Rule Name\",\"Rule Type\",\"Rule Description\"\n";

std::string metric(const std::string& id, const std::string& name, const std::string& unit,
                   const std::string& value, const std::string& rule = "") {
  return "\"" + id +
         "\",\"7\",\"app\",\"host\",\"k(float *)\",\"1\",\"7\",\"(32, 8, 1)\",\"(64, 1, "
         "1)\",\"0\",\"9.0\",\"S\",\"" +
         name + "\",\"" + unit + "\",\"" + value + "\",\"\",\"\",\"" + rule + "\"\n";
}

NcuProfile read(const std::string& text) {
  auto profile = read_ncu_profile(text, "ncu.csv");
  for (const auto& error : profile.errors) ADD_FAILURE() << error;
  return profile ? std::move(*profile.value) : NcuProfile{};
}

std::string error_of(const std::string& text) {
  const auto profile = read_ncu_profile(text, "ncu.csv");
  EXPECT_FALSE(profile);
  return profile.errors.empty() ? std::string() : profile.errors.front().english();
}

double figure(const ProfiledLaunch& launch, const char* name) {
  const Metric* metric = launch.find(name);
  return metric == nullptr ? -1 : metric->value;
}

TEST(NcuProfile, DetailsPage) {
  const NcuProfile p = read(
      "==PROF== Connected to process 7\nmy own \"output\", here\n==WARNING== slow\n" + kDetails +
      metric("0", "L1/TEX Hit Rate", "%", "34.12") + metric("0", "Duration", "usecond", "12.5") +
      metric("1", "DRAM Throughput", "%", "80.00") + metric("0", "Memory Throughput", "Gbyte/second", "1.5") +
      metric("0", "Memory Throughput", "%", "60") + "==PROF== Disconnected\n");
  EXPECT_EQ(p.page, NcuProfile::Page::Details);
  ASSERT_THAT(p.launches, SizeIs(2));
  const ProfiledLaunch& k = p.launches[0];
  EXPECT_EQ(k.id, "0");
  EXPECT_EQ(k.kernel, "k(float *)");
  EXPECT_EQ(k.grid, (sim::Dim3{64, 1, 1}));
  EXPECT_EQ(k.block, (sim::Dim3{32, 8, 1}));
  EXPECT_EQ(k.compute_capability, "9.0");
  EXPECT_EQ(k.line, 5);
  EXPECT_DOUBLE_EQ(figure(k, "l1tex__t_sector_hit_rate.pct"), 34.12);
  EXPECT_DOUBLE_EQ(figure(k, "gpu__time_duration.sum"), 12.5e-6);
  EXPECT_DOUBLE_EQ(figure(k, "dram__bytes.sum.per_second"), 1.5e9);
  EXPECT_DOUBLE_EQ(figure(k, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"), 60);
}

// As ncu 2025.3 prints the rows of metrics: the columns of rules are named, and left out but for one
// separator.
TEST(NcuProfile, DetailsPageWithoutTheColumnsOfRules) {
  const NcuProfile p = read(
      "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\"Section Name\",\"Metric "
      "Name\",\"Metric Unit\","
      "\"Metric Value\",\"Rule Name\",\"Rule Type\",\"Rule Description\"\n"
      "\"0\",\"k(float *)\",\"(32, 8, 1)\",\"(64, 1, 1)\",\"0\",\"9.0\",\"S\",\"L1/TEX Hit "
      "Rate\",\"%\",\"34.12\",\n"
      "\"0\",\"k(float *)\",\"(32, 8, 1)\",\"(64, 1, "
      "1)\",\"0\",\"9.0\",\"S\",\"\",\"\",\"\",\"R\",\"OPT\",\"words\"\n");
  ASSERT_THAT(p.launches, SizeIs(1));
  EXPECT_DOUBLE_EQ(figure(p.launches[0], "l1tex__t_sector_hit_rate.pct"), 34.12);
}

TEST(NcuProfile, RawPageHasARowOfUnits) {
  const std::string raw =
      "\"ID\",\"Process ID\",\"Kernel Name\",\"Block Size\",\"Grid "
      "Size\",\"dram__bytes_read.sum\",\"l1tex__t_sectors.sum\"\n"
      "\"\",\"\",\"\",\"\",\"\",\"Mbyte\",\"sector\"\n"
      "\"0\",\"7\",\"k\",\"(256,1,1)\",\"(4,1,1)\",\"8.39\",\"4,194,304\"\n"
      "\"1\",\"7\",\"k\",\"(256,1,1)\",\"(4,1,1)\",\"16.78\",\"n/a\"\n";
  const NcuProfile p = read(raw);
  EXPECT_EQ(p.page, NcuProfile::Page::Raw);
  ASSERT_THAT(p.launches, SizeIs(2));
  EXPECT_DOUBLE_EQ(figure(p.launches[0], "dram__bytes_read.sum"), 8.39e6);
  EXPECT_DOUBLE_EQ(p.launches[0].find("dram__bytes_read.sum")->resolution, 5e3);
  EXPECT_EQ(figure(p.launches[0], "l1tex__t_sectors.sum"), 4194304);
  EXPECT_EQ(p.launches[1].find("l1tex__t_sectors.sum"), nullptr) << "not available is no number";
}

TEST(NcuProfile, DecimalsOfTheWholeFile) {
  const NcuProfile p =
      read(kDetails + metric("0", "l1tex__t_sectors.sum", "sector", "1.234") +
           metric("0", "L2 Hit Rate", "%", "34,12") + metric("0", "Duration", "ns", "4.194.304"));
  EXPECT_EQ(figure(p.launches.at(0), "l1tex__t_sectors.sum"), 1234);
  EXPECT_DOUBLE_EQ(figure(p.launches.at(0), "lts__t_sector_hit_rate.pct"), 34.12);
}

TEST(NcuProfile, SeparatorsByteOrderMarksAndFilesBehindEachOther) {
  const NcuProfile p =
      read("\xef\xbb\xbfID;Kernel Name;Metric Name;Metric Unit;Metric Value\r\n0;k;Duration;us;1,5\r\n");
  EXPECT_DOUBLE_EQ(figure(p.launches.at(0), "gpu__time_duration.sum"), 1.5e-6);
  EXPECT_FALSE(p.launches[0].grid) << "older versions do not print it";
  EXPECT_THAT(
      read(kDetails + metric("0", "Duration", "us", "1") + kDetails + metric("1", "Duration", "us", "2"))
          .launches,
      SizeIs(2));
}

TEST(NcuProfile, RulesSayCounters) {
  const NcuProfile p =
      read(kDetails +
           metric("0", "", "", "",
                  "The memory access pattern for shared stores might not be optimal and causes on average a "
                  "16.0 - way "
                  "bank conflict across all 524288 shared store requests.This results in 7864320 bank "
                  "conflicts,  which "
                  "represent 93.75% of the overall 8388608 wavefronts for shared stores.") +
           metric("0", "", "", "",
                  "This kernel has uncoalesced global accesses resulting in a total of 2097152 excessive "
                  "sectors (48% of the\ntotal 4325376 sectors). Check the table") +
           metric("0", "", "", "",
                  "This kernel has uncoalesced shared accesses resulting in a total of 22,020,096 excessive "
                  "wavefronts (33% of the total 67,684,352 wavefronts)."));
  const ProfiledLaunch& k = p.launches.at(0);
  EXPECT_EQ(figure(k, "smsp__inst_executed_op_shared_st.sum"), 524288);
  EXPECT_EQ(figure(k, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"), 7864320);
  EXPECT_EQ(figure(k, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"), 8388608);
  EXPECT_EQ(figure(k, "derived__memory_l2_theoretical_sectors_global_excessive"), 2097152);
  EXPECT_EQ(figure(k, "memory_l2_theoretical_sectors_global"), 4325376);
  EXPECT_EQ(figure(k, "derived__memory_l1_wavefronts_shared_excessive"), 22020096);
  EXPECT_EQ(figure(k, "memory_l1_wavefronts_shared"), 67684352);
}

TEST(NcuProfile, RulesSayHowManyBytesOfASectorAreUsed) {
  const NcuProfile p = read(kDetails +
                            metric("0", "", "", "",
                                   "The memory access pattern for global loads from L1TEX might not be "
                                   "optimal. On average, only 26.4 of the 32 "
                                   "bytes transmitted per sector are utilized by each thread.") +
                            metric("0", "", "", "",
                                   "The memory access pattern for global stores to L2 might not be optimal. "
                                   "On average, only 11.0 of the 32 bytes "
                                   "transmitted per sector are utilized by each thread. This applies to the "
                                   "100.0% of sectors missed in L1TEX."));
  EXPECT_EQ(figure(p.launches.at(0), "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio"),
            26.4);
  EXPECT_EQ(figure(p.launches.at(0), "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio"), 11);
}

TEST(NcuProfile, AMetricsOwnRowComesBeforeARule) {
  const NcuProfile p = read(kDetails +
                            metric("0", "", "", "",
                                   "uncoalesced shared accesses resulting in a total of 5 excessive "
                                   "wavefronts (33% of the total 9 wavefronts)") +
                            metric("0", "memory_l1_wavefronts_shared", "", "8"));
  EXPECT_EQ(figure(p.launches.at(0), "memory_l1_wavefronts_shared"), 8);
}

TEST(NcuProfile, MemoryTablesByTheirWords) {
  EXPECT_EQ(metric_name("Shared Load Bank Conflicts", ""),
            "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum");
  EXPECT_EQ(metric_name("Shared Memory Bank conflicts", ""),
            "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum");
  EXPECT_EQ(metric_name("Shared Store Wavefronts", ""),
            "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum");
  EXPECT_EQ(metric_name("Shared Wavefronts % Peak", ""), "Shared Wavefronts % Peak");
}

TEST(NcuProfile, WhatIsWrongAndWhatToDo) {
  EXPECT_THAT(error_of(""), AllOf(StartsWith("ncu.csv: is empty"), HasSubstr("--csv")));
  EXPECT_THAT(error_of("\xff\xfeI\0D"), HasSubstr("UTF-16"));
  EXPECT_THAT(error_of(std::string("NVR\0\1", 5)), HasSubstr("ncu --import"));
  EXPECT_THAT(error_of("Section: S\n Metric Name Metric Unit Metric Value\n"), HasSubstr("--csv"));
  EXPECT_THAT(error_of("==ERROR== no permission\n"), HasSubstr("==ERROR=="));
  EXPECT_THAT(error_of("a,b\n1,2\n"), HasSubstr("holds no table of ncu"));
  EXPECT_THAT(error_of(kDetails), HasSubstr("no launch"));
  EXPECT_THAT(error_of(kDetails + "\"0\",\"1\"\n"),
              AllOf(HasSubstr("line 2"), HasSubstr("2 cells"), HasSubstr("18 columns")));
  EXPECT_THAT(error_of(kDetails + "\"0\",\"1"), HasSubstr("line 2, column 5: the quote is never closed"));
  EXPECT_THAT(error_of("\"ID\",\"Kernel Name\",\"Metric Name\"\n"), HasSubstr("\"Metric Value\""));
  EXPECT_THAT(error_of("\"Kernel Name\",\"Metric Name\",\"Metric Value\"\n\"k\",\"a__b\",\"1\"\n"),
              HasSubstr("\"ID\""));
  EXPECT_THAT(error_of("\"Kernel Name\",\"Invocations\",\"Minimum\",\"Maximum\",\"Average\"\n"),
              HasSubstr("--print-summary"));
  EXPECT_THAT(error_of("ID,Kernel Name,a__b\n,k,1\n,k,2\n"), HasSubstr("line 3: the launch has no ID"));
}

}  // namespace
}  // namespace warplens::profile
