#include "app/scene/map/map_lines.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sim/memory/gpu_model.h"

namespace warplens::scene {
namespace {

constexpr float kThin = 0.55f;  // of the ground, in a line between elements

struct Line {
  int first = 0, thick = 1;  // pixels
};

// The lines across one side of the picture; every `heavy`-th element begins after a thick one (0: none does).
std::vector<Line> lines_along(double from, double scale, int pixels, std::int64_t count, std::int64_t heavy) {
  std::vector<Line> lines;
  auto i = static_cast<std::int64_t>(std::max(0.0, std::floor(from)));
  for (; i <= count; ++i) {
    const double at = (static_cast<double>(i) - from) * scale;
    if (at > pixels) break;
    const int thick = heavy > 0 && i % heavy == 0 ? 2 : 1;
    const int first = std::max(0, static_cast<int>(std::lround(at)) - thick / 2);
    if (first + thick <= pixels) lines.push_back({first, thick});
  }
  return lines;
}

struct Ink {
  std::array<std::uint8_t, 3> rgb{};
  void over(std::uint8_t* pixel, float part) const {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto was = static_cast<float>(pixel[k]);
      pixel[k] = static_cast<std::uint8_t>(was + part * (static_cast<float>(rgb[k]) - was) + 0.5f);
    }
  }
};

}  // namespace

void rule_elements(const MatrixShape& shape, const MapWindow& window, const Color& ground, Image* image) {
  if (window.scale < kLeastRuledElement || image->width < 1 || image->height < 1) return;
  const auto byte = [](float v) { return static_cast<std::uint8_t>(std::lround(255 * v)); };
  const Ink ink{{byte(ground.r), byte(ground.g), byte(ground.b)}};
  const std::int64_t a_sector = std::max<std::int64_t>(memory::kSectorBytes / shape.element_bytes, 1);
  const bool even = shape.row_bytes() % memory::kSectorBytes == 0;
  const auto columns =
      lines_along(window.column, window.scale, image->width, shape.columns, even ? a_sector : 0);
  const auto rows = lines_along(window.row, window.scale, image->height, shape.rows, 0);
  // The matrix may be smaller than the picture.
  const auto edge = [](double at, int most) {
    return std::clamp(static_cast<int>(std::lround(at)), 0, most);
  };
  const int left = edge(window.x_of(0), image->width), top = edge(window.y_of(0), image->height),
            right = edge(window.x_of(static_cast<double>(shape.columns)), image->width),
            bottom = edge(window.y_of(static_cast<double>(shape.rows)), image->height);
  const std::size_t stride = 4 * static_cast<std::size_t>(image->width);
  for (const Line& line : rows) {
    std::uint8_t* pixels = image->rgba.data() + stride * static_cast<std::size_t>(line.first);
    for (int x = left; x < right; ++x) ink.over(pixels + 4 * x, kThin);
  }
  for (int y = top; y < bottom; ++y) {
    std::uint8_t* pixels = image->rgba.data() + stride * static_cast<std::size_t>(y);
    for (const Line& line : columns) {
      for (int x = line.first; x < line.first + line.thick; ++x)
        ink.over(pixels + 4 * x, line.thick > 1 ? 1 : kThin);
    }
  }
}

}  // namespace warplens::scene
