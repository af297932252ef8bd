// One pass over JSON text without building anything: is it sound, how deep, and where does a field begin?
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warplens::scenario {

struct JsonScan {
  std::string error;         // what is wrong, in words; empty: sound
  std::size_t error_at = 0;  // byte offset
  bool found = false;        // the field asked for ...
  std::size_t found_at = 0;  // ... and the offset just past the beginning of its key or value
};

// `field` as "parameters[2].default"; empty: none is looked for.
JsonScan scan_json(std::string_view text, int max_depth, std::string_view field = {});

int line_at(std::string_view text, std::size_t offset);
int column_at(std::string_view text, std::size_t offset);

}  // namespace warplens::scenario
