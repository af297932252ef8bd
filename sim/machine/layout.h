// Where a warp's registers lie: scratch and uniform ones of 8 bytes, then varying ones of 32 lanes each.
#pragma once

#include "sim/machine/decode.h"
#include "sim/program/per_register.h"
#include "sim/scalar/types.h"

namespace warplens::sim {

class RegisterLayout {
 public:
  explicit RegisterLayout(const Program& program);

  void use_instr(const Instr& instr, Keep keep);
  void use_variables();  // and a mask for each that some instruction writes: lanes that have a value
  void use_undefined(const std::vector<Reg>& registers);  // and a slot for each: they may have no value
  void place(Code& code);
  std::int32_t undefined_at(Reg r) const {
    return r == kNoReg ? -1 : undefined_at_[r];
  }  // -1: it always has one

  static constexpr int kScratch = 4;  // of each kind
  static constexpr std::int32_t scratch_uniform(int i) { return 8 * i; }

 private:
  struct Use {
    int bytes = 0;           // a lane; 0: unused
    bool variable = false;   // of the lane table
    bool defined = false;    // with a mask
    bool undefined = false;  // with a slot
  };
  const Program& program_;
  PerRegister<Use> uses_;
  PerRegister<std::int32_t> undefined_at_;
};

}  // namespace warplens::sim
