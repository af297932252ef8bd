#include "app/desktop/characters.h"

#include <functional>

#include "app/state/teaching/lecture.h"
#include "sim/scenario/scenario.h"

namespace warplens::desktop {
namespace {

// Signs that panels and scenes make without a string of their own.
constexpr const char* kSigns = "？³×÷–—−·…→←↑↓▾Δ=≠│≈≥≤µ°“”‘’中文简体";

// Words that no language file knows: names of files, what was typed, what went wrong with them.
std::string outside_words(const app::State& state) {
  std::string words = state.field.text;
  if (const auto& active = state.classroom.active) {
    if (active->grade) words += active->grade->first_difference.english();
    for (const Message& trouble : active->trouble) words += trouble.english();
  }
  if (state.notice) words += state.notice->words.english();
  words +=
      state.share_folder + state.share_site + (state.share ? state.share->words.english() : std::string());
  if (!state.dialog) return words;
  words += state.dialog->folder + state.dialog->trouble.english();
  for (const app::FileEntry& entry : state.dialog->entries) words += entry.name;
  for (const std::string& path : state.dialog->recent) words += path;
  return words;
}

}  // namespace

const panels::Characters& ScreenCharacters::of(const app::State& state, const app::Catalog& catalog,
                                               const language::Strings& words) {
  if (std::pair key{state.language, catalog.scenarios.size()}; catalog_of_ != key) {
    catalog_of_ = std::move(key);
    open_of_ = {};
    add_catalog(catalog, words, state.language);
  }
  const std::string outside = outside_words(state);
  const std::size_t texts =
      (state.settings.text ? std::hash<std::string>{}(*state.settings.text) : 0) ^
      std::hash<std::string>{}(outside) ^
      std::hash<const void*>{}(state.classroom.active ? state.classroom.active->lesson.get() : nullptr) ^
      std::hash<const void*>{}(state.lecturing.lecture.get());
  if (std::pair key{state.settings.scenario, texts}; open_of_ != key) {
    open_of_ = std::move(key);
    add(outside);
    add_open(state, catalog);
  }
  return characters_;
}

void ScreenCharacters::add_catalog(const app::Catalog& catalog, const language::Strings& words,
                                   const std::string& language) {
  add(kSigns);
  panels::collect_characters(words("access.way"), &characters_.display);
  panels::collect_characters("µ–", &characters_.display);  // of times
  for (const auto& [unused, text] : words.texts()) add(text);
  for (const auto& lesson : catalog.lessons) add_lesson(*lesson, language);
  for (const scenario::Scenario& s : catalog.scenarios) {
    for (const auto* text : {&s.title, &s.teaches, &s.rung_label})
      add(scenario::in_language(*text, language));
    for (const auto& parameter : s.parameters) add(scenario::in_language(parameter.label, language));
  }
}

void ScreenCharacters::add_lesson(const lesson::Lesson& lesson, const std::string& language) {
  for (const std::string& text : app::words_of(lesson, language)) add(text);
}

// What is open: the scenario's own text or an edited one, a lesson, a lecture.
void ScreenCharacters::add_open(const app::State& state, const app::Catalog& catalog) {
  if (const auto* scenario = catalog.find(state.settings.scenario)) add(scenario->text);
  if (state.settings.text) add(*state.settings.text);
  if (state.classroom.active) add_lesson(*state.classroom.active->lesson, state.language);
  if (!state.lecturing.lecture) return;
  for (const app::LectureScene& scene : state.lecturing.lecture->scenes) {
    for (const auto* text : {&scene.name, &scene.notes}) add(app::scene_words(*text, state.language));
  }
}

}  // namespace warplens::desktop
