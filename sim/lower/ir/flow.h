// Branches and loops that no statement of the text stands for.
#pragma once

#include <utility>

#include "sim/lower/ir/builder.h"

namespace warplens::sim::lower {

// What `body` appends runs in the active lanes for which the condition holds.
template <class Body>
void where(Builder& b, Value condition, const cuda::SourceRange& range, Body body) {
  List list;
  const int regions[2] = {b.ir.add_region(b.region), b.ir.add_region(b.region)};
  {
    const ListScope scope(b, list, regions[0]);
    body();
  }
  Node& branch = b.append(Node::Kind::If);
  branch.range = range;
  branch.condition = condition;
  branch.region = regions[0];
  branch.other_region = regions[1];
  branch.body = std::move(list);
}

// What `body` appends runs with the variable that it is given at `first`, `first` + `stride` ... below `end`.
template <class Body>
void count_up(Builder& b, ScalarType type, Value first, Value end, Value stride,
              const cuda::SourceRange& range, Body body) {
  const int region = b.ir.add_region(b.region), body_region = b.ir.add_region(region);
  const Value i = b.ir.variable(type, region);
  b.move(i, type, first);
  List header, turn, other;
  Value condition = kNone;
  {
    const ListScope scope(b, header, region);
    condition = b.op(Opcode::Lt, type, i, end);
  }
  {
    const ListScope scope(b, turn, body_region);
    body(i);
  }
  {
    const ListScope scope(b, other, region);
    b.move(i, type, b.op(Opcode::Add, type, i, stride));
  }
  Node& loop = b.append(Node::Kind::Loop);
  loop.range = range;
  loop.region = region;
  loop.body_region = body_region;
  loop.condition = condition;
  loop.header = std::move(header);
  loop.body = std::move(turn);
  loop.other = std::move(other);
}

}  // namespace warplens::sim::lower
