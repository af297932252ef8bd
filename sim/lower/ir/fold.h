// Constant folding, with the very operations that the machine runs.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/program/program.h"
#include "sim/scalar/bits.h"

namespace warplens::sim::lower {

// `bits` as they lie in a register. Empty: not folded (division by zero, a function of the machine's own).
std::optional<std::uint64_t> fold(const Instr& instr, std::uint64_t a, std::uint64_t b, std::uint64_t c);

}  // namespace warplens::sim::lower
