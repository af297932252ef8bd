// What would mend the loss that the worst line has: found and proved by the simulator beside the frame
// (app/derive/fix_finder.h). It belongs to the settings it was looked for with, and is not shown beside
// others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/state/state.h"

namespace warplens::app {

struct Fix {
  enum class Kind : std::uint8_t {
    Padding,     // a parameter, or the last extent of a shared array
    BlockShape,  // the block's sides
    Swapped,     // x and y of the indices
    Swizzle,     // the column of a shared array by its row
    Rung,        // another kernel of the same ladder
  };
  Kind kind = Kind::Padding;
  Settings settings;        // with the fix
  std::string name, value;  // of what changes: "pad", "1"; "", "32 × 8"; of a rung its scenario
  bool shared = false;      // the figures are wavefronts of shared memory, else sectors of global memory
  std::uint64_t before = 0, after = 0;  // over the whole grid
};

struct Diagnosis {
  Settings of;
  std::optional<Fix> fix;  // none: none of those tried helps
};

// Of the settings on screen, or null.
inline const Diagnosis* diagnosis_of(const State& state) {
  return state.diagnosis && state.diagnosis->of == state.settings ? state.diagnosis.get() : nullptr;
}

}  // namespace warplens::app
