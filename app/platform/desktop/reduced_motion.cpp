#include <algorithm>
#include <cctype>
#include <sstream>

#include "app/platform/system.h"
#include "sim/text/read_file.h"

namespace warplens::platform {
namespace {

// Whether GTK's settings.ini says gtk-enable-animations=0 (or false), in any case and spacing.
bool turns_animations_off(const std::string& settings_ini) {
  std::istringstream lines(settings_ini);
  bool off = false;
  for (std::string line; std::getline(lines, line);) {
    std::erase_if(line, [](unsigned char c) { return std::isspace(c) != 0; });
    std::transform(line.begin(), line.end(), line.begin(), [](unsigned char c) { return std::tolower(c); });
    if (line.starts_with("gtk-enable-animations="))
      off = line.ends_with("=0") || line.ends_with("=false") || line.ends_with("=no");
  }
  return off;
}

}  // namespace

// By the settings of GTK 3 and 4, which desktops write for all programs.
bool reduced_motion() {
  std::filesystem::path folder = variable("XDG_CONFIG_HOME");
  if (folder.empty() && !home_folder().empty()) folder = home_folder() / ".config";
  if (folder.empty()) return false;
  for (const char* version : {"gtk-3.0", "gtk-4.0"}) {
    std::string text;
    Message error;
    const bool read = text::read_file(folder / version / "settings.ini", 1 << 20, &text, &error);
    if (read && turns_animations_off(text)) return true;
  }
  return false;
}

}  // namespace warplens::platform
