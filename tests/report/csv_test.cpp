// No cell of a CSV file is a formula, and every row is one row.
#include <gtest/gtest.h>

#include "sim/report/output/table.h"

namespace warplens::report {
namespace {

std::string cell(const std::string& text) {
  const std::string row = csv_row({text});
  return row.substr(0, row.size() - 2);
}

TEST(Csv, FormulasBecomeTexts) {
  EXPECT_EQ(cell("=1+1"), "'=1+1");
  EXPECT_EQ(cell("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(cell("+cmd|' /C calc'!A0"), "'+cmd|' /C calc'!A0");
  EXPECT_EQ(cell("-a[i]"), "'-a[i]");
  EXPECT_EQ(cell("-"), "'-");
  EXPECT_EQ(cell("-1+A1"), "'-1+A1");
  EXPECT_EQ(cell("--1"), "'--1");
  EXPECT_EQ(cell("\t=1"), "\"'\t=1\"");
  EXPECT_EQ(cell("\n=1"), "\"'\n=1\"");
  EXPECT_EQ(cell("\r=1"), "\\r=1");
  EXPECT_EQ(cell("＝1"), "'＝1");
  EXPECT_EQ(cell("a;=1"), "\"a;=1\"");  // a semicolon parts cells in some countries
  EXPECT_EQ(cell("=\"a\",b"), "\"'=\"\"a\"\",b\"");
}

TEST(Csv, NumbersStayNumbers) {
  for (const char* number : {"-1", "+1", "-1.5", "-1.5e-05", "-2,097,152", "+16 %", "1e5", "0"})
    EXPECT_EQ(cell(number).find('\''), std::string::npos) << number;
}

TEST(Csv, ControlsAreWrittenOut) {
  EXPECT_EQ(cell("\x1b[31m"), "\\x1b[31m");
  EXPECT_EQ(cell(std::string("\0", 1)), "\\x00");
}

}  // namespace
}  // namespace warplens::report
