// Of what a warp access moves: how much of it lanes ask for.
#pragma once

#include <bit>

#include "sim/memory/banks.h"
#include "sim/memory/coalescing.h"

namespace warplens::memory {

// Bytes of the touched sectors that a lane asks for, each counted once, also where lanes share it: never more than
// what is moved. Of an atomic, whose lanes take turns, once a turn.
inline int used_bytes(const WarpAccess& access) {
  if (lanes_take_turns(access)) return std::popcount(access.active) * access.bytes;
  int bytes = 0;
  for (const TouchedSector& sector : touched_sectors(access)) bytes += std::popcount(sector.used_bytes);
  return bytes;
}

}  // namespace warplens::memory
