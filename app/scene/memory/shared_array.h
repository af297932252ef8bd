// The shared array that an access goes through: where it lies, how long its rows are, which words are
// padding.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "app/scene/pen.h"

namespace warplens::scene {

enum class WordKind : std::uint8_t { Outside, Element, Padding };

struct ArrayPlace {
  std::string name;                    // "tile"; empty: not known
  std::string declaration;             // "float tile[16][32 + 2]"
  memory::Address begin = 0, end = 0;  // bytes from the start of shared memory
  int element_bytes = 4;
  std::int64_t row_bytes = 0;  // padding included; 0: not known
  int padding_words = 0;
  int unit_words = 1;  // what some access of the array takes at once: rows begin at multiples of it

  WordKind kind_of(memory::Address word) const;
};

// The 4-byte words of padding that end a row of `array`: what follows the last `+` of its innermost extent as
// written, taken as a number or as one of `names` ("PAD", whatever its case, among template arguments, macros
// and scenario parameters). 0 where it has none or the name is not known.
int padding_words(const sim::SharedArray& array, const std::map<std::string, std::int64_t>& names);

}  // namespace warplens::scene
