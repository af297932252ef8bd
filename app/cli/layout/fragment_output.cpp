#include <nlohmann/json.hpp>

#include "app/cli/layout/layout_output.h"
#include "sim/report/csv.h"
#include "sim/report/table.h"

namespace warplens::cli {

namespace {

using layout::Holder;
using layout::MatrixOf;
using layout::MmaShape;
using nlohmann::ordered_json;

struct NamedMatrix {
  MatrixOf of;
  const char* name;
  const char* registers;
};
constexpr NamedMatrix kMatrices[] = {
    {MatrixOf::A, "A", "a"}, {MatrixOf::B, "B", "b"}, {MatrixOf::C, "C, D", "c"}};

std::string matrix_text(const MmaShape& shape, const NamedMatrix& matrix) {
  const int rows = layout::rows_of(shape, matrix.of), columns = layout::columns_of(shape, matrix.of);
  std::string text = std::string(matrix.name) + ", " + std::to_string(rows) + " x " +
                     std::to_string(columns) + ": lane and register" +
                     (shape.in_register > 1 && matrix.of != MatrixOf::C ? ".part" : "") + "\n";
  report::Table table(std::vector<report::Side>(static_cast<std::size_t>(columns) + 1, report::Side::Right));
  std::vector<std::string> head{""};
  for (int column = 0; column < columns; ++column) head.push_back(std::to_string(column));
  table.add(std::move(head));
  for (int row = 0; row < rows; ++row) {
    std::vector<std::string> cells{"row " + std::to_string(row)};
    for (int column = 0; column < columns; ++column) {
      const Holder h = layout::holder_of(shape, matrix.of, row, column);
      std::string cell = std::to_string(h.lane) + matrix.registers + std::to_string(h.register_number);
      if (shape.in_register > 1 && matrix.of != MatrixOf::C) cell += "." + std::to_string(h.part);
      cells.push_back(std::move(cell));
    }
    table.add(std::move(cells));
  }
  return text + table.text();
}

// Each element of the three matrices.
template <typename Take>
void each_element(const MmaShape& shape, Take take) {
  for (const NamedMatrix& matrix : kMatrices)
    for (int row = 0; row < layout::rows_of(shape, matrix.of); ++row)
      for (int column = 0; column < layout::columns_of(shape, matrix.of); ++column)
        take(matrix.of == MatrixOf::C ? "C" : matrix.name, row, column,
             layout::holder_of(shape, matrix.of, row, column));
}

}  // namespace

std::string fragment_text(const MmaShape& shape) {
  std::string text = "mma.sync " + shape.name + ": D (16 x 8) = A (16 x " + std::to_string(shape.k) +
                     ") B (" + std::to_string(shape.k) + " x 8) + C\n";
  for (const NamedMatrix& matrix : kMatrices) text += "\n" + matrix_text(shape, matrix);
  return text;
}

ordered_json fragment_json(const MmaShape& shape) {
  ordered_json json = {
      {"schema", "warplens.fragment/1"}, {"mma", shape.name}, {"elements", ordered_json::array()}};
  each_element(shape, [&](const char* matrix, int row, int column, const Holder& h) {
    json["elements"].push_back({{"matrix", matrix},
                                {"row", row},
                                {"column", column},
                                {"lane", h.lane},
                                {"register", h.register_number},
                                {"part", h.part}});
  });
  return json;
}

std::string fragment_csv(const MmaShape& shape) {
  std::string text = report::csv_row({"matrix", "row", "column", "lane", "register", "part"});
  each_element(shape, [&](const char* matrix, int row, int column, const Holder& h) {
    text += report::csv_row({matrix, std::to_string(row), std::to_string(column), std::to_string(h.lane),
                             std::to_string(h.register_number), std::to_string(h.part)});
  });
  return text;
}

}  // namespace warplens::cli
