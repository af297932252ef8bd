// The pictures of one moment, each a pure function of data: data + size -> Scene.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/language/strings.h"
#include "app/scene/palette.h"
#include "app/scene/scene.h"
#include "sim/launch/launch.h"
#include "sim/memory/banks.h"
#include "sim/memory/coalescing.h"
#include "sim/memory/cost.h"
#include "sim/trace/sector_origins.h"
#include "sim/trace/trace.h"

namespace warplens::scene {

// What all pictures share.
struct Canvas {
  float width = 0, height = 0;  // pixels of the panel's inside
  float scale = 1;              // of type and strokes: 1 at 1080p, more when presenting or on a 4K screen
  const Palette* palette = nullptr;
  const language::Strings* strings = nullptr;
  int hovered_lane = -1;    // one lane is shown everywhere
  float least_type = 0;     // no smaller letters than this, at scale 1: presenting
  float density = 1;        // pixels a unit of what is made of pixels: more where the scene is enlarged
  int lit_bank = -1;        // an answer names it
  bool lit_sector = false;  // an answer names that of the hovered lane
  int said_lane = -1;       // most of a class took it for the answer, which it is not
  std::array<int, 32> bank_votes{};         // how many of a class named each bank
  std::uint32_t lit_lanes = ~0u;            // while lanes are counted out: those that were
  float plain_scale = 1, plain_height = 0;  // before letters were enlarged; 0: they are not
};

// An array of global memory as the kernel's author thinks of it.
struct ArrayView {
  MatrixShape shape;
  memory::Address base = 0;
  MatrixBox tile;  // what the block touches of it with the same access; rows 0: not known
};

// Who touched each sector of an access before (sim/trace/sector_origins.h): in place of what of it is used,
// the sectors' colour and mark; below the picture a legend, and what the sharing comes to.
struct ReuseView {
  std::vector<sim::Origin> origins;  // of the touched sectors, by address; empty: not known yet
  std::string words;                 // a sentence, or empty
};

// Time of every rung of a ladder, or what follows from it: bars with spread; live plain, recorded hatched and
// labelled. One axis for all, linear from 0.
struct TimeBar {
  std::string label;
  double median_seconds = 0, low_seconds = 0, high_seconds = 0;  // 0: not measured
  double percent_of_reference = 0;
  bool recorded = false, current = false, wrong_output = false;
  double bytes = 0, operations = 0;  // useful ones of a run; 0: not known
  bool reference = false;            // the copy or the library that the rungs are held against
  std::string only_at{};        // the size that it was measured in, which is not the others': it gets no bar
  std::string measured_with{};  // "padding 2": the nearest values with which there is a time
};
struct TimeBarsView {
  std::vector<TimeBar> bars;
  std::vector<std::string> captions{};  // at several lengths, the fullest first
  TimeUnit unit = TimeUnit::Time;
  std::string percent_of{};  // "cudaMemcpy": what percent_of_reference is of
  bool too_short = false;    // to be compared: figures, and no bars
};

// The scrubber's strip: one segment an access of the warp, as wide as it costs, coloured by it.
struct ScrubberView {
  struct Segment {
    int cost = 1, ideal = 1;
    bool secret = false;                 // neither colour, height nor tooltip speaks of its cost
    const char* unit = "strip.sectors";  // what the cost counts
  };
  std::vector<Segment> segments;
  bool alike = false;  // all as wide, whatever they cost
  int current = 0;
  float within = 0;  // 0 to 1, inside the current segment (wavefronts)
};
Scene scrubber_scene(const ScrubberView& view, const Canvas& canvas);

}  // namespace warplens::scene
