// How Nsight Compute writes: rows of comma-separated values, numbers with their units.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/message.h"

namespace warplens::profile {

// ---- comma-separated values

// Reads them as RFC 4180 has them, row by row, and names the place of whatever is not so. Ours, since the
// libraries that Debian has (libcsv, libfccp) tell no line and column of a mistake.
//
//   CsvReader reader(text, ',');
//   for (CsvRow row; reader.next(&row);) use(row.cells);
//   if (!reader.error().empty()) ...
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

// ---- numbers and units: "4,194,304", "16.38" Kbyte, and in other locales "4.194.304", "16,38"

enum class Decimal : unsigned char { Point, Comma };

// How a text writes its decimals, where that can be told from it alone: "1,5" and "4.194.304" can, "1,234"
// cannot.
std::optional<Decimal> decimal_of(std::string_view text);

struct Number {
  double value = 0;
  double resolution = 0;  // half a unit of the last digit that is written; 0: a whole number
};
// Nothing: no number ("n/a", "nan", words). What stands behind a number in brackets (the values of a metric's
// instances) is passed over.
std::optional<Number> read_number(std::string_view text, Decimal decimal);

// "Kbyte" is 1000 "byte", "usecond" 1e-6 "second", "Mbyte/s" 1e6 "byte/second". What is not known stays as it
// is.
struct Unit {
  double scale = 1;
  std::string base;
};
Unit base_unit(std::string_view unit);

}  // namespace warplens::profile
