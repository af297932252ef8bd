#include "sim/analyse/analyse.h"

#include <utility>

#include "sim/analyse/register_uses.h"
#include "sim/analyse/slice.h"
#include "sim/analyse/undefined_values.h"
#include "sim/base/sweeps.h"

namespace warplens::sim {

void find_block_dependence(Program& program, Pace pace) {
  PerRegister<char> depends(program);
  for (const Reg r : {kBlockIdxX, kBlockIdxY, kBlockIdxZ}) depends[r] = 1;
  const auto touches = [&](const Instr& instr) {
    bool dependent = is_access(instr.op) && instr.keep == Keep::Everything;
    const auto look = [&](Reg r, ScalarType) { dependent |= depends[r] != 0; };
    if (instr.keep == Keep::Addresses) {
      each_address(instr, look);
      return dependent;
    }
    each_read(instr, look);
    each_written(instr, look);
    return dependent;
  };
  const RegisterUses readers = RegisterUses::reads(program, pace),
                     writers = RegisterUses::writes(program, pace);
  Sweeps work(program.code.size(), pace);
  work.run([&](std::size_t i) {
    const Instr& instr = program.code[i];
    if (instr.keep != Keep::Everything || !touches(instr)) return;
    each_written(instr, [&](Reg r, ScalarType) {
      if (std::exchange(depends[r], 1) != 0) return;
      for (const RegisterUses* users : {&readers, &writers})
        for (const std::int32_t user : (*users)[r]) work.mark(static_cast<std::size_t>(user));
    });
  });
  for (Instr& instr : program.code) instr.follows_block = instr.keep != Keep::Nothing && touches(instr);
}

void analyse(Program& program, Budget& budget) {
  const Pace pace(budget, Stage::Analysing);
  find_early_reads(program, pace);
  find_slice(program, budget);
  find_undefined(program, pace);
  find_block_dependence(program, pace);
}

}  // namespace warplens::sim
