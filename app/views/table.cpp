#include <algorithm>
#include <array>

#include "app/derive/corner_turn.h"
#include "app/derive/tile_layout.h"
#include "app/views/landscape.h"
#include "app/views/memory.h"
#include "app/views/timeline.h"
#include "app/views/views.h"

namespace warplens::views {
namespace {

bool has_profile(const app::State& state, const app::Simulation&) {
  return state.profile != nullptr;
}
bool has_mma(const app::State&, const app::Simulation& s) {
  return app::has_fragments(s);
}
bool has_corner_turn(const app::State&, const app::Simulation& s) {
  return app::corner_turn(s) != nullptr;
}

}  // namespace

std::span<const Row> rows() {
  static const std::array kRows{
      memory(),
      reuse(),
      Row{ViewId::Map, "map.tab.map", "map.tab.tip", "matrix"},
      timeline(),
      landscape(),
      Row{ViewId::Layout, "layout.tab", "layout.tab.tip", "layout", Tab::WhereWide},
      Row{ViewId::Why, "why.tab", "why.tab.tip", "why", Tab::Always, nullptr, {.of_access = false}},
      Row{ViewId::Fragments,
          "fragments.tab",
          "fragments.tab.tip",
          "fragments",
          Tab::WhereThereIsOne,
          has_mma,
          {.of_access = false, .tells_answers = false}},
      Row{ViewId::Roofline,
          "roofline.tab",
          "roofline.tab.tip",
          "roofline",
          Tab::WhereThereIsOne,
          nullptr,
          {.of_access = false, .tells_times = true}},
      Row{ViewId::Profile, "explain.tab", "explain.tab.tip", "profile", Tab::WhereThereIsOne, has_profile},
      Row{ViewId::Phases, "phases.tab", "phases.tab.tip", "phases", Tab::WhereThereIsOne, has_corner_turn},
  };
  static_assert(kRows.size() == kViewNames.size(), "every view has a row");
  return kRows;
}

const Row& row_of(ViewId id) {
  return *std::ranges::find(rows(), id, &Row::id);
}

}  // namespace warplens::views
