// The table A | B | difference, in words and figures of a language: the access looked at, the whole grid, the
// measured times. What it counts is what `warplens-cli compare` prints.
#pragma once

#include <string>
#include <vector>

#include "app/derive/comparison.h"
#include "app/language/strings.h"
#include "app/readout/ladder_times.h"

namespace warplens::app {

enum class Change : std::uint8_t { None, Better, Worse, Other };  // Other: neither is better

struct TableRow {
  bool heading = false;  // only `label`
  bool result = false;   // the same: what the whole comes to, in a sentence; the first row, once it is known
  std::string label, a, b;
  std::string difference;  // "=", "-983,040"
  std::string factor;      // "÷16", "×2"; or empty
  Change change = Change::None;
  bool is_time = false;
  int rank = 0;  // rows of a higher rank go first where there is no room for all
};

struct TableInput {
  const Comparison* comparison = nullptr;
  const Simulation *a = nullptr, *b = nullptr;
  const measure::Measurement *time_a = nullptr, *time_b = nullptr;  // of exactly these settings; or null
};
std::vector<TableRow> comparison_table(const TableInput& input, const language::Strings& strings);
// At most `count` of them: the least important go, then headings that head nothing.
std::vector<TableRow> fitting_rows(std::vector<TableRow> rows, std::size_t count);

// The measurement of the rung on screen, or null.
const measure::Measurement* measurement_of(const std::vector<RungTime>& times);

}  // namespace warplens::app
