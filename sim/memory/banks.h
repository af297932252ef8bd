// Shared memory: 32 banks of 4 bytes; bank = (byte address / 4) mod 32.
// The rows of an ldmatrix or stmatrix are accesses of 16 bytes, eight to a group; a load's do not merge.
//
//   float tile[32][32], column 0:  lane i -> word 32 i -> bank 0 for every lane: 32 wavefronts
//   float tile[32][33], column 0:  lane i -> word 33 i -> bank i:                 1 wavefront
#pragma once

#include <array>
#include <vector>

#include "sim/memory/access.h"
#include "sim/memory/gpu_model.h"

namespace warplens::memory {

// How the hardware serves one access: which group a lane is served with, in which wavefront.
struct BankPlan {
  int wavefronts = 0;
  int groups = 0;  // non-empty groups after merging
  int least = 0;   // wavefronts without a conflict: one a group; two for a Swap; a Loop adds its load
  int degree = 0;  // "n-way": the most turns that one group needs
  int lanes_per_group = 32;  // 32, 16 or 8, after merging
  bool merged = false;       // a load of 8 or 16 bytes whose neighbouring groups were served together
  std::array<int, kWarpLanes> group{};      // per lane; -1 for an inactive lane
  std::array<int, kWarpLanes> wavefront{};  // per lane: the wavefront, counted over the access, in which its
                                            // last word arrives; -1 for an inactive lane
  // Words moved, one entry per distinct word and group (or per lane, for atomics), in order of wavefront.
  struct Word {
    int wavefront = 0;
    int bank = 0;
    Address address = 0;  // of the word, a multiple of 4
    LaneMask lanes = 0;   // lanes that read or write it
  };
  std::vector<Word> words;
  std::array<int, kWarpLanes> words_in_bank{};  // the most that any one group has in this bank
};

// Every lane of an atomic takes a turn of its own, even for a word that others use; an increment does not.
bool lanes_take_turns(const WarpAccess& access);

int bank_of(Address address);
BankPlan plan_banks(const WarpAccess& access);

// The count alone, without building the plan; equal to plan_banks(...).wavefronts and .least.
struct WavefrontCount {
  int wavefronts = 0;
  int least = 0;
};
WavefrontCount count_wavefronts(const WarpAccess& access);

// The rows of a shared array, to be made longer or reordered: how much of a bank conflict that removes.
struct Rows {
  Address begin = 0;  // of the array
  Address bytes = 0;  // of a row; not 0
  // The words that one access takes at once: rows begin at multiples of it, and it is not split.
  int unit_words = 1;
};

// The access with `words` more words at the end of every row; if negative, fewer, but rows keep a word.
WarpAccess with_longer_rows(WarpAccess access, const Rows& rows, int words);
// The access with column c of row r at c ^ (r / rows_together % 32), in units, within the greatest power of
// two of units that the row has. Short rows, several of which lie in one line, need their number divided by
// rows_together.
WarpAccess with_swizzled_rows(WarpAccess access, const Rows& rows, int rows_together = 1);

// Whether the access keeps its conflicts with every length of its rows. Padding is in units, and 32 words of
// padding change nothing.
bool padding_cannot_help(const WarpAccess& access, const Rows& rows);

}  // namespace warplens::memory
