// What a function does to its names, found by looking at its syntax alone: a name that is never changed
// becomes a value, one whose address is taken lives in memory. Names are not told apart by scope: that errs
// on the safe side.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cuda/parse/syntax.h"

namespace warplens::sim::lower {

struct NameUse {
  std::set<std::string, std::less<>> changed;    // assigned, incremented, bound to a reference
  std::set<std::string, std::less<>> addressed;  // &name
};

// `takes_references`: names of functions with a parameter that is a reference.
NameUse find_name_use(const cuda::Stmt& body, const std::set<std::string, std::less<>>& takes_references);

// "did you mean 'x'?", or empty.
Message suggestion(std::string_view name, const std::vector<std::string>& candidates);

// "'f' takes 2 arguments, 1 is given"; `one`: it takes a single one.
Message wrong_count(std::string_view name, const Message& wanted, bool one, std::size_t given);

}  // namespace warplens::sim::lower
