// One T for every register of a program.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "sim/program/program.h"

namespace warplens::sim {

template <class T>  // no bool: std::vector packs those
class PerRegister {
 public:
  PerRegister() = default;
  explicit PerRegister(const Program& program)
      : uniform_(static_cast<std::size_t>(std::max(program.uniform_registers, kFirstFreeUniform))),
        varying_(static_cast<std::size_t>(std::max(program.varying_registers, kFirstFreeVarying))) {}
  PerRegister(const Program& program, const T& value) : PerRegister(program) {
    each([&](Reg, T& one) { one = value; });
  }

  T& operator[](Reg r) {
    return is_uniform(r) ? uniform_[static_cast<std::size_t>(reg_index(r))]
                         : varying_[static_cast<std::size_t>(r)];
  }
  const T& operator[](Reg r) const {
    return is_uniform(r) ? uniform_[static_cast<std::size_t>(reg_index(r))]
                         : varying_[static_cast<std::size_t>(r)];
  }

  std::size_t size() const { return uniform_.size() + varying_.size(); }
  // Calls visit(register, T&), uniform ones first.
  template <class Visit>
  void each(Visit visit) {
    each_uniform(visit);
    for (std::size_t i = 0; i < varying_.size(); ++i) visit(static_cast<Reg>(i), varying_[i]);
  }
  template <class Visit>
  void each_uniform(Visit visit) {
    for (std::size_t i = 0; i < uniform_.size(); ++i) visit(uniform_reg(static_cast<int>(i)), uniform_[i]);
  }

 private:
  std::vector<T> uniform_, varying_;
};

}  // namespace warplens::sim
