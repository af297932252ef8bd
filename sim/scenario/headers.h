// The headers that a kernel's file includes: read from beside it and from folders that were given, and from
// nowhere else.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/message.h"
#include "sim/cuda/text/headers.h"

namespace warplens::scenario {

// `#include "x.h"` is looked for beside the file that includes it and then in `folders`, `#include <x.h>` in
// `folders` alone, in the order given. What lies outside of the kernel's folder and of `folders`, by "..", by
// an absolute name or by a link, is not read, and why is kept with its name. At most 256 headers, 3 MiB
// together; what is absent, too large or no file is left out. `file` may be empty or "-": there is nothing
// beside it. Null: none was found or refused.
cuda::HeaderSet gather_headers(std::string_view text, const std::filesystem::path& file,
                               const std::vector<std::filesystem::path>& folders);

// The -I folders that are none: in words.
std::vector<Message> check_folders(const std::vector<std::filesystem::path>& folders);

}  // namespace warplens::scenario
