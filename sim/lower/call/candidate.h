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
  bool is_found = true;  // by C++'s lookup of the name; else by its arguments' types at most
  std::vector<TypeRef> types;
  std::vector<int> ranks;
  std::size_t failed_argument = 0;
  enum class Verdict { Viable, WrongCount, WrongTemplate, WrongArgument } verdict = Verdict::Viable;
};

// Of two templates that fit equally well: whether x takes less than y does, and so is the one that is meant
// (C++17, [temp.func.order]).
bool is_more_special(const cuda::Function& x, const cuda::Function& y);
bool is_more_special(const cuda::Struct& x, const cuda::Struct& y);  // of two partial specialisations

}  // namespace warplens::sim::lower
