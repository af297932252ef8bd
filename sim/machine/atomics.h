// What an atomic leaves in memory. Pure, one lane at a time, on register bits.
#pragma once

#include <cstdint>

#include "sim/program/program.h"

namespace warplens::sim {

// `c` is the operand (of a compare-and-swap: what is compared with), `d` a compare-and-swap's new value.
std::uint64_t atomic_result(AtomicFunction function, ScalarType type, std::uint64_t old, std::uint64_t c,
                            std::uint64_t d);

}  // namespace warplens::sim
