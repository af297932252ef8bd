#include "app/scene/file/canvas_pixels.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warplens::scene {
namespace {

struct Span {
  int begin = 0, end = 0;
};

// Whole pixels that [low, high] and a pixel's softness around it can touch, inside [0, size).
Span span_of(float low, float high, int size) {
  const float limit = static_cast<float>(size);
  return {static_cast<int>(std::floor(std::clamp(low - 1, 0.0f, limit))),
          static_cast<int>(std::ceil(std::clamp(high + 1, 0.0f, limit)))};
}

float distance_to_edge(float x, float y, float half_width, float half_height, float radius) {
  const float qx = std::abs(x) - half_width + radius, qy = std::abs(y) - half_height + radius;
  return std::hypot(std::max(qx, 0.0f), std::max(qy, 0.0f)) + std::min(std::max(qx, qy), 0.0f) - radius;
}

float hatch_coverage(float x, float y, float distance) {
  const float across = (x + y) * 0.70710678f;
  const float from_stroke = std::abs(across - distance * std::floor(across / distance) - 0.5f * distance);
  return std::clamp(0.125f * distance + 0.5f - from_stroke, 0.0f, 1.0f);
}

float distance_to_segment(Point p, Point a, Point b) {
  const float dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
  const float t = length > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.0f, 1.0f) : 0.0f;
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

}  // namespace

Pixels::Pixels(int width, int height, Color ground, Budget& budget)
    : image_{width, height, {}}, pace_(budget, Stage::Drawing) {
  image_.rgba.resize(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  const auto byte = [](float v) {
    return static_cast<std::uint8_t>(std::lround(255 * std::clamp(v, 0.0f, 1.0f)));
  };
  for (std::size_t i = 0; i < image_.rgba.size(); i += 4) {
    image_.rgba[i] = byte(ground.r), image_.rgba[i + 1] = byte(ground.g), image_.rgba[i + 2] = byte(ground.b);
    image_.rgba[i + 3] = 255;
  }
}

void Pixels::step_row(int columns) {
  constexpr std::uint64_t kPixelsOfAStep = 16;
  pace_.step(static_cast<std::uint64_t>(std::max(columns, 0)) / kPixelsOfAStep + 1);
}

void Pixels::blend(int x, int y, Color color, float coverage) {
  if (x < 0 || y < 0 || x >= image_.width || y >= image_.height) return;
  const float alpha = std::clamp(color.a * coverage, 0.0f, 1.0f);
  if (alpha <= 0) return;
  std::uint8_t* pixel =
      &image_.rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image_.width) +
                        static_cast<std::size_t>(x))];
  const float channels[3] = {color.r, color.g, color.b};
  for (int i = 0; i < 3; ++i) {
    const float mixed = 255 * channels[i] * alpha + static_cast<float>(pixel[i]) * (1 - alpha);
    pixel[i] = static_cast<std::uint8_t>(std::lround(std::clamp(mixed, 0.0f, 255.0f)));
  }
}

// Each pixel as the one of the image that its middle lies in.
void Pixels::draw(const Picture& picture, float scale) {
  if (!picture.image || picture.image->width < 1 || picture.image->height < 1) return;
  const Image& image = *picture.image;
  const float left = picture.rect.x * scale, width = picture.rect.width * scale;
  const float top = picture.rect.y * scale, height = picture.rect.height * scale;
  if (!(width > 0) || !(height > 0)) return;
  const auto along = [](int at, float from, float length, int count) {
    const float part = (static_cast<float>(at) + 0.5f - from) / length;
    return part < 0 || part >= 1 ? -1 : static_cast<int>(part * static_cast<float>(count));
  };
  const Span columns = span_of(left, left + width, image_.width);
  const Span rows = span_of(top, top + height, image_.height);
  for (int y = rows.begin; y < rows.end; ++y) {
    const int row = along(y, top, height, image.height);
    if (row < 0) continue;
    step_row(columns.end - columns.begin);
    for (int x = columns.begin; x < columns.end; ++x) {
      const int column = along(x, left, width, image.width);
      if (column < 0) continue;
      const std::uint8_t* from =
          &image.rgba[4 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) +
                           static_cast<std::size_t>(column))];
      const auto part = [&](int i) { return static_cast<float>(from[i]) / 255; };
      blend(x, y, {part(0), part(1), part(2), part(3)}, 1);
    }
  }
}

void Pixels::draw(const Cell& cell, float scale) {
  const float half_width = 0.5f * cell.rect.width * scale, half_height = 0.5f * cell.rect.height * scale;
  if (!(half_width > 0) || !(half_height > 0)) return;
  const float cx = cell.rect.x * scale + half_width, cy = cell.rect.y * scale + half_height;
  const float radius = std::min({cell.radius * scale, half_width, half_height});
  const float border = cell.border_width * scale, hatch = cell.hatch * scale;
  const Span columns = span_of(cx - half_width, cx + half_width, image_.width);
  const Span rows = span_of(cy - half_height, cy + half_height, image_.height);
  for (int y = rows.begin; y < rows.end; ++y) {
    step_row(columns.end - columns.begin);
    for (int x = columns.begin; x < columns.end; ++x) {
      const float px = static_cast<float>(x) + 0.5f, py = static_cast<float>(y) + 0.5f;
      const float edge = distance_to_edge(px - cx, py - cy, half_width, half_height, radius);
      const float outer = std::clamp(0.5f - edge, 0.0f, 1.0f);
      if (outer <= 0) continue;
      const float inner = border > 0 ? std::clamp(0.5f - edge - border, 0.0f, 1.0f) : outer;
      blend(x, y, cell.fill, inner);
      if (hatch > 0) blend(x, y, cell.hatch_color, inner * hatch_coverage(px, py, hatch));
      if (border > 0) blend(x, y, cell.border, outer - inner);
    }
  }
}

void Pixels::draw(const Arc& arc, float scale) {
  if (!(arc.drawn > 0)) return;
  constexpr int kSegments = 32;
  const Point a{arc.from.x * scale, arc.from.y * scale}, d{arc.to.x * scale, arc.to.y * scale};
  const float bend = 0.5f * (d.y - a.y), reach = 0.5f * arc.width * scale;
  std::array<Point, kSegments + 1> points;
  float left = a.x, right = a.x, top = a.y, bottom = a.y;
  for (int i = 0; i <= kSegments; ++i) {
    const float t = std::min(arc.drawn, 1.0f) * static_cast<float>(i) / kSegments, u = 1 - t;
    Point& p = points[static_cast<std::size_t>(i)];
    p.x = u * u * u * a.x + 3 * u * u * t * a.x + 3 * u * t * t * d.x + t * t * t * d.x;
    p.y = u * u * u * a.y + 3 * u * u * t * (a.y + bend) + 3 * u * t * t * (d.y - bend) + t * t * t * d.y;
    left = std::min(left, p.x), right = std::max(right, p.x), top = std::min(top, p.y),
    bottom = std::max(bottom, p.y);
  }
  const Span rows = span_of(top - reach, bottom + reach, image_.height);
  for (int y = rows.begin; y < rows.end; ++y) {
    const float py = static_cast<float>(y) + 0.5f;
    // Only the segments that come near this row, and only where they are.
    float from = right, to = left;
    std::array<bool, kSegments> near{};
    for (std::size_t i = 0; i < kSegments; ++i) {
      const Point p = points[i], q = points[i + 1];
      near[i] = py >= std::min(p.y, q.y) - reach - 1 && py <= std::max(p.y, q.y) + reach + 1;
      if (near[i]) from = std::min({from, p.x, q.x}), to = std::max({to, p.x, q.x});
    }
    const Span columns = span_of(from - reach, to + reach, image_.width);
    step_row(columns.end - columns.begin);
    for (int x = columns.begin; x < columns.end; ++x) {
      float distance = reach + 1;
      for (std::size_t i = 0; i < kSegments; ++i) {
        if (near[i])
          distance = std::min(
              distance, distance_to_segment({static_cast<float>(x) + 0.5f, py}, points[i], points[i + 1]));
      }
      blend(x, y, arc.color, std::clamp(reach + 0.5f - distance, 0.0f, 1.0f));
    }
  }
}

}  // namespace warplens::scene
