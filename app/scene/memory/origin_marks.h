// Who touched a sector before, as the picture of a global access shows it: a colour, and along the sector's
// lower edge a strip, so that the colours need not be told apart.
//
//   first touch    no strip            another warp of the block   dashes
//   this warp      a line              a block beside it           dots
#pragma once

#include <string>
#include <vector>

#include "app/scene/pen.h"

namespace warplens::scene {

Color origin_color(const Palette& palette, sim::Origin origin);
void draw_origin_mark(Pen* pen, std::size_t layer, const Rect& sector, sim::Origin origin);
std::string origin_name(const Pen& pen, sim::Origin origin);  // "this warp"
std::string origin_tip(const Pen& pen, sim::Origin origin);   // what it means, in a sentence

// Below the picture: the legend with how many sectors are of each kind, and what the sharing comes to. As
// much of it as leaves the picture its room.
class ReuseFoot {
 public:
  ReuseFoot(const Canvas& canvas, const ReuseView& view);
  float height() const { return height_; }
  // `scene` ends where the foot begins; afterwards it is as high as the canvas.
  void add_to(Scene* scene) const;

 private:
  struct Entry {
    sim::Origin origin;
    bool none;  // of no sector
    std::string text;
  };
  std::vector<Entry> entries(const Pen& pen, const char* form) const;
  float width_of(const Pen& pen, const std::vector<Entry>& entries) const;
  void draw_legend(Pen* pen, float y) const;

  const Canvas canvas_;
  const ReuseView& view_;
  std::vector<Entry> legend_;
  std::vector<std::string> lines_;  // of the sentence
  float size_ = 13, row_ = 0;       // of letters, at scale 1; the height of a row
  float height_ = 0;
};

}  // namespace warplens::scene
