#include "app/storage/progress_file.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <system_error>

#include "app/storage/files.h"
#include "sim/file/lock.h"
#include "sim/file/whole_file.h"
#include "sim/scenario/text_file.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kSchema = "warplens.progress/1";
constexpr int kMostStep = 10'000, kMostTries = 1'000'000;

bool is_count(const json& value, int most) {
  return value.is_number_integer() && value >= 0 && value <= most;
}

int count_in(const json& object, const char* name, int most, bool* sound) {
  const auto found = object.find(name);
  if (found == object.end()) return 0;
  *sound = *sound && is_count(*found, most);
  return *sound ? found->get<int>() : 0;
}

bool flag_in(const json& object, const char* name, bool* sound) {
  const auto found = object.find(name);
  if (found == object.end()) return false;
  *sound = *sound && found->is_boolean();
  return *sound && found->get<bool>();
}

bool read_predictions(const json& predictions, LessonRecord* record) {
  if (!predictions.is_object()) return false;
  bool sound = true;
  for (const auto& [step, value] : predictions.items()) {
    int number = -1;
    const auto end = std::from_chars(step.data(), step.data() + step.size(), number);
    if (end.ec != std::errc() || end.ptr != step.data() + step.size() || number < 0 || number > kMostStep ||
        !value.is_object())
      return false;
    PredictionRecord& p = record->predictions[number];
    p.tries = count_in(value, "tries", kMostTries, &sound);
    p.first = flag_in(value, "first", &sound);
    p.right = flag_in(value, "right", &sound);
  }
  return sound;
}

bool read_record(const json& value, LessonRecord* record) {
  if (!value.is_object()) return false;
  bool sound = true;
  record->at = count_in(value, "at", kMostStep, &sound);
  record->passed = flag_in(value, "passed", &sound);
  if (const auto done = value.find("done"); done != value.end()) {
    if (!done->is_array()) return false;
    for (const json& step : *done) {
      if (!is_count(step, kMostStep)) return false;
      record->done.insert(step.get<int>());
    }
  }
  const auto predictions = value.find("predictions");
  return sound && (predictions == value.end() || read_predictions(*predictions, record));
}

// nullopt: the text is no progress.
std::optional<Progress> parse(const std::string& text) {
  const json document = json::parse(text, nullptr, false);
  if (!document.is_object() || document.value("schema", json()) != json(kSchema)) return std::nullopt;
  const auto lessons = document.find("lessons");
  if (lessons == document.end() || !lessons->is_object()) return std::nullopt;
  Progress progress;
  for (const auto& [name, value] : lessons->items()) {
    if (!read_record(value, &progress[name])) return std::nullopt;
  }
  return progress;
}

json to_json(const LessonRecord& record) {
  json predictions = json::object();
  for (const auto& [step, p] : record.predictions)
    predictions[std::to_string(step)] = {{"tries", p.tries}, {"first", p.first}, {"right", p.right}};
  return {{"at", record.at}, {"done", record.done}, {"predictions", predictions}, {"passed", record.passed}};
}

// Under the first name that is free; words for where it is now.
std::string set_aside(const fs::path& file) {
  std::error_code failed;
  fs::path other;
  for (int i = 1; i < 1000; ++i) {
    other = file;
    other += ".broken-" + std::to_string(i);
    if (!fs::exists(other, failed)) break;
  }
  fs::rename(file, other, failed);
  if (failed) return file.string() + ": cannot be understood, and cannot be set aside: " + failed.message();
  return file.string() + ": cannot be understood; it was kept as " + other.filename().string();
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
  if (std::optional<Progress> progress = parse(*text.value)) {
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
  const std::string words = file::write_whole(path, text + "\n").words;
  if (!words.empty()) return {std::nullopt, words};
  return {std::move(now.progress), now.trouble};
}

}  // namespace warplens::app
