// The kernel that the settings choose: one of the catalog, or the user's own.
#pragma once

#include <string>
#include <vector>

#include "app/state/catalog.h"
#include "app/state/state.h"

namespace warplens::app {

// The scenario that the settings are of: of the catalog, or the user's own. Null: there is none. Lives as
// long as both.
const scenario::Scenario* scenario_of(const Catalog& catalog, const Settings& settings);
// The name of the kernel on screen; empty: there is none, or it is still to be found.
std::string kernel_name_of(const Catalog& catalog, const Settings& settings);
// The kernel's text on screen.
const std::string& text_of(const Catalog& catalog, const Settings& settings);
// Settings with another text; the user's own kernel keeps its form as far as the new signature has it.
Settings with_text(const Catalog& catalog, const Settings& settings, const std::string& text);

inline constexpr const char* kIndexInput = "index";  // the one-line input of an index expression
// The fields of a form in the order in which Tab goes through them.
std::vector<std::string> form_fields(const UserKernel& own);
// What a one-line input shows while it is not typed into.
std::string field_value(const Catalog& catalog, const State& state, const std::string& id);

}  // namespace warplens::app
