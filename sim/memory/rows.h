// The rows of a shared array, longer or with their words in another order: what of a bank conflict goes then.
#pragma once

#include "sim/memory/access.h"

namespace warplens::memory {

struct Rows {
  Address begin = 0;  // of the array
  Address bytes = 0;  // of a row; not 0
  // What one access takes at once, in words: rows begin at multiples of it, and it is not torn apart.
  int unit_words = 1;
};

// The access with `words` more at the end of every row; negative: less, and rows keep a word.
WarpAccess with_longer_rows(WarpAccess access, const Rows& rows, int words);
// The access with column c of row r at c ^ (r / rows_together % 32), counted in units, as many as the row
// has: the greatest power of two of them. Short rows, several of which lie in one line, need their number
// divided so.
WarpAccess with_swizzled_rows(WarpAccess access, const Rows& rows, int rows_together = 1);

// Whether the access keeps its conflicts with every length of its rows. Padding goes in units, and after 32
// words of it all is as it was.
bool padding_cannot_help(const WarpAccess& access, const Rows& rows);

}  // namespace warplens::memory
