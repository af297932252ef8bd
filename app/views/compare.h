// A│B: what is counted and measured on both sides as a table, in words and figures of a language, what it
// comes to, and who each side is. What it counts is what `warplens-cli compare` prints.
#pragma once

#include <string>
#include <vector>

#include "app/views/inputs.h"

namespace warplens::views {

enum class Change : std::uint8_t { None, Better, Worse, Other };  // Other: neither is better

struct TableRow {
  bool heading = false;  // only `label`
  bool result = false;   // the same: what the whole comes to, in a sentence; the first row, once it is known
  std::string label{}, a{}, b{};
  std::string factor{};  // "÷16", "×2", "="; or empty
  Change change = Change::None;
  bool is_time = false;
  int rank = 0;  // rows of a higher rank go first where there is no room for all
};

struct TableInput {
  const app::Comparison* comparison = nullptr;
  const app::Simulation *a = nullptr, *b = nullptr;
  const measure::Measurement *time_a = nullptr, *time_b = nullptr;  // of exactly these settings; or null
};
std::vector<TableRow> comparison_table(const TableInput& input, const language::Strings& strings);
// At most `count` of them: the least important go, then headings that head nothing.
std::vector<TableRow> fitting_rows(std::vector<TableRow> rows, std::size_t count);

// Of the whole grid, so empty until both are counted. Where the sizes differ there is another amount of work
// to do: then a request is held against a request, and no time against another.
bool same_work(const TableInput& input);
std::string comparison_result(const TableInput& input, const language::Strings& strings);
// "3.8 times fewer requests", where they explain B's time; otherwise empty.
std::string explaining_requests(const TableInput& input, const language::Strings& strings);

struct SideWords {
  std::string name;         // "padded tile (edited)"
  std::string differences;  // "padding 2 · 12 lines of its own"; "nothing differs"
};
// `scenario`: of that side's settings; null: a kernel of the user's own.
SideWords side_words(const app::Comparison& comparison, bool is_a, const scenario::Scenario* scenario,
                     bool edited, const std::string& language, const language::Strings& strings);

// The table as a picture; `counted`: of the whole grid too.
scene::Scene comparison(const std::vector<TableRow>& rows, bool counted, const scene::Canvas& canvas);
scene::Color change_color(const scene::Palette& palette, Change change);

}  // namespace warplens::views
