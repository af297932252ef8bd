#include "app/explain/choose_launch.h"

#include <algorithm>

#include "sim/profile/kernel_name.h"
#include "sim/text/shown.h"

namespace warplens::explain {

namespace {

using profile::NcuProfile;
using profile::ProfiledLaunch;

constexpr std::size_t kMostListed = 8;

// "transpose (3), reduce (1)": what there is, in the order of the file.
std::string kernels_in(const NcuProfile& profile) {
  std::vector<std::pair<std::string, std::uint64_t>> names;
  for (const ProfiledLaunch& launch : profile.launches) {
    const std::string name = profile::read_kernel_name(launch.kernel).name;
    const auto known = std::ranges::find(names, name, [](const auto& entry) { return entry.first; });
    if (known == names.end())
      names.emplace_back(name, 1);
    else
      ++known->second;
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostListed); ++i)
    text += (i > 0 ? ", " : "") + text::shown_in_line(names[i].first) + " (" +
            std::to_string(names[i].second) + ")";
  return text + (names.size() > kMostListed ? ", ..." : "");
}

std::string ids_in(const NcuProfile& profile, const std::vector<std::size_t>& launches) {
  std::string text;
  for (std::size_t i = 0; i < std::min(launches.size(), kMostListed); ++i)
    text += (i > 0 ? ", " : "") + text::shown_in_line(profile.launches[launches[i]].id);
  return text + (launches.size() > kMostListed ? ", ..." : "");
}

bool is_of(const ProfiledLaunch& launch, const WantedLaunch& wanted) {
  return profile::names_kernel(profile::read_kernel_name(launch.kernel), wanted.kernel);
}

// What the file does not say cannot differ.
bool has_extents(const ProfiledLaunch& launch, const WantedLaunch& wanted) {
  return launch.grid.value_or(wanted.grid) == wanted.grid &&
         launch.block.value_or(wanted.block) == wanted.block;
}

std::string launch_text(const ProfiledLaunch& launch) {
  return (launch.grid ? extents_text(*launch.grid) : "?") + " / " +
         (launch.block ? extents_text(*launch.block) : "?");
}

scenario::Outcome<LaunchChoice> by_id(const NcuProfile& profile, const WantedLaunch& wanted,
                                      const std::string& file) {
  const auto at = std::ranges::find(profile.launches, wanted.id, &ProfiledLaunch::id);
  if (at == profile.launches.end()) {
    std::vector<std::size_t> all(profile.launches.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    return {{},
            {Message("{}: has no launch with the ID {}; it has {}", file, wanted.id, ids_in(profile, all))}};
  }
  LaunchChoice choice;
  choice.launch = static_cast<std::size_t>(at - profile.launches.begin());
  choice.other_kernel = !is_of(*at, wanted);
  choice.other_extents = !has_extents(*at, wanted);
  return {choice, {}};
}

}  // namespace

std::vector<std::string> launches_of(const NcuProfile& profile, const std::string& kernel) {
  std::vector<std::string> ids;
  for (const ProfiledLaunch& launch : profile.launches)
    if (is_of(launch, {kernel, {}, {}, {}, {}})) ids.push_back(launch.id);
  return ids;
}

std::string extents_text(const sim::Dim3& dim) {
  std::string text = std::to_string(dim.x);
  if (dim.y != 1 || dim.z != 1) text += " x " + std::to_string(dim.y);
  if (dim.z != 1) text += " x " + std::to_string(dim.z);
  return text;
}

scenario::Outcome<LaunchChoice> choose_launch(const NcuProfile& profile, const WantedLaunch& wanted,
                                              const std::string& given) {
  const std::string file = text::shown_in_line(given);
  if (!wanted.id.empty()) return by_id(profile, wanted, file);
  std::vector<std::size_t> of_kernel, fitting;
  for (std::size_t i = 0; i < profile.launches.size(); ++i) {
    if (!is_of(profile.launches[i], wanted)) continue;
    of_kernel.push_back(i);
    if (has_extents(profile.launches[i], wanted)) fitting.push_back(i);
  }
  if (of_kernel.empty())
    return {{}, {Message("{}: no launch of {}; it has {}", file, wanted.kernel, kernels_in(profile))}};
  if (fitting.empty())
    return {
        {},
        {Message("{}: {} was profiled with grid / block {} (launch {}), and this is {} / {}; give the same "
                 "launch, or ask for one by its ID",
                 file, wanted.kernel, launch_text(profile.launches[of_kernel.front()]),
                 ids_in(profile, of_kernel), extents_text(wanted.grid), extents_text(wanted.block))}};
  // Template arguments part instances of one kernel, where ncu prints them.
  const auto is_instance = [&](std::size_t i) {
    return profile::read_kernel_name(profile.launches[i].kernel).template_arguments ==
           wanted.template_arguments;
  };
  if (!wanted.template_arguments.empty() && std::ranges::any_of(fitting, is_instance))
    std::erase_if(fitting, [&](std::size_t i) { return !is_instance(i); });
  return {LaunchChoice{fitting.front(), {fitting.begin() + 1, fitting.end()}}, {}};
}

}  // namespace warplens::explain
