#include "sim/text/fonts_folder.h"

#include <filesystem>

namespace warplens::text {

std::string fonts_folder() {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);  // empty in a browser
  const fs::path carried = program.parent_path().parent_path() / "share" / "warplens" / "fonts";
  return program.has_parent_path() && fs::is_directory(carried, failed) ? carried.string() + "/"
                                                                        : "/usr/share/fonts/";
}

}  // namespace warplens::text
