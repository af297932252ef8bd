#include "sim/exercise/figure.h"

#include <algorithm>

#include "sim/memory/banks.h"
#include "sim/memory/cost.h"

namespace warplens::exercise {

const char* name_of(Figure figure) {
  constexpr const char* kNames[] = {"coalesced", "sectors", "lines", "ways", "wavefronts"};
  return kNames[static_cast<std::size_t>(figure)];
}

std::optional<Figure> figure_named(std::string_view name) {
  const auto found = std::ranges::find(kFigures, name, [](Figure f) { return std::string_view(name_of(f)); });
  if (found == kFigures.end()) return std::nullopt;
  return *found;
}

bool belongs_to(Figure figure, memory::Space space) {
  const bool of_shared = figure == Figure::Ways || figure == Figure::Wavefronts;
  return of_shared == (space == memory::Space::Shared);
}

std::int64_t value_of(Figure figure, const memory::WarpAccess& access) {
  const memory::Cost cost = memory::cost(access);
  switch (figure) {
    case Figure::Coalesced:
      return cost.sectors <= cost.ideal_sectors ? 1 : 0;
    case Figure::Sectors:
      return cost.sectors;
    case Figure::Lines:
      return cost.lines;
    case Figure::Ways:
      return memory::plan_banks(access).degree;
    case Figure::Wavefronts:
      return cost.wavefronts;
  }
  return 0;
}

}  // namespace warplens::exercise
