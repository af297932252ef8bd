#include "app/storage/class/json.h"

#include <nlohmann/json.hpp>

#include "app/actions/lesson_actions.h"
#include "app/input/palette.h"
#include "app/readout/question.h"

namespace warplens::app {
namespace {

using nlohmann::json;

json guess_json(const Guess& guess) {
  json out{{"locked", guess.locked}};
  if (!guess.typed.empty()) out["typed"] = guess.typed;
  if (guess.chosen >= 0) out["chosen"] = guess.chosen;
  return out;
}

json lesson_json(const ActiveLesson& active, bool with_answers) {
  json out{{"name", active.lesson->name},
           {"step", active.step},
           {"steps", active.lesson->steps.size()},
           {"challenge", active.in_challenge()},
           {"hints", active.hints},
           {"asks", active.prediction() != nullptr},
           {"guess", guess_json(active.guess)},
           {"trouble", active.trouble}};
  out["answer_known"] = active.answer.has_value();
  if (active.answer && (with_answers || active.guess.locked)) out["answer"] = *active.answer;
  if (active.grade) {
    out["passed"] = active.grade->passed();
    out["output_right"] = active.grade->output_right;
    for (const lesson::GoalVerdict& goal : active.grade->goals)
      out["goals"].push_back({{"rule", goal.rule}, {"holds", goal.holds}, {"figures", goal.figures}});
  }
  return out;
}

}  // namespace

json class_json(const State& state, const Simulation& seen, bool with_answers) {
  const Classroom& c = state.classroom;
  const Hidden hidden = hidden_in(state);
  json out{{"hidden", hidden.costs}, {"rest_hidden", hidden.rest}, {"times_hidden", hidden.times}};
  if (c.list) out["list"] = *c.list;
  if (c.tour) out["tour"] = *c.tour;
  if (c.palette) {
    out["palette"] = {{"selected", c.palette->selected}, {"found", json::array()}};
    if (c.palette->entries) {
      for (const int i : fitting(*c.palette->entries, state.field.text))
        out["palette"]["found"].push_back(c.palette->entries->all[static_cast<std::size_t>(i)].label);
    }
  }
  if (c.predicting) {
    out["predicting"] = guess_json(c.predicting->guess);
    out["predicting"]["question"] = c.predicting->question;
  }
  if (c.active) {
    out["lesson"] = lesson_json(*c.active, with_answers);
    out["lesson"]["as_put"] = is_as_put(state, seen);
  }
  for (const auto& [name, record] : c.progress)
    out["progress"][name] = {{"at", record.at}, {"done", record.done.size()}, {"passed", record.passed}};
  return out;
}

}  // namespace warplens::app
