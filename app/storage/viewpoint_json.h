// What is looked at and how, as JSON: the part that a session's file and a scene of a lecture have in common.
#pragma once

#include <nlohmann/json.hpp>

#include "app/source/programs.h"
#include "app/state/catalog.h"
#include "app/state/teaching/lecture.h"
#include "sim/scenario/json_document.h"

namespace warplens::app {

inline constexpr const char* kGridTabs[] = {"totals", "counters", "lines"};
inline constexpr const char* kTimeUnits[] = {"time", "bytes", "operations", "peak"};
inline constexpr const char* kPlots[] = {"none", "timeline", "landscape", "profile",  "published",
                                         "why",  "roofline", "layout",    "fragments"};
inline constexpr const char* kSpaces[] = {"global", "shared"};
inline constexpr const char* kThemes[] = {"dark", "light"};
inline constexpr const char* kOpNames[] = {"load", "store", "atomic", "reduction"};

nlohmann::json to_json(const Viewpoint& view);
nlohmann::json settings_json(const Settings& settings);

// Fields left out keep their defaults; a scenario must be named. Errors are the document's. Nothing: what is
// named is not there, which has been told.
std::optional<Viewpoint> read_viewpoint(const scenario::JsonValue& object, const Catalog& catalog,
                                        const Means& means);

}  // namespace warplens::app
