#include "app/explain/choose_launch.h"

#include <algorithm>
#include <map>

#include "sim/text/shown.h"

namespace warplens::explain {

namespace {

using profile::NcuProfile;
using profile::ProfiledLaunch;

constexpr std::size_t kMostListed = 8;

// The first of them: "a, b, ...".
std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < std::min(words.size(), kMostListed); ++i)
    text += (i > 0 ? ", " : "") + text::shown_in_line(words[i]);
  return text + (words.size() > kMostListed ? ", ..." : "");
}

// "transpose (3), reduce (1)": what there is, in the order of the file.
std::string kernels_in(const NcuProfile& profile) {
  std::vector<std::string> names;
  std::map<std::string, int> launches;
  for (const ProfiledLaunch& launch : profile.launches) {
    std::string name = profile::read_kernel_name(launch.kernel).name;
    if (++launches[name] == 1) names.push_back(std::move(name));
  }
  for (std::string& name : names) name += " (" + std::to_string(launches[name]) + ")";
  return listed(names);
}

bool is_of(const ProfiledLaunch& launch, const std::vector<std::string>& kernels) {
  const profile::KernelName name = profile::read_kernel_name(launch.kernel);
  return std::ranges::any_of(kernels, [&](const auto& kernel) { return names_kernel(name, kernel); });
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("-0123456789") == std::string::npos;
}

// Only numbers part instances for certain: a type has many spellings, and ncu need not print any of them.
bool is_other_instance(const ProfiledLaunch& launch, const WantedLaunch& wanted) {
  const auto found = profile::read_kernel_name(launch.kernel).template_arguments;
  for (std::size_t i = 0; i < std::min(found.size(), wanted.template_arguments.size()); ++i) {
    const std::string& asked = wanted.template_arguments[i];
    if (is_number(found[i]) && is_number(asked) && found[i] != asked) return true;
  }
  return false;
}

std::string one_of(const std::vector<std::string>& kernels) {
  std::string text;
  for (const std::string& kernel : kernels) text += (text.empty() ? "" : ", ") + kernel;
  return text;
}

// What the file or the wanted launch does not say cannot differ.
bool has_extents(const ProfiledLaunch& launch, const WantedLaunch& wanted) {
  const auto agree = [](const std::optional<sim::Dim3>& a, const std::optional<sim::Dim3>& b) {
    return !a || !b || *a == *b;
  };
  return agree(launch.grid, wanted.grid) && agree(launch.block, wanted.block);
}

std::string known_text(const std::optional<sim::Dim3>& extents) {
  return extents ? extents_text(*extents) : "?";
}
std::string extents_of(const ProfiledLaunch& launch) {
  return known_text(launch.grid) + " / " + known_text(launch.block);
}

// The same for launches that are counted alike.
std::string shape_of(const ProfiledLaunch& launch) {
  const profile::Metric* shared = launch.find("launch__shared_mem_per_block_dynamic");
  return launch.kernel + "\n" + extents_of(launch) + (shared == nullptr ? "" : "\n" + shared->text);
}

scenario::Outcome<LaunchChoice> by_id(const NcuProfile& profile, const WantedLaunch& wanted,
                                      const std::string& file) {
  const auto at = std::ranges::find(profile.launches, wanted.id, &ProfiledLaunch::id);
  if (at == profile.launches.end()) {
    std::vector<std::string> ids;
    for (const ProfiledLaunch& launch : profile.launches) ids.push_back(launch.id);
    return {{}, {Message("{}: has no launch with the ID {}; it has {}", file, wanted.id, listed(ids))}};
  }
  LaunchChoice choice;
  choice.launch = static_cast<std::size_t>(at - profile.launches.begin());
  choice.other_kernel = !is_of(*at, wanted.kernels);
  choice.other_instance = is_other_instance(*at, wanted);
  choice.other_extents = !has_extents(*at, wanted);
  return {choice, {}};
}

}  // namespace

std::vector<std::string> launches_of(const NcuProfile& profile, const std::string& kernel) {
  std::vector<std::string> ids;
  for (const ProfiledLaunch& launch : profile.launches)
    if (is_of(launch, {kernel})) ids.push_back(launch.id);
  return ids;
}

std::string extents_text(const sim::Dim3& dim) {
  std::string text = std::to_string(dim.x);
  if (dim.y != 1 || dim.z != 1) text += " x " + std::to_string(dim.y);
  if (dim.z != 1) text += " x " + std::to_string(dim.z);
  return text;
}

scenario::Outcome<std::vector<LaunchChoice>> choose_launches(const NcuProfile& profile,
                                                             const WantedLaunch& wanted,
                                                             const std::string& given) {
  const std::string file = text::shown_in_line(given);
  if (!wanted.id.empty()) {
    auto one = by_id(profile, wanted, file);
    if (!one) return {{}, std::move(one.errors)};
    return {{{std::move(*one.value)}}, {}};
  }
  std::vector<std::size_t> of_kernel, fitting;
  for (std::size_t i = 0; i < profile.launches.size(); ++i) {
    if (!is_of(profile.launches[i], wanted.kernels)) continue;
    of_kernel.push_back(i);
    if (has_extents(profile.launches[i], wanted)) fitting.push_back(i);
  }
  if (of_kernel.empty())
    return {{},
            {Message("{}: no launch of {}; it has {}", file, one_of(wanted.kernels), kernels_in(profile))}};
  if (fitting.empty()) {
    const ProfiledLaunch& first = profile.launches[of_kernel.front()];
    std::vector<std::string> ids;
    for (const std::size_t launch : of_kernel) ids.push_back(profile.launches[launch].id);
    return {
        {},
        {Message("{}: {} was profiled with grid / block {} (launch {}), and this is {} / {}; give the same "
                 "launch, or ask for one by its ID",
                 file, profile::read_kernel_name(first.kernel).name, extents_of(first), listed(ids),
                 known_text(wanted.grid), known_text(wanted.block))}};
  }
  // Template arguments part instances of one kernel, where ncu prints them.
  const auto is_instance = [&](std::size_t i) {
    return profile::read_kernel_name(profile.launches[i].kernel).template_arguments ==
           wanted.template_arguments;
  };
  if (!wanted.template_arguments.empty() && std::ranges::any_of(fitting, is_instance))
    std::erase_if(fitting, [&](std::size_t i) { return !is_instance(i); });
  std::vector<LaunchChoice> choices;
  std::map<std::string, std::size_t> known;  // by shape, into `choices`
  for (const std::size_t i : fitting) {
    const auto [alike, is_new] = known.emplace(shape_of(profile.launches[i]), choices.size());
    if (!is_new)
      choices[alike->second].others.push_back(i);
    else
      choices.push_back({i, {}, false, is_other_instance(profile.launches[i], wanted), false});
  }
  return {std::move(choices), {}};
}

scenario::Outcome<LaunchChoice> choose_launch(const NcuProfile& profile, const WantedLaunch& wanted,
                                              const std::string& file) {
  auto all = choose_launches(profile, wanted, file);
  if (!all) return {{}, std::move(all.errors)};
  LaunchChoice first = std::move(all.value->front());
  for (std::size_t i = 1; i < all.value->size(); ++i) {
    const LaunchChoice& more = (*all.value)[i];
    first.others.push_back(more.launch);
    first.others.insert(first.others.end(), more.others.begin(), more.others.end());
  }
  std::ranges::sort(first.others);
  return {std::move(first), {}};
}

}  // namespace warplens::explain
