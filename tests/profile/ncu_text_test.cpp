// Rows, numbers and names as Nsight Compute writes them.
#include <gmock/gmock.h>

#include "sim/profile/ncu_profile.h"

namespace warplens::profile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<CsvRow> rows_of(std::string_view text, std::string* error = nullptr, char separator = ',') {
  CsvReader reader(text, separator);
  std::vector<CsvRow> rows;
  for (CsvRow row; reader.next(&row);) rows.push_back(row);
  if (error != nullptr) *error = reader.error();
  return rows;
}

TEST(CsvReader, CellsAndPlaces) {
  const auto rows = rows_of("\"a\",b,\r\n\"x \"\"y\"\", z\",\"two\nlines\",3\n\"end\"");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_THAT(rows[0].cells, ElementsAre("a", "b", ""));
  EXPECT_THAT(rows[0].columns, ElementsAre(1, 5, 7));
  EXPECT_THAT(rows[1].cells, ElementsAre("x \"y\", z", "two\nlines", "3"));
  EXPECT_EQ(rows[1].line, 2);
  EXPECT_THAT(rows[2].cells, ElementsAre("end"));
  EXPECT_EQ(rows[2].line, 4) << "a cell had a line's end in it";
}

TEST(CsvReader, ColumnsAreCharacters) {
  std::string error;
  rows_of("\"\u00e9\u00e9\"x", &error);
  EXPECT_EQ(error, "line 1, column 5: a separator or the end of the line is needed behind the cell");
}

TEST(CsvReader, MistakesNameTheirPlace) {
  std::string error;
  EXPECT_EQ(rows_of("a,b\nc,\"d", &error).size(), 1u);
  EXPECT_EQ(error, "line 2, column 3: the quote is never closed; is the file cut off?");
  rows_of("a,b\"c\"", &error);
  EXPECT_THAT(error, HasSubstr("line 1, column 4: a quote stands inside"));
  rows_of(std::string(CsvReader::kMostCellBytes + 1, 'x'), &error);
  EXPECT_THAT(error, HasSubstr("longer than 65536 bytes"));
  rows_of("\"" + std::string(CsvReader::kMostCellBytes + 1, 'x') + "\"", &error);
  EXPECT_THAT(error, HasSubstr("longer than 65536 bytes"));
  rows_of(std::string(CsvReader::kMostCells, ','), &error);
  EXPECT_THAT(error, HasSubstr("more than 20000 cells"));
}

TEST(CsvReader, OtherSeparators) {
  EXPECT_THAT(rows_of("\"a\";1,5;c", nullptr, ';')[0].cells, ElementsAre("a", "1,5", "c"));
}

double value(std::string_view text, Decimal decimal = Decimal::Point) {
  const auto number = read_number(text, decimal);
  return number ? number->value : -1;
}

TEST(NcuNumber, AsEnglishLocalesWriteThem) {
  EXPECT_EQ(value("16,012,462"), 16012462);
  EXPECT_EQ(value("4194304"), 4194304);
  EXPECT_EQ(value("1,234.50"), 1234.5);
  EXPECT_EQ(value("-3"), -3);
  EXPECT_EQ(value("1.1747E+07"), 11747000);
  EXPECT_EQ(value("15 (7; 8)"), 15) << "a metric's instances stand behind its sum";
}

TEST(NcuNumber, AsOthersDo) {
  EXPECT_EQ(value("16.012.462", Decimal::Comma), 16012462);
  EXPECT_EQ(value("9,25", Decimal::Comma), 9.25);
  EXPECT_EQ(value("4\u202f194\u202f304,5", Decimal::Comma), 4194304.5);
  EXPECT_EQ(value("4'194'304.5"), 4194304.5);
}

TEST(NcuNumber, WhatIsNoNumber) {
  for (const char* text : {"", "n/a", "nan", "inf", "(!) nan", "12,34", "1,2345", ",5,", "-", "0x10", "1e",
                           "1.2.3", "CachePreferNone", "1e999", "12 apples", ","})
    EXPECT_FALSE(read_number(text, Decimal::Point)) << text;
}

TEST(NcuNumber, WhatRoundingMayHide) {
  EXPECT_EQ(read_number("8.39", Decimal::Point)->resolution, 0.005);
  EXPECT_EQ(read_number("8,390", Decimal::Point)->resolution, 0);
  EXPECT_DOUBLE_EQ(read_number("1.17E+07", Decimal::Point)->resolution, 5e4);
}

TEST(NcuNumber, TheMarkOfDecimalsWhereItCanBeTold) {
  EXPECT_EQ(decimal_of("9,00"), Decimal::Comma);
  EXPECT_EQ(decimal_of("9.00"), Decimal::Point);
  EXPECT_EQ(decimal_of("1.234,5"), Decimal::Comma);
  EXPECT_EQ(decimal_of("4,194,304"), Decimal::Point);
  EXPECT_EQ(decimal_of("4.194.304"), Decimal::Comma);
  EXPECT_EQ(decimal_of("0,123"), Decimal::Comma);
  EXPECT_EQ(decimal_of("1,234"), std::nullopt);
  EXPECT_EQ(decimal_of("1234"), std::nullopt);
}

TEST(NcuNumber, Units) {
  EXPECT_EQ(base_unit("Kbyte").scale, 1e3);
  EXPECT_EQ(base_unit("Kbyte").base, "byte");
  EXPECT_EQ(base_unit("Kbyte/block").base, "byte/block");
  EXPECT_EQ(base_unit("Gbyte/s").base, "byte/second");
  EXPECT_EQ(base_unit("Gbyte/s").scale, 1e9);
  EXPECT_DOUBLE_EQ(base_unit("cycle/nsecond").scale, 1e9);
  EXPECT_EQ(base_unit("usecond").base, "second");
  EXPECT_EQ(base_unit("%").base, "%");
  EXPECT_EQ(base_unit("sector/request").base, "sector/request");
}

ProfiledLaunch launch_of(const char* printed) {
  ProfiledLaunch launch;
  launch.kernel = printed;
  return launch;
}
sim::KernelName name_of(const char* printed) {
  return launch_of(printed).name();
}

TEST(KernelName, AsNcuPrintsThem) {
  EXPECT_EQ(name_of("smem_cuda_transpose(int, const double *, double *)").name, "smem_cuda_transpose");
  EXPECT_EQ(name_of("k").name, "k");
  const sim::KernelName k = name_of("void lab::k<(int)32, (bool)1, float, 4u>(T3 *, void (*)(int))");
  EXPECT_EQ(k.qualified(), "lab::k");
  EXPECT_THAT(k.arguments, ElementsAre("32", "true", "float", "4"));
  EXPECT_EQ(name_of("_Z5scalePfi").name, "scale");
  EXPECT_THAT(name_of("_Z1kILi32EEvPf").arguments, ElementsAre("32"));
  EXPECT_THAT(name_of("scale(std::pair<int, int>)").arguments, IsEmpty());
  EXPECT_EQ(name_of("_Zbroken").name, "_Zbroken");
  for (const char* text : {"", "<", ">", "(", "k<", "k<(", ")k<>", "<>(", "void ", "k<a,,b>"}) name_of(text);
}

TEST(KernelName, NamespacesMayBeLeftOut) {
  EXPECT_TRUE(launch_of("void lab::scale<float>(float *)").may_be("scale"));
  EXPECT_TRUE(launch_of("scale").may_be("lab::scale"));
  EXPECT_FALSE(launch_of("rescale(float *)").may_be("scale"));
  EXPECT_FALSE(launch_of("scale2").may_be("scale"));
  EXPECT_FALSE(launch_of("").may_be(""));
}

}  // namespace
}  // namespace warplens::profile
