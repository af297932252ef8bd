// Every CSV file that Warplens writes is made of these rows (RFC 4180).
#pragma once

#include <string>
#include <vector>

namespace warplens::report {

// One row with its end. A spreadsheet would take a cell that begins with = + - @ for a formula: it gets an
// apostrophe in front, unless it is a number. Controls are written out.
std::string csv_row(const std::vector<std::string>& cells);

}  // namespace warplens::report
