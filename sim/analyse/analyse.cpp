#include "sim/analyse/analyse.h"

#include "sim/analyse/points_to.h"

namespace warplens::warp {

void analyse(Program& program, Budget& budget) {
  find_targets(program, Pace(budget, Stage::Analysing));
}

}  // namespace warplens::warp
