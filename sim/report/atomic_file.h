// Files written whole or not at all: a temporary file beside the place, fsync, rename.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace warplens::report {

// Empty: written. Otherwise what went wrong, in words, with the file's name; the old file, if any, is
// untouched.
std::string write_file(const std::filesystem::path& file, std::string_view content);

}  // namespace warplens::report
