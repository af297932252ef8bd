// Whether somebody has asked their desktop for less motion.
#pragma once

#include <filesystem>
#include <string>

namespace warplens::desktop {

// Of GTK's settings.ini: gtk-enable-animations=0 (or false), in any case and spacing.
bool turns_animations_off(const std::string& settings_ini);

// The settings of GTK 3 and 4 below XDG_CONFIG_HOME (~/.config), which desktops write for all programs.
bool reduced_motion();

}  // namespace warplens::desktop
