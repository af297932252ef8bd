// What the command line names -> the state that the app opens with.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "app/desktop/options.h"
#include "app/source/programs.h"
#include "app/state/catalog.h"
#include "app/state/state.h"

namespace warplens::desktop {

// May add a scenario to the catalog (a user's own kernel file). Errors in words.
scenario::Outcome<app::State> open_target(const Options& options, app::Catalog* catalog,
                                          const app::Means& means);

// "pad=1" -> a parameter of the scenario and a value that it may take; `option` begins the error.
scenario::Outcome<std::pair<std::string, std::int64_t>> read_setting(const std::string& option,
                                                                     const std::string& text,
                                                                     const scenario::Scenario& scenario);

}  // namespace warplens::desktop
