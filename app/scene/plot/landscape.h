// Two parameters and what every pair of their values costs, as a grid of colours.
//
//   block x  1 ▢▢▢▢▢▢▢        a cell a pair of values; a hatched one cannot be launched
//            2 ▢▣▢▢▢▢▢        where one is, the least there is, and the cell that is pointed at are framed
//              0 1 2 3 padding
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/scene/views.h"

namespace warplens::scene {

struct LandscapeCell {
  enum class State : std::uint8_t { Waiting, Counted, Refused };  // not counted yet; cannot be launched
  State state = State::Waiting;
  double value = 0;  // of Counted
};

struct LandscapeView {
  struct Axis {
    std::string label;                // "padding"
    std::vector<std::string> values;  // as they are written
    int here = -1;                    // the present one; -1: it is none of them
  };
  Axis x, y;                         // to the right; downwards
  std::vector<LandscapeCell> cells;  // a row of x for each y
  int best = -1;                     // of the cells; -1: none is counted
  int pointed = -1;
  bool factors = false;  // cells tell how many times the best one's value they have, not the value
  bool ideals = false;   // a value of 1 is ideal: colours begin there and go to 2 at least
  bool nearest = false;  // the best one is the nearest to its ideal, not the least
  std::string legend;    // what is counted, in words
  std::string sentence;  // about the best cell, or how far the counting is
};

// From the least to the greatest value; by logarithms where the greatest is more than four times the least.
struct LandscapeScale {
  double least = 0, most = 0;
  bool logarithmic = false;
  float part(double value) const;  // 0 to 1
};
LandscapeScale landscape_scale(const LandscapeView& view);
Color landscape_color(const Palette& palette, float part);

// Hot spots carry the cell in `index`. Precondition: as many cells as pairs of values.
Scene landscape_scene(const LandscapeView& view, const Canvas& canvas);

}  // namespace warplens::scene
