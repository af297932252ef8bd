// What is drawn, as plain values: cells, arcs, labels, in units of a panel's own pixels. Built without OpenGL
// or ImGui, so that it can be tested as text, written as SVG, and drawn by the instanced renderer alike.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::scene {

struct Color {
  float r = 0, g = 0, b = 0, a = 1;  // sRGB, 0 to 1, not premultiplied
  friend bool operator==(const Color&, const Color&) = default;
};
struct Point {
  float x = 0, y = 0;
};  // y grows downwards
struct Rect {
  float x = 0, y = 0, width = 0, height = 0;
};

// A rounded rectangle: a lane, a word, a sector's frame, a bar.
struct Cell {
  Rect rect;
  float radius = 3;
  Color fill;
  Color border;
  float border_width = 0;
  float hatch = 0;  // distance between diagonal strokes in pixels; 0: none
  Color hatch_color;
  Cell& rounded(float by) {
    radius = by;
    return *this;
  }
  Cell& hatched(float distance, Color color) {
    hatch = distance, hatch_color = color;
    return *this;
  }
};

// A curve from a lane to a word; `drawn` of its length is shown (animation), 0 to 1.
struct Arc {
  Point from, to;
  Color color;
  float width = 1.5f;
  float drawn = 1;
};

enum class Align : std::uint8_t { Left, Center, Right };
enum class Font : std::uint8_t { Words, Code };
struct Label {
  Point at;          // left end, centre or right end of the text's vertical middle
  std::string text;  // UTF-8
  float size = 13;   // pixels
  Color color;
  Align align = Align::Left;
  Font font = Font::Words;
  bool bold = false;
};

// What a number in the picture counts: asked where it comes from, it lights up one by one.
enum class Count : std::uint8_t { None, Lanes, Requests, Cost, Moved, Used };
struct Counting {
  Count what = Count::None;  // None: nothing is counted
  int n = 0;                 // so many are lit
};

// What the pointer meets: for tooltips and for following one lane everywhere.
struct HotSpot {
  Rect rect;
  int lane = -1;   // -1: none
  int warp = -1;   // of the block map
  int index = -1;  // of a segment, a bar
  std::string tooltip{};
  bool grid = false;          // of the block map: the whole grid, see block_at()
  Count count = Count::None;  // a number that a click counts out
  int place = -1;             // that a click marks
};

struct Image;  // png.h

// Pixels, as they are: one of the picture for one of the screen where `rect` is as large.
struct Picture {
  Rect rect;
  std::shared_ptr<const Image> image;  // never changed once it is here
};

// Layers are drawn in order: pictures behind arcs behind cells behind labels within one layer.
struct Layer {
  std::vector<Picture> pictures;
  std::vector<Arc> arcs;
  std::vector<Cell> cells;
  std::vector<Label> labels;
};

// A title in parts, for rows that have no room for all of it: "Shared memory · load", "tile[c][r]", "float
// tile[16][32]".
struct TitleParts {
  std::string lead, text, detail;
  std::string brief{};  // of the lead, what must stay: that an access is the next one, not the one looked at
};

struct Scene {
  float width = 0, height = 0;
  std::string title;       // the panel's question ...
  TitleParts title_parts;  // ... in parts, where it has any
  std::string answer;      // ... and the answer at its right
  bool answer_is_costly = false, answer_is_ideal = false;
  std::string nothing;  // why there is nothing to see, a paragraph a line; then there are no layers
  std::vector<Layer> layers;
  std::vector<HotSpot> hot_spots;
};

// What bars of measured times say: the time, or what follows from it.

// Seconds; GB/s; GFLOP/s.
enum class TimeUnit : std::uint8_t { Time, Bytes, Operations };
inline constexpr int kTimeUnits = 3;

// ---- a matrix in memory, a part of it, and which part is looked at

struct MatrixShape {
  std::int64_t rows = 1, columns = 1;  // of elements
  int element_bytes = 4;
  bool known = true;  // false: it is not said how long a row is; the array is wrapped
  std::int64_t row_bytes() const { return columns * element_bytes; }
  std::uint64_t bytes() const {
    return static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(row_bytes());
  }
  friend bool operator==(const MatrixShape&, const MatrixShape&) = default;
};

// In elements; rows 0: nothing.
struct MatrixBox {
  std::int64_t row = 0, column = 0, rows = 0, columns = 0;
  friend bool operator==(const MatrixBox&, const MatrixBox&) = default;
};

// The middle of the view in shares of the matrix, and how many times larger than where all of it is in view.
struct MapPosition {
  double row = 0.5, column = 0.5, zoom = 1;
  friend bool operator==(const MapPosition&, const MapPosition&) = default;
};

// ---- how wide a text will be, without a font at hand: advance widths of Inter and JetBrains Mono as a
// table, other scripts as full-width squares. Good to a few per cent, which is enough to keep labels from
// overlapping.

float text_width(std::string_view text, float size, Font font = Font::Words, bool bold = false);
// Ends the text with an ellipsis where it is wider than `width`.
std::string shortened(std::string_view text, float width, float size, Font font = Font::Words,
                      bool bold = false);
// The scene's title, without its last parts where they have no room.
std::string title_within(const Scene& scene, float width, float size);
// Breaks the text into lines no wider than `width`, at spaces or between ideographs; the last of at most
// `most` lines is shortened.
std::vector<std::string> wrapped(std::string_view text, float width, float size, int most,
                                 Font font = Font::Words, bool bold = false);
// The longest beginning of the text that ends where a clause does (before ; : , — or a parenthesis) and
// `fits`; the whole text where that does; empty where not even the first clause does. What is left out is
// whole, too.
std::string whole_clauses(const std::string& text, const std::function<bool(const std::string&)>& fits);
// The rectangle that the label covers, from its ascenders to its descenders.
Rect bounds(const Label& label);

}  // namespace warplens::scene
