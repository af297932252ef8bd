#include "sim/lower/ir/issue.h"

#include <bit>

namespace warplens::sim::lower {

Issuable::Issuable(const Ir& ir)
    : ir_(ir), volatile_arrays_(ir.arrays.size(), 0), all_is_volatile_(ir.all_is_volatile) {
  for (const Value v : ir.volatile_pointers) {
    const Origin& origin = ir.values[v].origin;
    if (origin.kind == Origin::Kind::Array)
      volatile_arrays_[origin.array] = 1;
    else if (origin.kind != Origin::Kind::Shared && origin.kind != Origin::Kind::Local)
      all_is_volatile_ = true;
  }
}

bool Issuable::operator()(const Op& op) const {
  return is_settled(op) && !ir_.accesses[op.access].is_literal;
}

bool Issuable::may_leave_out(const Op& op) const {
  if (!is_settled(op)) return false;
  const Access& access = ir_.accesses[op.access];
  return !access.is_literal || access.cache != CacheOperator::None;
}

bool Issuable::is_settled(const Op& op) const {
  if (op.access < 0 || all_is_volatile_ || !in_global(op)) return false;
  if (op.instr.op != Opcode::Load && op.instr.op != Opcode::Store) return false;
  const int array = array_of(op);
  return ir_.accesses[op.access].form == AccessForm::Plain && (array < 0 || volatile_arrays_[array] == 0);
}

int Issuable::array_of(const Op& op) const {
  const Origin& origin = ir_.values[op.instr.a].origin;
  return origin.kind == Origin::Kind::Array ? origin.array : -1;
}

bool Issuable::in_global(const Op& op) const {
  const Origin& origin = ir_.values[op.instr.a].origin;
  if (origin.kind != Origin::Kind::Array) return origin.kind == Origin::Kind::Global;
  return ir_.arrays[origin.array].space == Origin::Kind::Global;
}

bool Issuable::is_private(const Op& op) const {
  const int array = array_of(op);
  return array >= 0 &&
         (ir_.arrays[array].is_restrict || ir_.accesses[op.access].cache == CacheOperator::ReadOnly);
}

bool Issuable::may_change(const Op& writer, const Op& op) const {
  const Origin& origin = ir_.values[writer.instr.a].origin;
  const int by = array_of(writer), at = array_of(op);
  const Origin::Kind space = by >= 0 ? ir_.arrays[by].space : origin.kind;
  if (space == Origin::Kind::Shared || space == Origin::Kind::Local || space == Origin::Kind::Constant)
    return false;
  if (by < 0 || at < 0 || by == at) return true;
  if (ir_.accesses[op.access].cache == CacheOperator::ReadOnly) return false;
  const PointedArray &x = ir_.arrays[by], &y = ir_.arrays[at];
  return !x.is_restrict && !y.is_restrict && !(x.is_symbol && y.is_symbol);
}

bool lets_others_go_on(const Node& node) {
  if (node.kind == Node::Kind::Fence) return true;
  if (node.kind != Node::Kind::Op) return false;
  switch (node.op.instr.op) {
    case Opcode::Barrier:
    case Opcode::SyncWarp:
    case Opcode::Pause:
    case Opcode::Passed:
    case Opcode::Shuffle:
    case Opcode::Vote:
    case Opcode::Assert:
      return true;
    default:
      return false;
  }
}

bool shows_stores_of_others(const Node& node) {
  const bool from_lanes = node.kind == Node::Kind::Op &&
                          (node.op.instr.op == Opcode::Shuffle || node.op.instr.op == Opcode::Vote);
  return !from_lanes && lets_others_go_on(node);
}

bool are_read_apart(unsigned mask, int bytes, int room) {
  return bytes == 4 && room == 4 && std::popcount(mask) == 2 && mask != 0b0011 && mask != 0b1100;
}

bool leaves(const List& list) {
  if (list.empty()) return false;
  const Node::Kind last = list.back().kind;
  return last == Node::Kind::Return || last == Node::Kind::Exit || last == Node::Kind::Skip;
}

void note_unissued(Ir& ir, const Op& op, UnissuedAccess::Why why) {
  const Access& access = ir.accesses[op.access];
  ir.unissued.try_emplace({static_cast<std::int64_t>(access.range.begin.offset), access.text, access.op},
                          UnissuedAccess{access.range, access.text, access.op, access.bytes, why});
}

void issue_accesses(Ir& ir, Budget& budget) {
  const Pace pace(budget, Stage::Optimising);
  constexpr int kMostRounds = 3;  // what is loaded by what was loaded
  for (int round = 0; round < kMostRounds; ++round) {
    const bool repeated = leave_out_repeated(ir, pace), hoisted = hoist_loads(ir, pace);
    if (!repeated && !hoisted) break;
    optimise(ir, budget);
    trace_origins(ir, budget);
  }
  leave_out_overwritten(ir, pace);
  leave_out_unread(ir, pace);
  join_members(ir, pace);
  sink_loads(ir, pace);
  trace_origins(ir, budget);
}

}  // namespace warplens::sim::lower
