// How the window is left, kept in the state folder of this user: warplens.window/1.
//
//   window.json  {"schema": "warplens.window/1", "panels": ["source", "lanes", "access", "grid", "times"]}
#pragma once

#include <filesystem>
#include <optional>

#include "app/state/state.h"

namespace warplens::app {

// "source", "lanes,times", "all", "none" -> the panels; none where a name is not one of a panel.
std::optional<Panels> panels_named(std::string_view names);

// None: the program has not been used before, or the file cannot be understood, which is no loss.
std::optional<Panels> load_panels(const std::filesystem::path& state_folder);
// Written whole or not at all; without a folder not.
void keep_panels(const std::filesystem::path& state_folder, const Panels& panels);

}  // namespace warplens::app
