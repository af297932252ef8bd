#include "sim/count/branch_lanes.h"

#include <algorithm>
#include <bit>
#include <map>

#include "sim/launch/run.h"
#include "sim/machine/block.h"
#include "sim/machine/decode.h"
#include "sim/machine/lanes.h"

namespace warplens::sim {

namespace {

bool parts_lanes(Opcode op) {
  return op == Opcode::If || op == Opcode::Test;
}

class BranchWatch : public StepObserver {
 public:
  BranchWatch(const Program& program, const Code& code)
      : program_(program), has_other_(program.places.size()) {
    for (const Instr& instr : program.code)
      if (instr.op == Opcode::Else && instr.place >= 0) has_other_[instr.place] = true;
    marked_.assign(code.steps.size(), 0);
    // The last step of an instruction is the one that sets the mask.
    for (std::size_t s = 0; s + 1 < code.steps.size(); ++s) {
      const auto instr = static_cast<std::size_t>(code.steps[s].instr);
      if (instr < program.code.size() && parts_lanes(program.code[instr].op) &&
          code.steps[s + 1].instr != code.steps[s].instr)
        marked_[s] = 1;
    }
  }

  void enter(int) override {}
  void before(Machine& m, const Step* s) override {
    const Instr& instr = program_.code[s->instr];
    const LaneMask came = m.active;
    if (came == 0 || instr.place < 0) return;
    const LaneMask taken = came & holds(m, s, instr);
    BranchLanes& branch = at_place_[instr.place];
    branch.turns = instr.op == Opcode::Test;
    branch.has_other |= instr.op == Opcode::If && has_other_[instr.place];
    ++branch.warps;
    branch.entered += taken != 0;
    branch.left += taken != came;
    branch.came += static_cast<std::uint64_t>(std::popcount(came));
    branch.taken += static_cast<std::uint64_t>(std::popcount(taken));
  }

  std::vector<BranchLanes> found() const {
    std::vector<BranchLanes> branches;
    for (const auto& [place, branch] : at_place_) {
      branches.push_back(branch);
      branches.back().range = program_.places[place];
    }
    std::ranges::sort(branches, {}, [](const BranchLanes& b) { return b.range.begin.offset; });
    return branches;
  }

 private:
  static LaneMask holds(Machine& m, const Step* s, const Instr& instr) {
    if (is_uniform(instr.a)) return uniform<std::uint32_t>(m, s->a) != 0 ? ~LaneMask{0} : LaneMask{0};
    const Lane<std::uint32_t>* condition = lanes<std::uint32_t>(m, s->a);
    LaneMask holds = 0;
    for (int lane = 0; lane < kWarpLanes; ++lane)
      holds |= static_cast<LaneMask>(condition[lane].v != 0) << lane;
    return holds;
  }

  const Program& program_;
  std::vector<bool> has_other_;  // by place
  std::map<std::int32_t, BranchLanes> at_place_;
};

void watch_block(const Program& program, const Launch& launch, const memory::GpuModel& gpu, Dim3 index,
                 Budget& budget, BlockBranches& found) {
  const Prepared run = prepare(program, launch, gpu, {.budget = &budget});
  if (!run.wrong.empty()) {
    found.error = bad_launch(run.wrong);
    return;
  }
  RunningBlocks running(run.bound, run.code, budget, Stage::Tracing);
  BlockRunner& runner = running.runner;
  BranchWatch watch(program, run.code);
  runner.observe_with(watch);
  BlockState block;
  runner.start(block, index);
  if (!runner.run(block)) found.error = runner.error();
  found.branches = watch.found();
}

}  // namespace

BlockBranches branch_lanes(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                           Dim3 block, const Limits& limits) {
  BlockBranches found;
  run_within(limits, Stage::Tracing, found.error,
             [&](Budget& budget) { watch_block(program, launch, gpu, block, budget, found); });
  return found;
}

}  // namespace warplens::sim
