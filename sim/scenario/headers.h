// The headers that a kernel's file includes: read from beside it, from folders that were given and from its
// project, and from nowhere else.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/message.h"
#include "sim/cuda/parse/parse.h"
#include "sim/cuda/text/headers.h"

// The project that a file belongs to: folders above its own from which headers may be read.

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

// The same of a name in the document, from its folder on: relative, and not leading out.
bool is_below(const std::filesystem::path& name, const std::filesystem::path& document);

// Whether `file` (both without links) is a source text that lies in `project`, and there in no hidden
// folder: nothing else of it is read.
bool is_in_project(const std::filesystem::path& file, const std::filesystem::path& project);

// A header that is named "x.h" or "lib/x.h" and is not beside `folder`'s file: what folders above, up to
// `project`, have by that name, or a folder in one of these has ("../include/x.h"). The nearest; empty where
// there is none, or where several are equally near.
std::filesystem::path find_in_project(const std::filesystem::path& folder,
                                      const std::filesystem::path& project,
                                      const std::filesystem::path& name);

// `#include "x.h"` is looked for beside the file that includes it, then in `folders`, then in the project
// that the kernel's file belongs to (project.h), `#include <x.h>` in `folders` alone, in the order given.
// What lies outside of the kernel's folder, of `folders` and of the project, by "..", by an absolute name or
// by a link, is not read, and why is kept with its name. At most 256 headers, 3 MiB together; what is absent
// is left out; what is there, and too large, no text or no file, too, and why is kept with its name. `file`
// may be empty or "-": there is nothing beside it. Null: none was found, refused or unread.
cuda::HeaderSet gather_headers(std::string_view text, const std::filesystem::path& file,
                               const std::vector<std::filesystem::path>& folders);

// The same where other files include the kernel's: it is then read as the file that stands above them all
// does, with what that one declares before. Of several, the one that launches, then "main.cu", then by name;
// where the text no longer has its kernels when read so (a condition leaves it out), as the next of them
// does. Looked for in the kernel's folder, in the one above it if that is of its project, and in `folders`,
// in at most 256 files; null: no file includes it, or of the first three none has its kernels. Ends with the
// budget (throws Stopped).
cuda::HeaderSet gather_surroundings(std::string_view text, const std::filesystem::path& file,
                                    const std::vector<std::filesystem::path>& folders,
                                    const cuda::Defines& defines, Budget& budget);
// The one or the other.
cuda::HeaderSet headers_of(std::string_view text, const std::filesystem::path& file,
                           const std::vector<std::filesystem::path>& folders, const cuda::Defines& defines,
                           Budget& budget);

// The -I folders that are none: in words.
std::vector<Message> check_folders(const std::vector<std::filesystem::path>& folders);

}  // namespace warplens::scenario
