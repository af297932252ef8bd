#include "app/input/palette.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "app/state/lecture.h"

namespace warplens::app {
namespace {

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool begins_word(std::string_view text, std::size_t at) {
  return at == 0 || std::string_view(" _-./·(").find(text[at - 1]) != std::string_view::npos;
}

}  // namespace

PaletteEntries palette_entries(const State& state, const Catalog& catalog, const language::Strings& strings,
                               const language::Strings& english, const std::vector<std::string>& recent,
                               const std::vector<KnownLecture>& lectures) {
  PaletteEntries entries;
  using Kind = PaletteEntry::Kind;
  const std::string& language = strings.language();
  const Clipboard none;
  for (const Command* command : commands()) {
    if (command->text == nullptr) continue;
    if (command->when != nullptr && !command->when({state, catalog, none})) continue;
    entries.all.push_back({Kind::Command, strings(command->text), english(command->text),
                           in_language(shown_keys(*command), strings), command});
  }
  if (const Lecture* lecture = state.lecturing.lecture.get()) {
    for (std::size_t i = 0; i < lecture->scenes.size(); ++i) {
      const std::string number = std::to_string(i + 1), name = scene_words(lecture->scenes[i].name, language);
      entries.all.push_back({Kind::Scene,
                             number + "  " + name,
                             number + " " + scene_words(lecture->scenes[i].name, "en"),
                             {},
                             nullptr,
                             {},
                             static_cast<int>(i)});
    }
  }
  for (const KnownLecture& one : lectures) {
    entries.all.push_back({Kind::Lecture,
                           scene_words(one.title, language),
                           scene_words(one.title, "en"),
                           {},
                           nullptr,
                           one.path});
  }
  for (const auto& one : catalog.lessons) {
    entries.all.push_back({Kind::Lesson,
                           scenario::in_language(one->title, language),
                           one->name + " " + scenario::in_language(one->title, "en"),
                           {},
                           nullptr,
                           one->name});
  }
  for (const scenario::Scenario& s : catalog.scenarios) {
    entries.all.push_back({Kind::Scenario,
                           scenario::in_language(s.title, language),
                           s.name + " " + scenario::in_language(s.title, "en"),
                           {},
                           nullptr,
                           s.name});
  }
  for (const std::string& path : recent) {
    const std::filesystem::path file = path;
    entries.all.push_back(
        {Kind::File, file.filename().string(), {}, file.parent_path().string(), nullptr, path});
  }
  return entries;
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

std::vector<int> fitting(const PaletteEntries& entries, std::string_view typed) {
  std::vector<std::pair<int, int>> found;  // score, index
  for (std::size_t i = 0; i < entries.all.size(); ++i) {
    const auto label = fuzzy_score(entries.all[i].label, typed),
               also = fuzzy_score(entries.all[i].also, typed);
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

}  // namespace warplens::app
