// Which launch of a profile is the one that a person means.
#pragma once

#include <string>
#include <vector>

#include "sim/profile/ncu_profile.h"

namespace warplens::explain {

struct WantedLaunch {
  std::string kernel;
  std::vector<std::string> template_arguments;
  sim::Dim3 grid, block;
  std::string id;  // as ncu numbers them; empty: whichever fits
};

struct LaunchChoice {
  std::size_t launch = 0;           // into NcuProfile::launches
  std::vector<std::size_t> others;  // that fit as well
  bool other_kernel = false;        // asked for by its number, and of another kernel,
  bool other_extents = false;       // ... or with another grid or block
  bool same() const { return !other_kernel && !other_extents; }
};

// Errors say what the file holds in its place; `file` begins them.
scenario::Outcome<LaunchChoice> choose_launch(const profile::NcuProfile& profile, const WantedLaunch& wanted,
                                              const std::string& file);

// IDs of the launches of this kernel, in the order of the file.
std::vector<std::string> launches_of(const profile::NcuProfile& profile, const std::string& kernel);

std::string extents_text(const sim::Dim3& dim);  // "128 x 64"

}  // namespace warplens::explain
