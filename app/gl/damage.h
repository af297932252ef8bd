// Which parts of a frame differ from the frame before. The frame is cut into tiles; everything that is drawn
// is mixed, in the order of drawing, into the hash of each tile that it may touch. A tile whose hash is that
// of the frame before shows the same, and need not be drawn again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warplens::gl {

// Whole pixels, y from the top; right and bottom are the first beyond.
struct PixelRect {
  int left = 0, top = 0, right = 0, bottom = 0;
  bool empty() const { return right <= left || bottom <= top; }
  friend bool operator==(const PixelRect&, const PixelRect&) = default;
};
PixelRect intersection(const PixelRect& a, const PixelRect& b);
// All pixels that a box may touch. What is no number, or beyond any screen, ends at the edge of one.
PixelRect pixels_around(float left, float top, float right, float bottom);

std::uint64_t mix(std::uint64_t hash, std::uint64_t value);
std::uint64_t hash_of(const void* bytes, std::size_t size);

class Damage {
 public:
  static constexpr int kTile = 32;  // pixels a side: half a bin of Mesa's software rasteriser

  void begin(int width, int height);
  void add(const PixelRect& where, std::uint64_t what);
  // Disjoint rectangles that cover all that differs, at most kMostParts. The first frame, and one of another
  // size, differs everywhere.
  std::vector<PixelRect> finish();
  void forget();  // what was drawn before is lost: the next frame differs everywhere

 private:
  static constexpr std::size_t kMostParts = 20;

  int width_ = 0, height_ = 0, columns_ = 0, rows_ = 0;
  std::vector<std::uint64_t> now_, before_;  // a tile; `before_` is empty: unknown
};

}  // namespace warplens::gl
