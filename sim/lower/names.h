// What a function does to its names, found by looking at its syntax alone: a name that is never changed
// becomes a value, one whose address is taken lives in memory. Names are not told apart by scope: that errs
// on the safe side.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cuda/parse/syntax.h"

namespace warplens::sim::lower {

struct NameUse {
  std::set<std::string, std::less<>> changed;    // assigned, incremented, bound to a reference
  std::set<std::string, std::less<>> addressed;  // &name
  // What its returns give: names of what are no references, and "" for anything else.
  std::set<std::string, std::less<>> returned, references;
};

// What functions do to their arguments, by the functions' names: overloads are not told apart.
struct ReferenceUse {
  std::set<std::string, std::less<>> changing;  // have a parameter that is a reference
  std::map<std::string, std::uint64_t, std::less<>>
      addressing;  // take its address: a bit for each of the first 64
};

// Of all functions of a file.
class NameUses {
 public:
  explicit NameUses(const cuda::TranslationUnit& unit);
  const NameUse* of(const cuda::Stmt& body);

 private:
  void note_references(const cuda::Function& function, const std::string& name);
  void find_addressed_references(const cuda::TranslationUnit& unit);

  ReferenceUse references_;
  std::map<const cuda::Stmt*, NameUse> uses_;  // by function body
};

// "did you mean 'x'?", or empty.
Message suggestion(std::string_view name, const std::vector<std::string>& candidates);

// "'f' takes 2 arguments, 1 is given"; `one`: it takes a single one.
Message wrong_count(std::string_view name, const Message& wanted, bool one, std::size_t given);

}  // namespace warplens::sim::lower
