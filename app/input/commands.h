// What the command palette offers: every action that has a key, every scenario, every lesson, recent files.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/input/keys.h"
#include "app/language/strings.h"
#include "app/state/catalog.h"

namespace warplens::session {

struct Command {
  enum class Kind : std::uint8_t { Key, Scenario, Lesson, File };
  Kind kind = Kind::Key;
  std::string label, also;  // in the language, and by what else it is found: English, its name
  std::string keys;         // "F5"; of a file: its folder
  KeyPress press{};
  std::string name{};  // of a scenario or lesson, or a path
};
struct Commands {
  std::vector<Command> all;
};

Commands list_commands(const Catalog& catalog, const language::Strings& strings,
                       const language::Strings& english, const std::vector<std::string>& recent);

// How well the typed letters, in order, are found in the text; nothing: not all are. Letters that begin a
// word or follow each other count more.
std::optional<int> fuzzy_score(std::string_view text, std::string_view typed);

// Those that fit what is typed, best first, as indices into `all`.
std::vector<int> fitting(const Commands& commands, std::string_view typed);

}  // namespace warplens::session
