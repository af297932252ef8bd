// Which memory the pointers of a program lead to: those of the parameters, arrays and variables that they
// were computed from. An access is meant for that memory alone: one that ends up elsewhere is out of range,
// however far it went, as on a GPU, where no buffer begins at the end of another.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/budget.h"
#include "sim/program/program.h"

namespace warplens::warp {

// A bit for every parameter's buffer (the last one stands for all from number 61 on), one for shared and one
// for local memory.
using Places = std::uint64_t;
inline constexpr Places kAnyPlace = ~Places{0};
inline constexpr Places kSharedPlace = Places{1} << 62, kLocalPlace = Places{1} << 63;
inline constexpr Places kAnyBuffer = kSharedPlace - 1;

Places place_of_parameter(std::size_t parameter);

class PointsTo {
 public:
  // O(n log n) for n instructions. Throws Stopped.
  explicit PointsTo(const Program& program, Budget& budget = Budget::endless());

  // Where a load, store or atomic of the program may go; kAnyPlace where nothing is known of its pointer.
  Places of(const Instr& access) const;

 private:
  Places of(Reg r) const;
  Places& at(Reg r);
  bool pass(const Instr& instr, Reg to);
  Places computed_from(const Instr& instr) const;

  const Program& program_;
  std::vector<Places> uniform_, varying_;  // by register
};

}  // namespace warplens::warp
