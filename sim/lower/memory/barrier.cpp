#include "sim/lower/memory/barrier.h"

#include "sim/lower/ir/flow.h"

namespace warplens::sim::lower {

namespace {

constexpr std::uint64_t kArrivalBits = 12, kMostArrivals = (1u << kArrivalBits) - 1;

}  // namespace

Address MemoryBarrier::second() const {
  Address address = at_;
  address.advance(4);
  return address;
}

void MemoryBarrier::initialise(Value arrivals) {
  const Value last = b_.op(Opcode::Sub, kCount, arrivals, number(1));
  b_.claim(Claim::BarrierArrivals, b_.op(Opcode::Lt, kCount, last, number(kMostArrivals)));
  b_.store(at_, text_, kCount, {number(0)});
  b_.store(second(), text_, kCount, {arrivals});
}

// One that was not initialised expects none.
MemoryBarrier::Wanted MemoryBarrier::wanted() {
  const Value value = b_.ir.temp(kCount);
  b_.load(second(), text_, kCount, {value});
  const Value arrivals = b_.op(Opcode::And, kCount, value, number(kMostArrivals));
  b_.claim(Claim::BarrierIsThere, b_.op(Opcode::Ne, kCount, arrivals, number(0)));
  return {arrivals, b_.op(Opcode::Shr, kCount, value, number(kArrivalBits))};
}

Value MemoryBarrier::arrive(Value count) {
  const Value before = b_.atomic(AtomicFunction::Add, at_, text_, kCount, count, kNone, true);
  return b_.op(Opcode::Div, kCount, before, wanted().arrivals);
}

void MemoryBarrier::change_bytes(AtomicFunction function, Value bytes) {
  const Value shifted = b_.op(Opcode::Shl, kCount, bytes, number(kArrivalBits));
  (void)b_.atomic(function, second(), text_, kCount, shifted, kNone, false);
}

void MemoryBarrier::expect(Value bytes) {
  change_bytes(AtomicFunction::Add, bytes);
}

void MemoryBarrier::complete(Value bytes) {
  change_bytes(AtomicFunction::Sub, bytes);
}

// While bytes are missing the last arrival does not end its phase.
Value MemoryBarrier::phases() {
  const Value arrivals = b_.ir.temp(kCount);
  b_.load(at_, text_, kCount, {arrivals});
  const Wanted of = wanted();
  const Value missing = b_.convert(b_.op(Opcode::Ne, kCount, of.bytes, number(0)), ScalarType::Bool, kCount);
  const Value held = b_.op(Opcode::Min, kCount, arrivals, missing);
  return b_.op(Opcode::Div, kCount, b_.op(Opcode::Sub, kCount, arrivals, held), of.arrivals);
}

Value MemoryBarrier::is_over(Value phase) {
  return b_.op(Opcode::Gt, kCount, phases(), phase);
}

// The phase under way has the other parity.
Value MemoryBarrier::has_parity_passed(Value parity) {
  const Value now = b_.op(Opcode::And, kCount, phases(), number(1));
  return b_.op(Opcode::Ne, kCount, now, b_.op(Opcode::And, kCount, parity, number(1)));
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
