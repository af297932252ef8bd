// An access of a site as the rules take it.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/message.h"
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

// What a person calls a byte of shared or local memory: "tile[3][5]".

// The shared array in which byte `offset` of shared memory lies, one named `name` before others; nullptr: in
// none. A dynamic array, whose first extent is open, goes on to the end.
const SharedArray* shared_array_at(const Program& program, std::uint64_t offset,
                                   const std::string& name = "");

// The only local array in which byte `offset` of a lane's local memory may lie, or nullptr.
const SharedArray* local_array_at(const Program& program, std::uint64_t offset);

// "tile[3][5]", "tile[3][5] + 2 bytes", "tile[-1]"; `offset` from the array's beginning. The first index may
// be out of bounds.
Message element_name(const SharedArray& array, std::int64_t offset);

// "load", "store" or "atomic".
Message verb_of(Opcode opcode);

// "float tile[32][33]", with "[]" for an open extent.
std::string declaration_of(const SharedArray& array);

}  // namespace warplens::sim
