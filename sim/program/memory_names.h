// What a person calls a byte of shared or local memory: "tile[3][5]".
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/message.h"
#include "sim/program/program.h"

namespace warplens::sim {

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
