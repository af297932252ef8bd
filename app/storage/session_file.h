// A session as a file: warplens.session/1. Written by `--state-file` and by tests; opened by `warplens
// FILE.warplens.json`.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "app/simulate/simulation.h"
#include "app/source/programs.h"
#include "app/state/catalog.h"
#include "app/state/state.h"
#include "app/state/teaching.h"
#include "sim/scenario/json_document.h"

namespace warplens::app {

inline constexpr const char* kGridTabs[] = {"totals", "counters", "lines"};
inline constexpr const char* kTimeUnits[] = {"time", "bytes", "operations", "peak"};
inline constexpr const char* kSpaces[] = {"global", "shared"};
inline constexpr const char* kThemes[] = {"dark", "light"};
inline constexpr const char* kOpNames[] = {"load", "store", "atomic", "reduction"};

nlohmann::json to_json(const Viewpoint& view);
nlohmann::json settings_json(const Settings& settings);

// Fields left out keep their defaults; a scenario must be named. Errors are the document's. Nothing: what is
// named is not there, which has been told.
std::optional<Viewpoint> read_viewpoint(const scenario::JsonValue& object, const Catalog& catalog,
                                        const Means& means);

// `seen` is what is on screen, for tests and scripts; reading a session ignores it. What an open question
// hides is not in it, unless `with_answers`.
nlohmann::json to_json(const State& state, const Simulation& seen, bool with_answers = false);

// Fields left out keep their defaults. Errors name file and field.
scenario::Outcome<State> load_session(const std::filesystem::path& file, const Catalog& catalog,
                                      const Means& means = {});

}  // namespace warplens::app
