// The rungs of a ladder under the roofs of a GPU, both axes logarithmic: operations a byte to the right,
// operations a second upwards. A rung is at one height and has a mark a level of memory: how many bytes that
// level moves decides how far to the right it lies, and its roof how high it may be.
//
//   TFLOP/s      . L1 . L2 .DRAM________ single precision
//        10    .     .    .      (4)───[4]──●4
//         1  .     .    . (3)──[3]───●3
//             1          10          100   FLOP a byte
#pragma once

#include <string>
#include <vector>

#include "app/language/strings.h"
#include "app/readout/ladder_times.h"
#include "app/scene/views.h"
#include "sim/report/why.h"

namespace warplens::views {

struct RooflineRung {
  std::string label;      // "padded"
  double per_second = 0;  // operations; 0: not measured, or it does none
  std::vector<report::RooflinePoint> marks;
  std::string missing;  // why it has no mark, in brief; empty: it has
  bool current = false;
  std::string tooltip;
};
struct RooflineView {
  report::Roofs roofs;
  std::vector<RooflineRung> rungs;
  std::string source;    // "NVIDIA H200 · 1980 MHz · recorded 2026-11-23"
  std::string sentence;  // which roof the current rung is nearest to
  std::string answer;
  std::string nothing;  // why there is no picture at all
};

// Hot spots carry the rung in `index`.
scene::Scene roofline_scene(const RooflineView& view, const scene::Canvas& canvas);

// "63.5 TFLOP/s", "4.63 TB/s": three figures.
std::string rate_text(double per_second, const char* unit);

// Rungs without a measured time, and those whose counters were not read, have no mark and say so; a ladder
// that computes nothing, or in double precision, whose roof is not measured, has no picture.
RooflineView roofline_view(const std::vector<app::RungTime>& times, const language::Strings& strings);

}  // namespace warplens::views
