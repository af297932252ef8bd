// Global memory: which sectors and lines a warp access touches. There is one pure function for each question.
//
// The texture path takes 8 lanes at a time (4 if each has 16 bytes) and asks for the distinct sectors of
// every such group separately; the access's sectors are their sum:
//
//   floats 0 1 2 ... 31          sectors 0 | 1 | 2 | 3                    4, as a load
//   floats 1 2 3 ... 32          sectors 0 1 | 1 2 | 2 3 | 3 4            8, a load 5
//   bytes  0 1 2 ... 31          sectors 0 | 0 | 0 | 0                    4, a load 1
//
// This is how an NVIDIA H200 counts tex1Dfetch().
#pragma once

#include <vector>

#include "sim/memory/access.h"
#include "sim/memory/gpu_model.h"

namespace warplens::memory {

// One 32-byte sector that the access touches, and which of its bytes are used.
struct TouchedSector {
  Address address = 0;           // of its first byte
  LaneMask lanes = 0;            // lanes that touch it
  std::uint32_t used_bytes = 0;  // bit b: byte b of the sector is asked for
  // Atomics: the most lanes that share one address in it; the texture path: groups that ask for it;
  // otherwise 1.
  int passes = 1;
};

// Touched sectors in ascending order of address.
std::vector<TouchedSector> touched_sectors(const WarpAccess& access);

int count_sectors(const WarpAccess& access);         // distinct ones: of loads and stores
int count_atomic_sectors(const WarpAccess& access);  // sum of passes
int count_ideal_sectors(const WarpAccess& access);
int count_lines(const WarpAccess& access);

// Sums over the texture path's groups: sectors, those that their bytes would fill side by side, each byte of
// a group once.
struct TextureCost {
  int sectors = 0, ideal_sectors = 0, used_bytes = 0;
};
TextureCost texture_cost(const WarpAccess& access);

// How many lanes the texture path takes at a time.
int texture_group_lanes(int bytes);

}  // namespace warplens::memory
