#include "app/derive/lesson_judge.h"

#include <algorithm>

#include "app/source/programs.h"
#include "sim/lesson/grade.h"

namespace warplens::app {
namespace {

LessonAnswered answered(const std::shared_ptr<const lesson::Lesson>& lesson, int step,
                        const lesson::RecordedOf& recorded, Budget* budget) {
  LessonAnswered out{lesson, step, std::nullopt, {}};
  const lesson::Step& asked = lesson->steps[static_cast<std::size_t>(step)];
  const auto prepared = lesson::prepare_view(asked.view, nullptr, budget);
  if (!prepared) {
    out.trouble = prepared.errors;
    return out;
  }
  const auto answer =
      lesson::answer(*asked.prediction, *prepared.value, asked.view, {{{}, budget}, recorded});
  out.answer = answer.value;
  out.trouble = answer.errors;
  return out;
}

}  // namespace

bool LessonJudge::speaks_of_resources(const Asked& asked) {
  if (asked.step < static_cast<int>(asked.lesson->steps.size())) {
    const auto rules = lesson::rules_of(asked.lesson->steps[static_cast<std::size_t>(asked.step)]);
    return std::ranges::any_of(rules, lesson::speaks_of_resources);
  }
  const auto& goals = asked.lesson->challenge.goals;
  return std::ranges::any_of(goals,
                             [](const lesson::Goal& goal) { return lesson::speaks_of_resources(goal.rule); });
}

// Of what the question or the challenge looks at, and of what stands beside it. Packs belong to the window's
// thread: what they know is taken along.
LessonJudge::Records LessonJudge::records_of(const Asked& asked, const lesson::RecordedOf& recorded) {
  Records records;
  if (!recorded || !speaks_of_resources(asked)) return records;
  const bool in_challenge = asked.step >= static_cast<int>(asked.lesson->steps.size());
  lesson::View view = in_challenge ? asked.lesson->challenge.view
                                   : asked.lesson->steps[static_cast<std::size_t>(asked.step)].view;
  if (in_challenge) {
    for (const auto& [name, value] : asked.settings.values) view.values[name] = value;
  }
  for (const lesson::View& beside : view.beside) records.emplace_back(beside, recorded(beside));
  records.emplace_back(view, recorded(view));
  return records;
}

Action LessonJudge::judge(const Asked& asked, const Records& records, const std::atomic<bool>* cancel) {
  Budget budget(app_allowance(cancel));
  const lesson::RecordedOf recorded = [&](const lesson::View& view) {
    const auto found = std::ranges::find_if(records, [&](const auto& one) {
      return one.first.scenario == view.scenario && one.first.values == view.values;
    });
    return found == records.end() ? lesson::Recorded{} : found->second;
  };
  if (asked.step < static_cast<int>(asked.lesson->steps.size()))
    return answered(asked.lesson, asked.step, recorded, &budget);
  lesson::Attempt attempt;
  attempt.values = asked.settings.values;
  if (asked.settings.text) attempt.text = *asked.settings.text;
  LessonGraded out{asked.lesson, nullptr, {}};
  auto grade = lesson::grade(asked.lesson->challenge, attempt, {{{}, &budget}, recorded});
  if (grade) out.grade = std::make_shared<const lesson::Grade>(std::move(*grade.value));
  out.trouble = std::move(grade.errors);
  return out;
}

Actions LessonJudge::update(const State& state, const lesson::RecordedOf& recorded) {
  Asked wanted;
  if (const auto& active = state.classroom.active) {
    const bool is_its_kernel = !state.settings.own && state.settings.scenario == active->view().scenario;
    if (active->in_challenge() && is_its_kernel) {
      wanted = {active->lesson, active->step, state.settings};
    } else if (active->prediction() != nullptr && !active->answer && active->trouble.empty()) {
      wanted = {active->lesson, active->step, {}};
    }
  }
  if (wanted.lesson == nullptr) {
    if (busy_) worker_.cancel();
    busy_ = false;
    asked_ = {};
    return {};
  }
  // A step that was entered again has lost what was known of it.
  const ActiveLesson& active = *state.classroom.active;
  const bool known = active.grade != nullptr || !active.trouble.empty();
  if (!(wanted == asked_) || (!busy_ && !known)) {
    asked_ = wanted;
    busy_ = true;
    worker_.start([wanted, records = records_of(wanted, recorded)](const std::atomic<bool>* cancel,
                                                                   std::atomic<double>*) {
      return Found{judge(wanted, records, cancel)};
    });
  }
  if (!busy_) return {};
  std::optional<Found> found = worker_.take();
  if (!found) return {};
  busy_ = false;
  return {std::move(found->action)};
}

}  // namespace warplens::app
