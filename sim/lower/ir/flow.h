// Branches and loops that no statement of the text stands for.
#pragma once

#include <utility>

#include "sim/lower/ir/builder.h"

namespace warplens::sim::lower {

// The two sides of a branch, made before it is appended.
struct Sides {
  explicit Sides(Builder& b) : regions{b.ir.add_region(b.region), b.ir.add_region(b.region)} {}
  void append(Builder& b, Value condition, const cuda::SourceRange& range) {
    Node& branch = b.append(Node::Kind::If);
    branch.range = range;
    branch.condition = condition;
    branch.region = regions[0];
    branch.other_region = regions[1];
    branch.body = std::move(lists[0]);
    branch.other = std::move(lists[1]);
  }
  List lists[2];
  const int regions[2];
};

// What a list of its own has, in whose middle `region` may be left.
inline void append_part(Builder& b, List& list, int region, bool is_left) {
  if (!is_left) return b.list->splice(b.list->end(), list);
  Node& call = b.append(Node::Kind::Call);
  call.region = region;
  call.body = std::move(list);
}

// What `body` appends runs in the active lanes for which the condition holds, what `other` does in the
// others.
template <class Body, class Other>
void where(Builder& b, Value condition, cuda::SourceRange range, Body body, Other other) {
  Sides sides(b);
  {
    const ListScope scope(b, sides.lists[0], sides.regions[0]);
    body();
  }
  {
    const ListScope scope(b, sides.lists[1], sides.regions[1]);
    other();
  }
  sides.append(b, condition, range);
}
template <class Body>
void where(Builder& b, Value condition, const cuda::SourceRange& range, Body body) {
  where(b, condition, range, body, [] {});
}

// A loop: `test` gives the condition of a turn, which `turn` and `step` append.
template <class Test, class Turn, class Step>
void repeat(Builder& b, int region, const cuda::SourceRange& range, Test test, Turn turn, Step step) {
  Node made;
  made.kind = Node::Kind::Loop;
  made.range = range;
  made.region = region;
  made.body_region = b.ir.add_region(region);
  {
    const ListScope scope(b, made.header, region);
    made.condition = test();
  }
  {
    const ListScope scope(b, made.body, made.body_region);
    turn();
  }
  {
    const ListScope scope(b, made.other, region);
    step();
  }
  b.append(Node::Kind::Loop) = std::move(made);
}

// What `body` appends runs with the variable that it is given at `first`, `first` + `stride` ... below `end`.
template <class Body>
void count_up(Builder& b, ScalarType type, Value first, Value end, Value stride,
              const cuda::SourceRange& range, Body body) {
  const int region = b.ir.add_region(b.region);
  const Value i = b.ir.variable(type, region);
  b.move(i, type, first);
  repeat(
      b, region, range, [&] { return b.op(Opcode::Lt, type, i, end); }, [&] { body(i); },
      [&] { b.move(i, type, b.op(Opcode::Add, type, i, stride)); });
}

}  // namespace warplens::sim::lower
