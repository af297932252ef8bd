#include "app/input/commands.h"

#include <algorithm>
#include <cctype>

#include "app/input/bindings.h"

namespace warplens::session {
namespace {

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool begins_word(std::string_view text, std::size_t at) {
  return at == 0 || std::string_view(" _-./·(").find(text[at - 1]) != std::string_view::npos;
}

}  // namespace

Commands list_commands(const Catalog& catalog, const language::Strings& strings,
                       const language::Strings& english, const std::vector<std::string>& recent) {
  Commands commands;
  const std::string& language = strings.language();
  const auto add = [&](Command::Kind kind, std::string label, std::string also) -> Command& {
    Command& command = commands.all.emplace_back();
    command.kind = kind;
    command.label = std::move(label);
    command.also = std::move(also);
    return command;
  };
  for (const Binding& binding : bindings()) {
    if (!binding.command) continue;
    const auto offer = [&](const char* keys, const char* text, const KeyPress& press) {
      Command& command = add(Command::Kind::Key, strings(text), english(text));
      command.keys = keys;
      command.press = press;
    };
    for (const KeyWay& way : binding.ways) offer(way.keys, way.text, way.press);
    if (binding.ways.empty()) offer(binding.keys, binding.text, binding.presses.front());
  }
  for (const auto& one : catalog.lessons) {
    add(Command::Kind::Lesson, scenario::in_language(one->title, language),
        one->name + " " + scenario::in_language(one->title, "en"))
        .name = one->name;
  }
  for (const scenario::Scenario& s : catalog.scenarios) {
    add(Command::Kind::Scenario, scenario::in_language(s.title, language),
        s.name + " " + scenario::in_language(s.title, "en"))
        .name = s.name;
  }
  for (const std::string& path : recent) {
    const std::filesystem::path file = path;
    Command& command = add(Command::Kind::File, file.filename().string(), {});
    command.keys = file.parent_path().string();
    command.name = path;
  }
  return commands;
}

std::optional<int> fuzzy_score(std::string_view text, std::string_view typed) {
  int score = 0;
  std::size_t at = 0, before = std::string_view::npos;
  for (const char c : typed) {
    if (c == ' ') continue;
    while (at < text.size() && lower(text[at]) != lower(c)) ++at;
    if (at == text.size()) return std::nullopt;
    score +=
        1 + (begins_word(text, at) ? 6 : 0) + (before != std::string_view::npos && at == before + 1 ? 4 : 0);
    before = at++;
  }
  return 16 * score - static_cast<int>(std::min<std::size_t>(text.size(), 100)) / 4;
}

std::vector<int> fitting(const Commands& commands, std::string_view typed) {
  std::vector<std::pair<int, int>> found;  // score, index
  for (std::size_t i = 0; i < commands.all.size(); ++i) {
    const auto label = fuzzy_score(commands.all[i].label, typed),
               also = fuzzy_score(commands.all[i].also, typed);
    if (label || also)
      found.emplace_back(std::max(label.value_or(-1'000'000), also.value_or(-1'000'000)),
                         static_cast<int>(i));
  }
  const bool nothing = typed.find_first_not_of(' ') == std::string_view::npos;
  if (!nothing)
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<int> out;
  for (const auto& [score, index] : found) out.push_back(index);
  return out;
}

}  // namespace warplens::session
