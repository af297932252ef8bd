#include "sim/profile/csv_reader.h"

#include <gmock/gmock.h>

namespace warplens::profile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

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

}  // namespace
}  // namespace warplens::profile
