// A layout, and a fragment of a tensor core, as text. They throw Stopped where the budget ends.
#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include "app/cli/target.h"
#include "app/language/joined.h"
#include "sim/base/budget.h"
#include "sim/layout/fragment.h"
#include "sim/layout/layout.h"
#include "sim/layout/reading.h"
#include "sim/memory/access.h"
#include "sim/memory/banks.h"
#include "sim/report/output/table.h"

namespace warplens::cli {

namespace {

// What a layout is asked with.
struct LayoutSubject {
  layout::Layout layout;
  int element_bytes = 4;
};

using layout::Reading;

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

// A cell of text for each row and column, whose numbers stand beside them.
template <typename Cell>
std::string tile_text(std::int64_t rows, std::int64_t columns, Cell cell, Budget& budget) {
  report::Table table(std::vector<report::Side>(static_cast<std::size_t>(columns) + 1, report::Side::Right));
  std::vector<std::string> head{""};
  for (std::int64_t column = 0; column < columns; ++column) head.push_back(std::to_string(column));
  table.add(std::move(head));
  for (std::int64_t row = 0; row < rows; ++row) {
    std::vector<std::string> cells{"row " + std::to_string(row)};
    for (std::int64_t column = 0; column < columns; ++column) cells.push_back(cell(row, column));
    table.add(std::move(cells));
  }
  return table.text("", budget);
}

std::string table_text(const LayoutSubject& s,
                       std::int64_t (*of)(const LayoutSubject&, std::int64_t, std::int64_t), Budget& budget) {
  const std::int64_t rows = std::min(s.layout.rows(), kMostShown),
                     columns = std::min(s.layout.columns(), kMostShown);
  std::string text = tile_text(
      rows, columns,
      [&](std::int64_t row, std::int64_t column) { return std::to_string(of(s, row, column)); }, budget);
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
  text += "Places, in elements\n" + table_text(s, place_of, budget) + "\n";
  text += "Banks, of each element's first byte\n" + table_text(s, bank_of, budget) + "\n";
  return text + readings_text(s, budget);
}

using layout::Holder;
using layout::MatrixOf;
using layout::MmaShape;

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
  const std::string text =
      std::string(matrix.name) + ", " + std::to_string(rows) + " x " + std::to_string(columns);
  if (layout::holder_of(shape, matrix.of, 0, 0).lane < 0)
    return text + ": in shared memory, as its descriptor says\n";
  const bool has_parts = shape.in_register > 1 && matrix.of != MatrixOf::C;
  const auto cell = [&](std::int64_t row, std::int64_t column) {
    const Holder h = layout::holder_of(shape, matrix.of, static_cast<int>(row), static_cast<int>(column));
    return thread_text(shape, h) + matrix.registers + std::to_string(h.register_number) +
           (has_parts ? "." + std::to_string(h.part) : "");
  };
  return text + (shape.is_warpgroups() ? ": thread of the warpgroup and register" : ": lane and register") +
         (has_parts ? ".part" : "") + "\n" + tile_text(rows, columns, cell, Budget::endless());
}

std::string fragment_text(const MmaShape& shape) {
  const std::string rows = std::to_string(shape.rows), columns = std::to_string(shape.columns),
                    k = std::to_string(shape.k);
  std::string text = (shape.is_warpgroups() ? "wgmma " : "mma.sync ") + shape.name + ": D (" + rows + " x " +
                     columns + ") = A (" + rows + " x " + k + ") B (" + k + " x " + columns + ") + C\n";
  for (const NamedMatrix& matrix : kMatrices) text += "\n" + matrix_text(shape, matrix);
  return text;
}

struct LayoutOptions : CommonOptions {
  std::string layout, fragment;
  int element_bytes = 4;
};

[[noreturn]] void fail_layout(const std::string& text, const layout::ParsedLayout& parsed) {
  throw CommandFailure(kInputWrong, parsed.error.english() + "\n  " + text + "\n  " +
                                        std::string(std::min(parsed.at, text.size()), ' ') + "^");
}

LayoutSubject subject_of(const LayoutOptions& options) {
  layout::ParsedLayout parsed = layout::parse_layout(options.layout);
  if (!parsed.layout) fail_layout(options.layout, parsed);
  LayoutSubject subject{std::move(*parsed.layout), options.element_bytes};
  if (!subject.layout.swizzle.fits(subject.element_bytes))
    throw CommandFailure(kInputWrong, "the swizzle would tear elements of " +
                                          std::to_string(subject.element_bytes) + " bytes apart");
  return subject;
}

ExitCode run_fragment(const LayoutOptions& options) {
  const layout::MmaShape* shape = layout::find_mma_shape(options.fragment);
  if (shape == nullptr) {
    throw CommandFailure(kInputWrong, "--fragment " + options.fragment + ": there are " +
                                          language::joined(layout::mma_shapes(), ", ", &MmaShape::name) +
                                          ", m64n8k16.f16 to m64n256k16.f16 and their like");
  }
  print(fragment_text(*shape));
  return kDone;
}

ExitCode run_layout(const LayoutOptions& options) {
  if (options.layout.empty() == options.fragment.empty())
    throw CommandFailure(kInputWrong, "a LAYOUT is needed, \"(8,(4,2)):(1,(8,64))\", or --fragment");
  if (!options.fragment.empty()) return run_fragment(options);
  print(layout_text(subject_of(options), options.simulation.budget()));
  return kDone;
}

}  // namespace

void add_layout(Program& program) {
  auto options = std::make_shared<LayoutOptions>();
  CLI::App* command = program.app.add_subcommand(
      "layout", "Where the elements of a tile lie, and what reading it costs; who holds a fragment of mma");
  command->add_option("LAYOUT", options->layout,
                      "As CuTe writes it: \"(8,(4,2)):(1,(8,64))\", \"Swizzle<3,3,3> o (8,64):(64,1)\", "
                      "\"SW128 o (8,64):(64,1)\"");
  command->add_option("--element", options->element_bytes, "Bytes of an element")
      ->check(CLI::IsMember({1, 2, 4, 8, 16}))
      ->capture_default_str();
  command->add_option(
      "--fragment", options->fragment,
      "Who holds which element of an mma.sync or a wgmma instead: m16n8k16.f16, m64n64k16.f16; of wmma CUDA "
      "leaves it open");
  options->simulation.add_seconds(*command);
  program.runs(command, options, run_layout);
}

}  // namespace warplens::cli
