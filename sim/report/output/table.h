// A table of texts, printed for a terminal or for a spreadsheet.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/base/budget.h"
#include "sim/base/numbers.h"

namespace warplens::report {

enum class Side { Left, Right };

class Table {
 public:
  explicit Table(std::vector<Side> sides = {}) : sides_(std::move(sides)) {}  // further columns: left
  // What the columns are called: the first row of CSV, and of text that has another row.
  void name(std::vector<std::string> columns) { columns_ = std::move(columns); }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.empty(); }
  const std::vector<std::vector<std::string>>& rows() const { return rows_; }
  // Lined up, one code point a column; ends with a newline, no trailing blanks. Throws Stopped where the
  // budget ends.
  std::string text(const std::string& indent = "", Budget& budget = Budget::endless()) const;
  std::string csv() const;

 private:
  std::vector<Side> sides_;
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Every CSV file that Warplens writes is made of these rows (RFC 4180): one row with its end. A spreadsheet
// would take a cell that begins with = + - @ for a formula: it gets an apostrophe in front, unless it is a
// number. Controls are written out.
std::string csv_row(const std::vector<std::string>& cells);

std::string shortened(const std::string& text, std::size_t columns);  // with an ellipsis

}  // namespace warplens::report
