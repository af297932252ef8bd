// Text files of bounded size, and words for what is wrong with them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/scenario.h"

namespace warplens::scenario {

inline constexpr std::size_t kMaxTextBytes = std::size_t{1} << 20;  // of a scenario or a kernel

inline constexpr std::size_t kMostPtxBytes = std::size_t{16} << 20;

// The whole file, or why not: absent, a folder, not readable, or larger than `limit`. "-" is standard input.
std::size_t most_bytes_of(const std::filesystem::path& file);  // PTX is what a program wrote
Outcome<std::string> read_text(const std::filesystem::path& file, std::size_t limit = kMaxTextBytes);

// The candidate that `name` was most likely meant to be; empty where none is close.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

// "; did you mean \"pad\"?", or empty where no candidate is close.
Message did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace warplens::scenario
