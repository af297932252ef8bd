#include "app/actions/lecture_actions.h"

#include <algorithm>

#include "app/simulate/navigation.h"
#include "app/state/chosen_kernel.h"
#include "app/state/sheets.h"

namespace warplens::app {
namespace {

// As much of a text as has room, ended between two characters.
std::string bounded(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  text.resize(end);
  return text;
}

// "tile · tile[c][r]": what a scene is called until it is given a name.
std::string usual_name(const State& state, const Simulation& simulation, const Catalog& catalog) {
  const scenario::Scenario* s = scenario_of(catalog, state.settings);
  std::string name;
  if (s != nullptr)
    name = scenario::in_language(s->rung_label.empty() ? s->title : s->rung_label, state.language);
  const bool has_access = simulation.now && simulation.now->site != nullptr;
  if (has_access) name += (name.empty() ? "" : " · ") + simulation.now->site->text;
  return bounded(name.empty() ? state.settings.scenario : name, kMostSceneName);
}

}  // namespace

int LectureActions::count() const {
  return state.lecturing.lecture ? static_cast<int>(state.lecturing.lecture->scenes.size()) : 0;
}

// The access by its name: the costliest of another day may be another one.
Viewpoint LectureActions::on_screen() const {
  Viewpoint view = viewpoint_of(state);
  const AccessId& access = view.position.access;
  if ((access.any || access.or_costlier) && simulation.fresh && simulation.place.event >= 0)
    view.position.access = name_of(simulation, simulation.place.event);
  return view;
}

void LectureActions::replace(Lecture lecture) {
  Lecturing& now = state.lecturing;
  now.before = now.lecture ? now.lecture : std::make_shared<const Lecture>();
  now.lecture = std::make_shared<const Lecture>(std::move(lecture));
  now.unsaved = true;
  now.scene = std::min(now.scene, count() - 1);
}

void LectureActions::operator()(const TakeLecture& a) {
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

void LectureActions::operator()(const GoToScene& a) {
  if (count() == 0) return;
  state.lecturing.scene = std::clamp(a.scene, 0, count() - 1);
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
  state.hint = false;
}

void LectureActions::operator()(const StepScene& a) {
  if (count() == 0) return;
  // At an end there is nothing further; what was turned there stays.
  const int to = state.lecturing.scene < 0 ? 0 : state.lecturing.scene + a.by;
  if (to >= 0 && to < count()) (*this)(GoToScene{to});
}

void LectureActions::operator()(const KeepScene&) {
  if (count() >= static_cast<int>(kMostScenes)) {
    state.notice = Notice{"lecture.full", Message("{}", kMostScenes), true};
    return;
  }
  Lecture lecture = state.lecturing.lecture ? *state.lecturing.lecture : Lecture{};
  const LectureScene* here = scene_at(state);
  const int at = here != nullptr ? state.lecturing.scene + 1 : count();
  const std::string name = usual_name(state, simulation, catalog);
  lecture.scenes.insert(lecture.scenes.begin() + at, {{{"en", name}}, {}, std::nullopt, on_screen()});
  replace(std::move(lecture));
  state.lecturing.scene = at;
  if (state.lecturing.list) state.lecturing.list = at;
  state.notice = Notice{"lecture.kept", Message("{} · {}", at + 1, name), false};
}

void LectureActions::operator()(const ReplaceScene&) {
  if (!state.lecturing.list || count() == 0) return;
  Lecture lecture = *state.lecturing.lecture;
  lecture.scenes[static_cast<std::size_t>(*state.lecturing.list)].view = on_screen();
  replace(std::move(lecture));
  state.lecturing.scene = *state.lecturing.list;
}

void LectureActions::operator()(const MoveScene& a) {
  if (!state.lecturing.list || count() == 0) return;
  const int from = *state.lecturing.list, to = std::clamp(from + a.by, 0, count() - 1);
  if (from == to) return;
  Lecture lecture = *state.lecturing.lecture;
  LectureScene moved = std::move(lecture.scenes[static_cast<std::size_t>(from)]);
  lecture.scenes.erase(lecture.scenes.begin() + from);
  lecture.scenes.insert(lecture.scenes.begin() + to, std::move(moved));
  int now = state.lecturing.scene;
  if (now == from) {
    now = to;
  } else if (now > from && now <= to) {
    --now;
  } else if (now < from && now >= to) {
    ++now;
  }
  replace(std::move(lecture));
  state.lecturing.scene = now;
  state.lecturing.list = to;
}

void LectureActions::operator()(const RemoveScene&) {
  if (!state.lecturing.list || count() == 0) return;
  const int at = *state.lecturing.list;
  Lecture lecture = *state.lecturing.lecture;
  lecture.scenes.erase(lecture.scenes.begin() + at);
  const int now = state.lecturing.scene;
  replace(std::move(lecture));
  state.lecturing.scene = now > at ? now - 1 : now == at ? -1 : now;
  state.lecturing.list = std::clamp(at, 0, std::max(count() - 1, 0));
}

void LectureActions::operator()(const UndoScenes&) {
  Lecturing& now = state.lecturing;
  if (now.before == nullptr) return;
  std::swap(now.before, now.lecture);
  now.unsaved = true;
  now.scene = std::min(now.scene, count() - 1);
  if (now.list) now.list = std::clamp(*now.list, 0, std::max(count() - 1, 0));
  state.field = {};
}

void LectureActions::operator()(const ShowScenes& a) {
  if (!a.show) {
    state.lecturing.list.reset();
    state.field = {};
    return;
  }
  make_room(&state, Sheet::Scenes);
  state.lecturing.list = std::max(state.lecturing.scene, 0);
  state.playback.playing = false;
}

void LectureActions::operator()(const SelectScene& a) {
  if (!state.lecturing.list) return;
  state.lecturing.list = std::clamp(*state.lecturing.list + a.by, 0, std::max(count() - 1, 0));
  state.field = {};
}

// What is typed is of the language on screen; without any other it is every language's.
void LectureActions::operator()(const SetSceneField& a) {
  if (!state.lecturing.list || count() == 0) return;
  Lecture lecture = *state.lecturing.lecture;
  LectureScene& scene = lecture.scenes[static_cast<std::size_t>(*state.lecturing.list)];
  scenario::LocalText& words = a.field == kSceneName ? scene.name : scene.notes;
  const std::string text = bounded(a.text, a.field == kSceneName ? kMostSceneName : kMostSceneNotes);
  words[words.size() > 1 || words.contains(state.language) ? state.language : "en"] = text;
  if (!words.contains("en")) words["en"] = text;
  const std::shared_ptr<const Lecture> before = state.lecturing.before;
  const bool typing = state.gesture == a.field;
  replace(std::move(lecture));
  if (typing) state.lecturing.before = before;
  state.gesture = a.field;
}

void LectureActions::operator()(const ShowNotes& a) {
  state.lecturing.notes = a.show;
  if (a.show && notes_wait(state)) state.notice = Notice{"lecture.notes_wait", {}, false};
}

// Over the file that it was read from or written to, once that was chosen; else it is asked for.
void LectureActions::operator()(const SaveLecture&) {
  if (count() == 0) return;
  const std::string path = state.lecturing.lecture->file.string();
  if (!state.chosen.contains(path)) return again(ShowDialog{true, true});
  WriteFile write;
  write.path = path;
  const auto told = state.told.find(path);
  write.known = told != state.told.end() ? told->second : state.lecturing.lecture->known;
  state.requests.emplace_back(WriteLecture{state.lecturing.lecture, std::move(write)});
}

void LectureActions::operator()(const LectureSaved& a) {
  Lecturing& now = state.lecturing;
  if (now.lecture == nullptr) return;
  Lecture lecture = *now.lecture;
  lecture.file = a.path;
  lecture.known = a.fingerprint;
  now.lecture = std::make_shared<const Lecture>(std::move(lecture));
  now.unsaved = false;
  state.chosen.insert(a.path);
  state.told.erase(a.path);
  if (state.dialog) again(CloseDialog{});
  state.notice = Notice{"files.saved", Message::verbatim(a.path), false};
}

}  // namespace warplens::app
