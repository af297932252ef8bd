#include <algorithm>
#include <array>
#include <cstdio>

#include "app/derive/corner_turn.h"
#include "app/derive/tile_layout.h"
#include "app/views/banks.h"
#include "app/views/blocks.h"
#include "app/views/global.h"
#include "app/views/landscape.h"
#include "app/views/lanes.h"
#include "app/views/memory.h"
#include "app/views/timeline.h"
#include "app/views/views.h"
#include "sim/report/output/csv.h"

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

const Panel* panel_of(app::ShareWhat what) {
  using app::ShareWhat;
  constexpr Tells kNoAnswer{.tells_answers = false};
  static const std::array kPanels{
      Panel{ShareWhat::Global, kNoAnswer, global_memory},
      Panel{ShareWhat::Shared, kNoAnswer, shared_memory},
      Panel{ShareWhat::Map, kNoAnswer, block_map},
      Panel{ShareWhat::Source, kNoAnswer, picture::source},
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

std::string csv(const Table& table) {
  std::string out = report::csv_row(table.columns);
  for (const auto& row : table.rows) out += report::csv_row(row);
  return out;
}

std::string exactly(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

}  // namespace warplens::views
