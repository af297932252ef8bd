// What a file holds, in brief: equal where the contents are equal.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace warplens::app {

inline constexpr const char* kNoFile = "none";

std::string fingerprint_of(std::string_view content);

// kNoFile: it is not there. Of a file beyond 16 MiB, longer than any text here, by its size and date.
std::string fingerprint(const std::filesystem::path& file);

}  // namespace warplens::app
