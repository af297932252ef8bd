// Names that several namespaces declare.
#include <algorithm>

#include "sim/cuda/parse/parser.h"

namespace warplens::cuda {
namespace {

std::string joined(const std::string& outer, const std::string& inner) {
  return outer.empty() ? inner : inner.empty() ? outer : outer + "::" + inner;
}

// The namespace around a::b, which is a.
void leave(std::string& space) {
  const std::size_t end = space.rfind("::");
  space.resize(end == std::string::npos ? 0 : end);
}

}  // namespace

std::string Parser::open_namespaces() const {
  std::string whole;
  for (const std::string& space : namespaces_open_) whole = joined(whole, space);
  return whole;
}

std::string Parser::declare_here(std::string_view name) {
  std::vector<Home>& homes = homes_[std::string(name)];
  const std::string space = open_namespaces();
  const auto known =
      std::find_if(homes.begin(), homes.end(), [&](const Home& home) { return home.space == space; });
  if (known != homes.end()) return known->name;
  homes.push_back(
      {space, homes.empty() || space.empty() ? std::string(name) : space + "::" + std::string(name)});
  // A global one that is declared after another of its name keeps apart from that, too.
  if (homes.size() > 1 && space.empty()) homes.back().name = "::" + std::string(name);
  return homes.back().name;
}

// As C++ looks it up: in the namespaces around, the innermost first, then in those of using directives.
std::string Parser::called(const std::string& qualifiers, std::string_view name) const {
  const auto found = homes_.find(std::string(name));
  if (found == homes_.end() || found->second.size() < 2) return std::string(name);
  const std::vector<Home>& homes = found->second;
  if (qualifiers.empty()) {
    for (std::size_t level = scopes_.size(); level-- > 1;)
      if (scopes_[level].contains(name)) return std::string(name);  // a variable of a function
  }
  const auto in = [&](const std::string& space) {
    return std::find_if(homes.begin(), homes.end(), [&](const Home& home) { return home.space == space; });
  };
  for (std::string around = open_namespaces();; leave(around)) {
    if (const auto home = in(joined(around, qualifiers)); home != homes.end()) return home->name;
    if (around.empty()) break;
  }
  for (const std::string& used : unit_.used_namespaces)
    if (const auto home = in(joined(used, qualifiers)); home != homes.end()) return home->name;
  return std::string(name);
}

}  // namespace warplens::cuda
