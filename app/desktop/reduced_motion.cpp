#include "app/desktop/reduced_motion.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>

#include "sim/text/read_file.h"

namespace warplens::desktop {

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

bool reduced_motion() {
  const char *config = std::getenv("XDG_CONFIG_HOME"), *home = std::getenv("HOME");
  std::filesystem::path folder;
  if (config != nullptr && *config != 0) {
    folder = config;
  } else if (home != nullptr) {
    folder = std::filesystem::path(home) / ".config";
  }
  if (folder.empty()) return false;
  for (const char* version : {"gtk-3.0", "gtk-4.0"}) {
    std::string text, error;
    const bool read = text::read_file(folder / version / "settings.ini", 1 << 20, &text, &error);
    if (read && turns_animations_off(text)) return true;
  }
  return false;
}

}  // namespace warplens::desktop
