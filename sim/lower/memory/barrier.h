// Barriers that lie in shared memory: mbarrier of PTX, cuda::barrier and what is made of it.
//
// One is eight bytes, as on a GPU, where what they hold is not documented: here the arrivals so far, and
// behind them how many make a phase (12 bits) with the bytes that are still expected in this one (20 bits,
// which may come before they are expected). All that it does is atomics, loads and stores of those, which are
// no sites: what a GPU's own cost is not known. A wait ends the warp's turn until the phase is over.
#pragma once

#include "sim/lower/memory/tensor_copy.h"

namespace warplens::sim::lower {

class MemoryBarrier {
 public:
  static constexpr ScalarType kCount = ScalarType::U32;
  static constexpr std::int64_t kBytes = 8;

  MemoryBarrier(Builder& b, const Address& at, const cuda::SourceRange& range)
      : b_(b), at_(b.settled(at)), text_{range, "", nullptr, AccessForm::Barrier} {}

  void initialise(Value arrivals);
  Value arrive(Value count);   // gives the phase that it belongs to
  void expect(Value bytes);    // in the phase under way
  void complete(Value bytes);  // those have come
  Value phases();              // that are over
  Value is_over(Value phase);
  Value has_parity_passed(Value parity);
  void wait_for(Value phase);
  void wait_for_parity(Value parity);
  void wait_for_phases(Value count);

 private:
  struct Wanted {
    Value arrivals, bytes;
  };
  template <class Test>
  void wait(Test is_over);
  Address second() const;
  Wanted wanted();
  void change_bytes(AtomicFunction function, Value bytes);
  Value number(std::uint64_t value) { return b_.integer(kCount, value); }

  Builder& b_;
  const Address at_;
  const AccessText text_;
};

}  // namespace warplens::sim::lower
