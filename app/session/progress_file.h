// What of the lessons is done, kept in the state folder of this user: warplens.progress/1.
//
//   lessons.json  {"schema": "warplens.progress/1", "lessons": {"padding": {"at": 2, "done": [0, 1],
//                  "predictions": {"0": {"tries": 1, "first": true, "right": true}}, "passed": false}}}
//
// Written whole or not at all. A file that cannot be understood is set aside under another name, never lost.
#pragma once

#include <filesystem>
#include <string>

#include "app/session/classroom.h"

namespace warplens::session {

struct LoadedProgress {
  Progress progress;
  std::string trouble;  // the file was broken: where it has been put, in words; or empty
};
// No file: nothing is done yet.
LoadedProgress load_progress(const std::filesystem::path& file);

// Replaces one lesson's record in the file as it is now, so that two windows do not undo each other. Gives
// what went wrong, in words, or empty.
std::string keep_progress(const std::filesystem::path& file, const std::string& lesson,
                          const LessonRecord& record);

}  // namespace warplens::session
