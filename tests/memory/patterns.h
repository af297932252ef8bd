// Warp accesses that tests are made of.
#pragma once

#include <cstdint>
#include <random>

#include "sim/memory/access.h"

namespace warplens::memory {

template <typename AddressOfLane>
WarpAccess make_access(Space space, Op op, int bytes, AddressOfLane address_of,
                       LaneMask active = ~LaneMask{0}) {
  WarpAccess access{.space = space, .op = op, .bytes = bytes, .active = active, .addresses = {}};
  for (int lane = 0; lane < kWarpLanes; ++lane)
    access.addresses[lane] = static_cast<Address>(address_of(lane));
  return access;
}

inline WarpAccess strided(Space space, Op op, int bytes, int stride, int offset = 0) {
  return make_access(space, op, bytes, [=](int lane) { return (offset + lane * stride) * bytes; });
}

// Random aligned addresses, of a kind that changes: scattered, clustered, paired, with and without inactive
// lanes.
inline WarpAccess random_access(std::mt19937& random, Space space, Op op, int bytes) {
  const int spans[] = {8, 32, 64, 300, 2000, 100000};
  const int span = spans[random() % 6];
  const int shape = static_cast<int>(random() % 4);
  const int stride = static_cast<int>(random() % 40);
  WarpAccess access = make_access(space, op, bytes, [&](int lane) -> Address {
    const Address element = shape == 0   ? random() % static_cast<unsigned>(span)
                            : shape == 1 ? static_cast<Address>(lane * stride)
                            : shape == 2 ? static_cast<Address>(lane ^ stride)
                                         : static_cast<Address>((lane & ~(1 + stride % 3)) * stride);
    return element * static_cast<Address>(bytes);
  });
  const int mask_kind = static_cast<int>(random() % 4);
  if (mask_kind == 1) access.active = random();
  if (mask_kind == 2) access.active = random() & random();
  if (mask_kind == 3) access.active = random() | random();
  return access;
}

}  // namespace warplens::memory
