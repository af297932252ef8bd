#include "sim/scenario/headers.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>
#include <string>
#include <tuple>

#include "sim/text/read_file.h"
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
  return std::ranges::any_of(below_project,
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

bool is_below(const fs::path& name, const fs::path& document) {
  const fs::path plain = name.lexically_normal();
  return !name.empty() && !plain.is_absolute() && *plain.begin() != ".." &&
         is_beside(document.parent_path() / plain, document);
}

bool is_in_project(const fs::path& file, const fs::path& project) {
  static const std::set<std::string> kEndings{".cu",  ".cuh", ".h", ".hh", ".hpp",
                                              ".hxx", ".inl", ".c", ".cc", ".cpp"};
  std::error_code failed;
  return kEndings.contains(file.extension().string()) && is_folder_of(file, project) &&
         !is_hidden(file.lexically_relative(project)) && fs::is_regular_file(file, failed);
}

fs::path find_in_project(const fs::path& folder, const fs::path& project, const fs::path& name) {
  const bool is_plain = name.is_relative() && std::ranges::find(name, "..") == name.end();
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

namespace {

constexpr std::size_t kMostHeaders = 256, kMostHeaderBytes = std::size_t{3} << 20;
constexpr std::size_t kMostName = 512;
constexpr std::string_view kSources[] = {".cu", ".cuh", ".cpp", ".cc", ".c", ".h", ".hpp"};
constexpr std::size_t kMostIncludes = 4096;   // looked at, of all files together
constexpr std::size_t kMostSearchedFor = 64;  // in the folders of a project
constexpr std::size_t kMostOuters = 3;        // files that include the kernel's, tried one after the other

// The names behind #include as written, quotes and brackets included, wherever one stands in the text.
std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  const auto skip = [&](std::size_t at) {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
    return at;
  };
  for (std::size_t hash = text.find('#'); hash != std::string_view::npos; hash = text.find('#', hash + 1)) {
    std::size_t at = skip(hash + 1);
    // Also what a macro includes has its name somewhere: #define CONFIG "config.h"
    const bool defines = text.substr(at).starts_with("define");
    if (!defines && !text.substr(at).starts_with("include")) continue;
    const std::size_t end = std::min(text.find('\n', at), text.size());
    at = defines ? std::min(text.find('"', at), end) : skip(at + 7);
    if (at >= end || (text[at] != '"' && text[at] != '<')) continue;
    const std::size_t close = text.find(text[at] == '"' ? '"' : '>', at + 1);
    if (close >= end || close - at > kMostName || close == at + 1) continue;
    names.emplace_back(text.substr(at, close + 1 - at));
  }
  return names;
}

// A folder that holds headers for others: "Common", "include". Of other folders a compiler is not told.
bool is_for_inclusion(const fs::path& folder) {
  const std::string name = text::lower_case(folder.filename().string());
  return name == "include" || name == "includes" || name == "inc" || name == "common" || name == "headers";
}

// Who includes whom among the files of some folders.
class Includers {
 public:
  Includers(const std::vector<fs::path>& folders, const std::vector<fs::path>& given, Budget& budget)
      : given_(given) {
    for (const fs::path& folder : folders) {
      std::error_code failed;
      for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
           entry.increment(failed))
        if (budget.check(Stage::Reading);
            std::ranges::find(kSources, entry->path().extension().string()) != std::end(kSources))
          add(entry->path());
    }
    std::ranges::sort(files_, [](const File& a, const File& b) { return a.path < b.path; });
  }

  // The files that include `file`, directly or through others: what comes first is tried first.
  std::vector<fs::path> above(const fs::path& file) const {
    std::vector<const File*> outers;
    std::vector<fs::path> inner{file};
    for (std::size_t i = 0; i < inner.size(); ++i) {
      for (const File& outer : files_) {
        if (!includes(outer, inner[i]) || std::ranges::find(inner, outer.path) != inner.end()) continue;
        inner.push_back(outer.path);
        outers.push_back(&outer);
      }
    }
    // What no other includes is what a compiler is given.
    const auto is_outermost = [&](const File* one) {
      return std::ranges::none_of(
          outers, [&](const File* outer) { return outer != one && includes(*outer, one->path); });
    };
    std::set<const File*> outermost;
    std::copy_if(outers.begin(), outers.end(), std::inserter(outermost, outermost.end()), is_outermost);
    std::ranges::stable_sort(outers, [&](const File* a, const File* b) {
      return std::pair(outermost.contains(a), rank(*a)) > std::pair(outermost.contains(b), rank(*b));
    });
    std::vector<fs::path> paths;
    for (const File* outer : outers) paths.push_back(outer->path);
    return paths;
  }

 private:
  struct File {
    fs::path path;  // without links
    std::vector<std::string> names;
    bool launches = false;
  };

  void add(const fs::path& file) {
    std::error_code failed;
    const fs::path real = fs::canonical(file, failed);
    std::string text;
    Message error;
    if (failed || files_.size() >= kMostHeaders || bytes_ >= kMostHeaderBytes) return;
    if (!fs::is_regular_file(real, failed) ||
        !text::read_file(real, kMostHeaderBytes - bytes_, &text, &error))
      return;
    bytes_ += text.size();
    files_.push_back({real, names_in(text), text.find("<<<") != std::string::npos});
  }

  bool includes(const File& outer, const fs::path& inner) const {
    return std::ranges::any_of(outer.names, [&](const std::string& written) {
      const fs::path name = written.substr(1, written.size() - 2);
      if (name.filename() != inner.filename()) return false;
      std::error_code failed;
      if (fs::canonical(outer.path.parent_path() / name, failed) == inner) return true;
      return std::ranges::any_of(
          given_, [&](const fs::path& folder) { return fs::canonical(folder / name, failed) == inner; });
    });
  }

  // What is compiled comes before what is included, and what launches before what does not.
  static std::tuple<bool, bool, bool, bool> rank(const File& file) {
    const std::string ending = file.path.extension().string();
    const bool is_compiled = ending == ".cu" || ending == ".cpp" || ending == ".c";
    return {is_compiled, file.launches, file.path.stem() == "main", ending == ".cu"};
  }

  const std::vector<fs::path>& given_;
  std::vector<File> files_;
  std::size_t bytes_ = 0;
};

class Gatherer {
 public:
  Gatherer(const fs::path& file, const std::vector<fs::path>& folders) {
    const bool has_place = !file.empty() && file != "-";
    if (has_place) beside_ = file.has_parent_path() ? file.parent_path() : fs::path(".");
    if (has_place) add_root(beside_);
    if (has_place) project_ = project_of(beside_);
    for (const fs::path& folder : folders) {
      add_root(folder);
      folders_.push_back(folder);
    }
  }

  cuda::HeaderSet gather(std::string_view text) {
    if (roots_.empty()) return nullptr;
    include_all(text, beside_, cuda::kOwnText);
    return gathered();
  }

  // As `outer` includes the text, which is `own`'s.
  cuda::HeaderSet gather_around(std::string_view text, const fs::path& own, const fs::path& outer) {
    own_ = own;
    include_all(text, own.parent_path(), cuda::kOwnText);
    Message why;
    headers_.around = read(outer, outer, &why);
    if (headers_.around == cuda::kNoHeader) return nullptr;
    return gathered();
  }

 private:
  cuda::HeaderSet gathered() {
    for (std::size_t i = 0; i < headers_.files.size(); ++i) {
      const std::string header = headers_.files[i].text;  // the list may move while it is read
      include_all(header, places_[i].parent_path(), static_cast<int>(i));
    }
    if (headers_.files.empty() && headers_.refused.empty() && headers_.unread.empty()) return nullptr;
    return std::make_shared<const cuda::Headers>(std::move(headers_));
  }

  void add_root(const fs::path& folder) {
    std::error_code failed;
    const fs::path real = fs::canonical(folder, failed);
    if (!failed && fs::is_directory(real, failed)) roots_.push_back(real);
  }

  void include_all(std::string_view text, const fs::path& beside, int from) {
    for (const std::string& written : names_in(text)) {
      if (++looked_at_ > kMostIncludes) return;
      if (headers_.found.contains({from, written})) continue;
      const int header = find(written, beside);
      if (header != cuda::kNoHeader) headers_.found[{from, written}] = header;
    }
  }

  // The header's number; kOwnText, kNoHeader.
  int find(const std::string& written, const fs::path& beside) {
    const fs::path name = written.substr(1, written.size() - 2);
    std::vector<fs::path> places;
    if (written[0] == '"' && !beside.empty()) places.push_back(beside / name);
    for (const fs::path& folder : folders_) places.push_back(folder / name);
    if (written[0] == '<' && !beside.empty() && !cuda::is_of_toolchain(name.string()))
      places.push_back(beside / name);
    for (const fs::path& place : places) {
      std::error_code failed;
      const fs::path real = fs::canonical(place, failed);
      if (failed || fs::is_directory(real, failed)) continue;
      if (real == own_) return cuda::kOwnText;
      if (!is_inside(real)) {
        if (fs::is_regular_file(real, failed)) headers_.refused.insert(written);
        continue;
      }
      const int header = read_as(written, real, place);
      if (header != cuda::kNoHeader) return header;
    }
    const bool may_be_own = written[0] == '"' || !cuda::is_of_toolchain(name.string());
    if (!may_be_own || beside.empty()) return cuda::kNoHeader;
    return find_elsewhere(written, beside);
  }

  // In the file's project, outside of its folder and of those given: by "..", or where none names its folder.
  int find_elsewhere(const std::string& written, const fs::path& beside) {
    const fs::path name = written.substr(1, written.size() - 2);
    if (project_.empty() || name.is_absolute()) return cuda::kNoHeader;
    std::error_code failed;
    fs::path real = fs::canonical(beside / name, failed);
    if (failed || !is_in_project(real, project_)) {
      if (++searched_for_ > kMostSearchedFor) return cuda::kNoHeader;
      real = find_in_project(beside, project_, name);
      if (written[0] == '<' && !is_for_inclusion(real.parent_path())) return cuda::kNoHeader;
    }
    if (real.empty()) return cuda::kNoHeader;
    if (real == own_) return cuda::kOwnText;
    const int header =
        read_as(written, real, beside_ / real.lexically_relative(fs::canonical(beside_, failed)));
    if (header == cuda::kNoHeader) return header;
    headers_.of_project.insert(headers_.files[header].name);
    return header;
  }

  bool is_inside(const fs::path& real) const {
    return std::ranges::any_of(roots_, [&](const fs::path& root) { return is_folder_of(real, root); });
  }

  // Keeps why not.
  int read_as(const std::string& written, const fs::path& real, const fs::path& place) {
    Message why;
    const int header = read(real, place, &why);
    if (header == cuda::kNoHeader) {
      headers_.unread.emplace(written, std::move(why));
    } else {
      headers_.refused.erase(written);
      headers_.unread.erase(written);
    }
    return header;
  }

  int read(const fs::path& real, const fs::path& place, Message* why) {
    const auto known = std::ranges::find(places_, real);
    if (known != places_.end()) return static_cast<int>(known - places_.begin());
    std::string text;
    std::error_code failed;
    const std::size_t left = kMostHeaderBytes - bytes_;
    if (places_.size() >= kMostHeaders) {
      *why = Message("{}: beyond {} headers, the most that are read", real.string(), kMostHeaders);
    } else if (fs::is_regular_file(real, failed) && fs::file_size(real, failed) > left && !failed) {
      *why = Message("{}: the headers are larger than {} bytes together, the most that is read",
                     real.string(), kMostHeaderBytes);
    } else if (text::read_file(real, left, &text, why) && text.find('\0') != std::string::npos) {
      *why = Message("{}: holds bytes that are zero, so it is not a text file", real.string());
    }
    if (!why->empty()) return cuda::kNoHeader;
    bytes_ += text.size();
    places_.push_back(real);
    headers_.files.push_back(
        {place.lexically_proximate(beside_.empty() ? fs::path(".") : beside_).string(), std::move(text)});
    return static_cast<int>(places_.size()) - 1;
  }

  fs::path beside_, own_;  // own_: where another file includes the text
  fs::path project_;       // empty: none
  std::vector<fs::path> folders_, roots_;
  std::vector<fs::path> places_;  // of headers_.files, without links
  std::size_t bytes_ = 0, looked_at_ = 0, searched_for_ = 0;
  cuda::Headers headers_;
};

}  // namespace

cuda::HeaderSet gather_headers(std::string_view text, const fs::path& file,
                               const std::vector<fs::path>& folders) {
  if (text.find("include") == std::string_view::npos) return nullptr;
  return Gatherer(file, folders).gather(text);
}

namespace {

std::set<std::string> kernels_in(std::string_view text, const cuda::Defines& defines, Budget& budget,
                                 const cuda::HeaderSet& headers) {
  const cuda::ParseResult parsed = cuda::parse(text, defines, budget, headers);
  std::set<std::string> names;
  if (cuda::has_errors(parsed.of_the_file)) return names;
  for (const cuda::Function& function : parsed.unit.functions) {
    const bool is_own = static_cast<std::size_t>(function.name_range.begin.offset) < text.size();
    if (is_own && function.kind == cuda::Function::Kind::Kernel && function.body) names.insert(function.name);
  }
  return names;
}

}  // namespace

cuda::HeaderSet gather_surroundings(std::string_view text, const fs::path& file,
                                    const std::vector<fs::path>& folders, const cuda::Defines& defines,
                                    Budget& budget) {
  std::error_code failed;
  const fs::path own = fs::canonical(file, failed);
  if (failed || text.find("__global__") == std::string_view::npos) return nullptr;
  std::vector<fs::path> places{own.parent_path()};
  places.insert(places.end(), folders.begin(), folders.end());
  if (const fs::path above = own.parent_path().parent_path();
      is_folder_of(above, project_of(own.parent_path())))
    places.push_back(above);
  std::vector<fs::path> outers = Includers(places, folders, budget).above(own);
  if (outers.empty()) return nullptr;
  outers.resize(std::min(outers.size(), kMostOuters));
  const auto alone = kernels_in(text, defines, budget, gather_headers(text, file, folders));
  for (const fs::path& outer : outers) {
    const cuda::HeaderSet around = Gatherer(outer, places).gather_around(text, own, outer);
    const auto kernels = kernels_in(text, defines, budget, around);
    if (!kernels.empty() && std::includes(kernels.begin(), kernels.end(), alone.begin(), alone.end()))
      return around;
  }
  return nullptr;
}

cuda::HeaderSet headers_of(std::string_view text, const fs::path& file, const std::vector<fs::path>& folders,
                           const cuda::Defines& defines, Budget& budget) {
  const cuda::HeaderSet around = gather_surroundings(text, file, folders, defines, budget);
  return around ? around : gather_headers(text, file, folders);
}

std::vector<Message> check_folders(const std::vector<fs::path>& folders) {
  std::vector<Message> errors;
  for (const fs::path& folder : folders) {
    std::error_code failed;
    if (!fs::is_directory(folder, failed)) errors.push_back(Message("-I {}: not a folder", folder.string()));
  }
  return errors;
}

}  // namespace warplens::scenario
