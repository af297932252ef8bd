// A table of texts, lined up for a terminal: UTF-8, one code point a column.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/budget.h"

namespace warplens::report {

enum class Side { Left, Right };

class Table {
 public:
  explicit Table(std::vector<Side> columns) : columns_(std::move(columns)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.empty(); }
  // Ends with a newline, no trailing blanks. Throws Stopped where the budget ends.
  std::string text(const std::string& indent = "", Budget& budget = Budget::endless()) const;

 private:
  std::vector<Side> columns_;
  std::vector<std::vector<std::string>> rows_;
};

std::string grouped(std::uint64_t value);             // 2,097,152
std::string fixed(double value, int digits);          // 4.00
std::string ratio(std::uint64_t a, std::uint64_t b);  // a / b with two digits; "-" where b is 0
std::string bytes_text(std::uint64_t bytes);          // "128 B", "16.0 MiB"
std::string shortened(const std::string& text, std::size_t columns);  // with an ellipsis

}  // namespace warplens::report
