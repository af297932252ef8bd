#include "tests/kernels/model.h"

#include <stdexcept>

#include "sim/memory/cost.h"
#include "sim/memory/gpu_model.h"

namespace warplens::test {
namespace {

using Address = std::optional<std::int64_t>;
using memory::Op;
using memory::Space;

std::int64_t divide_up(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

Model copy_model(const scenario::ParameterValues& v, std::int64_t offset, std::int64_t stride) {
  std::int64_t n = v.at("n"), block = v.at("block_x"), bytes = v.at("element");
  auto at = [=](std::int64_t first, std::int64_t step) {
    return [=](const Thread& t) -> Address {
      std::int64_t i = t.block_x * block + t.x;
      if (i >= n) return {};
      return (i * step + first) * bytes;
    };
  };
  int width = static_cast<int>(bytes);
  return {
      divide_up(n, block),
      1,
      block,
      1,
      {{Space::Global, Op::Load, width, at(offset, stride)}, {Space::Global, Op::Store, width, at(0, 1)}}};
}

// Copies and naive transposes: x walks along a row, or down a column; the result lies as the matrix or
// turned.
Model matrix_model(const scenario::ParameterValues& v, bool x_is_column, bool turned) {
  std::int64_t rows = v.at("nrows"), cols = v.at("ncols"), bx = v.at("block_x"), by = v.at("block_y");
  auto at = [=](bool transposed) {
    return [=](const Thread& t) -> Address {
      std::int64_t along_x = t.block_x * bx + t.x, along_y = t.block_y * by + t.y;
      std::int64_t row = x_is_column ? along_y : along_x, col = x_is_column ? along_x : along_y;
      if (row >= rows || col >= cols) return {};
      return 4 * (transposed ? col * rows + row : row * cols + col);
    };
  };
  return {divide_up(x_is_column ? cols : rows, bx),
          divide_up(x_is_column ? rows : cols, by),
          bx,
          by,
          {{Space::Global, Op::Load, 4, at(false)}, {Space::Global, Op::Store, 4, at(turned)}}};
}

// Where the tile keeps its element (row, column), in words.
using TileWord = std::function<std::int64_t(std::int64_t row, std::int64_t column)>;

// Tiled transposes; part k of `parts` moves the columns that lie k * bx further right.
Model tile_model(const scenario::ParameterValues& v, std::int64_t bx, std::int64_t by, int parts,
                 const TileWord& word) {
  std::int64_t rows = v.at("nrows"), cols = v.at("ncols");
  Model model{divide_up(cols, parts * bx), divide_up(rows, by), bx, by, {}};
  for (int k = 0; k < parts; ++k) {
    auto read = [=](bool from_tile) {
      return [=](const Thread& t) -> Address {
        std::int64_t column = t.x + k * bx;
        std::int64_t row = t.block_y * by + t.y, col = t.block_x * parts * bx + column;
        if (row >= rows || col >= cols) return {};
        return 4 * (from_tile ? word(t.y, column) : row * cols + col);
      };
    };
    auto write = [=](bool from_tile) {
      return [=](const Thread& t) -> Address {
        std::int64_t i = t.y * bx + t.x;
        std::int64_t down = i % by, right = i / by + k * bx;  // in the tile as it was read
        std::int64_t row = t.block_y * by + down, col = t.block_x * parts * bx + right;
        if (row >= rows || col >= cols) return {};
        return 4 * (from_tile ? word(down, right) : col * rows + row);
      };
    };
    model.steps.push_back({Space::Global, Op::Load, 4, read(false)});
    model.steps.push_back({Space::Shared, Op::Store, 4, read(true)});
    model.steps.push_back({Space::Shared, Op::Load, 4, write(true)});
    model.steps.push_back({Space::Global, Op::Store, 4, write(false)});
  }
  return model;
}

TileWord padded(std::int64_t width) {
  return [width](std::int64_t row, std::int64_t column) { return row * width + column; };
}

// The largest power of two that divides bx is the span within which a row is reordered.
TileWord swizzled(std::int64_t bx, std::int64_t by) {
  std::int64_t span = 1;
  while (bx % (2 * span) == 0) span *= 2;
  std::int64_t rows_per_turn = bx < 32 ? 32 / bx : 1, columns_at_once = by < 32 ? 32 / by : 1;
  return [=](std::int64_t row, std::int64_t column) {
    std::int64_t turn = row / rows_per_turn * columns_at_once % span;
    return row * bx + (column ^ turn);
  };
}

Counts& counts_for(KernelCounts& counts, const Step& step) {
  if (step.space == Space::Global) return step.op == Op::Load ? counts.global_load : counts.global_store;
  return step.op == Op::Load ? counts.shared_load : counts.shared_store;
}

void add_block(KernelCounts& counts, const Model& model, std::int64_t block_x, std::int64_t block_y) {
  std::int64_t threads = model.block_x * model.block_y;
  for (const Step& step : model.steps) {
    for (std::int64_t first = 0; first < threads; first += memory::kWarpLanes) {
      memory::WarpAccess access{step.space, step.op, step.bytes, 0, {}};
      for (int lane = 0; lane < memory::kWarpLanes && first + lane < threads; ++lane) {
        std::int64_t id = first + lane;
        Address address = step.address({block_x, block_y, id % model.block_x, id / model.block_x});
        if (!address) continue;
        access.active |= memory::LaneMask{1} << lane;
        access.addresses[static_cast<std::size_t>(lane)] = static_cast<memory::Address>(*address);
      }
      memory::Cost cost = memory::cost(access);
      Counts& sum = counts_for(counts, step);
      sum.requests += static_cast<std::uint64_t>(cost.requests);
      sum.bytes += static_cast<std::uint64_t>(cost.bytes);
      sum.sectors += static_cast<std::uint64_t>(cost.sectors);
      sum.lines += static_cast<std::uint64_t>(cost.lines);
      sum.wavefronts += static_cast<std::uint64_t>(cost.wavefronts);
      sum.bank_conflicts += static_cast<std::uint64_t>(cost.bank_conflicts);
    }
  }
}

}  // namespace

Model model_of(const std::string& name, const scenario::ParameterValues& v) {
  if (name == "copy") return copy_model(v, 0, 1);
  if (name == "copy_offset") return copy_model(v, v.at("offset"), 1);
  if (name == "copy_stride") return copy_model(v, 0, v.at("stride"));
  if (name == "copy_row") return matrix_model(v, true, false);
  if (name == "copy_col") return matrix_model(v, false, false);
  if (name == "transpose_naive_row") return matrix_model(v, true, true);
  if (name == "transpose_naive_col") return matrix_model(v, false, true);
  if (name == "transpose_shape") {
    std::int64_t bx = v.at("shape") / 1000, by = v.at("shape") % 1000;
    return tile_model(v, bx, by, 1, padded(bx + v.at("pad")));
  }
  if (!v.contains("block_x") || !v.contains("nrows")) throw std::runtime_error("no model of " + name);
  std::int64_t bx = v.at("block_x"), by = v.at("block_y");
  if (name == "transpose_shared" || name == "transpose_padded")
    return tile_model(v, bx, by, 1, padded(bx + v.at("pad")));
  if (name == "transpose_unroll2") return tile_model(v, bx, by, 2, padded(2 * bx + v.at("pad")));
  if (name == "transpose_swizzle") return tile_model(v, bx, by, 1, swizzled(bx, by));
  throw std::runtime_error("no model of " + name);
}

KernelCounts model_counts(const Model& model) {
  KernelCounts counts;
  for (std::int64_t y = 0; y < model.grid_y; ++y) {
    for (std::int64_t x = 0; x < model.grid_x; ++x) add_block(counts, model, x, y);
  }
  return counts;
}

}  // namespace warplens::test
