// What bars of measured times say: the time, or what follows from it.
#pragma once

#include <cstdint>

namespace warplens::scene {

// Seconds; GB/s; GFLOP/s; % of the most that a reference of the same GPU reached.
enum class TimeUnit : std::uint8_t { Time, Bytes, Operations, Peak };
inline constexpr int kTimeUnits = 4;

}  // namespace warplens::scene
