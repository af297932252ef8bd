// A lecture as a file: warplens.lecture/1 (docs/lectures.md). A session's file holds the same object.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/input/palette.h"
#include "app/source/programs.h"
#include "app/state/catalog.h"
#include "app/state/teaching/lecture.h"
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

}  // namespace warplens::app
