// The shared array that an access goes through: where it lies, how long its rows are, which words are
// padding.
#pragma once

#include <cstdint>
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

// The array named by the site; otherwise the one that holds the addresses; otherwise what the addresses span.
ArrayPlace shared_array_of(const BankView& view, const memory::WarpAccess& access);

TitleParts bank_title(const Pen& pen, const BankView& view, const memory::WarpAccess& access,
                      const ArrayPlace& array);

}  // namespace warplens::scene
