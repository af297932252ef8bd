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

#include "app/scene/views.h"
#include "app/simulate/simulation.h"
#include "app/views/views.h"

namespace warplens::views {

const Row& phases();  // its row

// ---- its picture

// The input, the shared tile and the output as grids, a warp's lanes between them, the words of one access on
// their way.
//
//   1 read rows ─ 2 fill the tile ─ ‖ ─ 3 read it by columns ─ 4 write rows      each with what it costs
//   ▮▮▮▮ lanes of the warp, below each the words that it holds where those are several
//   ▦ in           ▦ tile            ▦ out
//   why: stored straight from the read, the same words would touch 32 sectors
// A matrix of words, or the part of one that the block touches.
struct TurnGrid {
  std::string name;
  int rows = 0, columns = 0;  // padding included
  int padding = 0;            // columns at the right that hold nothing
};

// What one request of a phase costs.
struct TurnCost {
  int units = 0, ideal = 0;      // sectors, or wavefronts
  bool known = false;            // false: this warp has no such access
  int access = 0, accesses = 0;  // the one looked at, from 1, of those in this phase; 0: none of them
};

// ---- what it is of

// The four accesses that an element goes through, in order.
enum class TurnPhase : std::uint8_t { ReadRows, FillTile, ReadTile, WriteRows };
inline constexpr std::size_t kTurnPhases = 4;

struct TurnedElement {
  std::array<std::uint32_t, kTurnPhases> events{};  // indices into Trace::events
  std::array<int, kTurnPhases> lanes{};             // that did it
  // In the input, in the tile as declared, in the output; input and output from the block's first element
  // there.
  struct Place {
    memory::Address address = 0;
    int row = 0, column = 0;
  };
  std::array<Place, 3> at{};
};

struct CornerTurn {
  std::array<TurnGrid, 3> grids;  // input, tile, output
  int words = 1;    // that the widest access to global memory moves a lane: 4 of floats read as float4
  int deepest = 1;  // words that a lane holds at most
  std::shared_ptr<const app::Compiled> compiled;
  std::shared_ptr<const sim::Trace> trace;
  std::vector<TurnedElement> elements;  // in the order in which they are read
  std::vector<std::uint8_t> phase_of;   // by index into Trace::events
};

// One moment of a turn: the block's accesses up to one of them.
struct CornerTurnView {
  std::shared_ptr<const CornerTurn> turn;
  std::uint32_t event = 0;          // the access looked at: an index into Trace::events
  float progress = 1;               // of it
  std::array<TurnCost, 4> costs{};  // of the warp looked at
  int now = 0;                      // the phase looked at
  int warp = 0;
  int banks = 0;     // that the tile's words of phase 3 lie in
  int straight = 0;  // sectors that the words of a read would touch if they were stored at once
  int straight_ideal = 0;

  // Whether an element has gone through a phase; the lane that takes it through this one now, or -1.
  bool has(const TurnedElement& e, std::size_t phase) const {
    return e.events[phase] < event || (e.events[phase] == event && progress >= 1);
  }
  int lane_of(const TurnedElement& e) const;
  // What each lane of the warp has read and not yet stored, as the lanes that read it first.
  std::array<std::vector<int>, memory::kWarpLanes> held() const;
};
scene::Scene corner_turn_scene(const CornerTurnView& view, const scene::Canvas& canvas);

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
FollowedTurn followed_turn(const app::Simulation& simulation);
std::shared_ptr<const CornerTurn> corner_turn(const app::Simulation& simulation);

// The access looked at, which there has to be, `progress` of the way from where its words come from to where
// they go.
CornerTurnView turn_view(std::shared_ptr<const CornerTurn> turn, const app::Simulation& simulation,
                         float progress);

}  // namespace warplens::views
