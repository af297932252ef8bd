#include "app/storage/teaching_files.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "app/state/sheets.h"
#include "app/state/user_kernel.h"
#include "app/storage/files.h"
#include "app/storage/session_file.h"
#include "app/vote/ballot_box.h"
#include "sim/base/numbers.h"
#include "sim/file/temporary.h"
#include "sim/file/whole_file.h"
#include "sim/scenario/fields.h"
#include "sim/scenario/json_document.h"
#include "sim/scenario/text_file.h"
#include "sim/text/read_file.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using scenario::Fields;
using scenario::json_of;
using scenario::JsonValue;

constexpr const char* kSchema = "warplens.progress/1";
constexpr int kMostStep = 10'000, kMostTries = 1'000'000;
constexpr std::size_t kMostBytes = std::size_t{64} << 20;  // of rounds

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
  for (std::size_t i = 0; i < lecture.scenes.size(); ++i) {
    const Settings& of = lecture.scenes[i].view.settings;
    if (!of.text || of.own) continue;
    if (const Message why = cannot_open(of.scenario, *of.text, means, false); !why.empty())
      document.add_error("scenes[" + std::to_string(i) + "].text", why);
  }
  if (document.ok() && lecture.scenes.empty())
    document.add_error("scenes", Message("must have at least one scene"));
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

static void describe(Fields& f, PredictionRecord& prediction) {
  f.whole("tries", prediction.tries, 0, kMostTries);
  f("first", prediction.first);
  f("right", prediction.right);
}

namespace {

void read_prediction(const std::string& step, const JsonValue& value, LessonRecord* record) {
  const int number = number_in<int>(step).value_or(-1);
  if (number < 0 || number > kMostStep) return value.error(Message("is not a step"));
  if (!value.is_object()) return;
  Fields fields(value);
  describe(fields, record->predictions[number]);
}

LessonRecord read_record(const JsonValue& value) {
  LessonRecord record;
  if (!value.is_object()) return record;
  Fields fields(value);
  fields.whole("at", record.at, 0, kMostStep);
  fields("passed", record.passed);
  for (const JsonValue& step : value.optional_list("done")) {
    const std::int64_t number = step.as_integer().value_or(-1);
    if (number < 0 || number > kMostStep) step.error(Message("is not a step"));
    record.done.insert(static_cast<int>(number));
  }
  for (const auto& [step, prediction] : value.optional_members("predictions"))
    read_prediction(step, prediction, &record);
  return record;
}

// nullopt: the text is no progress.
std::optional<Progress> parse(const std::string& text, const std::string& name) {
  auto document = scenario::JsonDocument::parse(text, name);
  if (!document.ok() || !document.has_schema("progress")) return std::nullopt;
  const JsonValue root = document.root();
  if (!root.has("lessons")) return std::nullopt;
  Progress progress;
  for (const auto& [lesson, value] : root.optional_members("lessons")) progress[lesson] = read_record(value);
  if (!document.ok()) return std::nullopt;
  return progress;
}

json to_json(const LessonRecord& record) {
  json predictions = json::object();
  for (const auto& [step, p] : record.predictions) predictions[std::to_string(step)] = json_of(p);
  return {{"at", record.at}, {"done", record.done}, {"predictions", predictions}, {"passed", record.passed}};
}

// Under the first name that is free; words for where it is now.
Message set_aside(const fs::path& file) {
  std::error_code failed;
  fs::path other;
  for (int i = 1; i < 1000; ++i) {
    other = file;
    other += ".broken-" + std::to_string(i);
    if (!fs::exists(other, failed)) break;
  }
  fs::rename(file, other, failed);
  if (failed)
    return Message("{}: cannot be understood, and cannot be set aside: {}", file.string(), failed.message());
  return Message("{}: cannot be understood; it was kept as {}", file.string(), other.filename().string());
}

}  // namespace

LoadedProgress load_progress(const fs::path& file) {
  LoadedProgress loaded;
  std::error_code failed;
  if (!fs::exists(file, failed)) return loaded;
  const auto text = scenario::read_text(file);
  if (!text) {
    loaded.trouble = text.errors.front();
    return loaded;
  }
  if (std::optional<Progress> progress = parse(*text.value, file.string())) {
    loaded.progress = std::move(*progress);
  } else {
    loaded.trouble = set_aside(file);
  }
  return loaded;
}

LessonRecord merged(const LessonRecord& mine, const LessonRecord& theirs) {
  LessonRecord both = mine;
  both.done.insert(theirs.done.begin(), theirs.done.end());
  both.passed = mine.passed || theirs.passed;
  for (const auto& [step, other] : theirs.predictions) {
    const auto [at, is_new] = both.predictions.emplace(step, other);
    if (is_new) continue;
    PredictionRecord& p = at->second;
    p.first = other.tries > 0 ? other.first : p.first;  // that try came before this one
    p.tries = std::max(p.tries, other.tries);
    p.right = p.right || other.right;
  }
  return both;
}

KeptProgress keep_progress(const fs::path& path, const std::string& lesson, const LessonRecord& record) {
  std::error_code failed;
  fs::create_directories(path.parent_path(), failed);
  const auto lock = file::Lock::take(path.parent_path() / kStateLock, kLockSeconds);
  LoadedProgress now = load_progress(path);
  if (fs::exists(path, failed) && !now.trouble.empty())
    return {std::nullopt, now.trouble};  // not to be written over
  now.progress[lesson] = merged(record, now.progress[lesson]);
  json lessons = json::object();
  for (const auto& [name, value] : now.progress) lessons[name] = to_json(value);
  const std::string text = json{{"schema", kSchema}, {"lessons", std::move(lessons)}}.dump(
      1, ' ', false, json::error_handler_t::replace);
  const Message words = file::write_whole(path, text + "\n").words;
  if (!words.empty()) return {std::nullopt, words};
  return {std::move(now.progress), now.trouble};
}

fs::path rounds_file(const fs::path& state_folder) {
  return state_folder / "class" / "rounds.jsonl";
}

KeptRounds load_rounds(const fs::path& file) {
  KeptRounds kept;
  std::string text;
  if (!text::read_file(file, kMostBytes, &text, &kept.trouble)) return kept;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const json one = json::parse(line, nullptr, false);
    if (auto round = one.is_discarded() ? std::nullopt : vote::round_of(one))
      kept.rounds.push_back(std::move(*round));
    else
      ++kept.not_read;
  }
  kept.rounds = vote::without_repeats(std::move(kept.rounds));
  return kept;
}

Message keep_round(const fs::path& state_folder, const vote::Round& round) {
  const fs::path file = rounds_file(state_folder);
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  const auto lock = file::Lock::take(state_folder / kStateLock, kLockSeconds);
  std::string text;
  Message words;
  if (fs::exists(file, failed) && !text::read_file(file, kMostBytes, &text, &words)) return words;
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  text += vote::to_json(round).dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  return file::write_whole(file, text).words;
}

Message delete_rounds(const fs::path& state_folder) {
  std::error_code failed;
  for (const char* name : {"rounds.jsonl", "interface"}) {
    const fs::path file = state_folder / "class" / name;
    fs::remove(file, failed);
    if (failed) return Message("{}: cannot be removed: {}", file.string(), failed.message());
  }
  return {};
}

using profile::Metric;
using profile::NcuProfile;
using profile::ProfiledLaunch;

bool is_profile_file(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  return extension == ".csv" || extension == ".ncu-rep";
}

scenario::Outcome<std::shared_ptr<const LoadedProfile>> load_profile(const std::filesystem::path& file,
                                                                     Budget& budget) {
  const auto text = scenario::read_text(file, profile::kMostProfileBytes);
  if (!text) return {{}, text.errors};
  auto loaded = std::make_shared<LoadedProfile>();
  loaded->file = file.filename().string();
  auto read = profile::read_ncu_profile(*text.value, loaded->file, budget);
  if (!read) return {{}, read.errors};
  loaded->profile = std::move(*read.value);
  return {std::move(loaded), {}};
}

static void describe(Fields& f, Metric& metric) {
  f.required("name", metric.name);
  if (f.reads()) metric.label = metric.name;
  f("label", metric.label);
  f("unit", metric.unit);
  f("value", metric.value);
  f("resolution", metric.resolution);
  if (f.reads()) metric.resolution = std::abs(metric.resolution);
  f("text", metric.text);
}

static void describe(Fields& f, ProfiledLaunch& launch) {
  f.required("id", launch.id);
  f.required("kernel", launch.kernel);
  const Message words("must be three numbers from 1, or null");
  f.extents("grid", launch.grid, words);
  f.extents("block", launch.block, words);
  f("device", launch.device);
  f("compute_capability", launch.compute_capability);
  f.between("line", launch.line, 1, 0x7fffffff);
  f.list("metrics", launch.metrics, [](Fields& own, Metric& metric) { describe(own, metric); });
}

json profile_json(const LoadedProfile& profile) {
  const bool raw = profile.profile.page == NcuProfile::Page::Raw;
  json out{{"file", profile.file}, {"page", raw ? "raw" : "details"}, {"launches", json::array()}};
  std::size_t metrics = 0;
  for (ProfiledLaunch launch : profile.profile.launches) {
    metrics += launch.metrics.size();
    if (metrics > kMostKeptMetrics) break;
    Fields fields(out["launches"].emplace_back());
    describe(fields, launch);
  }
  return out;
}

std::shared_ptr<const LoadedProfile> read_profile(const JsonValue& object) {
  auto loaded = std::make_shared<LoadedProfile>();
  loaded->file = object.text("file");
  if (object.optional_text("page") == "raw") loaded->profile.page = NcuProfile::Page::Raw;
  if (!object.has("launches")) object.error("launches", Message("is missing"));
  Fields fields(object);
  fields.list("launches", loaded->profile.launches,
              [](Fields& own, ProfiledLaunch& launch) { describe(own, launch); });
  return loaded->profile.launches.empty() ? nullptr : loaded;
}

}  // namespace warplens::app
