// Figures that others published, on the command line: told as theirs, beside what is predicted.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "tests/cli/run_cli.h"

namespace warplens::cli_test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Published, IsInTheReportOfItsRungAndOfNoOther) {
  const Ran naive = run_cli({"report", "transpose_naive_row"});
  EXPECT_EQ(naive.code, 0);
  EXPECT_THAT(naive.out,
              testing::AllOf(HasSubstr("published by others, not measured here"), HasSubstr("4.451 ms"),
                             HasSubstr("Quadro P2000"),
                             HasSubstr("gld_transactions_per_request 16, gst_transactions_per_request 32")));
  EXPECT_THAT(run_cli({"report", "transpose_swizzle"}).out, Not(HasSubstr("published")));
}

TEST(Published, TheReportsJsonHasWhatWasPublishedAndWhatIsComputed) {
  const auto report = run_cli({"report", "transpose_naive_row", "--json"}).json();
  ASSERT_EQ(report["published"].size(), 1u);
  const auto& one = report["published"][0];
  EXPECT_EQ(one["measured_here"], false);
  EXPECT_DOUBLE_EQ(one["seconds"].get<double>(), 4.451e-3);
  EXPECT_EQ(one["counters"]["gst_transactions_per_request"], 32);
  EXPECT_EQ(one["computed"]["gpu"], "sm_61");
  EXPECT_EQ(one["computed"]["counters"]["gld_transactions_per_request"], 16);
  EXPECT_EQ(one["computed"]["counters"]["gst_transactions_per_request"], 32);
  EXPECT_FALSE(run_cli({"report", "sum_aos", "--json"}).json().contains("published"));
}

TEST(Published, IsInAComparisonOfBothSides) {
  const Ran both = run_cli({"compare", "transpose_naive_row", "transpose_shared"});
  EXPECT_EQ(both.code, 0);
  EXPECT_THAT(both.out, testing::AllOf(HasSubstr("A: published by others"), HasSubstr("4.451 ms"),
                                       HasSubstr("B: published by others"), HasSubstr("2.331 ms")));
}

TEST(Published, IsListed) {
  const auto list = run_cli({"list", "published", "--json"}).json();
  EXPECT_EQ(list["published"].size(), 13u);
  EXPECT_THAT(run_cli({"list", "nvprof"}).out,
              testing::AllOf(HasSubstr("gst_efficiency"), HasSubstr("achieved_occupancy")));
}

TEST(Published, AFileIsSoundOrNot) {
  const std::filesystem::path folder = std::filesystem::path(WARPLENS_SOURCE_DIR) / "assets" / "published";
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    EXPECT_EQ(run_cli({"validate", entry.path().string()}).code, 0) << entry.path();
  const auto file = (std::filesystem::path(testing::TempDir()) / "wrong.json").string();
  std::ofstream(file)
      << R"({"schema": "warplens.published/1", "title": "t", "source": "s", "ladder": "transpose",
    "entries": [{"label": "a", "rungs": ["no_such_kernel", "sgemm_naive"], "seconds": 1}]})";
  const Ran wrong = run_cli({"validate", file});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, testing::AllOf(HasSubstr("wrong.json"), HasSubstr("no_such_kernel"),
                                        HasSubstr("not on the ladder")));
}

TEST(Published, PascalIsReportedWithWhatIsNotChecked) {
  const Ran pascal = run_cli({"report", "copy_row", "--gpu", "sm_61"});
  EXPECT_EQ(pascal.code, 0);
  EXPECT_THAT(pascal.out,
              testing::AllOf(HasSubstr("predicted for sm_61"), HasSubstr("Not checked on sm_61")));
  EXPECT_THAT(run_cli({"report", "copy_row"}).out, Not(HasSubstr("Not checked")));
}

TEST(Published, IsRenderedWithoutAGpu) {
  const auto file = (std::filesystem::path(testing::TempDir()) / "published.svg").string();
  EXPECT_EQ(run_cli({"render", "transpose_shared", "--view", "published", "-o", file}).code, 0);
  std::ifstream in(file);
  const std::string svg((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  EXPECT_THAT(svg, testing::AllOf(HasSubstr("Quadro P2000"), HasSubstr("not measured here"),
                                  HasSubstr("4.451 ms"), Not(HasSubstr("predicted for"))));
}

}  // namespace
}  // namespace warplens::cli_test
