// A session as a file: warplens.session/1. Written by `--state-file` and by tests; opened by `warplens
// FILE.warplens.json`.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "app/simulate/simulation.h"
#include "app/source/programs.h"
#include "app/state/catalog.h"
#include "app/state/state.h"

namespace warplens::app {

// `seen` is what is on screen, for tests and scripts; reading a session ignores it. What an open question
// hides is not in it, unless `with_answers`.
nlohmann::json to_json(const State& state, const Simulation& seen, bool with_answers = false);

// Fields left out keep their defaults. Errors name file and field.
scenario::Outcome<State> load_session(const std::filesystem::path& file, const Catalog& catalog,
                                      const Means& means = {});

}  // namespace warplens::app
