// The pictures of one moment, each a pure function of data: data + size -> Scene.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/language/strings.h"
#include "app/scene/matrix.h"
#include "app/scene/palette.h"
#include "app/scene/plot/time_unit.h"
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
  int said_lane = -1, said_bank = -1;  // most of a class took it for the answer, which it is not
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
  std::optional<int> residents;      // blocks on the same multiprocessor that were looked at; none: not yet
  std::string words;                 // a sentence, or empty
};

// Where lanes go in global memory: lanes in a row, arcs to the words they touch, words in 32-byte sectors,
// sectors in 128-byte lines (rows of four). Fetched and used are told apart; unused words of a fetched sector
// are hatched. Of many lines (a column of a matrix touches 32) the sectors that nobody touches are folded;
// lines that nobody touches are left out, and counted where they are. Where the picture has room, the array
// as rows and columns with the warp's elements lit.
struct GlobalView {
  const sim::Program* program = nullptr;
  const sim::AccessSite* site = nullptr;
  memory::WarpAccess access;
  memory::Address buffer_base = 0;   // addresses are shown relative to it
  std::string buffer_name;           // "out"
  std::optional<ArrayView> array{};  // none: nobody says what shape it has
  memory::LaneMask refused = 0;      // lanes out of range or misaligned, beside those of the access
  float progress = 1;                // of the animation: lanes to words, words to sectors; 0 to 1
  // A│B: lanes that go elsewhere, and sectors that are touched only here; each gets a bar.
  memory::LaneMask differing_lanes = 0;
  std::vector<memory::Address> differing_sectors;
  std::optional<ReuseView> reuse{};
};
Scene global_scene(const GlobalView& view, const Canvas& canvas);

// The shared array under its 32 banks as it is laid out, padding hatched, lanes on the words they touch, the
// load of each bank above it (xN in the costly colour), wavefronts one after another.
struct BankView {
  const sim::Program* program = nullptr;
  const sim::AccessSite* site = nullptr;
  memory::WarpAccess access;     // shared
  memory::LaneMask refused = 0;  // lanes out of range or misaligned, beside those of the access
  int wavefront = 0;   // the one that is served now, from 0; those before are done. As many as there are:
                       // the access as a whole, none singled out
  float progress = 1;  // within the wavefront
  // Words at the end of every row of the array that only shift the next row (PAD * element / 4). -1: taken
  // from the array's extents as written where they say so in figures ("32 + 1"); see padding_words().
  int padding_words_per_row = -1;
  // When padding or block shape changed: the access before it. Words slide from their old bank to the new.
  const memory::WarpAccess* previous = nullptr;
  float slide = 1;  // 0: all at the old place, 1: all at the new
  // The array of that access, where its rows had another length: each word of the array slides as well.
  const sim::Program* previous_program = nullptr;
  const sim::AccessSite* previous_site = nullptr;
  int previous_padding_words = -1;
  memory::LaneMask differing_banks = 0;  // A│B: that serve another number of words; each gets a bar
  bool with_array = false;               // where there is room, the array as rows and columns at the right
  const BankView* beside = nullptr;      // A│B: the picture in the other pane: both share one scale
};
Scene bank_scene(const BankView& view, const Canvas& canvas);

// The 4-byte words of padding that end a row of `array`: what follows the last `+` of its innermost extent as
// written, taken as a number or as one of `names` ("PAD", whatever its case, among template arguments, macros
// and scenario parameters). 0 where it has none or the name is not known.
int padding_words(const sim::SharedArray& array, const std::map<std::string, std::int64_t>& names);

// How the block's x, y, z become warps and lanes; the warp looked at is framed; and where the block is in the
// grid. Hot spots carry the warp in `warp`, so that a click can choose it.
struct BlockMapView {
  sim::Dim3 grid, block, block_index;
  int warp = 0;
  memory::LaneMask active = 0;
};
Scene block_map_scene(const BlockMapView& view, const Canvas& canvas);
// The block at a point of the hot spot that is the whole grid; z is that of `now`.
sim::Dim3 block_at(const sim::Dim3& grid, const sim::Dim3& now, const Rect& spot, float x, float y);

// Time of every rung of a ladder, or what follows from it: bars with spread; live plain, recorded hatched and
// labelled. One axis for all, linear from 0, or logarithmic, which it says, where one is over 20 times
// another.
struct TimeBar {
  std::string label;
  double median_seconds = 0, low_seconds = 0, high_seconds = 0;  // 0: not measured
  double percent_of_reference = 0;
  bool recorded = false, current = false, stale = false, wrong_output = false;
  double bytes = 0, operations = 0;  // useful ones of a run; 0: not known
  double peak = 0;         // operations a second, or bytes where there are none, at the most; 0: not known
  bool reference = false;  // the copy or the library that the rungs are held against
  std::string only_at{};   // the size that it was measured in, which is not the others': it gets no bar
};
struct TimeBarsView {
  std::vector<TimeBar> bars;
  std::string caption;
  std::vector<std::string> shorter_captions{};  // for narrower pictures, the fullest first
  TimeUnit unit = TimeUnit::Time;
  std::string percent_of{};  // "cudaMemcpy": what percent_of_reference is of
};
Scene time_bars_scene(const TimeBarsView& view, const Canvas& canvas);
// How high a picture as wide as the canvas is where every bar has a row, in pixels.
float height_of_all_bars(const TimeBarsView& view, const Canvas& canvas);

// The scrubber's strip: one segment an access of the warp, as wide as it costs, coloured by it.
struct ScrubberView {
  struct Segment {
    int cost = 1, ideal = 1;
    bool secret = false;  // neither colour, height nor tooltip speaks of its cost
  };
  std::vector<Segment> segments;
  bool alike = false;  // all as wide, whatever they cost
  int current = 0;
  float within = 0;  // 0 to 1, inside the current segment (wavefronts)
};
Scene scrubber_scene(const ScrubberView& view, const Canvas& canvas);

}  // namespace warplens::scene
