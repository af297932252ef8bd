#include "app/actions/lesson_actions.h"

#include <algorithm>
#include <cctype>

#include "app/state/sheets.h"

namespace warplens::app {
namespace {

constexpr std::size_t kMostDigits = 9;

bool is_number(const std::string& typed) {
  const bool negative = typed.starts_with('-');
  return typed.size() <= kMostDigits &&
         std::all_of(typed.begin() + (negative ? 1 : 0), typed.end(),
                     [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
}

AccessId resolved(const Position& position, const Simulation& s) {
  const bool by_name = !position.access.any && position.access.number < 0;
  return by_name ? position.access : name_of(s, s.place.event);
}

}  // namespace

std::string lesson_key(const Catalog& catalog, const lesson::Lesson& lesson) {
  const auto found = std::find_if(catalog.lessons.begin(), catalog.lessons.end(),
                                  [&](const auto& one) { return one.get() == &lesson; });
  return lesson_key(lesson, found != catalog.lessons.end());
}

std::optional<Settings> settings_of(const Catalog& catalog, const lesson::View& view) {
  const scenario::Scenario* s = catalog.find(view.scenario);
  if (s == nullptr) return std::nullopt;
  Settings settings;
  settings.scenario = s->name;
  settings.values = scenario::defaults(*s);
  for (const auto& [name, value] : view.values) settings.values[name] = value;
  return settings;
}

bool is_as_put(const State& state, const Simulation& s) {
  if (!state.classroom.active) return true;
  const lesson::View& view = state.classroom.active->view();
  if (state.settings.own || state.settings.text || state.settings.literal ||
      state.settings.scenario != view.scenario)
    return false;
  for (const auto& [name, value] : view.values) {
    const auto now = state.settings.values.find(name);
    if (now != state.settings.values.end() && now->second != value) return false;
  }
  if (s.compiled && s.compiled->scenario) {
    for (const scenario::ScenarioParameter& parameter : s.compiled->scenario->parameters) {
      const auto now = state.settings.values.find(parameter.name);
      if (now != state.settings.values.end() && !view.values.contains(parameter.name) &&
          now->second != parameter.fallback)
        return false;
    }
  }
  if (view.picture && view.picture != state.shown) return false;
  if (s.empty() || !s.fresh) return true;
  return s.place.block == view.block && s.place.warp == view.warp && s.place.event == view.access;
}

bool same_access(const State& before, const State& after, const Simulation& seen) {
  if (!(before.settings == after.settings)) return false;
  if (before.position == after.position) return true;
  return before.position.block == after.position.block && before.position.warp == after.position.warp &&
         resolved(before.position, seen) == resolved(after.position, seen);
}

// ---- the lesson -------------------------------------------------------------------------------------------

void LessonActions::operator()(const ShowLessons& a) {
  Classroom& c = state.classroom;
  c.list.reset();
  if (!a.show || catalog.lessons.empty()) return;
  make_room(&state, Sheet::Lessons);
  c.list = 0;
  state.playback.playing = false;
  // The lesson in progress, or the first that is not passed.
  for (std::size_t i = catalog.lessons.size(); i-- > 0;) {
    const auto record = c.progress.find(catalog.lessons[i]->name);
    if (record == c.progress.end() || !record->second.passed) c.list = static_cast<int>(i);
  }
  for (std::size_t i = 0; i < catalog.lessons.size(); ++i) {
    if (c.active && c.active->lesson == catalog.lessons[i]) c.list = static_cast<int>(i);
  }
}

void LessonActions::operator()(const MoveInLessons& a) {
  if (!state.classroom.list) return;
  const int count = static_cast<int>(catalog.lessons.size());
  state.classroom.list = std::clamp(*state.classroom.list + a.by, 0, std::max(count - 1, 0));
}

void LessonActions::operator()(const OpenLesson& a) {
  for (const auto& one : catalog.lessons) {
    if (one->name == a.name) return (*this)(TakeLesson{one});
  }
}

// Goes on where it was left; begins anew where it is done.
void LessonActions::operator()(const TakeLesson& a) {
  if (a.lesson == nullptr || a.lesson->steps.empty()) return;
  Classroom& c = state.classroom;
  make_room(&state, std::nullopt);
  c.predicting.reset();
  const std::optional<ViewId> put = c.active ? c.active->put : std::nullopt;
  c.active = ActiveLesson{};
  c.active->lesson = a.lesson;
  c.active->put = put;
  state.notice.reset();
  state.hint = false;
  const LessonRecord& known = record();
  c.active->passed_before = known.passed;
  enter_step(known.passed ? 0 : known.at);
}

void LessonActions::operator()(const LeaveLesson&) {
  if (!state.classroom.active) return;
  put_picture(std::nullopt);
  state.classroom.active.reset();
}

void LessonActions::operator()(const NextLesson&) {
  if (!state.classroom.active) return;
  const auto next = catalog.after(*state.classroom.active->lesson);
  if (next != nullptr)
    (*this)(TakeLesson{next});
  else
    (*this)(ShowLessons{});
}

void LessonActions::operator()(const StepLesson& a) {
  if (state.classroom.active) enter_step(state.classroom.active->step + a.by);
}

void LessonActions::operator()(const GoToLessonStep& a) {
  if (state.classroom.active) enter_step(a.step);
}

void LessonActions::operator()(const PutBack&) {
  if (state.classroom.active) show_view();
}

void LessonActions::operator()(const ShowHint&) {
  if (!state.classroom.active) return;
  ActiveLesson& active = *state.classroom.active;
  active.hints = std::min(active.hints + 1, active.hint_count());
}

void LessonActions::enter_step(int step) {
  ActiveLesson& active = *state.classroom.active;
  const int last = static_cast<int>(active.lesson->steps.size());  // the challenge
  active.step = std::clamp(step, 0, last);
  active.hints = 0;
  active.guess = {};
  active.answer.reset();
  active.grade.reset();
  active.trouble.clear();
  show_view();
  LessonRecord& r = record();
  r.at = active.step;
  if (!active.in_challenge() && active.prediction() == nullptr) r.done.insert(active.step);
  keep_record();
}

void LessonActions::show_view() {
  ActiveLesson& active = *state.classroom.active;
  const lesson::View& view = active.view();
  std::optional<Settings> settings = settings_of(catalog, view);
  if (!settings) {
    active.trouble = {Message("there is no scenario \"{}\"", view.scenario)};
    return;
  }
  change(std::move(*settings));
  state.position = {};
  state.position.block = view.block;
  state.position.warp = view.warp;
  state.position.access.any = false;
  state.position.access.number = view.access;
  state.playback.playing = false;
  state.playback.elapsed = 0;
  state.editing = false;
  state.caret = {};
  state.form = false;
  state.field = {};
  put_picture(view.picture);
}

// One that a student opened stays, one that a step asked for goes with it.
void LessonActions::put_picture(std::optional<ViewId> wanted) {
  std::optional<ViewId>& put = state.classroom.active->put;
  const bool goes = !wanted && put && state.shown == *put;
  if (wanted || goes) app::show_view(&state, wanted.value_or(ViewId::Memory));
  put = wanted;
}

LessonRecord& LessonActions::record() {
  return state.classroom.progress[lesson_key(catalog, *state.classroom.active->lesson)];
}

void LessonActions::keep_record() {
  const std::string key = lesson_key(catalog, *state.classroom.active->lesson);
  state.requests.emplace_back(KeepProgress{key, state.classroom.progress[key]});
}

// ---- predictions ------------------------------------------------------------------------------------------

void LessonActions::operator()(const SetPredicting& a) {
  state.classroom.predicting.reset();
  if (!a.predicting) return;
  state.classroom.predicting = Predicting{};
  make_room(&state, std::nullopt);
  state.playback.playing = false;
  state.position.wavefront = 0;
}

void LessonActions::operator()(const NextQuestion& a) {
  if (!state.classroom.predicting) return;
  state.classroom.predicting->question += a.by;
  state.classroom.predicting->guess = {};
}

void LessonActions::operator()(const SetGuess& a) {
  Classroom& c = state.classroom;
  Guess* guess = c.predicting ? &c.predicting->guess : c.active ? &c.active->guess : nullptr;
  if (guess == nullptr || guess->locked || !is_number(a.typed)) return;
  if (!c.predicting && c.active->prediction() == nullptr) return;
  guess->typed = a.typed;
  guess->chosen = a.chosen;
  state.playback.playing = false;
}

void LessonActions::operator()(const LockGuess&) {
  Classroom& c = state.classroom;
  Guess* guess = c.predicting ? &c.predicting->guess : c.active ? &c.active->guess : nullptr;
  if (guess == nullptr || guess->locked || guess->empty() || guess->typed == "-") return;
  const auto& round = state.voting.round;
  if (round && !round->is_over()) return;  // a slip of the mouse would show the truth while the class votes
  guess->locked = true;
  if (!c.predicting && c.active->answer) score();
}

void LessonActions::score() {
  ActiveLesson& active = *state.classroom.active;
  LessonRecord& r = record();
  PredictionRecord& p = r.predictions[active.step];
  const bool right = active.guess.value() == *active.answer;
  if (p.tries++ == 0) p.first = right;
  p.right = p.right || right;
  r.done.insert(active.step);
  keep_record();
}

void LessonActions::operator()(const LessonAnswered& a) {
  auto& active = state.classroom.active;
  if (!active || active->lesson != a.lesson || active->step != a.step || active->answer) return;
  active->answer = a.answer;
  active->trouble = a.trouble;
  if (active->guess.locked && active->answer) score();
}

void LessonActions::operator()(const LessonGraded& a) {
  auto& active = state.classroom.active;
  if (!active || active->lesson != a.lesson || !active->in_challenge()) return;
  active->grade = a.grade;
  active->trouble = a.trouble;
  if (!a.grade || !a.grade->passed()) return;
  active->passed_before = true;
  if (record().passed) return;
  record().passed = true;
  keep_record();
}

void LessonActions::operator()(const TakeProgress& a) {
  state.classroom.progress = a.progress;
}

}  // namespace warplens::app
