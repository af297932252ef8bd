// What bars of measured times say: the time, or what follows from it.
#pragma once

#include <cstdint>

namespace warplens::scene {

// Seconds; GB/s; GFLOP/s.
enum class TimeUnit : std::uint8_t { Time, Bytes, Operations };
inline constexpr int kTimeUnits = 3;

}  // namespace warplens::scene
