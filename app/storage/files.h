// The world outside: carries requests out and answers with actions. Nothing here draws.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/measure/pack.h"
#include "app/source/programs.h"
#include "app/state/action.h"
#include "app/state/catalog.h"
#include "app/state/state.h"
#include "app/storage/recovery.h"
#include "sim/scenario/scenario.h"

namespace warplens::app {

struct Places {
  std::filesystem::path gallery;         // whose files are never written
  std::filesystem::path state;           // of this user: recent files, what was not saved
  std::shared_ptr<Recovery> recovery{};  // what is not saved; null: it is not kept
};
// In Places::state: held while a file there is read, changed and written.
inline constexpr const char* kStateLock = "state.lock";
inline constexpr double kLockSeconds = 3;  // how long a window waits for another that holds it
// $XDG_STATE_HOME/warplens, or ~/.local/state/warplens.
Places usual_places();

// Reading takes its time: a text is parsed, its launch tried out. Touches nothing but its arguments and
// files.
Actions perform(const Request& request, const State& state, const Catalog& catalog, const Places& places,
                const Means& means = {});

// What perform() does first on what it has read, and what is left to do where `places` named no recovery
// (which is the window's own, not another thread's): what is unsaved stays where another text of its name
// comes.
void keep_aside(const Actions& actions, const State& state, const Places& places);

// A lesson's file, read; also its scenarios and their parameters must be there. Errors name file, line,
// field.
scenario::Outcome<std::shared_ptr<const lesson::Lesson>> open_lesson(const std::filesystem::path& file,
                                                                     const Catalog& catalog);

// Files opened or saved, newest first.
std::vector<std::string> recent_files(const Places& places);
void remember_file(const Places& places, const std::string& path);

// A file of CUDA C++, or one that holds some: then what is saved is a file of its own beside it.
struct OpenedSource {
  std::filesystem::path file;
  bool is_part = false;  // of another file
  std::string text;
  std::shared_ptr<const UserKernel> kernel;
};
// Errors: it has no kernel, or cannot be opened. A launch that `soon` seconds do not find is found later.
scenario::Outcome<OpenedSource> opened_source(const std::filesystem::path& file, std::string text,
                                              const Places& places, const Means& means, double soon = 1);

// A Warplens file that the app adds to what it has: a scenario, or recorded measurements.
struct Adopted {
  std::optional<scenario::Scenario> scenario;
  std::optional<measure::Pack> pack;
  std::vector<Message> errors;  // in words; then there is none of them
};
// `schema`: "warplens.scenario/1", "warplens.pack/1" or "warplens.measurement/1".
Adopted read_adopted(const std::string& path, const std::string& schema);

// What another run left unsaved, offered; nothing: nothing.
std::optional<Notice> offer_of(const Places& places);

// How the window is left, kept in the state folder of this user: warplens.window/1.
//
//   window.json  {"schema": "warplens.window/1", "panels": ["source", "lanes", "access", "grid", "times"]}

// "source", "lanes,times", "all", "none" -> the panels; none where a name is not one of a panel.
std::optional<Panels> panels_named(std::string_view names);

// None: the program has not been used before, or the file cannot be understood, which is no loss.
std::optional<Panels> load_panels(const std::filesystem::path& state_folder);
// Written whole or not at all; without a folder not.
void keep_panels(const std::filesystem::path& state_folder, const Panels& panels);

}  // namespace warplens::app
