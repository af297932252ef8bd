#include <algorithm>
#include <bit>
#include <cctype>
#include <tuple>

#include "app/actions/appliers.h"
#include "app/input/palette.h"
#include "app/readout/question.h"
#include "app/simulate/simulation.h"
#include "app/state/catalog.h"
#include "app/state/sheets.h"
#include "app/state/teaching.h"
#include "sim/base/numbers.h"

namespace warplens::app {
namespace {

constexpr std::size_t kMostDigits = 9;

bool is_number(const std::string& typed) {
  const bool negative = typed.starts_with('-');
  return typed.size() <= kMostDigits &&
         std::all_of(typed.begin() + (negative ? 1 : 0), typed.end(),
                     [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
}

Guess* guess_in(Classroom* c) {
  if (c->predicting) return &c->predicting->guess;
  return c->active && c->active->prediction() != nullptr ? &c->active->guess : nullptr;
}

AccessId resolved(const Position& position, const Simulation& s) {
  const bool by_name = !position.access.any && position.access.number < 0;
  return by_name ? position.access : name_of(s, s.place.event);
}

}  // namespace

std::string lesson_key(const Catalog& catalog, const lesson::Lesson& lesson) {
  return lesson_key(
      lesson, std::ranges::any_of(catalog.lessons, [&](const auto& one) { return one.get() == &lesson; }));
}

std::optional<Settings> settings_of(const Catalog& catalog, const lesson::View& view) {
  const scenario::Scenario* s = catalog.find(view.scenario);
  if (s == nullptr) return std::nullopt;
  Settings settings;
  settings.scenario = s->name;
  settings.values = scenario::defaults(*s);
  for (const auto& [name, value] : view.values) settings.values[name] = value;
  if (!view.code.empty()) settings.text = std::make_shared<const std::string>(view.code);
  return settings;
}

bool is_as_put(const State& state, const Simulation& s) {
  if (!state.classroom.active) return true;
  const lesson::View& view = state.classroom.active->view();
  const std::string text = state.settings.text ? *state.settings.text : std::string();
  if (state.settings.own || text != view.code || state.settings.scenario != view.scenario) return false;
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

void Appliers::operator()(const OpenLesson& a) {
  for (const auto& one : catalog.lessons) {
    if (one->name == a.name) return (*this)(TakeLesson{one});
  }
}

// Goes on where it was left; begins anew where it is done.
void Appliers::operator()(const TakeLesson& a) {
  if (a.lesson == nullptr || a.lesson->steps.empty()) return;
  Classroom& c = state.classroom;
  make_room(&state, std::nullopt);
  c.predicting.reset();
  const std::optional<ViewId> put = c.active ? c.active->put : std::nullopt;
  c.active = ActiveLesson{};
  c.active->lesson = a.lesson;
  c.active->put = put;
  state.notice.reset();
  const LessonRecord& known = record();
  c.active->passed_before = known.passed;
  enter_step(known.passed ? 0 : known.at);
}

void Appliers::operator()(const LeaveLesson&) {
  if (!state.classroom.active) return;
  put_picture(std::nullopt);
  state.classroom.active.reset();
}

void Appliers::operator()(const NextLesson&) {
  if (!state.classroom.active) return;
  const auto next = catalog.after(*state.classroom.active->lesson);
  if (next != nullptr)
    (*this)(TakeLesson{next});
  else
    (*this)(ShowPalette{CommandPalette::Offer::Lessons});
}

void Appliers::operator()(const StepLesson& a) {
  if (state.classroom.active) enter_step(state.classroom.active->step + a.by);
}

void Appliers::operator()(const ShowHint&) {
  if (!state.classroom.active) return;
  ActiveLesson& active = *state.classroom.active;
  active.hints = std::min(active.hints + 1, active.hint_count());
}

void Appliers::enter_step(int step) {
  ActiveLesson& active = *state.classroom.active;
  const int last = static_cast<int>(active.lesson->steps.size());  // the challenge
  const Guess& left = active.guess;
  if (left.locked && !left.empty() && left.value() == active.answer)
    active.answered[active.step] = {left, *active.answer};
  active.step = std::clamp(step, 0, last);
  active.hints = 0;
  active.guess = {};
  active.answer.reset();
  const auto known = active.answered.find(active.step);
  if (known != active.answered.end() && !state.voting.wanted)
    std::tie(active.guess, active.answer) = known->second;
  active.grade.reset();
  active.trouble.clear();
  show_lesson_view();
  LessonRecord& r = record();
  r.at = active.step;
  if (!active.in_challenge() && active.prediction() == nullptr) r.done.insert(active.step);
  keep_record();
}

void Appliers::show_lesson_view() {
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
  state.position.access = AccessId::numbered(view.access);
  state.playback.playing = false;
  state.playback.elapsed = 0;
  leave_text();
  put_picture(view.picture);
}

// One that a student opened stays, one that a step asked for goes with it.
void Appliers::put_picture(std::optional<ViewId> wanted) {
  std::optional<ViewId>& put = state.classroom.active->put;
  const bool goes = !wanted && put && state.shown == *put;
  if (wanted || goes) show_view(&state, wanted.value_or(ViewId::Memory));
  put = wanted;
}

LessonRecord& Appliers::record() {
  return state.classroom.progress[lesson_key(catalog, *state.classroom.active->lesson)];
}

void Appliers::keep_record() {
  const std::string key = lesson_key(catalog, *state.classroom.active->lesson);
  state.requests.emplace_back(KeepProgress{key, state.classroom.progress[key]});
}

// ---- predictions ------------------------------------------------------------------------------------------

void Appliers::operator()(const SetPredicting& a) {
  state.classroom.predicting.reset();
  if (!a.on) return;
  state.classroom.predicting = Predicting{};
  make_room(&state, std::nullopt);
  state.playback.playing = false;
  state.position.wavefront = 0;
}

void Appliers::operator()(const NextQuestion& a) {
  if (!state.classroom.predicting) return;
  state.classroom.predicting->question += a.by;
  state.classroom.predicting->guess = {};
}

void Appliers::operator()(const SetGuess& a) {
  Guess* guess = guess_in(&state.classroom);
  if (guess == nullptr || guess->locked || guess->waiting || is_drawn(state) || !is_number(a.typed)) return;
  guess->typed = a.typed;
  guess->chosen = a.chosen;
  state.playback.playing = false;
}

void Appliers::operator()(const MarkPlace& a) {
  Guess* guess = guess_in(&state.classroom);
  if (guess == nullptr || guess->locked || guess->waiting || !places_of(state, simulation)) return;
  if (a.place < 0 || a.place >= lesson::kDrawnPlaces) return;
  guess->marks ^= std::uint32_t{1} << a.place;
  guess->at = a.place;
  state.playback.playing = false;
}

void Appliers::operator()(const MovePlace& a) {
  Guess* guess = guess_in(&state.classroom);
  if (guess == nullptr || guess->locked || !places_of(state, simulation)) return;
  // Beyond an edge there is no place.
  const int to = guess->at < 0 ? 0 : guess->at + a.by;
  if (to >= 0 && to < lesson::kDrawnPlaces) guess->at = to;
}

void Appliers::operator()(const LockGuess&) {
  Classroom& c = state.classroom;
  Guess* guess = guess_in(&c);
  if (guess == nullptr || guess->locked || guess->typed == "-") return;
  const auto& round = state.voting.round;
  if (round && !round->is_over()) return;  // a slip of the mouse would show the truth while the class votes
  if (guess->empty() && !guess->first) {
    state.notice = Notice{"class.nothing_yet", {}, false};
    return;
  }
  const bool unchanged = guess->marks != 0 && guess->first == guess->value();
  if (guess->empty() || unchanged || guess->waiting) return open(guess);
  if (c.predicting) {
    const bool known = simulation.now.has_value();
    return judge(guess,
                 known ? question_about(*simulation.now, c.predicting->question, {}).answer : std::nullopt);
  }
  if (!c.active->answer && c.active->trouble.empty())
    guess->waiting = true;
  else
    judge(guess, c.active->answer);
}

// A first try that is wrong leaves another; of two choices the other one would be no try.
void Appliers::judge(Guess* guess, std::optional<std::int64_t> truth) {
  const Classroom& c = state.classroom;
  const bool of_two = !c.predicting && c.active->prediction()->choices.size() == 2;
  if (guess->first || of_two || !truth || guess->value() == *truth) return open(guess);
  if (!c.predicting) score();
  // What was marked stays, to be put right.
  Guess second;
  second.marks = guess->marks, second.at = guess->at;
  second.first = guess->value(), second.low = guess->value() < *truth;
  *guess = second;
  if (c.predicting) return;
  const std::int64_t said = guess->marks != 0 ? std::popcount(guess->marks) : *guess->first;
  const bool told = std::ranges::any_of(c.active->prediction()->wrong,
                                        [&](const lesson::WrongAnswer& one) { return one.answer == said; });
  if (!told) again(ShowHint{});  // which says what there is to say
}

void Appliers::open(Guess* guess) {
  guess->locked = true;
  guess->waiting = false;
  if (state.classroom.predicting) return;
  if (!guess->empty() && state.classroom.active->answer && guess->first != guess->value()) score();
  record().done.insert(state.classroom.active->step);
  keep_record();
}

void Appliers::score() {
  ActiveLesson& active = *state.classroom.active;
  LessonRecord& r = record();
  PredictionRecord& p = r.predictions[active.step];
  const bool right = active.guess.value() == *active.answer;
  if (p.tries++ == 0) p.first = right;
  p.right = p.right || right;
  keep_record();
}

void Appliers::operator()(const LessonAnswered& a) {
  auto& active = state.classroom.active;
  if (!active || active->lesson != a.lesson || active->step != a.step || active->answer) return;
  active->answer = a.answer;
  active->trouble = a.trouble;
  Guess& guess = active->guess;
  if (guess.waiting) return judge(&guess, active->answer);
  if (guess.locked && !guess.empty() && active->answer) score();
}

void Appliers::operator()(const LessonGraded& a) {
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

// The tour and the command palette.

void Appliers::operator()(const ShowTour& a) {
  Classroom& c = state.classroom;
  c.tour.reset();
  if (!a.on) return;
  make_room(&state, std::nullopt);
  c.active.reset();
  c.predicting.reset();
  state.pinned.reset();
  show_view(&state, ViewId::Memory);
  state.plot = {};
  state.present = state.form = false;
  state.panels = Panels();
  lesson::View view;
  view.scenario = tour_stops().front().scenario;
  if (std::optional<Settings> settings = settings_of(catalog, view)) change(std::move(*settings));
  state.position = {};
  state.playback.playing = state.playback.one_access = true;
  c.tour = 0;
}

void Appliers::operator()(const ShowPalette& a) {
  make_room(&state, Sheet::Palette);
  state.classroom.palette = CommandPalette{};
  state.classroom.palette->offer = a.offer;
  state.field.id = "palette";
  state.requests.emplace_back(ListCommands{});
}

void Appliers::operator()(const TakeCommands& a) {
  auto& palette = state.classroom.palette;
  if (!palette) return;
  palette->entries = a.entries;
  if (!state.field.text.empty()) return;
  // The list opens where one is; that of lessons at the first that is not passed where one is in none.
  const std::vector<int> found = fitting(*a.entries, {});
  const auto is_here = [&](int i) {
    const PaletteEntry& entry = a.entries->all[static_cast<std::size_t>(i)];
    if (palette->offer == CommandPalette::Offer::Scenarios)
      return entry.kind == PaletteEntry::Kind::Scenario && !state.settings.own &&
             entry.name == state.settings.scenario;
    if (palette->offer != CommandPalette::Offer::Lessons) return false;
    const Classroom& c = state.classroom;
    if (c.active) return entry.name == c.active->lesson->name;
    const auto record = c.progress.find(entry.name);
    return record == c.progress.end() || !record->second.passed;
  };
  const auto open = std::ranges::find_if(found, is_here);
  if (open != found.end()) palette->selected = static_cast<int>(open - found.begin());
}

void Appliers::operator()(const ChooseCommand& a) {
  const auto& palette = state.classroom.palette;
  if (!palette || !palette->entries) return;
  const std::vector<int> found = fitting(*palette->entries, state.field.text);
  const int entry = a.entry >= 0 ? a.entry : palette->selected;
  if (entry < 0 || entry >= static_cast<int>(found.size())) return;
  const PaletteEntry chosen =
      palette->entries->all[static_cast<std::size_t>(found[static_cast<std::size_t>(entry)])];
  make_room(&state, std::nullopt);
  switch (chosen.kind) {
    case PaletteEntry::Kind::Command:
      for (const Action& action : chosen.command->act({state, catalog, Clipboard{}})) again(action);
      return;
    case PaletteEntry::Kind::Scenario:
      return again(SelectScenario{chosen.name});
    case PaletteEntry::Kind::Lesson:
      return (*this)(OpenLesson{chosen.name});
    case PaletteEntry::Kind::File:
    case PaletteEntry::Kind::Lecture:
      return again(OpenPath{chosen.name});
    case PaletteEntry::Kind::Scene:
      return again(GoToScene{chosen.scene});
    case PaletteEntry::Kind::Kernel:
      return again(ChooseKernel{chosen.name});
    case PaletteEntry::Kind::Launch:
      return again(UseLaunch{chosen.launch});
  }
}

namespace {

// As much of a text as has room, ended between two characters.
std::string bounded(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  text.resize(end);
  return text;
}

// "tile · tile[c][r]", with "padding 1" where the lecture has a scene of other values: what a scene is called
// until it is given a name.
std::string usual_name(const State& state, const Simulation& simulation, const Catalog& catalog,
                       const Lecture& lecture) {
  const scenario::Scenario* s = scenario_of(catalog, state.settings);
  std::string name;
  if (s != nullptr)
    name = scenario::in_language(s->rung_label.empty() ? s->title : s->rung_label, state.language);
  const bool has_access = simulation.now && simulation.now->site != nullptr;
  if (has_access) name += (name.empty() ? "" : " · ") + simulation.now->site->text;
  const auto before = std::ranges::find_if(lecture.scenes, [&](const LectureScene& scene) {
    return scene.view.settings.scenario == state.settings.scenario && !scene.view.settings.own;
  });
  if (s != nullptr && !state.settings.own && before != lecture.scenes.end()) {
    const std::string values =
        other_values(*s, before->view.settings.values, state.settings.values, state.language);
    if (!values.empty()) name += " · " + values;
  }
  return bounded(name.empty() ? state.settings.scenario : name, kMostSceneName);
}

}  // namespace

int Appliers::scene_count() const {
  return state.lecturing.lecture ? static_cast<int>(state.lecturing.lecture->scenes.size()) : 0;
}

// The access by its name: the costliest of another day may be another one.
Viewpoint Appliers::seen_viewpoint() const {
  Viewpoint view = viewpoint_of(state);
  const AccessId& access = view.position.access;
  if ((access.any || access.or_costlier) && simulation.fresh && simulation.place.event >= 0)
    view.position.access = name_of(simulation, simulation.place.event);
  return view;
}

void Appliers::replace_lecture(Lecture lecture) {
  Lecturing& now = state.lecturing;
  now.before = now.lecture ? now.lecture : std::make_shared<const Lecture>();
  now.lecture = std::make_shared<const Lecture>(std::move(lecture));
  now.unsaved = true;
  now.scene = std::min(now.scene, scene_count() - 1);
}

void Appliers::operator()(const TakeLecture& a) {
  if (a.lecture == nullptr || a.lecture->scenes.empty()) return;
  make_room(&state, std::nullopt);
  state.notice.reset();
  // Scenes that were not saved can be had again.
  const std::shared_ptr<const Lecture> before = state.lecturing.unsaved ? state.lecturing.lecture : nullptr;
  const bool notes = state.lecturing.notes;
  state.lecturing = Lecturing();
  state.lecturing.lecture = a.lecture;
  state.lecturing.before = before;
  state.lecturing.notes = notes;
  if (!a.lecture->file.empty()) state.chosen.insert(a.lecture->file.string());
  again(SetPresent{true});
  (*this)(GoToScene{0});
}

void Appliers::operator()(const GoToScene& a) {
  if (scene_count() == 0) return;
  state.lecturing.scene = std::clamp(a.scene, 0, scene_count() - 1);
  const std::shared_ptr<const Lecture> lecture = state.lecturing.lecture;
  const LectureScene& scene = lecture->scenes[static_cast<std::size_t>(state.lecturing.scene)];
  make_room(&state, std::nullopt);
  state.classroom.active.reset();
  state.classroom.predicting.reset();
  change(scene.view.settings);
  look_from(&state, scene.view);
  if (scene.theme) state.theme = *scene.theme;
  if (scene.view.question) {
    again(SetPredicting{true});
    state.classroom.predicting->question = *scene.view.question;
    state.position.wavefront = scene.view.position.wavefront;
  }
  state.playback.playing = false;
  state.playback.elapsed = 0;
  state.playback.frozen = false;
  state.caret = {};
  state.form = state.settings.own != nullptr;
}

void Appliers::operator()(const StepScene& a) {
  if (scene_count() == 0) return;
  // At an end there is nothing further; what was turned there stays.
  const int to = state.lecturing.scene < 0 ? 0 : state.lecturing.scene + a.by;
  if (to >= 0 && to < scene_count()) return (*this)(GoToScene{to});
  if (to > 0) state.notice = Notice{"lecture.last", {}, false, false};
}

void Appliers::operator()(const KeepScene&) {
  if (scene_count() >= static_cast<int>(kMostScenes)) {
    state.notice = Notice{"lecture.full", Message("{}", kMostScenes), true};
    return;
  }
  Lecture lecture = state.lecturing.lecture ? *state.lecturing.lecture : Lecture{};
  const LectureScene* here = scene_at(state);
  const int at = here != nullptr ? state.lecturing.scene + 1 : scene_count();
  const std::string name = usual_name(state, simulation, catalog, lecture);
  lecture.scenes.insert(lecture.scenes.begin() + at, {{{"en", name}}, {}, std::nullopt, seen_viewpoint()});
  replace_lecture(std::move(lecture));
  state.lecturing.scene = at;
  if (state.lecturing.list) state.lecturing.list = at;
  state.notice = Notice{"lecture.kept", Message("{} · {}", at + 1, name), false};
}

void Appliers::operator()(const ReplaceScene&) {
  if (!state.lecturing.list || scene_count() == 0) return;
  Lecture lecture = *state.lecturing.lecture;
  lecture.scenes[static_cast<std::size_t>(*state.lecturing.list)].view = seen_viewpoint();
  replace_lecture(std::move(lecture));
  state.lecturing.scene = *state.lecturing.list;
}

void Appliers::operator()(const MoveScene& a) {
  if (!state.lecturing.list || scene_count() == 0) return;
  const int from = *state.lecturing.list, to = std::clamp(from + a.by, 0, scene_count() - 1);
  if (from == to) return;
  Lecture lecture = *state.lecturing.lecture;
  const auto scene = lecture.scenes.begin() + from, place = lecture.scenes.begin() + to;
  if (from < to)
    std::rotate(scene, scene + 1, place + 1);
  else
    std::rotate(place, scene, scene + 1);
  const int now = state.lecturing.scene, passed = (now > from && now <= to) - (now < from && now >= to);
  replace_lecture(std::move(lecture));
  state.lecturing.scene = now == from ? to : now - passed;
  state.lecturing.list = to;
}

void Appliers::operator()(const RemoveScene&) {
  if (!state.lecturing.list || scene_count() == 0) return;
  const int at = *state.lecturing.list;
  Lecture lecture = *state.lecturing.lecture;
  lecture.scenes.erase(lecture.scenes.begin() + at);
  const int now = state.lecturing.scene;
  replace_lecture(std::move(lecture));
  state.lecturing.scene = now > at ? now - 1 : now == at ? -1 : now;
  state.lecturing.list = std::clamp(at, 0, std::max(scene_count() - 1, 0));
}

void Appliers::operator()(const UndoScenes&) {
  Lecturing& now = state.lecturing;
  if (now.before == nullptr) return;
  std::swap(now.before, now.lecture);
  now.unsaved = true;
  now.scene = std::min(now.scene, scene_count() - 1);
  if (now.list) now.list = std::clamp(*now.list, 0, std::max(scene_count() - 1, 0));
  state.field = {};
}

void Appliers::operator()(const ShowScenes& a) {
  if (!a.on) return (*this)(CloseSheet{});
  make_room(&state, Sheet::Scenes);
  state.lecturing.list = std::max(state.lecturing.scene, 0);
  state.playback.playing = false;
}

// What is typed is of the language on screen; without any other it is every language's.
void Appliers::set_scene_field(const std::string& field, const std::string& typed) {
  if (!state.lecturing.list || scene_count() == 0) return;
  Lecture lecture = *state.lecturing.lecture;
  LectureScene& scene = lecture.scenes[static_cast<std::size_t>(*state.lecturing.list)];
  scenario::LocalText& words = field == kSceneName ? scene.name : scene.notes;
  const std::string text = bounded(typed, field == kSceneName ? kMostSceneName : kMostSceneNotes);
  words[words.size() > 1 || words.contains(state.language) ? state.language : "en"] = text;
  if (!words.contains("en")) words["en"] = text;
  const std::shared_ptr<const Lecture> before = state.lecturing.before;
  const bool typing = state.gesture == field;
  replace_lecture(std::move(lecture));
  if (typing) state.lecturing.before = before;
  state.gesture = field;
}

void Appliers::operator()(const ShowNotes& a) {
  state.lecturing.notes = a.on;
  if (a.on && !state.notes_apart && notes_wait(state)) state.notice = Notice{"lecture.notes_wait", {}, false};
}

// Over the file that it was read from or written to, once that was chosen; else it is asked for.
void Appliers::operator()(const SaveLecture&) {
  if (scene_count() == 0) return;
  const std::string path = state.lecturing.lecture->file.string();
  if (!state.chosen.contains(path)) return again(ShowDialog{true, true});
  WriteFile write;
  write.path = path;
  const auto told = state.told.find(path);
  write.known = told != state.told.end() ? told->second : state.lecturing.lecture->known;
  state.requests.emplace_back(WriteLecture{state.lecturing.lecture, std::move(write)});
}

void Appliers::operator()(const LectureSaved& a) {
  Lecturing& now = state.lecturing;
  if (now.lecture == nullptr) return;
  Lecture lecture = *now.lecture;
  lecture.file = a.path;
  lecture.known = a.fingerprint;
  now.lecture = std::make_shared<const Lecture>(std::move(lecture));
  now.unsaved = false;
  state.chosen.insert(a.path);
  state.told.erase(a.path);
  if (state.dialog) again(CloseSheet{});
  state.notice = Notice{"files.saved", Message::verbatim(a.path), false};
}

namespace {

constexpr std::size_t kMostHandDigits = 4;

std::int64_t number_of(const std::string& text) {
  return number_in<std::int64_t>(text).value_or(0);
}

}  // namespace

std::string key_of_question(const Classroom& c) {
  if (c.predicting) return "predicting " + std::to_string(c.predicting->question);
  if (!c.active || c.active->prediction() == nullptr) return {};
  return c.active->lesson->name + " " + std::to_string(c.active->step);
}

void end_vote_on_other_question(State* state) {
  std::optional<vote::Round>& round = state->voting.round;
  if (!round || round->is_over() || !state->asked_at) return;
  if (key_of_question(state->classroom) == state->asked_at->question) return;
  vote::move(&*round, vote::Move::Skip);
  state->notice = Notice{"vote.other_question", {}, false, false};
}

void tell_late_truth(State* state) {
  Voting& v = state->voting;
  const Classroom& c = state->classroom;
  if (!v.round || v.round->phase() != vote::Phase::Revealed || v.round->truth || !state->asked_at) return;
  if (c.predicting || !c.active || key_of_question(c) != state->asked_at->question) return;
  v.truth = v.round->truth = c.active->answer;
}

void Appliers::operator()(const AskClass&) {
  Classroom& c = state.classroom;
  if (is_drawn(state)) {
    state.notice = Notice{"vote.drawn", {}, true, false};
    return;
  }
  if (key_of_question(c).empty()) again(SetPredicting{true});
  make_room(&state, std::nullopt);
  state.playback.playing = false;
  *guess_in(&c) = {};
  state.voting.wanted = true;
  state.requests.emplace_back(MakeRound{});
}

void Appliers::operator()(const TakeRound& a) {
  Voting& v = state.voting;
  v.round = a.round;
  v.truth = a.truth;
  v.hand = {};
  v.test = false;
  v.network.late = false;
  state.asked_at = AskedAt{state.settings, state.position, key_of_question(state.classroom)};
}

void Appliers::operator()(const MoveRound& a) {
  Voting& v = state.voting;
  if (!v.round) return;
  const bool revealed = v.round->phase() == vote::Phase::Revealed;
  if (!vote::move(&*v.round, a.what)) return;
  v.hand = {};
  v.test = false;
  v.network.late = false;
  if (v.round->phase() == vote::Phase::Revealed) {
    const auto& active = state.classroom.active;
    if (!v.truth && active && !state.classroom.predicting) v.truth = active->answer;
    v.round->truth = v.truth;
    if (state.asked_at && !(state.asked_at->settings == state.settings)) change(state.asked_at->settings);
    if (state.asked_at) state.position = state.asked_at->position;
    open_answer(false);
  } else if (revealed) {
    v.round->truth.reset();
    if (Guess* guess = guess_in(&state.classroom)) *guess = {};
  }
}

// What most said is the class's answer: it is held against the truth as a person's own would be. `last`: all
// votes are in, and it is the lesson's.
void Appliers::open_answer(bool last) {
  Guess* guess = guess_in(&state.classroom);
  const vote::Round& round = *state.voting.round;
  if (guess == nullptr) return;
  *guess = {};
  if (const auto said = vote::majority(round.counts())) {
    if (round.question.kind == vote::Question::Kind::Choice)
      guess->chosen = static_cast<int>(*said);
    else
      guess->typed = std::to_string(*said);
  }
  if (last && !guess->empty()) return open(guess);
  guess->locked = true;
}

void Appliers::operator()(const EndRound&) {
  state.voting.round.reset();
  state.voting.truth.reset();
  state.voting.test = false;
  state.asked_at.reset();
}

void Appliers::operator()(const LeaveClass&) {
  (*this)(MoveRound{vote::Move::Skip});
  (*this)(EndRound{});
  state.voting.wanted = false;
}

void Appliers::operator()(const TakeVotes& a) {
  std::optional<vote::Round>& round = state.voting.round;
  if (!round || (a.ballot != round->id + "-1" && a.ballot != round->id + "-2")) return;
  if (!round->by_hands) (a.ballot == round->id + "-1" ? round->first : round->second) = a.counts;
  if (a.last && round->phase() == vote::Phase::Revealed) open_answer(true);
}

void Appliers::operator()(const PickAddress& a) {
  state.voting.steps += a.by;
  state.voting.test = false;
}

void Appliers::operator()(const TestNetwork&) {
  state.voting.test = !state.voting.test;
}

// ---- hands ------------------------------------------------------------------------------------------------

void Appliers::operator()(const TypeHand& a) {
  Voting& v = state.voting;
  if (!v.round) return;
  if (v.round->phase() == vote::Phase::Discussion) state.notice = Notice{"vote.hand.closed", {}, false};
  if (!v.round->takes_votes()) return;
  std::string& text = v.hand.at_count ? v.hand.count : v.hand.answer;
  if (text.size() < (v.hand.at_count ? kMostHandDigits : kMostDigits)) text += a.digit;
}

void Appliers::operator()(const NextHand&) {
  Voting& v = state.voting;
  if (!v.round || !v.round->takes_votes() || v.hand.answer.empty()) return;
  const bool choice = v.round->question.kind == vote::Question::Kind::Choice;
  const std::int64_t answer = number_of(v.hand.answer) - (choice ? 1 : 0);  // choices are numbered from 1
  if (!v.round->question.takes(answer)) return v.hand = {}, void();
  if (!v.hand.at_count || v.hand.count.empty()) return v.hand.at_count = true, void();
  if (!v.round->by_hands) v.round->counts().clear();  // from here on hands are what counts
  v.round->by_hands = true;
  const auto count = static_cast<int>(number_of(v.hand.count));
  if (count > 0)
    v.round->counts()[answer] = count;
  else
    v.round->counts().erase(answer);
  if (v.round->counts().empty()) v.round->by_hands = false;  // none is left: phones count again
  v.hand = {};
}

void Appliers::operator()(const EraseHand&) {
  HandCount& hand = state.voting.hand;
  if (hand.at_count && hand.count.empty()) hand.at_count = false;
  std::string& text = hand.at_count ? hand.count : hand.answer;
  if (!text.empty()) text.pop_back();
}

}  // namespace warplens::app
