#include "app/input/commands.h"

#include <algorithm>

#include "app/views/views.h"

namespace warplens::app {
namespace {

// The command with all presses of its keys, also of those that are not shown.
struct Entry {
  const Command* command;
  std::vector<KeyPress> presses;
};
const std::vector<Entry>& table() {
  static const std::vector<Entry> kTable = [] {
    std::vector<Entry> entries;
    std::vector areas{picture_commands(), kernel_commands(),  lesson_commands(),
                      vote_commands(),    lecture_commands(), window_commands()};
    for (const views::Row& row : views::rows()) areas.push_back(row.commands);
    for (const auto& area : {stage_commands(), sheet_commands()}) areas.push_back(area);
    for (const auto& area : areas) {
      for (const Command& command : area) {
        std::string keys = command.keys;
        std::replace(keys.begin(), keys.end(), ';', ',');
        entries.push_back({&command, presses_of(keys)});
      }
    }
    return entries;
  }();
  return kTable;
}

// How closely a press fits the one that a command asks for; negative: it is another one.
int closeness(const KeyPress& asked, const KeyPress& press) {
  if (press.key != asked.key || press.character != asked.character) return -1;
  if (asked.control != press.control || (asked.shift && !press.shift)) return -1;
  return asked.shift ? 1 : 0;
}

// "Ctrl ←" and "Ctrl →" are shown as "Ctrl ← →"; what is the same key with Shift is left to the words.
std::string joined(const std::vector<const Command*>& row) {
  if (row.front()->shown != nullptr) return row.front()->shown;
  std::string keys, before;
  for (const Command* command : row) {
    std::string own = shown_keys(*command);
    const std::size_t key = own.find_last_of(' ') + 1;
    const std::string with = own.substr(0, key);
    if (with.ends_with("Shift ") && before + "Shift " == with && keys.ends_with(own.substr(key))) continue;
    const bool same = !keys.empty() && with == before;
    keys += (keys.empty() ? "" : same ? " " : "  ") + (same ? own.substr(key) : own);
    before = with;
  }
  return keys;
}

}  // namespace

std::string shown_keys(const Command& command) {
  const std::string_view keys = command.keys;
  return std::string(keys.substr(0, keys.find(';')));
}

std::vector<const Command*> commands() {
  std::vector<const Command*> all;
  for (const Entry& entry : table()) all.push_back(entry.command);
  return all;
}

const Command* command_of(const KeyPress& press, Focus focus, In in) {
  const Command* best = nullptr;
  int most = -1;
  for (const Entry& entry : table()) {
    if (entry.command->focus != focus) continue;
    for (const KeyPress& asked : entry.presses) {
      const int fit = closeness(asked, press);
      if (fit <= most || (entry.command->when != nullptr && !entry.command->when(in))) continue;
      most = fit;
      best = entry.command;
    }
  }
  return best;
}

const std::vector<KeyRow>& key_rows() {
  static const std::vector<KeyRow> kRows = [] {
    std::vector<KeyRow> rows;
    for (const Command* command : commands()) {
      const char* text = command->row != nullptr ? command->row : command->text;
      if (text == nullptr) continue;
      if (rows.empty() || rows.back().text != text) rows.push_back({{}, text, {}});
      rows.back().commands.push_back(command);
    }
    for (KeyRow& row : rows) row.keys = joined(row.commands);
    return rows;
  }();
  return kRows;
}

std::string in_language(std::string keys, const language::Strings& strings) {
  const std::string_view space = "Space";
  if (const auto at = keys.find(space); at != std::string::npos)
    keys.replace(at, space.size(), strings("key.space"));
  return keys;
}

std::map<std::string, std::string, std::less<>> key_names(const language::Strings& strings) {
  std::map<std::string, std::string, std::less<>> names;
  for (const Command* command : commands())
    names["keys." + std::string(command->id)] = in_language(shown_keys(*command), strings);
  return names;
}

language::Strings load_words(const std::filesystem::path& folder, std::string_view language,
                             std::string* error) {
  language::Strings strings = language::Strings::load(folder, language, error);
  strings.put_in(key_names(strings));
  return strings;
}

}  // namespace warplens::app
