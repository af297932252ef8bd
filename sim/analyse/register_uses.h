// Which instructions read, or write, each register.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/budget.h"
#include "sim/program/operands.h"
#include "sim/program/per_register.h"

namespace warplens::sim {

// For every register, the ascending indices of the instructions that use it; an instruction that uses it
// twice appears twice. O(n) for n instructions. Throws Stopped.
class RegisterUses {
 public:
  static RegisterUses reads(const Program& program, Pace pace) {
    return {program, pace, [](const Instr& instr, auto visit) { each_read(instr, visit); }};
  }
  static RegisterUses writes(const Program& program, Pace pace) {
    return {program, pace, [](const Instr& instr, auto visit) { each_written(instr, visit); }};
  }

  std::span<const std::int32_t> operator[](Reg r) const {
    const Stretch& stretch = stretches_[r];
    return {instrs_.data() + stretch.end - stretch.count, stretch.count};
  }

 private:
  struct Stretch {
    std::size_t end = 0, count = 0;  // of instrs_
  };

  template <class Each>
  RegisterUses(const Program& program, Pace pace, Each each) : stretches_(program) {
    std::size_t all = 0;
    for (const Instr& instr : program.code) {
      pace.step();
      each(instr, [&](Reg r, ScalarType) {
        ++stretches_[r].count;
        ++all;
      });
    }
    instrs_.resize(all);
    std::size_t begin = 0;
    stretches_.each([&](Reg, Stretch& stretch) {
      stretch.end = begin;
      begin += stretch.count;
    });
    for (std::size_t i = 0; i < program.code.size(); ++i) {
      pace.step();
      each(program.code[i],
           [&](Reg r, ScalarType) { instrs_[stretches_[r].end++] = static_cast<std::int32_t>(i); });
    }
  }

  PerRegister<Stretch> stretches_;
  std::vector<std::int32_t> instrs_;
};

}  // namespace warplens::sim
