// JSON text in one pass: whether it is sound, how deep and how large it is, and the document; and where a
// field begins. Both passes look at a budget as they go and throw Stopped.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/budget.h"

namespace warplens::scenario {

struct JsonError {
  Message words;       // what is wrong; empty: the text is sound
  std::size_t at = 0;  // byte offset
};

// Fills `document` (null where the text is not sound). `held` takes the memory of the document, about, and
// rather too much, as it grows; it is to live as long as the document. A member that is given twice is an
// error.
JsonError read_json(std::string_view text, int max_depth, Pace& pace, HeldMemory& held,
                    nlohmann::json* document);

// The offset just past the beginning of the key or value of a field of a sound text, as
// "parameters[2].default".
std::optional<std::size_t> find_field(std::string_view text, std::string_view field, Pace& pace);

int line_at(std::string_view text, std::size_t offset);
int column_at(std::string_view text, std::size_t offset);

}  // namespace warplens::scenario
