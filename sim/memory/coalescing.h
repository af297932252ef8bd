// Global memory: which sectors and lines a warp access touches. One pure function a question.
#pragma once

#include <vector>

#include "sim/memory/access.h"
#include "sim/memory/gpu_model.h"

namespace warplens::memory {

// One 32-byte sector that the access touches, and what of it is used.
struct TouchedSector {
  Address address = 0;           // of its first byte
  LaneMask lanes = 0;            // lanes that touch it
  std::uint32_t used_bytes = 0;  // bit b: byte b of the sector is asked for
  int passes = 1;                // atomics: the most lanes that share one address in it; otherwise 1
};

// Touched sectors in ascending order of address.
std::vector<TouchedSector> touched_sectors(const WarpAccess& access);

int count_sectors(const WarpAccess& access);         // loads and stores
int count_atomic_sectors(const WarpAccess& access);  // sum of passes
int count_ideal_sectors(const WarpAccess& access);
int count_lines(const WarpAccess& access);

}  // namespace warplens::memory
