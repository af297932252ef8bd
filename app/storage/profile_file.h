// A profile of Nsight Compute: from its own file, and as part of a session's.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/state/loaded_profile.h"
#include "sim/scenario/json_document.h"

namespace warplens::app {

// What may be one, by its name: FILE.csv, and FILE.ncu-rep, which is refused with what to do.
bool is_profile_file(const std::filesystem::path& file);

// Throws Stopped where the budget ends.
scenario::Outcome<std::shared_ptr<const LoadedProfile>> load_profile(const std::filesystem::path& file,
                                                                     Budget& budget = Budget::endless());

// Its launches, the first ones where all of them would have more metrics than this.
inline constexpr std::size_t kMostKeptMetrics = 20'000;
nlohmann::json profile_json(const LoadedProfile& profile);
// Null where it is wrong, which is told in the document's errors.
std::shared_ptr<const LoadedProfile> read_profile(const scenario::JsonValue& object);

}  // namespace warplens::app
