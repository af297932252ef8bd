#include "sim/scenario/project.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>

#include "sim/text/scan.h"

namespace warplens::scenario {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLevels = 8;
constexpr int kMostEntries = 4096;  // of a folder, looked at

// Or a folder that the home folder lies in: what else does is no project's either.
bool holds_home(const fs::path& folder) {
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return false;
  std::error_code failed;
  const fs::path real = fs::canonical(home, failed);
  return !failed && is_folder_of(real, folder);
}

// Such as .git, which is what a tool keeps and no source.
bool is_hidden(const fs::path& below_project) {
  return std::any_of(below_project.begin(), below_project.end(),
                     [](const fs::path& part) { return part.string().starts_with('.'); });
}

// What stands at the top of a repository that came as an archive, without .git.
bool has_licence(const fs::path& folder) {
  std::error_code failed;
  int looked_at = 0;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
    if (++looked_at > kMostEntries) return false;
    const std::string name = text::lower_case(entry->path().filename().string());
    if (name == ".gitignore" || name.starts_with("license") || name.starts_with("licence") ||
        name.starts_with("copying"))
      return true;
  }
  return false;
}

// The one file of that name in a folder of `folder`; `several`: there are more.
fs::path in_folder_of(const fs::path& folder, const fs::path& name, const fs::path& project, bool* several) {
  std::set<fs::path> found;
  std::error_code failed;
  int looked_at = 0;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
    if (++looked_at > kMostEntries) break;
    std::error_code none;
    if (!entry->is_directory(none) || !fs::exists(entry->path() / name, none)) continue;
    const fs::path real = fs::canonical(entry->path() / name, none);
    if (!none && is_in_project(real, project)) found.insert(real);
  }
  *several = found.size() > 1;
  return found.size() == 1 ? *found.begin() : fs::path();
}

}  // namespace

fs::path project_of(const fs::path& folder) {
  std::error_code failed;
  fs::path at = fs::canonical(folder, failed), topmost;
  for (int level = 0; !failed && level < kMostLevels && at != at.root_path() && !holds_home(at); ++level) {
    std::error_code none;
    if (fs::exists(at / ".git", none)) return at;
    if (has_licence(at)) topmost = at;
    at = at.parent_path();
  }
  return topmost;
}

bool is_folder_of(const fs::path& folder, const fs::path& project) {
  return !project.empty() &&
         std::mismatch(project.begin(), project.end(), folder.begin(), folder.end()).first == project.end();
}

bool is_beside(const fs::path& file, const fs::path& document) {
  std::error_code failed, none;
  const fs::path folder = document.has_parent_path() ? document.parent_path() : fs::path(".");
  const fs::path real = fs::canonical(file, failed), place = fs::canonical(folder, none);
  return failed || none || is_folder_of(real, place);  // what is not there, is said by who reads it
}

bool is_in_project(const fs::path& file, const fs::path& project) {
  static const std::set<std::string> kEndings{".cu",  ".cuh", ".h", ".hh", ".hpp",
                                              ".hxx", ".inl", ".c", ".cc", ".cpp"};
  std::error_code failed;
  return kEndings.contains(file.extension().string()) && is_folder_of(file, project) &&
         !is_hidden(file.lexically_relative(project)) && fs::is_regular_file(file, failed);
}

fs::path find_in_project(const fs::path& folder, const fs::path& project, const fs::path& name) {
  const bool is_plain = name.is_relative() && std::find(name.begin(), name.end(), "..") == name.end();
  std::error_code failed;
  fs::path at = fs::canonical(folder, failed);
  if (project.empty() || failed || !is_plain) return {};
  for (int level = 0; level < kMostLevels; ++level, at = at.parent_path()) {
    std::error_code none;
    const fs::path real = fs::canonical(at / name, none);
    if (!none && is_in_project(real, project)) return real;
    bool several = false;
    const fs::path found = in_folder_of(at, name, project, &several);
    if (!found.empty() || several || at == project) return found;
  }
  return {};
}

}  // namespace warplens::scenario
