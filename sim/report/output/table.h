// A table of texts, printed for a terminal or for a spreadsheet; views draw it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/base/budget.h"
#include "sim/base/numbers.h"

namespace warplens::report {

enum class Side { Left, Right };

struct Table {
  explicit Table(std::vector<Side> of_columns = {}) : sides(std::move(of_columns)) {}
  void name(std::vector<std::string> titles) { columns = std::move(titles); }
  void add(std::vector<std::string> row) { rows.push_back(std::move(row)); }
  bool empty() const { return rows.empty(); }
  // Lined up, one code point a column; ends with a newline, no trailing blanks. Throws Stopped where the
  // budget ends.
  std::string text(const std::string& indent = "", Budget& budget = Budget::endless()) const;
  std::string csv() const;

  std::vector<Side> sides;  // where each column's texts stand; further ones: left
  std::vector<std::string>
      columns;  // what they are called: the first row of CSV, and of text that has another row
  std::vector<std::vector<std::string>> rows;
};

// Every CSV file that Warplens writes is made of these rows (RFC 4180): one row with its end. A spreadsheet
// would take a cell that begins with = + - @ for a formula: it gets an apostrophe in front, unless it is a
// number. Controls are written out.
std::string csv_row(const std::vector<std::string>& cells);

std::string shortened(const std::string& text, std::size_t columns);  // with an ellipsis

}  // namespace warplens::report
