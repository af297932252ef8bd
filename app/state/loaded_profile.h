// What Nsight Compute printed and a person opened: it is read beside whatever is on screen.
#pragma once

#include <memory>
#include <string>

#include "sim/profile/ncu_profile.h"

namespace warplens::app {

struct LoadedProfile {
  std::string file;  // its name, without the folder
  profile::NcuProfile profile;
};

}  // namespace warplens::app
