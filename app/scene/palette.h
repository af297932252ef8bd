// Colours by meaning, dark and light, each with one job: lanes have four hues, verdicts two others, all else
// is grey, or the ink of the theme. Values and rules: Okabe-Ito hues; contrast of text at least 4.5:1.
#pragma once

#include <array>

#include "app/scene/scene.h"

namespace warplens::scene {

struct Palette {
  bool dark = true;
  Color window, panel, cell, line;
  Color text, secondary, faint;
  Color accent;  // focus, selection, what is turned: the ink itself
  Color costly;  // always with x n or a hatch
  Color ideal;   // nothing is left to gain; always with = or a tick
  Color right;   // an answer that is
  Color hatch;
  // Four hues, one a quarter-warp (blue, bluish green, amber, pink), in steps of lightness inside a quarter,
  // so that the halves and quarters that serve 8- and 16-byte accesses can be seen. Neighbouring quarters
  // differ in lightness as well, for eyes that confuse their hues. A quarter keeps to one side of the middle
  // greys, on which neither black nor white numbers read well.
  std::array<Color, 32> lanes;
  std::array<Color, 32> lane_texts;  // ink_on() them
  // Greys, of sectors by who touched them before, in the order of sim::Origin; always with a mark.
  std::array<Color, 3> origins;
};

// The same with more contrast, for a projector.
const Palette& presented(const Palette& palette);
// The same for a kernel that has something to gain somewhere: what is ideal of it is no more than well.
const Palette& with_more_to_gain(const Palette& palette);
const Palette& dark_palette();
const Palette& light_palette();
Color with_alpha(Color color, float alpha);
Color mix(Color a, Color b, float t);
float contrast(Color a, Color b);  // WCAG 2, 1 to 21
Color ink_on(Color ground);        // black or white, whichever reads on it

}  // namespace warplens::scene
