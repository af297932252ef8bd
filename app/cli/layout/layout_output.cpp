#include "app/cli/layout/layout_output.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/layout/reading.h"
#include "sim/memory/banks.h"
#include "sim/report/output/csv.h"
#include "sim/report/output/table.h"

namespace warplens::cli {

namespace {

using layout::Layout;
using layout::Reading;
using nlohmann::ordered_json;

constexpr std::int64_t kMostShown = 64;  // rows and columns of a table for people
struct NamedReading {
  Reading reading;
  const char* name;
};
constexpr NamedReading kReadings[] = {{Reading::Rows, "rows"},
                                      {Reading::Columns, "columns"},
                                      {Reading::Patches, "patches"},
                                      {Reading::Matrices, "ldmatrix"},
                                      {Reading::Transposed, "ldmatrix.trans"}};

std::int64_t place_of(const LayoutSubject& s, std::int64_t row, std::int64_t column) {
  return s.layout.at(row, column, s.element_bytes);
}
std::int64_t bank_of(const LayoutSubject& s, std::int64_t row, std::int64_t column) {
  return memory::bank_of(static_cast<memory::Address>(place_of(s, row, column) * s.element_bytes));
}

// Elements that share their place with another one.
std::int64_t elements_on_others(const LayoutSubject& s, Pace& pace) {
  std::set<std::int64_t> places;
  const std::int64_t rows = s.layout.rows(), columns = s.layout.columns();
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    pace.step();
    places.insert(place_of(s, i / columns, i % columns));
  }
  return rows * columns - static_cast<std::int64_t>(places.size());
}

std::string table_text(const LayoutSubject& s, Budget& budget) {
  const std::int64_t rows = std::min(s.layout.rows(), kMostShown),
                     columns = std::min(s.layout.columns(), kMostShown);
  report::Table table(std::vector<report::Side>(static_cast<std::size_t>(columns) + 1, report::Side::Right));
  std::vector<std::string> head{""};
  for (std::int64_t column = 0; column < columns; ++column) head.push_back(std::to_string(column));
  table.add(std::move(head));
  for (std::int64_t row = 0; row < rows; ++row) {
    std::vector<std::string> cells{"row " + std::to_string(row)};
    for (std::int64_t column = 0; column < columns; ++column)
      cells.push_back(std::to_string(s.show_banks ? bank_of(s, row, column) : place_of(s, row, column)));
    table.add(std::move(cells));
  }
  std::string text = table.text("", budget);
  if (rows < s.layout.rows() || columns < s.layout.columns())
    text += "(the first " + std::to_string(rows) + " rows and " + std::to_string(columns) + " columns)\n";
  return text;
}

std::string readings_text(const LayoutSubject& s, Budget& budget) {
  using report::Side;
  report::Table table({Side::Left, Side::Right, Side::Right, Side::Right, Side::Right, Side::Left});
  table.add({"read by", "requests", "wavefronts", "ideal", "conflict", ""});
  for (const NamedReading& each : kReadings) {
    const layout::ReadTile read = layout::read_tile(s.layout, s.element_bytes, each.reading);
    if (!read.why.empty()) {
      table.add({each.name, "-", "-", "-", "-", read.why.english()});
      continue;
    }
    const layout::ReadingCost cost = layout::price(read);
    table.add({each.name, std::to_string(cost.requests), std::to_string(cost.wavefronts),
               std::to_string(cost.ideal), cost.degree > 1 ? std::to_string(cost.degree) + "-way" : "none",
               ""});
  }
  return table.text("", budget);
}

ordered_json readings_json(const LayoutSubject& s) {
  ordered_json readings = ordered_json::array();
  for (const NamedReading& each : kReadings) {
    const layout::ReadTile read = layout::read_tile(s.layout, s.element_bytes, each.reading);
    ordered_json entry = {{"read_by", each.name}};
    if (!read.why.empty()) {
      entry["why_not"] = read.why.english();
    } else {
      const layout::ReadingCost cost = layout::price(read);
      entry["requests"] = cost.requests;
      entry["wavefronts"] = cost.wavefronts;
      entry["ideal_wavefronts"] = cost.ideal;
      entry["ways"] = cost.degree;
    }
    readings.push_back(std::move(entry));
  }
  return readings;
}

}  // namespace

std::string layout_text(const LayoutSubject& s, Budget& budget) {
  Pace pace(budget, Stage::Writing);
  const std::int64_t elements = s.layout.rows() * s.layout.columns(), span = s.layout.span(s.element_bytes),
                     doubled = elements_on_others(s, pace);
  std::string text = s.layout.text() + ", elements of " + std::to_string(s.element_bytes) + " bytes\n";
  text += std::to_string(s.layout.rows()) + " rows of " + std::to_string(s.layout.columns()) +
          " columns; the last element ends at byte " + std::to_string(span * s.element_bytes) + "\n";
  if (doubled > 0)
    text += std::to_string(doubled) + " of the " + std::to_string(elements) +
            " elements lie where another one does\n";
  text += "index: " + layout::index_text(s.layout, s.element_bytes) + "\n\n";
  text += s.show_banks ? "Banks, of each element's first byte\n" : "Places, in elements\n";
  text += table_text(s, budget) + "\n";
  return text + readings_text(s, budget);
}

ordered_json layout_json(const LayoutSubject& s, Budget& budget) {
  Pace pace(budget, Stage::Writing);
  ordered_json places = ordered_json::array();
  for (std::int64_t row = 0; row < s.layout.rows(); ++row) {
    ordered_json line = ordered_json::array();
    for (std::int64_t column = 0; column < s.layout.columns(); ++column) {
      pace.step();
      line.push_back(place_of(s, row, column));
    }
    places.push_back(std::move(line));
  }
  return {{"schema", "warplens.layout/1"},          {"layout", s.layout.text()},
          {"element_bytes", s.element_bytes},       {"rows", s.layout.rows()},
          {"columns", s.layout.columns()},          {"span", s.layout.span(s.element_bytes)},
          {"doubled", elements_on_others(s, pace)}, {"index", layout::index_text(s.layout, s.element_bytes)},
          {"readings", readings_json(s)},           {"places", std::move(places)}};
}

std::string layout_csv(const LayoutSubject& s, Budget& budget) {
  Pace pace(budget, Stage::Writing);
  std::string text = report::csv_row({"row", "column", "place", "byte", "bank"});
  for (std::int64_t row = 0; row < s.layout.rows(); ++row) {
    for (std::int64_t column = 0; column < s.layout.columns(); ++column) {
      pace.step();
      const std::int64_t place = place_of(s, row, column);
      text +=
          report::csv_row({std::to_string(row), std::to_string(column), std::to_string(place),
                           std::to_string(place * s.element_bytes), std::to_string(bank_of(s, row, column))});
    }
  }
  return text;
}

}  // namespace warplens::cli
