// The measured time of every rung of a ladder, for the parameters on screen: live, recorded, or not at all. A time is
// shown only beside the configuration that it was measured for.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/measure/pack.h"
#include "app/session/catalog.h"
#include "app/session/state.h"

namespace warplens::session {

// Everything measured so far: packs from files, and what a GPU has answered since the start.
struct Measurements {
  std::vector<measure::Pack> packs;                               // the first that knows a key is taken
  std::map<measure::MeasurementKey, measure::Measurement> live;   // taken before any pack

  const measure::Measurement* find(const scenario::Setup& setup) const;  // as written, else as optimised
};

struct RungTime {
  const scenario::Scenario* scenario = nullptr;
  bool current = false;
  const measure::Measurement* measurement = nullptr;  // null: not measured with these parameters
  double percent_of_copy = 0;                         // 100: as fast as the ladder's copy; 0: unknown
};

// The rungs of the ladder of the settings' scenario, each with the values that it would have if one went there.
std::vector<RungTime> ladder_times(const Catalog& catalog, const Settings& settings, const Measurements& measurements);

}  // namespace warplens::session
