#include <algorithm>
#include <array>

#include "app/views/banks.h"
#include "app/views/blocks.h"
#include "app/views/global.h"
#include "app/views/inputs.h"
#include "app/views/landscape.h"
#include "app/views/layout.h"
#include "app/views/map.h"
#include "app/views/memory.h"
#include "app/views/phases.h"
#include "app/views/reuse.h"
#include "app/views/timeline.h"
#include "app/views/views.h"
#include "sim/base/numbers.h"

namespace warplens::views {

// Views whose header would hold nothing but this.
const Row& occupancy();
const Row& profile();
const Row& ptx();
const Row& roofline();
const Row& why();

Felt feel_lanes(const Inputs&, const scene::Canvas&, const Pointer& pointer) {
  Felt felt;
  if (pointer.spot != nullptr && pointer.spot->lane >= 0)
    felt.actions.push_back(app::HoverLane{pointer.spot->lane});
  return felt;
}

std::span<const Row> rows() {
  static const std::array kRows{
      memory(),    reuse(),     map(),      timeline(), landscape(), layout_row(), why(),
      fragments(), occupancy(), roofline(), profile(),  phases(),    ptx(),
  };
  static_assert(kRows.size() == kViewNames.size(), "every view has a row");
  return kRows;
}

const Panel* panel_of(app::ShareWhat what) {
  using app::ShareWhat;
  constexpr Tells kNoAnswer{.tells_answers = false};
  static const std::array kPanels{
      Panel{ShareWhat::Global, kNoAnswer, global_memory},
      Panel{ShareWhat::Shared, kNoAnswer, shared_memory},
      Panel{ShareWhat::Map, kNoAnswer, block_map},
      Panel{ShareWhat::Source, kNoAnswer, source},
      Panel{ShareWhat::Lanes, {.tells_answers = false, .tells_cost = true}, lanes},
      Panel{ShareWhat::Times, {.of_access = false, .tells_answers = false, .tells_times = true}},
      Panel{ShareWhat::Counters, {.of_access = false}},
      Panel{ShareWhat::Comparison},
  };
  const auto found = std::ranges::find(kPanels, what.other, &Panel::what);
  return found == kPanels.end() ? nullptr : &*found;
}

const Row& row_of(ViewId id) {
  return *std::ranges::find(rows(), id, &Row::id);
}

std::string exactly(double value) {
  return formatted("%.9g", value);
}

}  // namespace warplens::views
