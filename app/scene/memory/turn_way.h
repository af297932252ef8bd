// The way of a word between a lane and its place in a grid below.
//
//    ▮ lane        from the lane to the edge of the grid, above the column of the word: an arc, over no grid
//     ╲
//   ╭──╮ edge      along the column to the word: straight; lanes of one column share it, as they share a bank
//   │ ▪│ word
#pragma once

#include "app/scene/scene.h"

namespace warplens::scene {

struct TurnWay {
  Point lane, edge, word;  // edge and word are above each other

  // The straight part's share of the way's length: 0 to 1.
  float straight() const;
  // Where a word is that has come `t` of the way from its lane.
  Point at(float t) const;
  // How much of each part is behind one who has come `t` of the way from that end.
  float bent_from_lane(float t) const;
  float straight_from_lane(float t) const;
  float bent_from_word(float t) const;
  float straight_from_word(float t) const;
};

}  // namespace warplens::scene
