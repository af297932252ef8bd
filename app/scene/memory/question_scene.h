// One access before its cost is known: each lane and the address it asks for, and nothing of what follows.
//
//   ▮ 0 +0    ▮ 1 +128   ▮ 2 +256  …  ▮ 7 +896      a row a quarter-warp
//   ▮ 8 …
#pragma once

#include <string>

#include "app/scene/views.h"

namespace warplens::scene {

struct QuestionView {
  memory::WarpAccess access;
  memory::Address base = 0;   // addresses are shown relative to it
  std::string place;          // "in", "shared memory": what they are relative to
  std::string op, text;       // "load", "in[i]"
  int asked_lane = -1;        // framed
  bool lanes_hidden = false;  // which lanes are active is what is asked
};
Scene question_scene(const QuestionView& view, const Canvas& canvas);

}  // namespace warplens::scene
