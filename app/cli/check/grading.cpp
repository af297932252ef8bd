#include "app/cli/check/grading.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/watch.h"
#include "app/cli/why.h"
#include "sim/lesson/grade.h"
#include "sim/report/output/table.h"
#include "sim/scenario/command_line.h"
#include "sim/scenario/json_document.h"

namespace warplens::cli {

namespace {

using nlohmann::ordered_json;

void set_value(lesson::Attempt& attempt, const std::string& name, std::int64_t value) {
  attempt.values[name] = value;
}

// "--set pad=1": a lesson's parameters are integers.
void take_sets(const scenario::Target& target, lesson::Attempt& attempt) {
  const auto twice = scenario::given_twice("--set", target.sets);
  if (!twice.empty()) throw CommandFailure(kInputWrong, twice);
  for (const std::string& set : target.sets) {
    const std::size_t equals = set.find('=');
    const std::string name = set.substr(0, equals);
    if (equals == std::string::npos || name.empty())
      throw CommandFailure(kInputWrong, "--set " + set + ": NAME=VALUE is needed");
    const auto value = scenario::parse_argument(set.substr(equals + 1), "--set " + name);
    if (!value) throw CommandFailure(kInputWrong, value.errors);
    const auto* number = std::get_if<std::int64_t>(&*value.value);
    if (number == nullptr) throw CommandFailure(kInputWrong, "--set " + set + ": an integer is needed");
    set_value(attempt, name, *number);
  }
}

// "--block 32,8" turns block_x and block_y.
void take_block(const scenario::Target& target, lesson::Attempt& attempt) {
  if (target.block.empty()) return;
  const auto block = scenario::parse_extents(target.block, "--block");
  if (!block) throw CommandFailure(kInputWrong, block.errors);
  // What is not named stays: "256,1" is one row, "256" as many as there are.
  const int named = scenario::extents_given(target.block);
  set_value(attempt, "block_x", block.value->x);
  if (named > 1) set_value(attempt, "block_y", block.value->y);
  if (named > 2) set_value(attempt, "block_z", block.value->z);
}

lesson::Attempt attempt_of(const scenario::Target& target, const lesson::Challenge& challenge,
                           Budget& budget) {
  if (!target.defines.empty())
    throw CommandFailure(kInputWrong,
                         "--define: a challenge is graded with the text as it is; write it there");
  lesson::Attempt attempt;
  for (const auto& [text, option] : {std::pair(&target.kernel, "--kernel"),
                                     {&target.grid, "--grid"},
                                     {&target.template_arguments, "--template"},
                                     {&target.shared, "--shared"}}) {
    if (!text->empty())
      throw CommandFailure(
          kInputWrong,
          std::string(option) + ": the lesson gives the launch; only --set and --block are possible");
  }
  const auto scenario = scenario::find_scenario(target.what, &budget);
  if (!scenario.errors.empty()) throw CommandFailure(kInputWrong, scenario.errors);
  if (scenario) {
    if (scenario.value->name != challenge.view.scenario)
      throw CommandFailure(
          kInputWrong, "the challenge is about " + challenge.view.scenario + ", not " + scenario.value->name);
    if (scenario::is_permalink(target.what)) {
      const auto pasted = scenario::read_permalink(target.what, *scenario.value);
      if (!pasted) throw CommandFailure(kInputWrong, pasted.errors);
      attempt.values = pasted.value->values;
    } else if (target.what != scenario.value->name) {
      attempt.text = scenario.value->text;  // a file of one's own: the kernel is the one beside it
    }
    take_sets(target, attempt);
    take_block(target, attempt);
    return attempt;
  }
  take_sets(target, attempt);
  take_block(target, attempt);
  auto text = scenario::read_input(target.what, scenario::kMaxTextBytes, &budget);
  if (!text) throw CommandFailure(kInputWrong, text.errors);
  if (text.value->empty()) throw CommandFailure(kInputWrong, target.what + ": is empty");
  attempt.text = std::move(*text.value);
  return attempt;
}

ordered_json grade_json(const lesson::Lesson& lesson, const lesson::Grade& grade) {
  ordered_json json = {{"schema", "warplens.grade/1"},
                       {"lesson", lesson.name},
                       {"passed", grade.passed()},
                       {"output_right", grade.output_right},
                       {"goals", ordered_json::array()}};
  if (!grade.output_right) json["first_difference"] = grade.first_difference.english();
  for (const lesson::GoalVerdict& goal : grade.goals) {
    json["goals"].push_back({{"words", scenario::in_language(goal.words, "en")},
                             {"rule", goal.rule},
                             {"holds", goal.holds},
                             {"figures", goal.figures}});
  }
  return json;
}

std::string grade_text(const lesson::Lesson& lesson, const lesson::Grade& grade) {
  std::string text = scenario::in_language(lesson.title, "en") + "\n";
  if (!grade.output_right)
    text += "  no   the output is not the original's: " + grade.first_difference.english() + "\n";
  for (const lesson::GoalVerdict& goal : grade.goals) {
    text += std::string(goal.holds ? "  yes  " : "  no   ") + scenario::in_language(goal.words, "en") + " (" +
            goal.figures + ")\n";
  }
  return text + (grade.passed() ? "passed\n" : "not passed\n");
}

}  // namespace

bool is_lesson(const std::filesystem::path& file, Budget& budget) {
  if (file.extension() != ".json") return false;
  scenario::JsonLimits limits;
  limits.bytes = std::size_t{64} << 20;  // it may be a recorded pack
  limits.budget = &budget;
  scenario::JsonDocument document = scenario::JsonDocument::load(file, limits);
  return document.ok() && document.json().is_object() &&
         document.root().optional_text("schema").starts_with("warplens.lesson/");
}

ExitCode grade_target(const scenario::Target& target, const std::string& lesson_file,
                      const SimulationOptions& simulation, const FormatOptions& format) {
  Budget& budget = simulation.budget();
  const auto lesson = lesson::load_lesson(lesson_file, &budget);
  if (!lesson) throw CommandFailure(kInputWrong, lesson.errors);
  const lesson::Attempt attempt = attempt_of(target, lesson.value->challenge, budget);
  sim::Limits limits = simulation.limits();
  const Watch watch(limits);
  const auto grade = lesson::grade(lesson.value->challenge, attempt, {limits, recorded_for_lessons()});
  if (budget.stopped() != StopReason::None) {
    const CommandFailure why = failure_of(budget.why(Stage::Grading));
    throw CommandFailure(kLimitHit, target.what + ": is not graded: " + why.what());
  }
  if (!grade) throw CommandFailure(kInputWrong, grade.errors);
  if (format.json)
    print_json(grade_json(*lesson.value, *grade.value));
  else
    print(grade_text(*lesson.value, *grade.value));
  return grade.value->passed() ? kDone : kCheckFailed;
}

}  // namespace warplens::cli
