#include "app/derive/lesson_judge.h"

#include "app/source/programs.h"
#include "sim/lesson/answer.h"
#include "sim/lesson/figures.h"

namespace warplens::app {
namespace {

LessonAnswered answered(const std::shared_ptr<const lesson::Lesson>& lesson, int step, Budget* budget) {
  LessonAnswered out{lesson, step, std::nullopt, {}};
  const lesson::Step& asked = lesson->steps[static_cast<std::size_t>(step)];
  const auto prepared = lesson::prepare_view(asked.view, nullptr, budget);
  if (!prepared) {
    out.trouble = prepared.errors;
    return out;
  }
  const auto answer = lesson::answer(*asked.prediction, *prepared.value, asked.view);
  out.answer = answer.value;
  out.trouble = answer.errors;
  return out;
}

}  // namespace

Action LessonJudge::judge(const Asked& asked, const std::atomic<bool>* cancel) {
  Budget budget(app_allowance(cancel));
  if (asked.step < static_cast<int>(asked.lesson->steps.size()))
    return answered(asked.lesson, asked.step, &budget);
  lesson::Attempt attempt;
  attempt.values = asked.settings.values;
  if (asked.settings.text) attempt.text = *asked.settings.text;
  LessonGraded out{asked.lesson, nullptr, {}};
  sim::Limits limits;
  limits.budget = &budget;
  auto grade = lesson::grade(asked.lesson->challenge, attempt, limits);
  if (grade) out.grade = std::make_shared<const lesson::Grade>(std::move(*grade.value));
  out.trouble = std::move(grade.errors);
  return out;
}

Actions LessonJudge::update(const State& state) {
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
    worker_.start([wanted](const std::atomic<bool>* cancel, std::atomic<double>*) {
      return Found{judge(wanted, cancel)};
    });
  }
  if (!busy_) return {};
  std::optional<Found> found = worker_.take();
  if (!found) return {};
  busy_ = false;
  return {std::move(found->action)};
}

}  // namespace warplens::app
