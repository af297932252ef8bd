// warplens.exercise/1 -> Exercise: the fields of docs/exercises.md, one by one.
#include <algorithm>

#include "sim/exercise/exercise.h"
#include "sim/exercise/read_op.h"
#include "sim/scenario/json_document.h"
#include "sim/scenario/local_text.h"
#include "sim/scenario/project.h"
#include "sim/scenario/text_file.h"

namespace warplens::exercise {

namespace {

using scenario::JsonDocument;
using scenario::JsonValue;

constexpr std::string_view kEnding = ".exercise.json";
constexpr std::size_t kMostAsks = 64;

LocalText required_words(const JsonValue& object, std::string_view member) {
  if (!object.has(member)) object.error(member, Message("is missing"));
  return scenario::read_words(object, member);
}

int number(const JsonValue& object, std::string_view member, int least, int most, int fallback) {
  const std::int64_t value = object.optional_integer(member, fallback);
  if (value >= least && value <= most) return static_cast<int>(value);
  object.error(member, Message("is {}; {} to {} is possible", value, least, most));
  return fallback;
}

Ask read_ask(const JsonValue& value) {
  Ask ask;
  ask.field = value.field();
  ask.array = value.text("array");
  if (!value.has("op")) value.error("op", Message("is missing"));
  ask.op = read_op(value).value_or(memory::Op::Load);
  ask.nth = number(value, "nth", 1, 1000, 1);
  ask.turn = number(value, "turn", 0, 1'000'000, 0);
  for (const JsonValue& entry : value.list("figures")) {
    const std::string name = entry.as_text().value_or("");
    const auto figure = figure_named(name);
    if (!figure)
      entry.error(Message("is \"{}\"; coalesced, sectors, lines, ways or wavefronts is possible", name));
    else if (std::ranges::count(ask.figures, *figure) > 0)
      entry.error(Message("is there twice"));
    else
      ask.figures.push_back(*figure);
  }
  if (value.has("figures") && ask.figures.empty()) value.error("figures", Message("is empty"));
  return ask;
}

void read_asks(const JsonValue& root, Exercise& exercise) {
  const scenario::JsonList asks = root.list("asks");
  if (root.has("asks") && asks.empty()) root.error("asks", Message("is empty"));
  if (asks.size() > kMostAsks)
    return root.error("asks", Message("has {} entries; {} are possible", asks.size(), kMostAsks));
  for (const JsonValue& value : asks)
    if (value.is_object()) exercise.asks.push_back(read_ask(value));
}

void read_block(const JsonValue& root, Exercise& exercise) {
  std::uint32_t* parts[] = {&exercise.block.x, &exercise.block.y, &exercise.block.z};
  const scenario::JsonList indices = root.optional_list("block");
  if (indices.size() > 3) root.error("block", Message("has more than three entries: x, y, z"));
  for (std::size_t i = 0; i < std::min<std::size_t>(indices.size(), 3); ++i) {
    const std::int64_t index = indices[i].as_integer().value_or(0);
    if (index < 0 || index > 0x7fffffff)
      indices[i].error(Message("is no index of a block: {}", index));
    else
      *parts[i] = static_cast<std::uint32_t>(index);
  }
}

Exercise read_exercise(JsonDocument& document, const std::filesystem::path& file) {
  Exercise exercise;
  exercise.file = file;
  if (!document.has_schema("exercise")) return exercise;
  const JsonValue root = document.root();
  exercise.name = root.text("name");
  exercise.title = required_words(root, "title");
  exercise.source = required_words(root, "source");
  exercise.task = required_words(root, "task");
  exercise.warp = number(root, "warp", 0, 31, 0);
  read_block(root, exercise);
  read_asks(root, exercise);
  return exercise;
}

}  // namespace

int Exercise::claims() const {
  std::size_t all = 0;
  for (const Ask& ask : asks) all += ask.figures.size();
  return static_cast<int>(all);
}

Outcome<Exercise> load_exercise(const std::filesystem::path& file, Budget* budget) {
  JsonDocument document = JsonDocument::load(file, {.budget = budget});
  Exercise exercise;
  if (document.ok()) exercise = read_exercise(document, file);
  if (!document.ok()) return {{}, document.errors()};
  const std::string name = file.filename().string();
  const std::string stem = name.ends_with(kEnding) ? name.substr(0, name.size() - kEnding.size()) : name;
  const std::filesystem::path beside = file.parent_path() / (stem + ".scenario.json");
  if (!scenario::is_beside(beside, file))
    return {{}, {Message("{}: must lie beside {}, and not only a link to it", beside.string(), name)}};
  Outcome<scenario::Scenario> scenario = scenario::load_scenario(beside, budget);
  if (!scenario) return {{}, scenario.errors};
  exercise.scenario = std::move(*scenario.value);
  return {std::move(exercise), {}};
}

Outcome<std::vector<Exercise>> load_exercises(const std::filesystem::path& folder, Budget* budget) {
  std::vector<std::filesystem::path> files;
  std::error_code failed;
  for (std::filesystem::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed))
    if (entry->path().filename().string().ends_with(kEnding)) files.push_back(entry->path());
  if (failed) return {{}, {Message("{}: the folder cannot be read: {}", folder.string(), failed.message())}};
  std::ranges::sort(files);
  Outcome<std::vector<Exercise>> outcome;
  outcome.value.emplace();
  for (const std::filesystem::path& file : files) {
    Outcome<Exercise> exercise = load_exercise(file, budget);
    outcome.errors.insert(outcome.errors.end(), exercise.errors.begin(), exercise.errors.end());
    if (exercise) outcome.value->push_back(std::move(*exercise.value));
  }
  return outcome;
}

Outcome<Exercise> find_exercise(const std::string& what, Budget* budget) {
  if (what.ends_with(".json")) return load_exercise(what, budget);
  const std::filesystem::path folder = scenario::data_folder("assets") / "exercises";
  const std::filesystem::path file = folder / (what + std::string(kEnding));
  std::error_code failed;
  if (what.find('/') == std::string::npos && std::filesystem::is_regular_file(file, failed))
    return load_exercise(file, budget);
  std::vector<std::string> names;
  const Outcome<std::vector<Exercise>> all = load_exercises(folder, budget);
  for (const Exercise& exercise : all.value.value_or(std::vector<Exercise>())) names.push_back(exercise.name);
  return {{}, {Message("there is no exercise \"{}\"{}", what, scenario::did_you_mean(what, names))}};
}

}  // namespace warplens::exercise
