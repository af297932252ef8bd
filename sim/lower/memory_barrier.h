// Barriers that lie in shared memory: mbarrier of PTX, cuda::barrier and what is made of it.
//
// One is eight bytes, as on a GPU, where what they hold is not documented: here the arrivals so far and how
// many make a phase. All that it does is atomics, loads and stores of those, which are no sites: what a GPU's
// own cost is not known. A wait ends the warp's turn until the phase is over.
#pragma once

#include "sim/lower/copy_async.h"

namespace warplens::sim::lower {

class MemoryBarrier {
 public:
  static constexpr ScalarType kCount = ScalarType::U32;
  static constexpr std::int64_t kBytes = 8;

  MemoryBarrier(Builder& b, const Address& at, const cuda::SourceRange& range)
      : b_(b), at_(b.settled(at)), text_{range, "", nullptr, true, AccessForm::Unpriced} {}

  void initialise(Value arrivals);
  Value arrive(Value count);  // gives the phase that it belongs to
  Value phases();             // that are over
  Value is_over(Value phase);
  Value has_parity_passed(Value parity);
  void wait_for(Value phase);
  void wait_for_parity(Value parity);
  void wait_for_phases(Value count);

 private:
  template <class Test>
  void wait(Test is_over);
  Address second() const;
  Value expected();

  Builder& b_;
  const Address at_;
  const AccessText text_;
};

}  // namespace warplens::sim::lower
