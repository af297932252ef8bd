// Which lessons are done, kept in the state folder of this user: warplens.progress/1.
//
//   lessons.json  {"schema": "warplens.progress/1", "lessons": {"padding": {"at": 2, "done": [0, 1],
//                  "predictions": {"0": {"tries": 1, "first": true, "right": true}}, "passed": false}}}
//
// Written whole or not at all. A file that cannot be understood is set aside under another name, never lost.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/state/teaching/classroom.h"

namespace warplens::app {

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

}  // namespace warplens::app
