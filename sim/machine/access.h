// The steps that every access takes, whatever observes it: addresses, then checks.
#pragma once

#include <cstdint>

#include "sim/machine/machine.h"
#include "sim/program/program.h"

namespace warplens::sim {

using memory::LaneAddresses;

enum class SpaceOf : std::uint8_t { Nowhere, Global, Shared, Cluster, Local };

// Which active lanes go to which memory: a generic pointer may spread one access over several.
struct LaneSplit {
  LaneMask global = 0, shared = 0, local = 0;
};

LaneSplit whole_split(SpaceOf space, LaneMask mask);

// The space that `address` is in, and how far it goes.
struct AddressRange {
  Address begin = 0, end = 0;
  SpaceOf space = SpaceOf::Nowhere;
  Places place = 0;  // one bit
};
AddressRange range_at(const Machine& m, Address address);
// The block's own shared memory, or that of another block of its cluster.
std::byte* shared_bytes_at(Machine& m, Address address);
// The same where the access is meant for it; nowhere else.
AddressRange range_of(const Machine& m, const AccessStep& x, Address address);

// Computes the addresses of all lanes, also of those that are not in the mask.
void compute_addresses(Machine& m, const AccessStep& x, LaneAddresses& at);

// False where an active lane's address is out of range or misaligned: the run has then failed.
bool split_access(Machine& m, const Step* s, const AccessStep& x, const LaneAddresses& at, LaneSplit& split);

// Reads or writes memory, after the checks. False: the memory limit is reached, and the run has failed.
bool access_values(Machine& m, const Step* s, const AccessStep& x, const LaneAddresses& at);

// What an atomic leaves in memory. Pure, one lane at a time, on register bits.

// `c` is the operand (of a compare-and-swap: what is compared with), `d` a compare-and-swap's new value.
std::uint64_t atomic_result(AtomicFunction function, ScalarType type, std::uint64_t old, std::uint64_t c,
                            std::uint64_t d);

}  // namespace warplens::sim
