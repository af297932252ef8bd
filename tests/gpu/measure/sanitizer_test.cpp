// compute-sanitizer's reports, made up after its manual's descriptions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/measure/toolkit.h"

namespace warplens::measure {
namespace {

using testing::HasSubstr;

// Two threads, one line: one finding. The place is written in two ways by different versions.
constexpr const char* kOutOfBounds =
    "========= COMPUTE-SANITIZER\n"
    "========= Invalid __global__ write of size 4 bytes\n"
    "=========     at beyond(float *, int)+0x90 in out_of_bounds.cu:3\n"
    "=========     by thread (0,0,0) in block (0,0,0)\n"
    "=========     Address 0x7f0000000100 is out of bounds\n"
    "=========     and is 1 bytes after the nearest allocation at 0x7f0000000000 of size 256 bytes\n"
    "=========     Saved host backtrace up to driver entry point at kernel launch time\n"
    "=========         Host Frame: in main.cpp:99 [0x1234]\n"
    "========= \n"
    "some other program's line\n"
    "========= Invalid __global__ write of size 4 bytes\n"
    "=========     at 0x90 in /tmp/out_of_bounds.cu:3:beyond(float *, int)\n"
    "=========     by thread (1,0,0) in block (0,0,0)\n"
    "=========     Address 0x7f0000000104 is out of bounds\n"
    "========= \n"
    "========= ERROR SUMMARY: 2 errors\n";

TEST(Sanitizer, FindsTheLineOfAnAccessOutOfBounds) {
  const SanitizerReport report = read_sanitizer_report(kOutOfBounds);
  ASSERT_EQ(report.findings.size(), 1u);
  const SanitizerFinding& f = report.findings[0];
  EXPECT_EQ(f.what, "Invalid __global__ write of size 4 bytes");
  EXPECT_EQ(f.file, "out_of_bounds.cu");
  EXPECT_EQ(f.line, 3);
  EXPECT_EQ(f.where, "thread (0,0,0) in block (0,0,0)");
  EXPECT_EQ(f.times, 2);
  EXPECT_TRUE(report.complete);
}

TEST(Sanitizer, TellsItWithTheSourcesLine) {
  const std::string words = in_words(read_sanitizer_report(kOutOfBounds), "one\ntwo\n    a[i + n] = 1;\n");
  EXPECT_THAT(words,
              HasSubstr("out_of_bounds.cu:3: Invalid __global__ write of size 4 bytes (2 times), first by "
                        "thread (0,0,0) in block (0,0,0); Address 0x7f0000000100 is out of bounds"));
  EXPECT_THAT(words, HasSubstr("\n    a[i + n] = 1;\n"));
}

// What is not known here is not passed over: the summary counts it.
TEST(Sanitizer, IsNotCleanWhereTheSummaryCountsErrors) {
  const SanitizerReport report = read_sanitizer_report(
      "========= COMPUTE-SANITIZER\n"
      "========= Program hit cudaErrorIllegalAddress (error 700) on CUDA API call to cudaDeviceSynchronize.\n"
      "=========     Saved host backtrace up to driver entry point at error\n"
      "========= \n"
      "========= ERROR SUMMARY: 1 error\n");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_THAT(report.findings[0].what, HasSubstr("cudaErrorIllegalAddress"));
  EXPECT_EQ(read_sanitizer_report("========= ERROR SUMMARY: 7 errors\n").findings.size(), 1u);
  EXPECT_TRUE(read_sanitizer_report("========= ERROR SUMMARY: 0 errors\n").findings.empty());
}

TEST(Sanitizer, ReadsARace) {
  const SanitizerReport report = read_sanitizer_report(
      "========= COMPUTE-SANITIZER\n"
      "========= Error: Race reported between Write access at k(int *)+0x80 in race.cu:4\n"
      "=========     and Read access at k(int *)+0xa0 in race.cu:6 [128 hazards]\n"
      "========= \n"
      "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_THAT(report.findings[0].what, HasSubstr("Race reported between Write access"));
  EXPECT_EQ(report.findings[0].line, 4);
  EXPECT_TRUE(report.complete);
}

TEST(Sanitizer, TellsNothingFoundFromNotFinished) {
  EXPECT_EQ(
      in_words(read_sanitizer_report("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n"), ""),
      "compute-sanitizer found nothing\n");
  EXPECT_THAT(in_words(read_sanitizer_report("========= COMPUTE-SANITIZER\n"), ""),
              HasSubstr("ended before"));
}

TEST(Sanitizer, SaysThatItCannotCheckThisGpu) {
  const SanitizerReport report =
      read_sanitizer_report("========= COMPUTE-SANITIZER\n========= Error: Device not supported\n");
  EXPECT_TRUE(report.findings.empty());
  EXPECT_THAT(in_words(report, ""), HasSubstr("could not check the kernel: Error: Device not supported"));
}

// Cut off anywhere, it is read without a crash, and never shows more than there is.
TEST(Sanitizer, ReadsAReportThatIsCutOff) {
  const std::string whole = kOutOfBounds;
  for (std::size_t length = 0; length <= whole.size(); ++length)
    EXPECT_LE(read_sanitizer_report(whole.substr(0, length)).findings.size(), 2u);
}

}  // namespace
}  // namespace warplens::measure
