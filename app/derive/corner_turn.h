// A corner turn through shared memory, as the block's own trace has it: which lane reads each element, where
// it lies in the tile, which lane takes it out, and where it is written.
//
//   in[r][c] --read--> lane --store--> tile[...] ==barrier== tile[...] --load--> lane --write--> out[c][r]
//
// Nothing here is drawn from a notion of transposing: every place is an address of the trace. That the result
// is the transpose is checked, element by element; of a kernel that does something else there is no corner
// turn.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/scene/memory/corner_turn_scene.h"
#include "app/simulate/simulation.h"

namespace warplens::app {

// The four accesses that an element goes through, in order.
enum class TurnPhase : std::uint8_t { ReadRows, FillTile, ReadTile, WriteRows };
inline constexpr std::size_t kTurnPhases = 4;

struct TurnedElement {
  std::array<std::uint32_t, kTurnPhases> events{};  // indices into Trace::events
  std::array<int, kTurnPhases> lanes{};             // that did it
  memory::Address from = 0, word = 0, to = 0;       // in the input, in shared memory, in the output
  int row = 0, column = 0;                          // of the input, from the block's first element there
  int tile_row = 0, tile_column = 0;                // of the array as declared
  int out_row = 0, out_column = 0;                  // of the output, from the block's first element there
};

struct CornerTurn {
  std::shared_ptr<const Compiled> compiled;
  std::shared_ptr<const sim::Trace> trace;
  std::vector<TurnedElement> elements;  // in the order in which they are read
  scene::TurnGrid in, tile, out;
  std::vector<std::uint8_t> phase_of;  // by index into Trace::events
  int words = 1;    // that the widest access to global memory moves a lane: 4 of floats read as float4
  int deepest = 1;  // words that a thread holds at most
};

// Why there is none.
enum class NoTurn : std::uint8_t {
  NoTile,         // no access to shared memory
  Unfinished,     // the block was not traced to its end
  TooLarge,       // more than kMostTurned accesses or words, or a side of more than 128
  Atomic,         // words are added, not moved
  Several,        // more than one input, tile or output
  Computed,       // what is written is not word for word what was read and put into the tile
  UnknownRows,    // the length of a row of `array` is not known
  TileShape,      // `array` is no shared array of two dimensions
  NotTransposed,  // rows stay rows, or the order is another
};

struct FollowedTurn {
  std::shared_ptr<const CornerTurn> turn;  // null: none, and
  NoTurn why = NoTurn::NoTile;
  std::string array;  // that it is about, or empty
};

// Of the block looked at. Kept for the traces asked about last, two of them: those of A│B.
inline constexpr std::size_t kMostTurned = 4096;
FollowedTurn followed_turn(const Simulation& simulation);
std::shared_ptr<const CornerTurn> corner_turn(const Simulation& simulation);
// The key of the sentence that says why: "phases.none.3".
std::string key_of(NoTurn why);

// The picture of the access looked at, `progress` of the way from where its words come from to where they go.
// `stills`: a picture for each phase of the warp looked at instead.
scene::CornerTurnView turn_view(const CornerTurn& turn, const Simulation& simulation, float progress,
                                bool stills);

}  // namespace warplens::app
