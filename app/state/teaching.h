// A lecture: views in order, each with a name and what the speaker means to say. Kept in a file of its own
// (lecture_file.h) and in the session's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/state/state.h"

namespace warplens::app {

struct Viewpoint : OnScreen {
  std::optional<int> question{};  // a prediction is asked for: the one of this number
  std::string gone{};             // the name of a picture that there is no more, as a file has it; or empty
  std::string lost{};             // the settings that the kernel has no more, as a file has them; or empty
  friend bool operator==(const Viewpoint&, const Viewpoint&) = default;
};
Viewpoint viewpoint_of(const State& state);
// Settings and predictions are the caller's to change: undo goes by them.
void look_from(State* state, const Viewpoint& view);

struct LectureScene {
  scenario::LocalText name, notes;  // notes: of every language, or none
  std::optional<Theme> theme;       // none: as it is
  Viewpoint view;
};

inline constexpr std::size_t kMostScenes = 200;
inline constexpr std::size_t kMostSceneName = 200, kMostSceneNotes = 4000;  // bytes

struct Lecture {
  std::filesystem::path file;  // empty: never saved
  std::string known;           // what the file holds as far as is known, see fingerprint.h
  scenario::LocalText title;   // empty: none was given
  std::vector<LectureScene> scenes;
};

inline constexpr const char* kLectureEnding = ".lecture.json";

// The one-line inputs of the sheet of scenes.
inline constexpr const char* kSceneName = "scene_name";
inline constexpr const char* kSceneNotes = "scene_notes";

// The challenge on screen is about the kernel as it stands and does not leave this parameter free.
bool is_locked(const State& state, const std::string& parameter);

// The scene gone to last; null: none.
const LectureScene* scene_at(const State& state);
// A question is open, and the notes tell its answer.
bool notes_wait(const State& state);
// Scenes are gone through by a clicker.
bool takes_clicker(const State& state);
// What an input of the sheet holds.
std::string scene_field(const State& state, const std::string& id);
// In the language, else in English; empty where there is neither.
std::string scene_words(const scenario::LocalText& text, const std::string& language);

class Action;

// The tour of the first minute: below the picture that stands alone a sentence asks for one key; what it does
// is seen there, and the next sentence follows. Nothing is locked meanwhile: who goes elsewhere has left it.
struct TourStop {
  const char* scenario;                                    // that the sentence speaks of
  const char* words;                                       // of the languages
  const char* command;                                     // whose key it asks for
  bool (*done)(const Action& action, const State& state);  // by what was done last; null: by another scenario
};
std::span<const TourStop> tour_stops();
// What its sentence is about; null: the tour is over, or its picture is not the one shown.
const TourStop* tour_stop(const State& state);

// Where the tour is after an action; nothing: it is over, or was left.
std::optional<int> tour_after(int stop, const Action& action, const State& state);

// What a link says: what is on screen and how, without its words (app/storage/link.h).
struct Link {
  Viewpoint view;
  std::string language;        // empty: as it is
  std::optional<Theme> theme;  // none: as it is
  bool present = false;
  std::string lesson;  // empty: none is open
  int step = 0;        // of it; as many as there are: its challenge
};
// As look_from(), with its question and how it is shown.
void look_from(State* state, const Link& link);

}  // namespace warplens::app
