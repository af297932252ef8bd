// A function that a call may mean, and how well it fits.
#pragma once

#include <string>
#include <vector>

#include "sim/lower/lowering.h"

namespace warplens::sim::lower {

struct Lowering::Candidate {
  const cuda::Function* function = nullptr;
  const Record* record = nullptr;  // of a member function
  Scope scope;                     // what template parameters stand for, the struct's included
  std::string key;
  std::vector<TypeRef> types;
  std::vector<int> ranks;
  std::size_t failed_argument = 0;
  enum class Verdict { Viable, WrongCount, WrongTemplate, WrongArgument } verdict = Verdict::Viable;
};

}  // namespace warplens::sim::lower
