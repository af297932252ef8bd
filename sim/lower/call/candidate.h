// A function that a call may mean, and how well it fits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/lower/lowering.h"

namespace warplens::sim::lower {

struct Candidate {
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

// What stands for the i-th parameter of a template is kept under this name.
std::string name_of_parameter(const std::vector<cuda::TemplateParameter>& parameters, std::size_t i);

// The type that a template's argument is, if it may be one.
std::optional<cuda::TypeName> type_written(const cuda::TemplateArgument& argument);

// Whether x is more specialised than y, and so is chosen where both templates fit equally well (C++17,
// [temp.func.order]).
bool is_more_special(const cuda::Function& x, const cuda::Function& y);
bool is_more_special(const cuda::Struct& x, const cuda::Struct& y);  // of two partial specialisations

}  // namespace warplens::sim::lower
