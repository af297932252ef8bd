// The tour of the first two minutes: at each stop one panel and a few words about it.
#pragma once

#include <cstdint>
#include <span>

namespace warplens::session {

enum class TourPanel : std::uint8_t {
  Global,
  Access,
  Source,
  Transport,
  Shared,
  Parameters,
  Grid,
  Times,
  Top
};

struct TourStop {
  TourPanel panel;
  const char* title;  // of the languages
  const char* words;
  const char* scenario;  // that is looked at
  int access = -1;       // of the warp; -1: the costliest
};
std::span<const TourStop> tour_stops();

}  // namespace warplens::session
