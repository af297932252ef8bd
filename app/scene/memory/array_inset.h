// An array as one thinks of it, beside the picture of an access to it: rows and columns of elements, those of
// the warp lit, around them what the block touches (its tile) and a halo of what lies next to that.
//
//   ArrayInset inset = inset_of(view, access, "in");
//   draw_inset(&pen, inset, fit_inset(pen, inset, room));   // nothing, where the room is too small
#pragma once

#include <cstdint>
#include <string>

#include "app/scene/memory/shared_array.h"
#include "app/scene/pen.h"
#include "sim/memory/access.h"

namespace warplens::scene {

struct ArrayInset {
  std::string name;
  std::int64_t rows = 0, columns = 0;  // of elements, padding included; 0: it has no shape
  std::int64_t padding = 0;            // columns at the right that hold nothing
  int element_bytes = 4;
  memory::Address base = 0;
  MatrixBox tile;      // framed; rows 0: not known
  bool whole = false;  // all of it belongs in the picture, as far as there is room
  memory::WarpAccess access;
};
ArrayInset inset_of(const ArrayView& array, const memory::WarpAccess& access, const std::string& name);
// Of a shared array of two dimensions and more, whose outer ones are rows.
ArrayInset inset_of(const ArrayPlace& array, const memory::WarpAccess& access);

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
