// The tour of the first two minutes: at each stop a panel or two and a few words about it. The kernel that
// the words speak of is there as they say; what a person turns while the tour is open can be taken back, what
// the tour did cannot.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "app/state/state.h"

namespace warplens::app {

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
  const char* scenario;             // that is looked at, with its own values ...
  bool as_turned = false;           // ... or as it was left at the stop before
  std::optional<TourPanel> also{};  // where something is seen to happen
  enum class Keys {
    None,
    Stepping,
    Editing
  } keys = Keys::None;  // beside parameters: those that the words name
};
std::span<const TourStop> tour_stops();

// What the stop speaks of is what the settings are.
bool is_about(const TourStop& stop, const Settings& settings);

}  // namespace warplens::app
