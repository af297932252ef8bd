// Accesses to global memory as compilers make them, of those in the text. Seen in what nvcc 13.0 -O3 makes:
//   - A load is left out where nothing needs its value, and one of an address that was loaded or
//     stored before, as long as nothing in between may have written there: no store by another
//     pointer unless one of the two is __restrict__, no barrier, shuffle, vote, fence, assert or
//     printf.
//   - A load that each turn of a loop makes, of the same address and under the same conditions, is
//     made once in front of it.
//   - A load whose value only a branch needs that follows at once, and that stores, loops or computes
//     a lot, is made in the branch; so is one that one side of `c ? x : y` alone needs.
//   - What `c` loaded in `a && c` is known where that is true, and in `a || c` where it is false.
//   - A load into a variable that gets another value before anything reads it is left out; an atomic
//     whose old value nothing needs is a reduction.
//   - A store is left out where its value is what was loaded from there, or where the next store
//     overwrites it before anything may read it.
//   - Members of one object that is aligned on their common width are one access of that width, where
//     they are accessed one after the other in one stretch of code without jumps; of an object that
//     is copied as a whole a single member is read alone, and two that are no aligned pair each by
//     itself.
//   - A load by __ldg() or one of its kin is left out where nothing needs its value, or where the
//     same one loaded from there before: in the code that ptxas 13.0 makes of PTX that has both, for
//     sm_80, 90 and 100. What other arrays' stores and other threads do in between does not matter to
//     __ldg(). A shuffle and a vote of a warp are in nobody's way there, nor is one that nothing
//     needs kept.
// What is not certain stays as written: shared and local memory, volatile, vectors that __ldg()
// loads, and what only happens where a loop is unrolled. See tests/language for the comparison with
// nvcc.
#pragma once

#include "sim/lower/ir/ir.h"

namespace warplens::sim::lower {

// ---- what the passes have in common

// Whether an access is one to global memory that a compiler may change.
class Issuable {
 public:
  explicit Issuable(const Ir& ir);
  bool operator()(const Op& op) const;
  // Likewise, or one by __ldg() or its kin, which may be left out but is no other access.
  bool may_leave_out(const Op& op) const;
  // Whether a store or atomic by `writer` may change what `op`, to another address, accesses.
  bool may_change(const Op& writer, const Op& op) const;
  // Whether no other thread's stores are seen by it: what its pointer leads to, it leads to alone.
  bool is_private(const Op& op) const;

 private:
  int array_of(const Op& op) const;  // -1: not known
  bool in_global(const Op& op) const;
  bool is_settled(const Op& op) const;  // a load or store of global memory, by nothing volatile
  const Ir& ir_;
  std::vector<char> volatile_arrays_;
  bool all_is_volatile_ = false;
};

// Whether other threads go on there, so that what they stored is seen.
bool lets_others_go_on(const Node& node);
// Likewise, but for what only takes values from lane to lane.
bool shows_stores_of_others(const Node& node);

// Of four members of 4 bytes that lie on 16, two that make no aligned pair (bits 0 to 3). nvcc's PTX still
// loads all four, but ptxas makes two loads of 4 bytes: seen on an H200 for each such choice, of a float4 and
// of a struct.
bool are_read_apart(unsigned mask, int bytes, int room);

// Each node of the list and of those within, in the order of the text.
template <class F>
void each_node(const List& list, Pace& pace, F f) {
  for (const Node& node : list) {
    pace.step();
    f(node);
    for (const List* inner : {&node.header, &node.body, &node.other}) each_node(*inner, pace, f);
    for (const List& inner : node.cases) each_node(inner, pace, f);
  }
}

// Whether its end is not reached: it leaves a loop, a function, the kernel.
bool leaves(const List& list);

void note_unissued(Ir& ir, const Op& op, UnissuedAccess::Why why);

// ---- the passes, in their order

bool leave_out_repeated(Ir& ir, Pace pace);  // whether something was
bool hoist_loads(Ir& ir, Pace pace);         // likewise
void leave_out_overwritten(Ir& ir, Pace pace);
void leave_out_unread(Ir& ir, Pace pace);
void join_members(Ir& ir, Pace pace);
void sink_loads(Ir& ir, Pace pace);

}  // namespace warplens::sim::lower
