// Masks and jumps, word for word as the table in program.h.
#include <algorithm>
#include <iterator>

#include "sim/machine/handlers.h"
#include "sim/machine/lanes.h"

namespace warplens::sim {

namespace {

template <bool AUniform>
WARPLENS_INLINE LaneMask condition(Machine& m, const Step* s) {
  if constexpr (AUniform)
    return uniform<std::uint32_t>(m, s->a) != 0 ? ~LaneMask{0} : LaneMask{0};
  else
    return nonzero_lanes(lanes<std::uint32_t>(m, s->a));
}

WARPLENS_INLINE const Step* or_jump(const Machine& m, const Step* s) {
  return m.active != 0 ? s + 1 : s + s->jump;
}

template <bool AUniform>
const Step* run_if(Machine& m, const Step* s) {
  Frame& f = m.frames[s->frame];
  const LaneMask a = condition<AUniform>(m, s);
  f.pending = m.active & ~a;
  f.joined = 0;
  m.active &= a;
  return or_jump(m, s);
}

const Step* run_else(Machine& m, const Step* s) {
  Frame& f = m.frames[s->frame];
  f.joined = m.active;
  m.active = f.pending;
  f.pending = 0;
  return or_jump(m, s);
}

const Step* run_end_if(Machine& m, const Step* s) {
  const Frame& f = m.frames[s->frame];
  m.active |= f.joined | f.pending;
  return or_jump(m, s);
}

const Step* run_enter(Machine& m, const Step* s) {
  m.frames[s->frame].exited = 0;
  return s + 1;
}

template <bool AUniform>
const Step* run_test(Machine& m, const Step* s) {
  Frame& f = m.frames[s->frame];
  const LaneMask a = condition<AUniform>(m, s);
  f.exited |= m.active & ~a;
  m.active &= a;
  return or_jump(m, s);
}

const Step* run_exit(Machine& m, const Step* s) {
  m.frames[s->frame].exited |= m.active;
  m.active = 0;
  return s + s->jump;
}

const Step* run_leave(Machine& m, const Step* s) {
  m.active = m.frames[s->frame].exited;
  return or_jump(m, s);
}

// A varying condition does not belong here, but is well defined where all active lanes agree.
template <bool AUniform>
const Step* run_branch(Machine& m, const Step* s) {
  return (condition<AUniform>(m, s) & (AUniform ? ~LaneMask{0} : m.active)) != 0 ? s + 1 : s + s->jump;
}

const Step* run_jump(Machine&, const Step* s) {
  return s + s->jump;
}

const Step* run_return(Machine& m, const Step* s) {
  m.live &= ~m.active;
  m.active = 0;
  return s + s->jump;
}

const Step* run_end(Machine& m, const Step*) {
  m.active = m.live = 0;
  m.stop = Stop::Ended;
  return nullptr;
}

// With an empty mask no lane arrives.
const Step* run_barrier(Machine& m, const Step* s) {
  if (m.active == 0) return s + 1;
  m.stop = Stop::Barrier;
  return nullptr;
}

// What comes of the votes is known once all warps have arrived: see BlockRunner::tell_votes().
template <bool AUniform>
const Step* run_vote_barrier(Machine& m, const Step* s) {
  m.votes = m.active & condition<AUniform>(m, s);
  return run_barrier(m, s);
}

// With an empty mask nothing is waited for.
const Step* run_pause(Machine& m, const Step* s) {
  if (m.active == 0) return s + 1;
  m.stop = Stop::Pause;
  return nullptr;
}

const Step* run_passed(Machine& m, const Step* s) {
  m.block->progress = true;
  if (m.checker != nullptr && m.active != 0) m.checker->pass();
  return s + 1;
}

// Whatever makes a warp's lanes meet; only checking runs have this step.
const Step* run_sync_warp(Machine& m, const Step* s) {
  if (m.checker != nullptr && m.active != 0) m.checker->sync_warp(m.warp);
  return s + 1;
}

const Step* run_nothing(Machine&, const Step* s) {
  return s + 1;
}

Message broken(Claim claim) {
  switch (claim) {
    case Claim::BarrierIsThere:
      return Message("there is no barrier here: it was not initialised");
    case Claim::BarrierArrivals:
      return Message("a barrier expects 1 to 4095 arrivals here");
    case Claim::TileAligned:
      return Message(
          "a tensor copy begins at a multiple of 128 bytes of shared memory, and this one does not");
    case Claim::RowAligned:
      return Message("a tensor copy begins at a multiple of 16 bytes of a row, and this one does not");
    case Claim::Warpgroups:
      return Message("wgmma is made by warpgroups: the block's threads are not a multiple of 128");
    case Claim::Written:
      break;
  }
  return Message("assertion failed");
}

template <bool AUniform>
const Step* run_assert(Machine& m, const Step* s) {
  const LaneMask bad = m.active & ~condition<AUniform>(m, s);
  if (bad == 0) return s + 1;
  return fail(m, s, RunError::Kind::Assertion, __builtin_ctz(bad), broken(static_cast<Claim>(s->immediate)));
}

template <bool kUniform>
const Step* run_define(Machine& m, const Step* s) {
  set_uniform<LaneMask>(m, s->dst, kUniform ? ~LaneMask{0} : uniform<LaneMask>(m, s->dst) | m.active);
  return s + 1;
}

}  // namespace

Handler define_handler(bool is_uniform) {
  return is_uniform ? run_define<true> : run_define<false>;
}

Handler control_handler(Opcode op, bool a_uniform) {
  struct Row {
    Opcode op;
    Handler varying, uniform;  // its condition
  };
  static constexpr Row kRows[] = {
      {Opcode::If, run_if<false>, run_if<true>},
      {Opcode::Else, run_else, run_else},
      {Opcode::EndIf, run_end_if, run_end_if},
      {Opcode::Enter, run_enter, run_enter},
      {Opcode::Test, run_test<false>, run_test<true>},
      {Opcode::Exit, run_exit, run_exit},
      {Opcode::Leave, run_leave, run_leave},
      {Opcode::Branch, run_branch<false>, run_branch<true>},
      {Opcode::Jump, run_jump, run_jump},
      {Opcode::Return, run_return, run_return},
      {Opcode::End, run_end, run_end},
      {Opcode::Barrier, run_barrier, run_barrier},
      {Opcode::SyncWarp, run_nothing, run_nothing},
      {Opcode::Pause, run_pause, run_pause},
      {Opcode::Passed, run_passed, run_passed},
  };
  const auto row = std::ranges::find(kRows, op, &Row::op);
  return row == std::end(kRows) ? nullptr : a_uniform ? row->uniform : row->varying;
}

Handler vote_barrier_handler(bool a_uniform) {
  return a_uniform ? run_vote_barrier<true> : run_vote_barrier<false>;
}

Handler sync_warp_handler() {
  return run_sync_warp;
}

Handler assert_handler(bool is_uniform) {
  return is_uniform ? run_assert<true> : run_assert<false>;
}

}  // namespace warplens::sim
