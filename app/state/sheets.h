// The sheets that lie over the whole window: one at a time, the newest in place of the one before.
//
//   make_room(&state, Sheet::Help);     what was open is closed, with the one-line input that it had
//   state.help = true;
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/state.h"

namespace warplens::app {

enum class Sheet : std::uint8_t { Help, Dialog, Share, Palette, Scenes };

// Those of the state; more than one is a mistake.
std::vector<Sheet> sheets_of(const State& state);

// Makes room for it: closes every other, and ends the editing of the text and of one-line inputs, which
// would have the keyboard behind it. Nothing: closes all.
void make_room(State* state, std::optional<Sheet> sheet);

// What a file holds, in brief: equal where the contents are equal.

inline constexpr const char* kNoFile = "none";

std::string fingerprint_of(std::string_view content);

// kNoFile: it is not there. Of a file beyond 16 MiB, longer than any text here, by its size and date.
std::string fingerprint(const std::filesystem::path& file);

}  // namespace warplens::app
