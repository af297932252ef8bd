#include "app/derive/lesson_judge.h"

#include <algorithm>

#include "app/source/programs.h"
#include "sim/lesson/grade.h"

namespace warplens::app {
namespace {

struct Asked {
  std::shared_ptr<const lesson::Lesson> lesson;
  int step = -1;
  Settings settings{};  // of a challenge
  friend bool operator==(const Asked&, const Asked&) = default;
  bool in_challenge() const { return step >= static_cast<int>(lesson->steps.size()); }
};

std::optional<Asked> asked_in(const State& state) {
  const auto& active = state.classroom.active;
  if (!active) return {};
  const bool is_its_kernel = !state.settings.own && state.settings.scenario == active->view().scenario;
  if (active->in_challenge() && is_its_kernel) return Asked{active->lesson, active->step, state.settings};
  if (active->prediction() == nullptr || active->answer || !active->trouble.empty()) return {};
  return Asked{active->lesson, active->step};
}

bool speaks_of_resources(const Asked& asked) {
  const auto& goals = asked.lesson->challenge.goals;
  if (asked.in_challenge())
    return std::ranges::any_of(goals, lesson::speaks_of_resources, &lesson::Goal::rule);
  const auto rules = lesson::rules_of(asked.lesson->steps[static_cast<std::size_t>(asked.step)]);
  return std::ranges::any_of(rules, lesson::speaks_of_resources);
}

// Of what the question or the challenge looks at, and of what stands beside it. Packs belong to the window's
// thread: what they know is taken along.
using Records = std::vector<std::pair<lesson::View, lesson::Recorded>>;
Records records_of(const Asked& asked, const lesson::RecordedOf& recorded) {
  Records records;
  if (!recorded || !speaks_of_resources(asked)) return records;
  lesson::View view = asked.in_challenge() ? asked.lesson->challenge.view
                                           : asked.lesson->steps[static_cast<std::size_t>(asked.step)].view;
  for (const auto& [name, value] : asked.settings.values) view.values[name] = value;
  for (const lesson::View& beside : view.beside) records.emplace_back(beside, recorded(beside));
  records.emplace_back(view, recorded(view));
  return records;
}

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

Action judge(const Asked& asked, const Records& records, const std::atomic<bool>* cancel) {
  Budget budget(app_allowance(cancel));
  const lesson::RecordedOf recorded = [&](const lesson::View& view) {
    const auto found = std::ranges::find_if(records, [&](const auto& one) {
      return one.first.scenario == view.scenario && one.first.values == view.values;
    });
    return found == records.end() ? lesson::Recorded{} : found->second;
  };
  if (!asked.in_challenge()) return answered(asked.lesson, asked.step, recorded, &budget);
  lesson::Attempt attempt;
  attempt.values = asked.settings.values;
  if (asked.settings.text) attempt.text = *asked.settings.text;
  LessonGraded out{asked.lesson, nullptr, {}};
  auto grade = lesson::grade(asked.lesson->challenge, attempt, {{{}, &budget}, recorded});
  if (grade) out.grade = std::make_shared<const lesson::Grade>(std::move(*grade.value));
  out.trouble = std::move(grade.errors);
  return out;
}

}  // namespace

Actions LessonJudge::update(const State& state, const lesson::RecordedOf& recorded) {
  memos_.begin_frame();
  jobs::Kept<Action> found;
  if (const std::optional<Asked> asked = asked_in(state)) {
    const auto records = memos_.now<Records>(*asked, [&] { return records_of(*asked, recorded); });
    const auto work = [asked = *asked, records](Budget& budget, std::atomic<double>*) {
      return std::make_shared<const Action>(judge(asked, *records, budget.allowance().cancel));
    };
    found = memos_.get<Action>(*asked, work, {.most = 1});
  }
  memos_.end_frame();
  busy_ = found.busy;
  if (!found.value) return {};
  // A step that was entered again has lost what was known of it.
  const ActiveLesson& active = *state.classroom.active;
  const bool known = active.grade != nullptr || !active.trouble.empty();
  if (std::exchange(told_, found.value) == found.value && known) return {};
  return {*found.value};
}

}  // namespace warplens::app
