// An access of a site as the rules take it.
#pragma once

#include "sim/program/program.h"

namespace warplens::sim {

// `relative[lane]` is each lane's distance from `base`. An AsyncCopy is half of one: see other_half().
template <class Distances>
memory::WarpAccess access_at(const AccessSite& site, memory::Space space, memory::LaneMask active,
                             memory::Address base, const Distances& relative) {
  memory::WarpAccess access;
  access.space = space;
  access.op = site.op;
  access.bytes = site.bytes;
  access.increments = site.increments && space == memory::Space::Shared;
  if (space == memory::Space::Shared) access.way = site.way;
  access.combined = site.combined;
  access.matrix = site.form == AccessForm::Matrix && space == memory::Space::Shared;
  access.texture =
      site.form == AccessForm::Texture && space == memory::Space::Global && site.op == memory::Op::Load;
  access.past_l1 = site.past_l1;
  access.size = site.copy_size;
  access.active = active;
  for (std::size_t i = 0; i < memory::kWarpLanes; ++i)
    access.addresses[i] = base + static_cast<memory::Address>(relative[i]);
  return access;
}

// The lanes and addresses of the other half of an asynchronous copy.
template <class Distances>
void add_other_half(memory::WarpAccess& access, memory::LaneMask active, memory::Address base,
                    const Distances& relative) {
  access.other_active = active;
  for (std::size_t i = 0; i < memory::kWarpLanes; ++i)
    access.other_addresses[i] = base + static_cast<memory::Address>(relative[i]);
}

}  // namespace warplens::sim
