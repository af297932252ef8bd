// One access before its cost is known: each lane and the address it asks for, and nothing of what follows.
//
//   ▮ 0 +0    ▮ 1 +128   ▮ 2 +256  …  ▮ 7 +896      a row a quarter-warp
//   ▮ 8 …
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "app/scene/views.h"

namespace warplens::scene {

// Sectors, from the line of the first byte on, or banks, to be marked; once the answer is open with the lanes
// that ask for each.
//
//   +0 ▯▯▯▯   +128 ▯▯▯▯        right: ▮   missed: ▨   one too many: ✗
struct PlacesView {
  bool banks = false;
  std::uint32_t marks = 0;
  int at = -1;  // the place that the keyboard has come to
  std::optional<std::array<memory::LaneMask, 32>> truth{};
};

struct QuestionView {
  memory::WarpAccess access;
  memory::Address base = 0;   // addresses are shown relative to it
  std::string place;          // "in", "shared memory": what they are relative to
  std::string op, text;       // "load", "in[i]"
  std::string declaration{};  // of the shared array: "float tile[16][32]"
  int asked_lane = -1;        // framed
  bool lanes_hidden = false;  // which lanes are active is what is asked
  std::optional<PlacesView> places{};
};
Scene question_scene(const QuestionView& view, const Canvas& canvas);

}  // namespace warplens::scene
