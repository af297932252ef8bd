// What a global load or store costs in the two stages of L1: the tag stage, which looks lines up, and the
// data stage, which moves their words. Neither depends on whether the lines are in L1.
//
// Tag stage: lines lie in 4 banks, and each tag wavefront looks up the next line of every bank, in the order
// in which lanes ask for them:
//
//   lines 0 1 2 3, banks 0 1 2 3: one tag wavefront       lines 0 1 4 5, banks 0 1 1 0: two
//
// A line's bank is a hash of its number: each bit of the number that is set flips the bank by kTagBankFlips.
//
// Data stage: like shared memory it has 32 banks of 4 bytes, and serves half a warp at a time for 8 bytes a
// lane and a quarter for 16, without merging neighbours. A load does so for each tag wavefront separately:
//
//   float, 32 rows 4096 bytes apart, one column: 32 lines, 8 tag wavefronts of 4 lanes in one bank: 32
//
// A store serves its first 8 tag wavefronts together (4 for values narrower than a word), then each of the
// others separately; with 4 bytes a lane, it also serves the next 8 together.
//
// Found from 595 accesses of one warp on an NVIDIA H200 (tests/data/h200_l1_stages.json), and first from two
// thirds of them: all 297 loads are exact in both stages, and so are the 203 stores with regular addresses.
// Of the 95 stores at random addresses, 80 are exact in the tag stage and 58 in the data stage; the others
// are at most 2 and 5 off, and their sums 2 % above and 4 % below. Some of these records contradict
// themselves (21 lines in 5 tag wavefronts), so their addresses may not be the measured ones. The bits of a
// line's number beyond the 8 of the records were found from whole kernels (columns of rows of 6,148 bytes,
// shifted copies), whose tag wavefronts they give within 2 in 100,000 up to bit 15; above it the rule is
// continued. Beside other traffic the tag wavefronts of a store do not arrive together: its data stage then
// takes up to one for each.
#pragma once

#include <array>
#include <cstdint>

#include "sim/memory/access.h"

namespace warplens::memory {

inline constexpr int kTagBanks = 4;
// For each bit of the line's number, from the lowest; from kTagBankRepeats on it repeats in threes.
inline constexpr std::array<std::uint8_t, 19> kTagBankFlips = {1, 2, 1, 2, 3, 1, 2, 3, 2, 1,
                                                               2, 1, 3, 1, 3, 2, 1, 2, 3};
inline constexpr int kTagBankRepeats = 16;

int tag_bank(std::uint64_t line);  // of the line's number: its address / 128

struct StageCost {
  int tag_wavefronts = 0;
  int data_wavefronts = 0;
  friend bool operator==(const StageCost&, const StageCost&) = default;
};

// The cost of a global load or store in the stages of L1. It is empty for other accesses, since neither
// atomics nor the texture path were measured.
StageCost l1_stages(const WarpAccess& access);

// The sum over kPlacements places in memory, at multiples of a line, where the access could lie as well.
// Unlike sectors and lines, this cost depends on the place, so a pattern that a grid repeats all over memory
// is described by its mean. Rows that are a power of two of lines apart keep their place: they begin at such
// a multiple. For irregular lanes (a gather) one place stands for all.
inline constexpr int kPlacements = 16;
StageCost l1_stages_of_placements(const WarpAccess& access);

}  // namespace warplens::memory
