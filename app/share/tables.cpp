#include <algorithm>
#include <cstdio>

#include "app/readout/lane_table.h"
#include "app/share/subject.h"
#include "sim/report/output/csv.h"
#include "sim/report/output/table.h"
#include "sim/report/report.h"

namespace warplens::share {

std::string csv(const Table& table) {
  std::string out = report::csv_row(table.columns);
  for (const auto& row : table.rows) out += report::csv_row(row);
  return out;
}

Table lanes_table(const Subject& subject) {
  const app::Simulation& s = *subject.simulation;
  Table table;
  if (!s.now) return table;
  const auto columns = app::lane_columns(s, subject.strings, 8);
  table.columns.push_back(subject.strings("lanes.lane"));
  for (const auto& column : columns) table.columns.push_back(column.title);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    std::vector<std::string> row{std::to_string(lane)};
    for (const auto& column : columns) row.push_back(column.cells[lane]);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string lines_csv(const Subject& subject) {
  const app::Simulation& s = *subject.simulation;
  if (!s.totals || s.totals->error) return {};
  const scenario::Prepared prepared{s.compiled->setup, s.compiled->program, s.compiled->gpu, {}};
  return report::report_csv(report::make_report(prepared, *s.totals));
}

}  // namespace warplens::share
