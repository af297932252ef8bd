// How many of the bytes that a warp access moves are bytes that lanes asked for.
#pragma once

#include <bit>

#include "sim/memory/banks.h"
#include "sim/memory/coalescing.h"
#include "sim/memory/line_use.h"

namespace warplens::memory {

// Bytes of the touched sectors that a lane asks for, each counted once, also where lanes share it: never more
// than what is moved. Of an atomic, whose lanes take turns, once a turn; of a fetch through the texture path,
// which asks for sectors a group of lanes at a time, once a group.
inline int used_bytes(const WarpAccess& access) {
  if (lanes_take_turns(access)) return std::popcount(access.active) * access.bytes;
  return access.texture ? count_used_texture_bytes(access) : line_use(access).distinct_bytes();
}

}  // namespace warplens::memory
