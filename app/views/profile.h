// The profile that is open, beside the prediction of the settings on screen.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/explain/explanation.h"
#include "app/simulate/simulation.h"
#include "app/state/loaded_profile.h"

namespace warplens::views {

struct ProfileReading {
  std::shared_ptr<const app::LoadedProfile> of;
  std::vector<Message> trouble;  // why no launch of it can be read beside these settings; then nothing below
  explain::LaunchChoice choice;
  explain::Explanation explanation;
  const profile::ProfiledLaunch& launch() const { return of->profile.launches[choice.launch]; }
};

}  // namespace warplens::views
