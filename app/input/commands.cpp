#include "app/input/commands.h"

#include <algorithm>

#include "app/views/views.h"

namespace warplens::app {
namespace {

// The command with all presses of its keys, also of those that are not shown.
struct Entry {
  const Command* command;
  std::vector<KeyPress> presses;
  const char* group;
};
const std::vector<Entry>& table() {
  static const std::vector<Entry> kTable = [] {
    std::vector<Entry> entries;
    using Area = std::pair<const char*, std::span<const Command>>;
    std::vector<Area> areas{
        {"help.group.picture", picture_commands()}, {"help.group.kernel", kernel_commands()},
        {"help.group.lesson", lesson_commands()},   {"help.group.vote", vote_commands()},
        {"help.group.lecture", lecture_commands()}, {"help.group.compare", window_commands()}};
    for (const views::Row& row : views::rows()) areas.emplace_back("help.group.views", row.commands);
    areas.emplace_back("help.group.views", why_commands());
    areas.emplace_back("help.group.window", stage_commands());
    areas.emplace_back("", sheet_commands());
    for (const auto& [group, area] : areas) {
      for (const Command& command : area) {
        std::string keys = command.keys;
        std::replace(keys.begin(), keys.end(), ';', ',');
        entries.push_back({&command, presses_of(keys), group});
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
    if (own == keys) continue;  // one key that does one of two things
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
    for (const auto& [command, presses, group] : table()) {
      const char* text = command->row != nullptr ? command->row : command->text;
      if (text == nullptr) continue;
      if (rows.empty() || rows.back().text != text) rows.push_back({{}, text, group, {}});
      rows.back().commands.push_back(command);
    }
    for (KeyRow& row : rows) row.keys = joined(row.commands);
    return rows;
  }();
  return kRows;
}

std::vector<KeyRow> sheet_rows(int most) {
  std::vector<KeyRow> rows;
  for (const KeyRow& row : key_rows()) {
    if (rows.empty() || std::string_view(rows.back().group) != row.group)
      rows.push_back({{}, row.group, row.group, {}});
    rows.push_back(row);
  }
  if (static_cast<int>(rows.size()) <= most) return rows;
  rows.resize(static_cast<std::size_t>(std::max(1, most)));
  if (rows.size() > 1 && rows[rows.size() - 2].keys.empty()) rows.erase(rows.end() - 2);
  rows.back() = *std::ranges::find(key_rows(), "help.palette", &KeyRow::text);
  return rows;
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
