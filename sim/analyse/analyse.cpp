#include "sim/analyse/analyse.h"

#include "sim/analyse/block_dependence.h"
#include "sim/analyse/points_to.h"
#include "sim/analyse/slice.h"
#include "sim/analyse/undefined_values.h"

namespace warplens::sim {

void analyse(Program& program, Budget& budget) {
  const Pace pace(budget, Stage::Analysing);
  find_targets(program, pace);
  find_early_reads(program, pace);
  find_slice(program, budget);
  find_undefined(program, pace);
  find_block_dependence(program, pace);
}

}  // namespace warplens::sim
