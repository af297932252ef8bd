#include <nlohmann/json.hpp>

#include "app/cli/layout/layout_output.h"
#include "sim/memory/access.h"
#include "sim/report/output/csv.h"
#include "sim/report/output/table.h"

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

// Of a warpgroup the thread's number among 128.
std::string thread_text(const MmaShape& shape, const Holder& h) {
  return std::to_string(shape.is_warpgroups() ? memory::kWarpLanes * h.warp + h.lane : h.lane);
}

std::string matrix_text(const MmaShape& shape, const NamedMatrix& matrix) {
  const int rows = layout::rows_of(shape, matrix.of), columns = layout::columns_of(shape, matrix.of);
  std::string text =
      std::string(matrix.name) + ", " + std::to_string(rows) + " x " + std::to_string(columns) +
      (shape.is_warpgroups() ? ": thread of the warpgroup and register" : ": lane and register") +
      (shape.in_register > 1 && matrix.of != MatrixOf::C ? ".part" : "") + "\n";
  report::Table table(std::vector<report::Side>(static_cast<std::size_t>(columns) + 1, report::Side::Right));
  std::vector<std::string> head{""};
  for (int column = 0; column < columns; ++column) head.push_back(std::to_string(column));
  table.add(std::move(head));
  if (layout::holder_of(shape, matrix.of, 0, 0).lane < 0)
    return std::string(matrix.name) + ", " + std::to_string(rows) + " x " + std::to_string(columns) +
           ": in shared memory, as its descriptor says\n";
  for (int row = 0; row < rows; ++row) {
    std::vector<std::string> cells{"row " + std::to_string(row)};
    for (int column = 0; column < columns; ++column) {
      const Holder h = layout::holder_of(shape, matrix.of, row, column);
      std::string cell = thread_text(shape, h) + matrix.registers + std::to_string(h.register_number);
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
        if (const Holder h = layout::holder_of(shape, matrix.of, row, column); h.lane >= 0)
          take(matrix.of == MatrixOf::C ? "C" : matrix.name, row, column, h);
}

}  // namespace

std::string fragment_text(const MmaShape& shape) {
  const std::string rows = std::to_string(shape.rows), columns = std::to_string(shape.columns),
                    k = std::to_string(shape.k);
  std::string text = (shape.is_warpgroups() ? "wgmma " : "mma.sync ") + shape.name + ": D (" + rows + " x " +
                     columns + ") = A (" + rows + " x " + k + ") B (" + k + " x " + columns + ") + C\n";
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
                                {"warp", h.warp},
                                {"lane", h.lane},
                                {"register", h.register_number},
                                {"part", h.part}});
  });
  return json;
}

std::string fragment_csv(const MmaShape& shape) {
  std::string text = report::csv_row({"matrix", "row", "column", "warp", "lane", "register", "part"});
  each_element(shape, [&](const char* matrix, int row, int column, const Holder& h) {
    text +=
        report::csv_row({matrix, std::to_string(row), std::to_string(column), std::to_string(h.warp),
                         std::to_string(h.lane), std::to_string(h.register_number), std::to_string(h.part)});
  });
  return text;
}

}  // namespace warplens::cli
