#include "app/storage/progress_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>

#include "app/storage/fields.h"
#include "app/storage/files.h"
#include "sim/base/numbers.h"
#include "sim/file/lock.h"
#include "sim/file/whole_file.h"
#include "sim/scenario/json_document.h"
#include "sim/scenario/text_file.h"
#include "sim/text/scan.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using scenario::JsonDocument, scenario::JsonValue;

constexpr const char* kSchema = "warplens.progress/1";
constexpr int kMostStep = 10'000, kMostTries = 1'000'000;

}  // namespace

static void describe(Fields& f, PredictionRecord& prediction) {
  f.count("tries", prediction.tries, kMostTries);
  f("first", prediction.first);
  f("right", prediction.right);
}

namespace {

void read_prediction(const std::string& step, const JsonValue& value, LessonRecord* record) {
  const int number = number_in<int>(step).value_or(-1);
  if (number < 0 || number > kMostStep) return value.error(Message("is no step"));
  if (!value.is_object()) return;
  Fields fields(value);
  describe(fields, record->predictions[number]);
}

LessonRecord read_record(const JsonValue& value) {
  LessonRecord record;
  if (!value.is_object()) return record;
  Fields fields(value);
  fields.count("at", record.at, kMostStep);
  fields("passed", record.passed);
  for (const JsonValue& step : value.optional_list("done")) {
    const std::int64_t number = step.as_integer().value_or(-1);
    if (number < 0 || number > kMostStep) step.error(Message("is no step"));
    record.done.insert(static_cast<int>(number));
  }
  for (const auto& [step, prediction] : value.optional_members("predictions"))
    read_prediction(step, prediction, &record);
  return record;
}

// nullopt: the text is no progress.
std::optional<Progress> parse(const std::string& text, const std::string& name) {
  JsonDocument document = JsonDocument::parse(text, name);
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

}  // namespace warplens::app
