#include "app/input/palette.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <utility>

#include "app/readout/question.h"
#include "app/readout/verdict.h"
#include "app/state/catalog.h"
#include "app/state/teaching.h"
#include "app/state/user_kernel.h"
#include "app/views/views.h"

namespace warplens::app {
namespace {

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

// Behind a sign, or a character of a script that has no spaces.
bool begins_word(std::string_view text, std::size_t at) {
  return at == 0 || !std::isalnum(static_cast<unsigned char>(text[at - 1]));
}

bool has_word_with(std::string_view text, std::string_view typed) {
  const auto alike = [](char a, char b) { return lower(a) == lower(b); };
  for (std::size_t at = 0; at + typed.size() <= text.size(); ++at)
    if (begins_word(text, at) && std::equal(typed.begin(), typed.end(), text.substr(at).begin(), alike))
      return true;
  return false;
}

// What an entry is called, what else, and what it is about: how many of these it takes until each word is
// found at the beginning of one; nothing: they do not have all.
std::optional<int> taken_for(const PaletteEntry& entry, const std::vector<std::string>& words) {
  const std::string* parts[] = {&entry.label, &entry.also, &entry.detail, &entry.about};
  std::string text;
  for (int i = 0; i < 4; ++i) {
    text += " " + *parts[i];
    if (std::ranges::all_of(words, [&](const std::string& word) { return has_word_with(text, word); }))
      return i;
  }
  return std::nullopt;
}

using Kind = PaletteEntry::Kind;

void add_commands(In in, const language::Strings& strings, const language::Strings& english,
                  std::vector<PaletteEntry>* all) {
  for (const Command* command : commands()) {
    if (command->text == nullptr) continue;
    if (command->when != nullptr && !command->when(in)) continue;
    all->push_back({Kind::Command, strings(command->text), english(command->text),
                    in_language(shown_keys(*command), strings), command});
  }
}

void add_lectures(const State& state, const std::vector<KnownLecture>& lectures, const std::string& language,
                  std::vector<PaletteEntry>* all) {
  if (const Lecture* lecture = state.lecturing.lecture.get()) {
    for (std::size_t i = 0; i < lecture->scenes.size(); ++i) {
      const std::string number = std::to_string(i + 1), name = scene_words(lecture->scenes[i].name, language);
      all->push_back({Kind::Scene,
                      number + "  " + name,
                      number + " " + scene_words(lecture->scenes[i].name, "en"),
                      {},
                      nullptr,
                      {},
                      static_cast<int>(i)});
    }
  }
  for (const KnownLecture& one : lectures) {
    all->push_back({Kind::Lecture,
                    scene_words(one.title, language),
                    scene_words(one.title, "en"),
                    {},
                    nullptr,
                    one.path});
  }
}

// How long it takes; once it was begun, how far one has come.
std::string standing_of(const lesson::Lesson& one, const Progress& progress,
                        const language::Strings& strings) {
  const auto known = progress.find(one.name);
  if (known == progress.end()) return strings("class.minutes", {{"n", one.minutes}});
  const LessonRecord& r = known->second;
  std::string words = r.passed
                          ? strings("class.state.passed")
                          : strings("class.state.steps", {{"n", r.done.size()}, {"of", one.steps.size()}});
  const auto right = std::ranges::count_if(r.predictions, [](const auto& p) { return p.second.first; });
  if (!r.predictions.empty())
    words += std::string(language::kDot) +
             strings("class.score", {{"right", right}, {"of", r.predictions.size()}});
  return words;
}

void add_lessons(const State& state, const Catalog& catalog, const language::Strings& strings,
                 std::vector<PaletteEntry>* all) {
  for (const auto& one : catalog.lessons) {
    PaletteEntry& entry = all->emplace_back();
    entry.kind = Kind::Lesson;
    entry.label = std::to_string(one->order) + "  " + scenario::in_language(one->title, strings.language());
    entry.also = one->name + " " + scenario::in_language(one->title, "en");
    entry.keys = standing_of(*one, state.classroom.progress, strings);
    entry.name = one->name;
    entry.detail = scenario::in_language(one->goal, strings.language());
  }
}

// By ladders, as the catalog has them; those without one last.
void add_scenarios(const Catalog& catalog, const language::Strings& strings, std::vector<PaletteEntry>* all) {
  for (const bool alone : {false, true}) {
    for (const scenario::Scenario& s : catalog.scenarios) {
      if (s.ladder.empty() != alone) continue;
      const std::string key = "ladder." + s.ladder;
      std::string group = alone ? strings("palette.alone") : strings(key);
      if (group == key) group = s.ladder;  // a ladder of somebody's own
      PaletteEntry entry;
      entry.kind = Kind::Scenario;
      entry.label = scenario::in_language(s.title, strings.language());
      entry.also = s.name + " " + scenario::in_language(s.title, "en") + " " + group + " " +
                   rung_name(s, strings.language());
      entry.about = scenario::in_language(s.teaches, strings.language());
      entry.name = s.name;
      entry.group = std::move(group);
      all->push_back(std::move(entry));
    }
  }
}

// The other kernels of the user's own file, and the launches that its host code makes.
void add_own(const State& state, std::vector<PaletteEntry>* all) {
  if (!state.settings.own) return;
  const UserKernel& own = *state.settings.own;
  const auto add = [&](Kind kind, std::string label, std::string name) -> PaletteEntry& {
    PaletteEntry entry;
    entry.kind = kind;
    entry.label = std::move(label);
    entry.name = std::move(name);
    entry.keys = own.file.filename().string();
    return all->emplace_back(std::move(entry));
  };
  for (const KernelFacts& kernel : own.facts.kernels) {
    if (kernel.name != own.form.kernel) add(Kind::Kernel, kernel.name, kernel.name);
  }
  for (std::size_t i = 0; i < own.facts.launches.size(); ++i) {
    const KnownLaunch& launch = own.facts.launches[i];
    add(Kind::Launch, launch.words(), launch.kernel).launch = static_cast<int>(i);
  }
}

void add_files(const std::vector<std::string>& recent, std::vector<PaletteEntry>* all) {
  for (const std::string& path : recent) {
    const std::filesystem::path file = path;
    all->push_back({Kind::File, file.filename().string(), {}, file.parent_path().string(), nullptr, path});
  }
}

}  // namespace

PaletteEntries palette_entries(const State& state, const Catalog& catalog, const language::Strings& strings,
                               const language::Strings& english, const std::vector<std::string>& recent,
                               const std::vector<KnownLecture>& lectures) {
  using Offer = CommandPalette::Offer;
  const Offer offer = state.classroom.palette ? state.classroom.palette->offer : Offer::Commands;
  PaletteEntries entries;
  if (offer == Offer::Commands) {
    const Clipboard none;
    add_commands({state, catalog, none}, strings, english, &entries.all);
    add_lectures(state, lectures, strings.language(), &entries.all);
  }
  if (offer == Offer::Commands || offer == Offer::Lessons) add_lessons(state, catalog, strings, &entries.all);
  if (offer == Offer::Lessons) return entries;
  if (offer == Offer::Commands) add_own(state, &entries.all);
  add_scenarios(catalog, strings, &entries.all);
  add_files(recent, &entries.all);
  return entries;
}

std::vector<int> fitting(const PaletteEntries& entries, std::string_view typed) {
  std::istringstream text{std::string(typed)};
  const std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
  std::vector<std::pair<int, int>> found;  // what it took, index
  for (int i = 0; i < std::ssize(entries.all); ++i)
    if (const auto taken = taken_for(entries.all[static_cast<std::size_t>(i)], words))
      found.emplace_back(*taken, i);
  std::ranges::sort(found);
  std::vector<int> out;
  for (const auto& [taken, index] : found) out.push_back(index);
  return out;
}

std::vector<MenuEntry> rungs_of(const State& state, const Catalog& catalog) {
  std::vector<MenuEntry> entries;
  const UserKernel* own = state.settings.own.get();
  if (own != nullptr && own->facts.kernels.size() > 1) {
    for (const KernelFacts& kernel : own->facts.kernels)
      entries.push_back({kernel.name, ChooseKernel{kernel.name}, kernel.name == own->form.kernel});
    return entries;
  }
  const scenario::Scenario* here = scenario_of(catalog, state.settings);
  if (here == nullptr) return entries;
  for (const scenario::Scenario* rung : catalog.ladder_of(*here))
    entries.push_back({rung_name(*rung, state.language), SelectScenario{rung->name}, rung == here});
  return entries;
}

namespace {

std::vector<MenuEntry> numbered(std::vector<MenuEntry> entries) {
  for (std::size_t i = 0; i < entries.size(); ++i)
    entries[i].label = std::to_string(i + 1) + "  " + entries[i].label;
  return entries;
}

std::vector<MenuEntry> pictures(const State& state) {
  std::vector<MenuEntry> entries;
  for (const views::Row& row : views::rows()) {
    if (row.where == views::Tab::WhereWide)
      entries.push_back({"", ShowView{row.id}, state.shown == row.id, row.tab()});
  }
  return entries;
}

std::vector<MenuEntry> panels(const State& state) {
  std::vector<MenuEntry> entries;
  for (std::size_t i = 0; i < kPanelNames.size(); ++i) {
    const auto panel = static_cast<Panel>(i);
    entries.push_back(
        {"", TogglePanel{panel}, has(state.panels, panel), std::string("panels.") + kPanelNames[i]});
  }
  return entries;
}

}  // namespace

std::vector<MenuEntry> menu_entries(Menu::Of of, const State& state, const Catalog& catalog) {
  if (of == Menu::Of::Rungs) return numbered(rungs_of(state, catalog));
  if (of == Menu::Of::Pictures) return pictures(state);
  if (of == Menu::Of::Panels) return panels(state);
  std::vector<MenuEntry> entries;
  if (!state.settings.own) return entries;
  if (of == Menu::Of::Kernels) return rungs_of(state, catalog);
  const UserKernel& own = *state.settings.own;
  for (std::size_t i = 0; i < own.facts.launches.size(); ++i) {
    entries.push_back({own.facts.launches[i].words(), UseLaunch{static_cast<int>(i)}, false});
  }
  return entries;
}

}  // namespace warplens::app
