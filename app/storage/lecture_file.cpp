#include "app/storage/lecture_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/state/fingerprint.h"
#include "app/storage/viewpoint_json.h"
#include "sim/scenario/local_text.h"

namespace warplens::app {
namespace {

using nlohmann::json;
using scenario::JsonValue;

// One text for every language is written as such.
json words_json(const scenario::LocalText& words) {
  if (words.size() == 1 && words.contains("en")) return words.at("en");
  return words;
}

// Absent: no words in any language.
scenario::LocalText read_bounded(const JsonValue& object, const char* name, std::size_t most) {
  if (!object.has(name)) return {};
  scenario::LocalText words = scenario::read_words(object, name);
  for (const auto& [language, text] : words) {
    if (text.size() > most)
      object.error(name, Message("must have at most {} bytes in a language, not {}", most, text.size()));
  }
  return words;
}

json scene_json(const LectureScene& scene) {
  json out{{"name", words_json(scene.name)}};
  if (!scene.notes.empty()) out["notes"] = words_json(scene.notes);
  if (scene.theme) out["theme"] = *scene.theme == Theme::Light ? "light" : "dark";
  out.update(to_json(scene.view));
  return out;
}

std::optional<LectureScene> read_scene(const JsonValue& object, const Catalog& catalog, const Means& means) {
  if (!object.is_object()) return std::nullopt;
  LectureScene scene;
  scene.name = read_bounded(object, "name", kMostSceneName);
  scene.notes = read_bounded(object, "notes", kMostSceneNotes);
  if (object.has("theme")) {
    const std::string theme = object.text("theme");
    if (theme != "dark" && theme != "light") object.error("theme", Message("must be \"dark\" or \"light\""));
    scene.theme = theme == "light" ? Theme::Light : Theme::Dark;
  }
  auto view = read_viewpoint(object, catalog, means);
  if (!view) return std::nullopt;
  scene.view = std::move(*view);
  return scene;
}

}  // namespace

json to_json(const Lecture& lecture) {
  json out{{"scenes", json::array()}};
  if (!lecture.title.empty()) out["title"] = words_json(lecture.title);
  for (const LectureScene& scene : lecture.scenes) out["scenes"].push_back(scene_json(scene));
  return out;
}

std::string lecture_text(const Lecture& lecture) {
  json out{{"schema", "warplens.lecture/1"}};
  out.update(to_json(lecture));
  return out.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

Lecture read_lecture(const JsonValue& object, const Catalog& catalog, const Means& means) {
  Lecture lecture;
  lecture.title = read_bounded(object, "title", kMostSceneName);
  const scenario::JsonList scenes = object.list("scenes");
  if (scenes.size() > kMostScenes) {
    object.error("scenes", Message("must be at most {}, not {}", kMostScenes, scenes.size()));
    return lecture;
  }
  for (const JsonValue& one : scenes) {
    if (auto scene = read_scene(one, catalog, means)) lecture.scenes.push_back(std::move(*scene));
  }
  return lecture;
}

scenario::Outcome<std::shared_ptr<const Lecture>> load_lecture(const std::filesystem::path& file,
                                                               const Catalog& catalog, const Means& means) {
  auto document = scenario::JsonDocument::load(file, {.bytes = kMostLectureBytes, .strict = means.strict});
  if (!document.ok() || !document.has_schema("lecture")) return {std::nullopt, document.errors()};
  Lecture lecture = read_lecture(document.root(), catalog, means);
  if (document.ok() && lecture.scenes.empty())
    document.add_error("scenes", Message("must hold a scene at least"));
  if (!document.ok()) return {std::nullopt, document.errors()};
  // One that comes with the program is saved under another name.
  std::error_code failed;
  if (!std::filesystem::equivalent(file.parent_path(), lectures_folder(), failed)) {
    lecture.file = file;
    lecture.known = fingerprint_of(document.text());
  }
  return {std::make_shared<const Lecture>(std::move(lecture)), {}};
}

std::filesystem::path lectures_folder() {
  return scenario::data_folder("assets") / "lectures";
}

std::vector<KnownLecture> shipped_lectures() {
  std::vector<KnownLecture> known;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(lectures_folder(), failed)) {
    const std::string path = entry.path().string();
    if (!path.ends_with(kLectureEnding)) continue;
    auto document = scenario::JsonDocument::load(path, {.bytes = kMostLectureBytes});
    if (!document.ok() || !document.has_schema("lecture")) continue;
    known.push_back({scenario::read_words(document.root(), "title", entry.path().filename().string()), path});
  }
  std::ranges::sort(known, {}, &KnownLecture::path);
  return known;
}

}  // namespace warplens::app
