// One pass over JSON text without building anything: is it sound, how deep, how large would it be, and where
// does a field begin? Then the document itself. Both look at a budget as they go and throw Stopped.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "sim/base/budget.h"

namespace warplens::scenario {

// Of one document, whatever the budget has: putting more away takes longer than a request may when it is
// ended.
inline constexpr std::size_t kMostJsonMemory = std::size_t{700} << 20;

struct JsonScan {
  std::string error;         // what is wrong, in words; empty: sound
  std::size_t error_at = 0;  // byte offset
  bool found = false;        // the field asked for ...
  std::size_t found_at = 0;  // ... and the offset just past the beginning of its key or value
  std::size_t bytes = 0;     // that the document takes in memory, about, and rather too many
};

// `field` as "parameters[2].default"; empty: none is looked for. One that is found ends the pass.
JsonScan scan_json(std::string_view text, int max_depth, Pace& pace, std::string_view field = {});
// Throws json::parse_error where the text is not sound, which scan_json tells before.
nlohmann::json build_json(std::string_view text, Pace& pace);

int line_at(std::string_view text, std::size_t offset);
int column_at(std::string_view text, std::size_t offset);

}  // namespace warplens::scenario
