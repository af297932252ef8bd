// warplens.lesson/1 -> Lesson: the fields of docs/lessons.md, one by one.
#include <algorithm>
#include <limits>
#include <tuple>

#include "sim/base/numbers.h"
#include "sim/lesson/lesson.h"
#include "sim/scenario/json_document.h"
#include "sim/scenario/text_file.h"

namespace warplens::lesson {

namespace {

using scenario::JsonDocument;
using scenario::JsonList;
using scenario::JsonValue;
using scenario::required_words;

ParameterValues read_values(const JsonValue& object, std::string_view member) {
  ParameterValues values;
  for (const auto& [name, value] : object.optional_members(member)) {
    values[name] = value.as_integer().value_or(0);
  }
  return values;
}

// A profile is a file of one's own, of which no lesson knows.
std::optional<ViewId> read_picture(const JsonValue& show) {
  const std::string name = show.optional_text("picture");
  const std::optional<ViewId> found = view_named(name);
  if (name.empty() || (found && found != ViewId::Profile)) return found;
  std::vector<std::string> known(kViewNames.begin(), kViewNames.end());
  std::erase(known, name_of(ViewId::Profile));
  show.error("picture", Message("there is no picture \"{}\"{}", name, scenario::did_you_mean(name, known)));
  return std::nullopt;
}

View view_in(const JsonValue& show) {
  View view;
  if (!show.is_object()) return view;
  view.scenario = show.text("scenario");
  view.values = read_values(show, "set");
  const auto [x, y, z] = show.optional_index("block");
  view.block = {x, y, z};
  view.warp = show.optional_within("warp", 0, 31, 0);
  view.access = show.optional_within("access", 0, 1'000'000, 0);
  view.picture = read_picture(show);
  for (const JsonValue& line : show.optional_list("code")) view.code += line.as_text().value_or("") + "\n";
  return view;
}

View read_view(const JsonValue& owner) {
  const JsonValue show = owner.member("show");
  View view = view_in(show);
  if (show.is_object(false) && show.has("beside")) view.beside.push_back(view_in(show.member("beside")));
  return view;
}

Names read_names(const JsonValue& value, const Prediction& prediction) {
  const std::string names = value.optional_text("names");
  if (names == "lane") return Names::Lane;
  if (names == "bank" || (names.empty() && prediction.lane() >= 0)) return Names::Bank;
  if (!names.empty()) value.error("names", Message("is \"{}\"; \"lane\" or \"bank\" is needed", names));
  return Names::Nothing;
}

Draw read_draw(const JsonValue& value) {
  const std::string draw = value.optional_text("draw");
  if (draw == "sectors") return Draw::Sectors;
  if (draw == "banks") return Draw::Banks;
  if (!draw.empty()) value.error("draw", Message("is \"{}\"; \"sectors\" or \"banks\" is needed", draw));
  return Draw::Nothing;
}

// In a file choices are numbered from 1, as they are on screen.
std::vector<WrongAnswer> read_wrong(const JsonValue& value, const Prediction& prediction) {
  std::vector<WrongAnswer> all;
  for (const JsonValue& one : value.optional_list("wrong")) {
    if (!one.is_object()) continue;
    const std::int64_t first = prediction.choices.empty() ? 0 : 1;
    all.push_back({one.integer("answer") - first, required_words(one, "why")});
  }
  return all;
}

std::optional<Prediction> read_prediction(const JsonValue& step) {
  if (!step.has("predict")) return std::nullopt;
  const JsonValue value = step.member("predict");
  if (!value.is_object()) return std::nullopt;
  Prediction prediction;
  prediction.question = required_words(value, "question");
  prediction.hint = required_words(value, "hint");
  prediction.why = required_words(value, "why");
  prediction.ask = value.optional_text("ask");
  for (const JsonValue& choice : value.optional_list("choices")) {
    if (choice.is_object())
      prediction.choices.push_back({required_words(choice, "words"), choice.text("when")});
  }
  prediction.draw = read_draw(value);
  prediction.names = read_names(value, prediction);
  prediction.wrong = read_wrong(value, prediction);
  if (value.has("choices") && value.optional_list("choices").empty())
    value.error("choices", Message("is empty; there must be something to choose"));
  const int given =
      (prediction.ask.empty() ? 0 : 1) + (value.has("choices") ? 1 : 0) + (value.has("draw") ? 1 : 0);
  if (given != 1)
    value.error(
        Message("one of \"ask\" (a number), \"choices\" and \"draw\" is needed, and no other beside it"));
  if (prediction.choices.size() == 1)
    value.error("choices", Message("has one entry; there must be something to choose"));
  return prediction;
}

// A step without "show" goes on with what the step before showed.
void read_steps(const JsonValue& root, Lesson& lesson) {
  const JsonList steps = root.list("steps");
  if (root.has("steps") && steps.empty()) root.error("steps", Message("is empty"));
  for (const JsonValue& value : steps) {
    if (!value.is_object()) continue;
    Step step;
    step.text = required_words(value, "text");
    if (value.has("show"))
      step.view = read_view(value);
    else if (lesson.steps.empty())
      value.error("show", Message("is missing; the first step must say what is looked at"));
    else
      step.view = lesson.steps.back().view;
    for (const JsonValue& rule : value.optional_list("says"))
      step.says.push_back(rule.as_text().value_or(""));
    step.prediction = read_prediction(value);
    lesson.steps.push_back(std::move(step));
  }
}

void read_challenge(const JsonValue& root, Lesson& lesson) {
  if (!root.has("challenge")) return root.error("challenge", Message("is missing"));
  const JsonValue value = root.member("challenge");
  if (!value.is_object()) return;
  Challenge& challenge = lesson.challenge;
  challenge.text = required_words(value, "text");
  if (value.has("show"))
    challenge.view = read_view(value);
  else
    value.error("show", Message("is missing; it says where the student begins"));
  for (const JsonValue& name : value.optional_list("free")) {
    challenge.free.push_back(name.as_text().value_or(""));
  }
  for (const JsonValue& goal : value.list("goals")) {
    if (goal.is_object()) challenge.goals.push_back({goal.text("rule"), required_words(goal, "words")});
  }
  for (const JsonValue& hint : value.optional_list("hints")) {
    if (hint.is_object()) challenge.hints.push_back(required_words(hint, "words"));
  }
  challenge.trial = read_values(value, "trial");
  challenge.solution = read_values(value, "solution");
  for (const auto& [name, setting] : challenge.solution) {
    if (std::ranges::find(challenge.free, name) == challenge.free.end())
      value.error("solution", Message("sets \"{}\", which is not free", name));
  }
}

void read_lesson(const JsonValue& root, Lesson& lesson) {
  lesson.name = root.text("name");
  lesson.order = root.optional_within("order", 1, 1000, 1000);
  lesson.minutes = root.optional_within("minutes", 1, 600, 5);
  lesson.title = required_words(root, "title");
  lesson.goal = required_words(root, "goal");
  read_steps(root, lesson);
  read_challenge(root, lesson);
}

}  // namespace

std::string Prediction::rules() const {
  std::string rules = ask;
  for (const Choice& choice : choices) rules += " " + choice.when;
  return draw == Draw::Nothing ? rules : rules + " sectors wavefronts";
}

int Prediction::lane() const {
  constexpr std::string_view kBank = "bank_";
  if (!ask.starts_with(kBank)) return -1;
  const int lane = number_in<int>(std::string_view(ask).substr(kBank.size())).value_or(-1);
  return lane >= 0 && lane < 32 ? lane : -1;
}

Outcome<Lesson> load_lesson(const std::filesystem::path& file, Budget* budget) {
  return scenario::load_document<Lesson>(file, "lesson", read_lesson, budget);
}

Outcome<std::vector<Lesson>> load_lessons(const std::filesystem::path& folder, Budget* budget) {
  auto outcome = scenario::load_all<Lesson>(folder, ".lesson.json", load_lesson, budget);
  if (!outcome) return outcome;
  std::ranges::sort(*outcome.value, [](const Lesson& a, const Lesson& b) {
    return std::tie(a.order, a.name) < std::tie(b.order, b.name);
  });
  return outcome;
}

}  // namespace warplens::lesson
