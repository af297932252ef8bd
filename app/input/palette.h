// What the command palette offers: every command that makes sense now, the scenes of the lecture that is
// open, every lecture, lesson and scenario, the kernels and launches of the file on screen, recent files; or
// those of them that it is opened for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/input/commands.h"
#include "app/state/action.h"
#include "app/state/catalog.h"

namespace warplens::app {

struct PaletteEntry {
  enum class Kind : std::uint8_t { Command, Scene, Lecture, Scenario, Lesson, File, Kernel, Launch };
  Kind kind = Kind::Command;
  std::string label, also;  // in the language, and by what else it is found: English, its name
  std::string keys;         // "F5"; of a file its folder, of a lesson how far one has come
  const Command* command = nullptr;
  std::string name{};             // of a scenario, lesson or kernel, or a path
  int scene = -1;                 // of the lecture that is open
  std::string group{};            // of a scenario: what its ladder is called
  int launch = 0;                 // into FileFacts::launches
  std::string detail{}, about{};  // of a lesson: its goal; of a scenario: what it teaches
};
// A lecture's file, as the palette names it.
struct KnownLecture {
  scenario::LocalText title;
  std::string path;
};
struct PaletteEntries {
  std::vector<PaletteEntry> all;
};

PaletteEntries palette_entries(const State& state, const Catalog& catalog, const language::Strings& strings,
                               const language::Strings& english, const std::vector<std::string>& recent,
                               const std::vector<KnownLecture>& lectures = {});

// As indices into `all`, best first: those that have each typed word, or its beginning.
std::vector<int> fitting(const PaletteEntries& entries, std::string_view typed);

// What the lists under buttons offer: the rungs of the ladder, the kernels of a file of one's own, the
// launches that its host code makes, the pictures whose tabs a narrow panel has no room for.

struct MenuEntry {
  std::string label;  // in the language of the state
  Action chosen;
  bool is_now = false;  // what is on screen
  std::string key{};    // of the languages, in place of a label
};
// Of the ladder that is open, or the kernels of one's own file: what the keys 1 to 9, [ and ] choose.
std::vector<MenuEntry> rungs_of(const State& state, const Catalog& catalog);
std::vector<MenuEntry> menu_entries(Menu::Of of, const State& state, const Catalog& catalog);

}  // namespace warplens::app
