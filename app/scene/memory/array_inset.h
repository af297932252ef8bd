// An array as one thinks of it, beside the picture of an access to it: rows and columns of elements, those of
// the warp lit, around them what the block touches (its tile) and a halo of what lies next to that.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "app/scene/pen.h"
#include "sim/memory/access.h"

namespace warplens::scene {

enum class WordKind : std::uint8_t { Outside, Element, Padding };

// The shared array that an access goes through.
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

struct ArrayInset {
  std::string name;
  std::int64_t rows = 0, columns = 0;  // of elements; 0: it has no shape
  int element_bytes = 4;
  memory::Address base = 0;
  MatrixBox tile;  // framed; rows 0: not known
  memory::WarpAccess access;
};
ArrayInset inset_of(const ArrayView& array, const memory::WarpAccess& access, const std::string& name);

// Which part of the array is shown, where, and how large an element is; cell 0: it does not fit.
struct InsetFit {
  float cell = 0;
  MatrixBox shown;
  Rect grid;    // of the elements
  Rect around;  // with title and numbers
};
// `at`: 0 at the room's top, 1 at its bottom.
InsetFit fit_inset(const Pen& pen, const ArrayInset& inset, const Rect& room, float at = 0);
void draw_inset(Pen* pen, const ArrayInset& inset, const InsetFit& fit);

}  // namespace warplens::scene
