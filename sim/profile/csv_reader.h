// Reads comma-separated values as RFC 4180 has them, row by row, and names the place of whatever is not so.
// Ours, since the libraries that Debian has (libcsv, libfccp) tell no line and column of a mistake.
//
//   CsvReader reader(text, ',');
//   for (CsvRow row; reader.next(&row);) use(row.cells);
//   if (!reader.error().empty()) ...
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/message.h"

namespace warplens::profile {

struct CsvRow {
  std::vector<std::string> cells;  // without their quotes
  std::vector<int> columns;        // where each begins, from 1, in characters
  int line = 1;                    // where the row begins
};

class CsvReader {
 public:
  static constexpr std::size_t kMostCells = 20'000;       // of a row
  static constexpr std::size_t kMostCellBytes = 1 << 16;  // of a cell

  CsvReader(std::string_view text, char separator) : text_(text), separator_(separator) {}
  // False at the end, and where something is wrong. Ends of lines are LF or CR LF.
  bool next(CsvRow* row);
  const Message& error() const { return error_; }  // "line 3, column 5: ..."; empty: nothing is wrong

  // For who has to look at a line before it is taken for a row.
  bool at_end() const { return at_ >= text_.size(); }
  std::string_view rest_of_line() const;  // without its end
  void skip_line();
  int line() const { return line_; }
  void set_separator(char separator) { separator_ = separator; }

 private:
  bool read_cell(CsvRow* row);
  bool read_quoted(std::string* cell);
  bool read_plain(std::string* cell);
  bool take_end_of_line();
  bool fail(int line, int column, const Message& words);
  void advance();

  std::string_view text_;
  char separator_;
  std::size_t at_ = 0;
  int line_ = 1, column_ = 1;
  Message error_;
};

}  // namespace warplens::profile
