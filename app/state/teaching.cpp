#include "app/state/teaching.h"

#include <algorithm>

#include "app/state/sheets.h"

namespace warplens::app {

Viewpoint viewpoint_of(const State& state) {
  Viewpoint view{static_cast<const OnScreen&>(state)};
  if (state.classroom.predicting) view.question = state.classroom.predicting->question;
  return view;
}

void look_from(State* state, const Viewpoint& view) {
  Settings settings = std::move(state->settings);
  static_cast<OnScreen&>(*state) = view;
  state->settings = std::move(settings);
  state->plot.held = false;
  if (!view.lost.empty()) state->notice = Notice{"view.lost", Message::verbatim(view.lost)};
  if (!view.gone.empty()) state->notice = Notice{"view.gone", Message::verbatim(view.gone)};
}

void look_from(State* state, const Link& link) {
  look_from(state, link.view);
  state->classroom.predicting.reset();
  if (link.view.question) state->classroom.predicting = Predicting{*link.view.question, {}};
  if (!link.language.empty()) state->language = link.language;
  if (link.theme) state->theme = *link.theme;
  state->present = link.present;
  state->form = state->settings.own != nullptr;
}

bool is_locked(const State& state, const std::string& parameter) {
  const auto& active = state.classroom.active;
  if (!active || !active->in_challenge() || state.settings.own) return false;
  const lesson::Challenge& challenge = active->lesson->challenge;
  return state.settings.scenario == challenge.view.scenario &&
         std::ranges::find(challenge.free, parameter) == challenge.free.end();
}

const LectureScene* scene_at(const State& state) {
  const Lecturing& now = state.lecturing;
  if (now.lecture == nullptr || now.scene < 0) return nullptr;
  const auto at = static_cast<std::size_t>(now.scene);
  return at < now.lecture->scenes.size() ? &now.lecture->scenes[at] : nullptr;
}

bool notes_wait(const State& state) {
  const auto& asked = state.classroom.predicting;
  return asked && !asked->guess.locked;
}

bool takes_clicker(const State& state) {
  return state.present && state.lecturing.lecture != nullptr && !state.lecturing.lecture->scenes.empty() &&
         !state.editing && !(state.plot.held && state.shown == ViewId::Map) && state.field.id.empty() &&
         sheets_of(state).empty();
}

std::string scene_words(const scenario::LocalText& text, const std::string& language) {
  for (const std::string& key : {language, std::string("en")}) {
    if (const auto found = text.find(key); found != text.end()) return found->second;
  }
  return {};
}

std::string scene_field(const State& state, const std::string& id) {
  const Lecturing& now = state.lecturing;
  if (now.lecture == nullptr || !now.list || *now.list >= static_cast<int>(now.lecture->scenes.size()))
    return {};
  const LectureScene& scene = now.lecture->scenes[static_cast<std::size_t>(*now.list)];
  return scene_words(id == kSceneName ? scene.name : scene.notes, state.language);
}

namespace {

constexpr const char* kNaive = "transpose_naive_row";
constexpr const char* kTile = "transpose_shared";
using Keys = TourStop::Keys;

constexpr TourStop kStops[] = {
    {TourPanel::Global, "tour.global.title", "tour.global", kNaive},
    {TourPanel::Access, "tour.access.title", "tour.access", kNaive},
    {TourPanel::Source, "tour.source.title", "tour.source", kNaive, false, {}, Keys::Editing},
    {TourPanel::Transport, "tour.transport.title", "tour.transport", kNaive, false, {}, Keys::Stepping},
    {TourPanel::Shared, "tour.shared.title", "tour.shared", kTile},
    {TourPanel::Parameters, "tour.parameters.title", "tour.parameters", kTile, false, TourPanel::Shared},
    {TourPanel::Grid, "tour.grid.title", "tour.grid", kTile, true},
    {TourPanel::Times, "tour.times.title", "tour.times", kTile, true},
    {TourPanel::Top, "tour.top.title", "tour.top", kTile, true},
};

}  // namespace

std::span<const TourStop> tour_stops() {
  return kStops;
}

bool is_about(const TourStop& stop, const Settings& settings) {
  return !settings.own && !settings.text && settings.scenario == stop.scenario;
}

}  // namespace warplens::app
