// Where a warp's registers lie: scratch and uniform ones of 8 bytes, then varying ones of 32 lanes each.
#pragma once

#include <vector>

#include "sim/analyse/undefined_values.h"
#include "sim/machine/decode.h"
#include "sim/scalar/types.h"

namespace warplens::warp {

class RegisterLayout {
 public:
  explicit RegisterLayout(const Program& program);

  void use_instr(const Instr& instr, Keep keep);
  void use_variables();  // and a mask for each that some instruction writes: lanes that have a value
  void use_undefined(const MaybeUndefined& maybe);  // and a slot for each register that may have no value
  void place(Code& code) const;
  std::int32_t undefined_at(Reg r) const {  // -1: it always has one
    const auto& of = is_uniform(r) ? undefined_at_.uniform : undefined_at_.varying;
    const auto at = static_cast<std::size_t>(reg_index(r));
    return r == kNoReg || at >= of.size() ? -1 : of[at] - 1;
  }

  static constexpr int kScratch = 4;  // of each kind
  static constexpr std::int32_t scratch_uniform(int i) { return 8 * i; }

 private:
  struct Use {
    std::vector<int> uniform, varying;  // per register
    int& of(Reg r) {
      return is_uniform(r) ? uniform[static_cast<std::size_t>(reg_index(r))]
                           : varying[static_cast<std::size_t>(r)];
    }
  };
  const Program& program_;
  Use bytes_;                 // a lane; 0: unused
  Use defined_;               // 1: with a mask
  Use undefined_;             // 1: with a slot
  mutable Use undefined_at_;  // its place + 1
};

}  // namespace warplens::warp
