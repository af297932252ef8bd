#include "sim/report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sim/report/comparison.h"
#include "sim/report/counters.h"
#include "sim/report/output/table.h"
#include "tests/report/sample.h"

namespace warplens::report {
namespace {

using memory::Op;
using memory::Space;
using nlohmann::ordered_json;
using ::testing::HasSubstr;

TEST(Report, SitesAreOrderedByPlaceAndSummedByGroup) {
  const Report report = sample_report();
  ASSERT_EQ(report.lines.size(), 6u);  // the generic site went both ways; the one that never ran is there
  EXPECT_EQ(report.lines[0].text, "in[i, \"x\"]");
  EXPECT_EQ(report.lines[1].text, "tile[r][c]");
  EXPECT_EQ(report.lines[2].text, "out[i]");
  EXPECT_EQ(report.lines[3].space, Space::Global);
  EXPECT_EQ(report.lines[4].space, Space::Shared);
  EXPECT_EQ(report.lines[4].op, Op::Atomic);  // a reduction on shared memory
  EXPECT_EQ(report.lines[5].space, Space::Shared);
  EXPECT_EQ(report.lines[5].totals.requests, 0u);
  EXPECT_EQ(report.group(Space::Global, Op::Load).sectors, 400u);
  EXPECT_EQ(report.group(Space::Global, Op::Store).sectors, 3200u);
  EXPECT_EQ(report.group(Space::Global, Op::Reduction).sectors, 20u);
  EXPECT_EQ(report.group(Space::Shared, Op::Load).bank_conflicts, 1500u);
  EXPECT_EQ(report.group(Space::Shared, Op::Atomic).wavefronts, 14u);
}

// Every group and field of many launches is in tests/frozen; here what those have not.
TEST(Report, JsonTellsOfTheGpuTheTimeAndWhatBuffersDoNotSay) {
  const ordered_json json = report_json(sample_report());
  EXPECT_EQ(json["gpu"], "sm_90");
  EXPECT_EQ(json["launch"]["arguments"]["n"], 2048);
  EXPECT_EQ(json["launch"]["arguments"]["f"], 1.5);
  EXPECT_EQ(json["launch"]["arguments"]["in"]["elements"], 4096);
  EXPECT_TRUE(json["launch"]["arguments"]["out"]["elements"].is_null());
  EXPECT_EQ(json["lines"][0]["sectors"], 400);
  EXPECT_EQ(json["seconds"], 0.25);
}

// Of four groups of global memory and of the sites that go there; where it was not counted, nowhere.
TEST(Report, TellsDistinctSectorsWhereTheyAreKnown) {
  Report report = sample_report();
  EXPECT_THAT(report_json(report).dump(), ::testing::Not(HasSubstr("distinct_sectors")));
  EXPECT_THAT(report_text(report), ::testing::Not(HasSubstr("distinct")));
  report.distinct = sim::DistinctSectors{{100, 800, 0, 2}, {800, 100, 0, 2, 0}, {}};
  const ordered_json json = report_json(report);
  EXPECT_EQ(json["totals"]["global"]["load"]["distinct_sectors"], 100);
  EXPECT_EQ(json["totals"]["global"]["store"]["distinct_sectors"], 800);
  EXPECT_EQ(json["totals"]["global"]["atomic"]["distinct_sectors"], 0);
  EXPECT_EQ(json["totals"]["global"]["reduction"]["distinct_sectors"], 2);
  EXPECT_FALSE(json["totals"]["shared"]["load"].contains("distinct_sectors"));
  EXPECT_EQ(json["lines"][0]["distinct_sectors"], 100);  // in[i, "x"], the second site
  EXPECT_FALSE(json["lines"][1].contains("distinct_sectors")) << "tile[r][c] is shared";
  EXPECT_EQ(json["lines"][2]["distinct_sectors"], 800);
  const std::string text = report_text(report);
  EXPECT_THAT(text, HasSubstr("distinct"));
  EXPECT_THAT(text, HasSubstr("loads ask for each distinct sector 4.00 times"));
  EXPECT_THAT(text, HasSubstr("stores ask for each distinct sector 4.00 times"));
}

TEST(Report, CsvQuotesTextsAndHasOneRowASiteAndAGroup) {
  const std::string csv = report_csv(sample_report());
  EXPECT_THAT(
      csv,
      HasSubstr("7,5,\"in[i, \"\"x\"\"]\",global,load,4,100,3200,12800,400,400,100,,,,100.0,,,,,12800\r\n"));
  EXPECT_THAT(csv, HasSubstr("8,5,tile[r][c],shared,load,4,100,3200,12800,,,,1600,100,1500,,6.2,,,,\r\n"));
  EXPECT_THAT(csv, HasSubstr(",,total,global,store,,100,3200,12800,3200,400,100,,,,12.5,,,,,12800\r\n"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 6 + 5 + 9);
  EXPECT_THAT(csv, HasSubstr("9,,line,,,,100,3200,12800,3200,400,100,,,,12.5,,,,,12800\r\n"));
}

TEST(Report, TextShowsTheCostOfEveryLine) {
  const std::string text = report_text(sample_report());
  EXPECT_THAT(text, HasSubstr("kernel<32, float4>  (sample.cu, predicted for sm_90)"));
  EXPECT_THAT(text, HasSubstr("128 blocks of 512 threads in 16 warps; 1 simulated"));
  EXPECT_THAT(text, HasSubstr("4.0 of 32 B"));  // 12,800 bytes of 3,200 sectors
  EXPECT_THAT(text, HasSubstr("tile[r][c]"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr(" \n")));
}

TEST(Report, BytesUsedASector) {
  EXPECT_EQ(used_of_a_sector(global_totals(1, 4)), 32);
  EXPECT_EQ(used_of_a_sector(global_totals(1, 32)), 4);
  EXPECT_EQ(used_of_a_sector({}), 0);
}

// Asked for by all lanes, used once: never more of a sector than it has.
TEST(Report, LanesShareWords) {
  sim::Totals totals = sample_totals();
  totals.global_sites[1].used_bytes = totals.global_sites[1].bytes / 4;
  const std::string text = report_text(make_report(sample_prepared(), totals));
  EXPECT_THAT(text, HasSubstr("8.0 of 32 B"));
  EXPECT_THAT(text, HasSubstr("loads: lanes share words, each byte that is used is asked for by 4.00 lanes"));
  EXPECT_THAT(report_text(sample_report()), ::testing::Not(HasSubstr("share words")));
}

TEST(Report, ComparisonsSubtractAFromB) {
  sim::Totals other = sample_totals();
  other.shared_sites[2] = shared_totals(100, 100);
  other.barriers = 40;
  const Report a = sample_report(), b = make_report(sample_prepared(), other);
  const ordered_json json = comparison_json(a, b);
  EXPECT_EQ(json["differences"]["shared"]["load"]["wavefronts"], -1500);
  EXPECT_EQ(json["differences"]["global"]["load"]["sectors"], 0);
  EXPECT_EQ(json["differences"]["barriers"], 8);
  EXPECT_EQ(json["a"]["schema"], "warplens.report/1");
  const std::string text = comparison_text(a, b);
  EXPECT_THAT(text, HasSubstr("16.00x fewer"));
  EXPECT_THAT(text, HasSubstr("-1,500"));
  EXPECT_THAT(comparison_csv(a, b), HasSubstr("shared,load,wavefronts,1600,100,-1500\r\n"));
}

// The table of the app counts from program and totals, the command line from the reports: the same.
TEST(Report, ComparedCountsAreTheSameFromTotalsAndFromReports) {
  sim::Totals other = sample_totals();
  other.shared_sites[2] = shared_totals(100, 100);
  const Report a = sample_report(), b = make_report(sample_prepared(), other);
  const auto from_reports = compared_counts(a, b);
  const sim::Program& program = sample_prepared().program;
  const auto from_totals =
      compared_counts(grid_counts(program, sample_totals()), grid_counts(program, other));
  ASSERT_EQ(from_reports.size(), from_totals.size());
  for (std::size_t i = 0; i < from_totals.size(); ++i) {
    EXPECT_EQ(from_reports[i].count, from_totals[i].count);
    EXPECT_EQ(from_reports[i].a, from_totals[i].a) << from_totals[i].count;
    EXPECT_EQ(from_reports[i].b, from_totals[i].b) << from_totals[i].count;
  }
  EXPECT_EQ(from_totals.back().count, "barriers");
  EXPECT_EQ(difference_text(5, 5), "=");
  EXPECT_EQ(difference_text(1024, 0), "-1,024");
  EXPECT_EQ(difference_text(0, 1024), "+1,024");
}

TEST(Report, ComparisonsTellTimesWhereTheyWereMeasured) {
  const Report a = sample_report();
  const ComparedTimes times{"recorded, NVIDIA H200", 90e-6, 72e-6}, half{"recorded", 90e-6, {}};
  EXPECT_THAT(comparison_text(a, a, times), HasSubstr("time (recorded, NVIDIA H200)"));
  EXPECT_THAT(comparison_text(a, a, times), HasSubstr("-20 %"));
  EXPECT_THAT(comparison_text(a, a, half), HasSubstr("90.0 us"));
  EXPECT_THAT(comparison_text(a, a), testing::Not(HasSubstr("time (")));
  EXPECT_EQ(comparison_json(a, a, times)["seconds"]["b"], 72e-6);
  EXPECT_FALSE(comparison_json(a, a).contains("seconds"));
  EXPECT_THAT(comparison_csv(a, a, times), HasSubstr("time,,seconds,"));
}

TEST(Report, CountersFindTheirCounts) {
  const Report report = sample_report();
  for (const char* name : counters()) {
    const auto counter = predict_counter(report, name);
    ASSERT_TRUE(counter) << name;
    bool known = false;
    for (const auto& [space, op] : all_groups())
      for (const auto fields : {group_fields(space, op), modelled_fields(space, op)})
        for (const CountField& field : fields)
          known |= space == counter->space && std::string(field.name) == name_of(counter->field);
    EXPECT_TRUE(known) << name;
  }
  EXPECT_EQ(predict_counter(report, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum")->value, 3200);
  EXPECT_EQ(predict_counter(report, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum")->value, 1500);
  EXPECT_EQ(predict_counter(report, "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_st.sum")->value,
            static_cast<double>(2 * report.group(Space::Global, Op::Store).requests));
  EXPECT_FALSE(predict_counter(report, "l1tex__t_sector_hit_rate.pct"));
}

// As an H200 counted a transpose that fetches by tex2D: the LSU pipe sees none of it.
TEST(Report, FetchesOfTexturesAreNoLoadsOfThePipe) {
  ReportLine line;
  line.space = Space::Global, line.op = Op::Load, line.form = sim::AccessForm::Texture;
  line.totals = global_totals(32768, 131072);
  const std::vector lines{line};
  EXPECT_EQ(predict_counter(lines, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum")->value, 0);
  EXPECT_EQ(predict_counter(lines, "smsp__sass_sectors_mem_global.sum")->value, 0);
  EXPECT_EQ(predict_counter(lines, "l1tex__t_sectors_pipe_tex_mem_texture.sum")->value, 131072);
  EXPECT_EQ(predict_counter(lines, "lts__t_sectors_op_read.sum")->value, 131072);
}

// As an H100 counted four_matrices<64> (tests/data/questions/matrix_rows.csv): ldmatrix has counters of its
// own in instructions and machine code, and none in the pipe.
TEST(Report, WavefrontsOfMatricesAreNotThoseOfLoadsButInThePipe) {
  ReportLine line;
  line.space = Space::Shared;
  line.form = sim::AccessForm::Matrix;
  line.totals.requests = 1, line.totals.wavefronts = 16, line.totals.bank_conflicts = 12;
  const std::vector<ReportLine> lines{line};
  const auto value = [&](const char* name) { return predict_counter(lines, name)->value; };
  EXPECT_EQ(value("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"), 0);
  EXPECT_EQ(value("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm.sum"), 16);
  EXPECT_EQ(value("smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum"), 16);
  EXPECT_EQ(value("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"), 16);
  EXPECT_EQ(value("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"), 12);
}

TEST(Table, NumbersAndTexts) {
  EXPECT_EQ(shortened("abcdef", 4), "abc…");
  EXPECT_EQ(shortened("转置转置", 3), "转置…");
  EXPECT_EQ(shortened("abcd", 4), "abcd");
  EXPECT_EQ(csv_row({"a\"b", "c"}), "\"a\"\"b\",c\r\n");
  Table table({Side::Left, Side::Right});
  table.add({"a", "1"});
  table.add({"转", "20"});
  EXPECT_EQ(table.text("> "), "> a   1\n> 转  20\n");
}

}  // namespace
}  // namespace warplens::report
