// A lecture as a file: warplens.lecture/1 (docs/lectures.md). A session's file holds the same object.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/input/palette.h"
#include "app/source/programs.h"
#include "app/state/catalog.h"
#include "app/state/classroom.h"
#include "app/state/loaded_profile.h"
#include "app/state/teaching.h"
#include "app/vote/round.h"
#include "sim/scenario/json_document.h"

namespace warplens::app {

inline constexpr std::size_t kMostLectureBytes = std::size_t{16} << 20;

nlohmann::json to_json(const Lecture& lecture);  // of the title and the scenes
std::string lecture_text(const Lecture& lecture);

// Errors name file, line and field; they are the document's in read_lecture.
scenario::Outcome<std::shared_ptr<const Lecture>> load_lecture(const std::filesystem::path& file,
                                                               const Catalog& catalog,
                                                               const Means& means = {});
Lecture read_lecture(const scenario::JsonValue& object, const Catalog& catalog, const Means& means);

// Those that come with the program, by their files' names: title and path.
std::filesystem::path lectures_folder();
std::vector<KnownLecture> shipped_lectures();

// Which lessons are done, kept in the state folder of this user: warplens.progress/1.
//
//   lessons.json  {"schema": "warplens.progress/1", "lessons": {"padding": {"at": 2, "done": [0, 1],
//                  "predictions": {"0": {"tries": 1, "first": true, "right": true}}, "passed": false}}}
//
// Written whole or not at all. A file that cannot be understood is set aside under another name, never lost.

struct LoadedProgress {
  Progress progress;
  Message trouble;  // the file was broken: where it has been put, in words; or empty
};
// No file: nothing is done yet.
LoadedProgress load_progress(const std::filesystem::path& file);

struct KeptProgress {
  std::optional<Progress> progress;  // as it is in the file now, where it was written
  Message trouble;                   // what went wrong, in words, or empty
};
// Adds one lesson's record to the file as it is now: two windows do not undo each other.
KeptProgress keep_progress(const std::filesystem::path& file, const std::string& lesson,
                           const LessonRecord& record);

// What was done in either. `mine` is the newer one: where it was last looked at counts.
LessonRecord merged(const LessonRecord& mine, const LessonRecord& theirs);

// Rounds that a class has voted in, kept in the state folder of this user: what was asked, how many gave each
// answer, and the truth. Nobody's vote is in it.
//
//   class/rounds.jsonl   a round a line, warplens.class/1; of lines with the same id the last counts

struct KeptRounds {
  std::vector<vote::Round> rounds;
  int not_read = 0;  // lines that are none
  Message trouble;   // the file cannot be read
};
KeptRounds load_rounds(const std::filesystem::path& file);

std::filesystem::path rounds_file(const std::filesystem::path& state_folder);
// What went wrong, in words, or empty.
Message keep_round(const std::filesystem::path& state_folder, const vote::Round& round);
Message delete_rounds(const std::filesystem::path& state_folder);

// A profile of Nsight Compute: from its own file, and as part of a session's.

// What may be one, by its name: FILE.csv, and FILE.ncu-rep, which is refused with what to do.
bool is_profile_file(const std::filesystem::path& file);

// Throws Stopped where the budget ends.
scenario::Outcome<std::shared_ptr<const LoadedProfile>> load_profile(const std::filesystem::path& file,
                                                                     Budget& budget = Budget::endless());

// Its launches, the first ones where all of them would have more metrics than this.
inline constexpr std::size_t kMostKeptMetrics = 20'000;
nlohmann::json profile_json(const LoadedProfile& profile);
// Null where it is wrong, which is told in the document's errors.
std::shared_ptr<const LoadedProfile> read_profile(const scenario::JsonValue& object);

}  // namespace warplens::app
