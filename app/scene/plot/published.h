// Figures that others publish, of GPUs that are not at hand: nothing of them was measured here. Each figure
// has an axis of its own, from its own least to its own most, and a mark on it, not a bar: a bar's length
// would be read against those of the times that were measured.
//
//   Quadro P2000 (Pascal) · 4096 × 4096
//   published in lecture notes, not measured here       gld/request  gst/request
//   copy    ----|--------------  1.356 ms                    16           4
//   naive   ------------------|  4.451 ms                    16          32
//           0              4.451 ms
#pragma once

#include <string>
#include <vector>

#include "app/scene/views.h"

namespace warplens::scene {

struct PublishedRow {
  std::string label;     // "naive"
  double amount = 0;     // in the figure's unit: seconds, GB/s, GFLOP/s
  bool current = false;  // of the kernel on screen
  bool reference = false;
  std::vector<std::string> cells;  // one a column; empty: not published
  std::string tooltip;
  int rung = -1;  // of the ladder, for who follows a click; -1: none
};

struct PublishedFigure {
  std::string heading, source;
  TimeUnit unit = TimeUnit::Time;
  std::vector<std::string> columns, column_tips;
  std::vector<PublishedRow> rows;
};

struct PublishedView {
  std::vector<PublishedFigure> figures;
  std::vector<std::string> notes{};  // below, a paragraph each
};

// Hot spots carry the row's rung in `index`.
Scene published_scene(const PublishedView& view, const Canvas& canvas);
// How high all of it is at the canvas's width, in pixels.
float published_height(const PublishedView& view, const Canvas& canvas);

// "1.356 ms", as many digits as are published; "110 GB/s"; "2,000 GFLOP/s".
std::string published_text(double amount, TimeUnit unit);

}  // namespace warplens::scene
