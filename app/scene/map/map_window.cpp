#include "app/scene/map/map_window.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace warplens::scene {
namespace {

double fit_scale(const MatrixShape& shape, double width, double height) {
  return std::max(
      1e-9, std::min(width / static_cast<double>(shape.columns), height / static_cast<double>(shape.rows)));
}

// The middle stays where the picture is full of matrix, or in the middle where it is not.
double bounded(double middle, double elements, double seen) {
  const double half = 0.5 * seen / elements;
  return half >= 0.5 ? 0.5 : std::clamp(middle, half, 1 - half);
}

MapPosition bounded(const MatrixShape& shape, MapPosition p, double width, double height) {
  p.zoom = std::clamp(std::isfinite(p.zoom) ? p.zoom : 1, 1.0, most_zoom(shape, width, height));
  const double scale = fit_scale(shape, width, height) * p.zoom;
  p.row = bounded(p.row, static_cast<double>(shape.rows), height / scale);
  p.column = bounded(p.column, static_cast<double>(shape.columns), width / scale);
  return p;
}

std::uint32_t packed(const Color& c) {
  const auto byte = [](float v) {
    return static_cast<std::uint32_t>(std::lround(std::clamp(v, 0.0f, 1.0f) * 255.0f));
  };
  return byte(c.r) | byte(c.g) << 8 | byte(c.b) << 16 | 0xff000000u;
}

// For every pixel along one side, the cell (or element) that its middle is in; -1: outside.
std::vector<std::int64_t> cells_along(double first, double scale, int pixels, std::int64_t count,
                                      std::int64_t cell) {
  std::vector<std::int64_t> out(static_cast<std::size_t>(pixels), -1);
  for (int i = 0; i < pixels; ++i) {
    const double element = std::floor(first + (i + 0.5) / scale);
    if (element >= 0 && element < static_cast<double>(count))
      out[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(element) / cell;
  }
  return out;
}

}  // namespace

MapWindow window_of(const MatrixShape& shape, const MapPosition& position, double width, double height) {
  const MapPosition p = bounded(shape, position, width, height);
  MapWindow w;
  w.width = width;
  w.height = height;
  w.scale = fit_scale(shape, width, height) * p.zoom;
  w.row = p.row * static_cast<double>(shape.rows) - 0.5 * height / w.scale;
  w.column = p.column * static_cast<double>(shape.columns) - 0.5 * width / w.scale;
  return w;
}

double most_zoom(const MatrixShape& shape, double width, double height) {
  return std::max(1.0, kMostPixelsAnElement / fit_scale(shape, width, height));
}

MapPosition zoomed(const MatrixShape& shape, const MapPosition& from, double width, double height, double x,
                   double y, double factor) {
  const MapWindow before = window_of(shape, from, width, height);
  MapPosition to = bounded(shape, from, width, height);
  to.zoom = std::clamp(to.zoom * factor, 1.0, most_zoom(shape, width, height));
  const double scale = fit_scale(shape, width, height) * to.zoom;
  const double column = before.column + x / before.scale, row = before.row + y / before.scale;
  to.column = (column + (0.5 * width - x) / scale) / static_cast<double>(shape.columns);
  to.row = (row + (0.5 * height - y) / scale) / static_cast<double>(shape.rows);
  return bounded(shape, to, width, height);
}

MapPosition moved(const MatrixShape& shape, const MapPosition& from, double width, double height, double dx,
                  double dy) {
  MapPosition to = bounded(shape, from, width, height);
  const double scale = fit_scale(shape, width, height) * to.zoom;
  to.column += dx / scale / static_cast<double>(shape.columns);
  to.row += dy / scale / static_cast<double>(shape.rows);
  return bounded(shape, to, width, height);
}

bool element_at(const MatrixShape& shape, const MapWindow& window, double x, double y, MapElement* out) {
  if (x < 0 || y < 0 || x >= window.width || y >= window.height) return false;
  const double column = std::floor(window.column + x / window.scale),
               row = std::floor(window.row + y / window.scale);
  if (column < 0 || row < 0 || column >= static_cast<double>(shape.columns) ||
      row >= static_cast<double>(shape.rows))
    return false;
  out->row = static_cast<std::int64_t>(row);
  out->column = static_cast<std::int64_t>(column);
  out->byte = static_cast<std::uint64_t>(out->row * shape.row_bytes() + out->column * shape.element_bytes);
  return true;
}

// Logarithmic: what is visited twice is told from what is visited once, and 100 from 50.
int HeatColors::step_of(double visits) const {
  if (visits <= 0) return 0;
  const double part = most <= 1 ? 0.5 : std::log2(std::max(visits, 1.0)) / std::log2(most);
  return 1 + static_cast<int>(std::lround(std::clamp(part, 0.0, 1.0) * (kSteps - 2)));
}

HeatColors heat_colors(const Palette& palette, double most) {
  HeatColors colors;
  colors.most = std::max(most, 1.0);
  colors.outside = packed(palette.panel);
  colors.ramp[0] = packed(mix(palette.panel, palette.cell, 0.9f));
  const Color low = mix(palette.cell, palette.accent, 0.38f), middle = palette.accent,
              high = palette.dark ? Color{1.0f, 0.97f, 0.86f, 1} : Color{0.02f, 0.10f, 0.20f, 1};
  for (int i = 1; i < HeatColors::kSteps; ++i) {
    const float t = static_cast<float>(i - 1) / static_cast<float>(HeatColors::kSteps - 2);
    const Color c = t < 0.5f ? mix(low, middle, 2 * t) : mix(middle, high, 2 * t - 1);
    colors.ramp[static_cast<std::size_t>(i)] = packed(c);
  }
  return colors;
}

Color heat_color(const HeatColors& colors, double visits) {
  const std::uint32_t rgba = colors.ramp[static_cast<std::size_t>(colors.step_of(visits))];
  const auto part = [&](int shift) { return static_cast<float>(rgba >> shift & 0xffu) / 255.0f; };
  return {part(0), part(8), part(16), 1};
}

int level_for(const HeatMap& map, double elements_a_pixel) {
  int level = 0;
  while (level + 1 < map.levels() &&
         static_cast<double>(map.level(level + 1).cell_rows) <= elements_a_pixel + 1e-9)
    ++level;
  return level;
}

Image map_pixels(const HeatMap& map, const MapWindow& window, const HeatColors& colors, Image image) {
  image.width = std::max(0, static_cast<int>(window.width));
  image.height = std::max(0, static_cast<int>(window.height));
  image.rgba.resize(4 * static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height));
  const MatrixShape& shape = map.shape();
  const HeatMap::Level& level = map.level(level_for(map, 1 / window.scale));
  // Where a pixel is less than a row high, each element has the colour of the sector that it lies in.
  const bool fine = level.cell_rows == 1;
  const auto rows =
      cells_along(window.row, window.scale, image.height, shape.rows, fine ? 1 : level.cell_rows);
  const auto columns = cells_along(window.column, window.scale, image.width, shape.columns, 1);
  const double sectors_a_cell =
      static_cast<double>(level.cell_rows) * static_cast<double>(level.cell_bytes) / memory::kSectorBytes;
  // A look-up for the sums that occur most: the logarithm costs more than the rest of the pixel.
  std::array<std::uint32_t, 1024> small{};
  for (std::size_t i = 0; i < small.size(); ++i)
    small[i] = colors.ramp[static_cast<std::size_t>(colors.step_of(static_cast<double>(i) / sectors_a_cell))];
  const auto color_of = [&](std::uint64_t sum) {
    if (sum < small.size()) return small[static_cast<std::size_t>(sum)];
    return colors.ramp[static_cast<std::size_t>(colors.step_of(static_cast<double>(sum) / sectors_a_cell))];
  };
  const std::int64_t row_bytes = shape.row_bytes();
  std::vector<std::uint32_t> line(static_cast<std::size_t>(image.width));
  std::int64_t line_of = -2;
  for (int y = 0; y < image.height; ++y) {
    const std::int64_t row = rows[static_cast<std::size_t>(y)];
    if (row != line_of) {
      line_of = row;
      std::int64_t last_cell = -1;
      std::uint32_t last_color = 0;
      for (int x = 0; x < image.width; ++x) {
        const std::int64_t column = columns[static_cast<std::size_t>(x)];
        std::uint32_t color = colors.outside;
        if (row >= 0 && column >= 0) {
          const std::int64_t byte = column * shape.element_bytes;
          const std::int64_t cell =
              fine ? (row * row_bytes + byte) / memory::kSectorBytes : byte / level.cell_bytes;
          if (cell != last_cell) {
            last_cell = cell;
            last_color = color_of(fine ? map.visits(static_cast<std::uint64_t>(cell)) : level.at(row, cell));
          }
          color = last_color;
        }
        line[static_cast<std::size_t>(x)] = color;
      }
    }
    std::memcpy(image.rgba.data() + 4 * static_cast<std::size_t>(y) * line.size(), line.data(),
                4 * line.size());
  }
  return image;
}

}  // namespace warplens::scene
