// Which launch of a profile is the one that a person means.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/profile/ncu_profile.h"

namespace warplens::explain {

struct WantedLaunch {
  std::vector<std::string> kernels;  // any of these
  std::vector<std::string> template_arguments;
  std::optional<sim::Dim3> grid{}, block{};  // none: as the file says
  std::string id{};                          // as ncu numbers them; empty: whichever fits
};

struct LaunchChoice {
  std::size_t launch = 0;           // into NcuProfile::launches
  std::vector<std::size_t> others;  // that fit as well
  bool other_kernel = false;        // asked for by its number, and of another kernel,
  bool other_instance = false;      // ... or with other numbers as template arguments,
  bool other_extents = false;       // ... or with another grid or block
  bool same() const { return !other_kernel && !other_instance && !other_extents; }
};

// Every launch that fits, those of one kernel, template arguments and extents together. Errors say what the
// file holds in its place; `file` begins them.
scenario::Outcome<std::vector<LaunchChoice>> choose_launches(const profile::NcuProfile& profile,
                                                             const WantedLaunch& wanted,
                                                             const std::string& file);
// The first of them; all the others are its others.
scenario::Outcome<LaunchChoice> choose_launch(const profile::NcuProfile& profile, const WantedLaunch& wanted,
                                              const std::string& file);

// IDs of the launches of this kernel, in the order of the file.
std::vector<std::string> launches_of(const profile::NcuProfile& profile, const std::string& kernel);

std::string extents_text(const sim::Dim3& dim);  // "128 x 64"

}  // namespace warplens::explain
