// Files are written whole or not at all: beside the target, flushed to the disk, renamed over it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace warplens::measure {

// False, with `error` in words, and the old file untouched, where it could not be.
bool write_whole_file(const std::filesystem::path& file, std::string_view text, std::string& error);

// False where the file cannot be read or is longer than `most` bytes.
bool read_whole_file(const std::filesystem::path& file, std::size_t most, std::string& text,
                     std::string& error);

}  // namespace warplens::measure
