#include "sim/lower/memory_barrier.h"

namespace warplens::sim::lower {

Address MemoryBarrier::second() const {
  Address address = at_;
  address.advance(4);
  return address;
}

void MemoryBarrier::initialise(Value arrivals) {
  b_.store(at_, text_, kCount, {b_.integer(kCount, 0)});
  b_.store(second(), text_, kCount, {arrivals});
}

// One that was not initialised expects none.
Value MemoryBarrier::expected() {
  const Value value = b_.ir.temp(kCount);
  b_.load(second(), text_, kCount, {value});
  b_.plain(Opcode::Assert, b_.op(Opcode::Ne, kCount, value, b_.integer(kCount, 0)));
  return value;
}

Value MemoryBarrier::arrive(Value count) {
  const Value before = b_.atomic(AtomicFunction::Add, at_, text_, kCount, count, kNone, true);
  return b_.op(Opcode::Div, kCount, before, expected());
}

Value MemoryBarrier::phases() {
  const Value arrivals = b_.ir.temp(kCount);
  b_.load(at_, text_, kCount, {arrivals});
  return b_.op(Opcode::Div, kCount, arrivals, expected());
}

Value MemoryBarrier::is_over(Value phase) {
  return b_.op(Opcode::Gt, kCount, phases(), phase);
}

// The phase under way has the other parity.
Value MemoryBarrier::has_parity_passed(Value parity) {
  const Value one = b_.integer(kCount, 1);
  const Value now = b_.op(Opcode::And, kCount, phases(), one);
  return b_.op(Opcode::Ne, kCount, now, b_.op(Opcode::And, kCount, parity, one));
}

void MemoryBarrier::wait_for(Value phase) {
  wait([&] { return is_over(phase); });
}

void MemoryBarrier::wait_for_parity(Value parity) {
  wait([&] { return has_parity_passed(parity); });
}

void MemoryBarrier::wait_for_phases(Value count) {
  wait([&] { return b_.op(Opcode::Ge, kCount, phases(), count); });
}

template <class Test>
void MemoryBarrier::wait(Test is_over) {
  const int region = b_.ir.add_region(b_.region), body_region = b_.ir.add_region(region);
  List header, body;
  Value condition = kNone;
  {
    const ListScope scope(b_, header, region);
    condition = b_.op(Opcode::Not, ScalarType::Bool, is_over());
  }
  {
    const ListScope scope(b_, body, body_region);
    b_.plain(Opcode::Pause);
  }
  Node& loop = b_.append(Node::Kind::Loop);
  loop.range = text_.range;
  loop.region = region;
  loop.body_region = body_region;
  loop.condition = condition;
  loop.header = std::move(header);
  loop.body = std::move(body);
  b_.plain(Opcode::Passed);
}

}  // namespace warplens::sim::lower
