// The project that a file belongs to: folders above its own from which headers may be read.
#pragma once

#include <filesystem>

namespace warplens::scenario {

// The nearest folder from `folder` upwards that holds .git; without one the topmost of at most eight that
// hold a licence or .gitignore. Empty: none does. Never the root of the file system, the home folder,
// or one that this lies in.
std::filesystem::path project_of(const std::filesystem::path& folder);

// Whether a folder (both without links) is `project` or lies in it; never in an empty one.
bool is_folder_of(const std::filesystem::path& folder, const std::filesystem::path& project);

// Whether `file`, which `document` names, lies beside it or in a folder below: where links lead to counts. A
// document that is handed around reads nothing else of the machine that it is opened on.
bool is_beside(const std::filesystem::path& file, const std::filesystem::path& document);

// Whether `file` (both without links) is a source text that lies in `project`, and there in no hidden
// folder: nothing else of it is read.
bool is_in_project(const std::filesystem::path& file, const std::filesystem::path& project);

// A header that is named "x.h" or "lib/x.h" and is not beside `folder`'s file: what folders above, up to
// `project`, have by that name, or a folder in one of these has ("../include/x.h"). The nearest; empty where
// there is none, or where several are equally near.
std::filesystem::path find_in_project(const std::filesystem::path& folder,
                                      const std::filesystem::path& project,
                                      const std::filesystem::path& name);

}  // namespace warplens::scenario
