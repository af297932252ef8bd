#include "app/gl/damage.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace warplens::gl {
namespace {

constexpr float kFarthest = 1 << 20;

std::int64_t area(const PixelRect& r) {
  return static_cast<std::int64_t>(r.right - r.left) * (r.bottom - r.top);
}

PixelRect hull(const PixelRect& a, const PixelRect& b) {
  return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right),
          std::max(a.bottom, b.bottom)};
}

// Pixels that two parts would draw in vain if they were one.
std::int64_t waste(const PixelRect& a, const PixelRect& b) {
  return area(hull(a, b)) - area(a) - area(b);
}

// Joins the two parts that are cheapest to join, with all that their hull meets: parts stay disjoint.
void join(std::vector<PixelRect>* parts, std::size_t first, std::size_t second) {
  PixelRect all = hull((*parts)[first], (*parts)[second]);
  for (bool grew = true; grew;) {
    grew = false;
    for (std::size_t i = 0; i < parts->size();) {
      if (intersection((*parts)[i], all).empty()) {
        ++i;
        continue;
      }
      const PixelRect larger = hull(all, (*parts)[i]);
      grew = grew || larger != all;
      all = larger;
      parts->erase(parts->begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  parts->push_back(all);
}

// Each part costs a pass over what it holds, about as much as this many pixels.
constexpr std::int64_t kPassPixels = 8 * Damage::kTile * Damage::kTile;

void simplify(std::vector<PixelRect>* parts, std::size_t most) {
  while (parts->size() > 1) {
    std::size_t first = 0, second = 1;
    std::int64_t least = waste((*parts)[0], (*parts)[1]);
    for (std::size_t i = 0; i < parts->size(); ++i) {
      for (std::size_t k = i + 1; k < parts->size(); ++k) {
        const std::int64_t its = waste((*parts)[i], (*parts)[k]);
        if (its < least) least = its, first = i, second = k;
      }
    }
    if (parts->size() <= most && least > kPassPixels) return;
    join(parts, first, second);
  }
}

}  // namespace

PixelRect intersection(const PixelRect& a, const PixelRect& b) {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
          std::min(a.bottom, b.bottom)};
}

PixelRect pixels_around(float left, float top, float right, float bottom) {
  // Of a number that is none std::max and std::min give their first argument: the edge. Floor and ceiling by
  // hand: for every triangle of a frame, calls of the library's would cost a third of telling what changed.
  const auto low = [](float v) {
    const float held = std::min(kFarthest, std::max(-kFarthest, v));
    const int whole = static_cast<int>(held);
    return whole - (static_cast<float>(whole) > held ? 1 : 0);
  };
  const auto high = [](float v) {
    const float held = std::max(-kFarthest, std::min(kFarthest, v));
    const int whole = static_cast<int>(held);
    return whole + (static_cast<float>(whole) < held ? 1 : 0);
  };
  return {low(left), low(top), high(right), high(bottom)};
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29);
}

std::uint64_t hash_of(const void* bytes, std::size_t size) {
  const char* at = static_cast<const char*>(bytes);
  std::uint64_t hash = 0x2545f4914f6cdd1du + size;
  for (; size >= 8; size -= 8, at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, 8);
    hash = mix(hash, word);
  }
  std::uint64_t rest = 0;
  std::memcpy(&rest, at, size);
  return mix(hash, rest);
}

void Damage::begin(int width, int height) {
  if (width != width_ || height != height_) before_.clear();
  width_ = std::max(width, 0);
  height_ = std::max(height, 0);
  columns_ = (width_ + kTile - 1) / kTile;
  rows_ = (height_ + kTile - 1) / kTile;
  now_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_), 1);
}

void Damage::add(const PixelRect& where, std::uint64_t what) {
  const PixelRect seen = intersection(where, {0, 0, width_, height_});
  if (seen.empty()) return;
  const int last_column = (seen.right - 1) / kTile, last_row = (seen.bottom - 1) / kTile;
  for (int row = seen.top / kTile; row <= last_row; ++row) {
    for (int column = seen.left / kTile; column <= last_column; ++column) {
      std::uint64_t& tile = now_[static_cast<std::size_t>(row * columns_ + column)];
      tile = mix(tile, what);
    }
  }
}

std::vector<PixelRect> Damage::finish() {
  std::vector<PixelRect> parts;
  const PixelRect whole{0, 0, width_, height_};
  if (before_.size() != now_.size()) {
    if (!whole.empty()) parts.push_back(whole);
  } else {
    for (int row = 0; row < rows_; ++row) {
      for (int column = 0; column < columns_; ++column) {
        const auto differs = [&](int c) {
          const auto tile = static_cast<std::size_t>(row * columns_ + c);
          return now_[tile] != before_[tile];
        };
        if (!differs(column)) continue;
        int end = column + 1;
        while (end < columns_ && differs(end)) ++end;
        const PixelRect run{column * kTile, row * kTile, end * kTile, (row + 1) * kTile};
        const auto above = std::ranges::find_if(parts, [&](const PixelRect& part) {
          return part.bottom == run.top && part.left == run.left && part.right == run.right;
        });
        if (above != parts.end()) {
          above->bottom = run.bottom;
        } else {
          parts.push_back(run);
        }
        column = end;
      }
    }
    simplify(&parts, kMostParts);
    for (PixelRect& part : parts) part = intersection(part, whole);
  }
  std::swap(now_, before_);
  return parts;
}

void Damage::forget() {
  before_.clear();
}

}  // namespace warplens::gl
