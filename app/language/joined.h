// Lists in words: "a, b, c".
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace warplens::language {

// What `of` makes of each part, with that between two of them.
template <typename Range, typename Of = std::identity>
std::string joined(const Range& parts, std::string_view between, Of of = {}) {
  std::string out;
  for (const auto& part : parts) (out.empty() ? out : out += between) += std::invoke(of, part);
  return out;
}

}  // namespace warplens::language
