#include <cstdlib>

#include "sim/scenario/scenario.h"

namespace warplens::scenario {

namespace {

namespace fs = std::filesystem;

bool is_folder(const fs::path& path) {
  std::error_code failed;
  return fs::is_directory(path, failed);
}

// The source tree that `from` is in (a build folder is inside it): told by its own marks.
fs::path source_tree(fs::path from) {
  for (int up = 0; up < 8 && !from.empty(); ++up) {
    std::error_code failed;
    if (is_folder(from / "sim") && is_folder(from / "kernels") && fs::exists(from / "CMakeLists.txt", failed))
      return from;
    if (from == from.root_path()) break;
    from = from.parent_path();
  }
  return {};
}

}  // namespace

fs::path data_folder(std::string_view which) {
  if (const char* data = std::getenv("WARPLENS_DATA"); data != nullptr && *data != '\0') {
    const fs::path folder = fs::path(data) / which;
    return is_folder(folder) ? folder : fs::path();
  }
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed).parent_path();
  const fs::path installed = program.parent_path() / "share" / "warplens" / which;
  if (is_folder(installed)) return installed;
  for (const fs::path& start : {program, fs::current_path(failed)}) {
    const fs::path tree = source_tree(start);
    if (!tree.empty() && is_folder(tree / which)) return tree / which;
  }
  return {};
}

}  // namespace warplens::scenario
