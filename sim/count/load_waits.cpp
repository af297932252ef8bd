#include "sim/count/load_waits.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "sim/launch/run.h"
#include "sim/machine/block.h"
#include "sim/machine/decode.h"
#include "sim/machine/handlers.h"
#include "sim/program/operands.h"

namespace warplens::sim {

LoadWatch::LoadWatch(const Bound& bound, const Code& code, Budget& budget)
    : bound_(bound),
      code_(code),
      held_(budget),
      warps_(static_cast<std::size_t>(bound.warps)),
      decided_by_constants_(bound.program->code.size(), 0) {
  const Program& program = *bound.program;
  const auto local = static_cast<std::size_t>(program.local_bytes);
  held_.need(warps_.size() * (code.register_at.size() * sizeof(Value) + local * sizeof(Stretch)),
             Stage::Counting);
  mark_steps();
  for (Warp& warp : warps_) {
    warp.registers = PerRegister<Value>(program);
    warp.local.assign(local, 0);
    for (const UniformConstant& constant : program.constants) warp.registers[constant.reg].fixed = true;
  }
  found_.warps = warps_.size();
}

// The first step of every instruction.
void LoadWatch::mark_steps() {
  marked_.assign(code_.steps.size(), 0);
  std::int32_t previous = -1;
  for (std::size_t s = 0; s + 1 < code_.steps.size(); ++s) {  // the last is the End that decoding added
    if (code_.steps[s].run == undefined_handler()) continue;
    if (code_.steps[s].instr == std::exchange(previous, code_.steps[s].instr)) continue;
    marked_[s] = 1;
  }
}

void LoadWatch::before(Machine& m, const Step* s) {
  const Instr& instr = bound_.program->code[s->instr];
  if (is_control(instr.op))
    control(m, instr, s->instr);
  else if (m.active == 0)
    return;
  else if (is_access(instr.op))
    access(m, s, instr);
  else if (instr.op == Opcode::Barrier || instr.op == Opcode::SyncWarp)
    barrier(m, instr);
  else
    compute(m, instr);
}

LoadWaits LoadWatch::finish() {
  for (Warp& warp : warps_) {
    warp_ = &warp;
    wait();
  }
  return found_;
}

void LoadWatch::ask(const SectorList& sectors) {
  std::vector<std::uint64_t>& all = warp_->sectors;
  const std::size_t room = all.capacity();
  all.insert(all.end(), sectors.begin(), sectors.end());
  if (all.capacity() > room) held_.need((all.capacity() - room) * sizeof all[0], Stage::Counting);
}

// A sector that several of the loads ask for is on its way once.
void LoadWatch::wait() {
  Warp& w = *warp_;
  if (w.on_their_way == 0) return;
  std::ranges::sort(w.sectors);
  found_.sectors +=
      static_cast<std::uint64_t>(std::unique(w.sectors.begin(), w.sectors.end()) - w.sectors.begin());
  w.sectors.clear();
  ++found_.waits;
  found_.most = std::max(found_.most, w.on_their_way);
  w.on_their_way = 0;
  w.used = false;
  ++w.now;
}

bool LoadWatch::pending(const Instr& instr) const {
  bool any = false;
  each_read(instr, [&](Reg r, ScalarType) { any |= pending(r); });
  return any;
}

bool LoadWatch::address_pending(const Instr& instr) const {
  bool any = false;
  each_address(instr, [&](Reg r, ScalarType) { any |= pending(r); });
  return any;
}

// Lanes that do not take part keep what they had.
void LoadWatch::write(const Machine& m, const Instr& instr, Value value) {
  const bool masked = instr.op == Opcode::Mov || is_access(instr.op);
  each_written(instr, [&](Reg r, ScalarType) {
    Value& written = warp_->registers[r];
    if (masked && !is_uniform(r) && m.active != m.live)
      written = {std::max(written.from, value.from), written.fixed && value.fixed};
    else
      written = value;
  });
}

void LoadWatch::compute(const Machine& m, const Instr& instr) {
  const bool needs = pending(instr);
  const bool at_once = instr.op == Opcode::Shuffle || instr.op == Opcode::MatrixDot ||
                       instr.op == Opcode::Vote || instr.op == Opcode::Assert;
  if (needs && at_once) wait();
  if (needs && !at_once && instr.op != Opcode::Mov) warp_->used = true;
  Value value{needs && !at_once ? warp_->now : 0, true};
  each_read(instr, [&](Reg r, ScalarType) { value.fixed &= r != kNoReg && warp_->registers[r].fixed; });
  if (at_once) value.fixed = false;
  write(m, instr, value);
}

void LoadWatch::barrier(const Machine& m, const Instr& instr) {
  wait_if(warp_->used || pending(instr));
  write(m, instr, {});
}

void LoadWatch::control(const Machine& m, const Instr& instr, std::int32_t index) {
  if (pending(instr)) wait();
  if (instr.op == Opcode::Branch || instr.op == Opcode::Test)
    decided_by_constants_[index] = warp_->registers[instr.a].fixed ? 1 : 0;
  const bool turns = jumps(instr.op) && instr.target >= 0 && instr.target <= index && m.active != 0;
  if (turns && warp_->used && !ends_known_turn(index, instr.target)) wait();
}

// Every decision that may leave the loop follows from constants.
bool LoadWatch::ends_known_turn(std::int32_t jump, std::int32_t target) {
  auto [found, is_new] = exits_.try_emplace(jump);
  if (is_new) {
    const std::vector<Instr>& code = bound_.program->code;
    for (std::int32_t i = target; i <= jump; ++i) {
      const Instr& instr = code[i];
      const bool decides = instr.op == Opcode::Branch || instr.op == Opcode::Test;
      if (decides && (instr.target > jump || i == jump)) found->second.push_back(i);
    }
  }
  return !found->second.empty() &&
         std::ranges::all_of(found->second, [&](std::int32_t i) { return decided_by_constants_[i] != 0; });
}

void LoadWatch::access(Machine& m, const Step* s, const Instr& instr) {
  const AccessStep& x = m.code->access_of(s);
  alignas(64) LaneAddresses at;
  compute_addresses(m, x, at);
  const auto first = static_cast<std::size_t>(std::countr_zero(m.active));
  const SpaceOf space = range_at(m, at[first]).space;
  if (instr.op == Opcode::Load) {
    wait_if(address_pending(instr));
    load(m, instr, space, at);
  } else if (instr.op == Opcode::Store) {
    store(m, instr, space, at);
  } else {
    const bool needs = pending(instr);
    if (needs && space == SpaceOf::Shared) warp_->used = true;
    wait_if(needs && space != SpaceOf::Shared);
    write(m, instr, {});
  }
}

void LoadWatch::load(const Machine& m, const Instr& instr, SpaceOf space, const LaneAddresses& at) {
  Warp& w = *warp_;
  Value value;
  if (space == SpaceOf::Global && instr.site >= 0) {
    ++found_.loads;
    ++w.on_their_way;
    ask(sectors_of(m.active, at));
    value.from = w.now;
  } else if (space == SpaceOf::Shared) {
    value.from = w.shared;
  } else if (space == SpaceOf::Local) {
    each_local_byte(m, instr, at, [&](Stretch& byte) { value.from = std::max(value.from, byte); });
  }
  write(m, instr, value);
}

void LoadWatch::store(const Machine& m, const Instr& instr, SpaceOf space, const LaneAddresses& at) {
  Warp& w = *warp_;
  bool value = false;
  each_stored(instr, [&](Reg r, ScalarType) { value |= pending(r); });
  const bool where = address_pending(instr);
  if (space == SpaceOf::Local) {
    wait_if(where);
    each_local_byte(m, instr, at, [&](Stretch& byte) { byte = value ? w.now : 0; });
  } else if (space == SpaceOf::Shared) {
    if (!value && !where) return;
    w.used = true;
    w.shared = w.now;
  } else {
    wait_if(value || where);
  }
}

template <class Visit>
void LoadWatch::each_local_byte(const Machine& m, const Instr& instr, const LaneAddresses& at, Visit visit) {
  const auto bytes =
      static_cast<std::size_t>(instr.components) * static_cast<std::size_t>(size_of(instr.type));
  Address previous = ~Address{0};
  for (LaneMask rest = m.active; rest != 0; rest &= rest - 1) {
    const Address from = at[std::countr_zero(rest)] - kLocalWindow;
    if (from == std::exchange(previous, from)) continue;
    for (std::size_t i = 0; i < bytes && from + i < warp_->local.size(); ++i) visit(warp_->local[from + i]);
  }
}

namespace {

void watch_block(const Program& program, const Launch& launch, const memory::GpuModel& gpu, Budget& budget,
                 LoadWaits& found) {
  const Prepared run = prepare(program, launch, gpu, {.budget = &budget});
  if (!run.wrong.empty()) {
    found.error = bad_launch(run.wrong);
    return;
  }
  RunningBlocks running(run.bound, run.code, budget, Stage::Counting);
  BlockRunner& runner = running.runner;
  LoadWatch watch(run.bound, run.code, budget);
  runner.observe_with(watch);
  const Dim3 middle{launch.grid.x / 2, launch.grid.y / 2, launch.grid.z / 2};
  BlockState block;
  runner.start(block, middle);
  const bool ended = runner.run(block);
  found = watch.finish();
  found.block = middle;
  found.block_threads = run.bound.threads;
  found.shared_bytes = run.bound.shared_bytes;
  found.grid_blocks = launch.grid.count();
  if (!ended) found.error = runner.error();
}

}  // namespace

LoadWaits load_waits(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                     const Limits& limits) {
  LoadWaits found;
  run_within(limits, Stage::Counting, found.error,
             [&](Budget& budget) { watch_block(program, launch, gpu, budget, found); });
  return found;
}

}  // namespace warplens::sim
