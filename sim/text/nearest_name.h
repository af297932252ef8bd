// What a mistyped name was meant to be.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::text {

// Letters to insert, drop or replace, neighbours to swap, the case of letters aside: the candidate that takes
// the fewest, and at most `most`; of several the one that begins like it for longest, then the first. Or
// empty.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates, std::size_t most);

}  // namespace warplens::text
