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
  const bool is_first = homes.empty() && local_names_.insert(std::string(name)).second;
  homes.push_back({space, is_first ? std::string(name) : space + "::" + std::string(name)});
  return homes.back().name;
}

std::string Parser::declare_local(std::string_view name) {
  const std::string around = function_.empty() ? "lambda" : function_ + "()";
  std::string called(name);  // as long as nothing else is called so
  for (int more = 1; homes_.contains(called) || !local_names_.insert(called).second; ++more)
    called = around + (more > 1 ? " " + std::to_string(more) : "") + "::" + std::string(name);
  local_homes_.push_back({scopes_.size(), std::string(name), called});
  return called;
}

void Parser::use_declared(std::string_view name, const std::string& meant) {
  const auto homes = homes_.find(std::string(name));
  if (homes == homes_.end()) {  // a function
    Uses& uses = is_at_namespace_scope() ? unit_.uses : function_uses_;
    uses.functions.emplace_back(std::string(name), qualifiers_);
  } else if (is_at_namespace_scope()) {
    homes->second.push_back({open_namespaces(), meant});
  } else {
    local_homes_.push_back({scopes_.size(), std::string(name), meant});
  }
}

// As C++ looks it up: in the namespaces around, the innermost first, then in those of using directives.
std::string Parser::called(const std::string& qualifiers, std::string_view name, bool is_global) const {
  for (auto local = local_homes_.rbegin(); local != local_homes_.rend() && qualifiers.empty() && !is_global;
       ++local)
    if (local->name == name) return local->called;
  const auto found = homes_.find(std::string(name));
  if (found == homes_.end() || found->second.size() < 2) return std::string(name);
  const std::vector<Home>& homes = found->second;
  if (qualifiers.empty() && !is_global) {
    for (std::size_t level = scopes_.size(); level-- > 1;)
      if (scopes_[level].contains(name)) return std::string(name);  // a variable of a function
  }
  const auto in = [&](const std::string& space) {
    return std::find_if(homes.begin(), homes.end(), [&](const Home& home) { return home.space == space; });
  };
  for (std::string around = is_global ? std::string() : open_namespaces();; leave(around)) {
    if (const auto home = in(joined(around, qualifiers)); home != homes.end()) return home->name;
    if (around.empty()) break;
  }
  for (auto used = local_uses_.rbegin(); used != local_uses_.rend(); ++used)
    if (const auto home = in(joined(used->second, qualifiers)); home != homes.end()) return home->name;
  for (const std::string& used : unit_.uses.namespaces)
    if (const auto home = in(joined(used, qualifiers)); home != homes.end()) return home->name;
  return std::string(name);
}

}  // namespace warplens::cuda
