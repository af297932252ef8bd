#include "app/state/teaching.h"

#include <algorithm>
#include <cmath>

#include "app/state/action.h"
#include "app/state/sheets.h"

namespace warplens::app {

double Race::part(bool is_a) const {
  return std::min(1.0, done * std::max(a, b) / (is_a ? a : b));
}
double Race::shown(bool is_a) const {
  if (part(is_a) >= 1) return 1;
  constexpr double kStep = kWavefrontSeconds / kRaceSeconds;
  return Race{a, b, std::floor(done / kStep) * kStep}.part(is_a);
}

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
  if (now.lecture == nullptr || now.scene < 0 || state.classroom.active) return nullptr;
  const auto at = static_cast<std::size_t>(now.scene);
  return at < now.lecture->scenes.size() ? &now.lecture->scenes[at] : nullptr;
}

bool notes_wait(const State& state) {
  const auto& asked = state.classroom.predicting;
  return asked && !asked->guess.locked;
}

bool takes_clicker(const State& state) {
  return state.present && state.lecturing.lecture != nullptr && !state.lecturing.lecture->scenes.empty() &&
         !state.editing && state.field.id.empty() && sheets_of(state).empty();
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
constexpr const char* kColumns = "transpose_naive_col";
constexpr const char *kTile = "transpose_shared", *kPadded = "transpose_padded";

template <typename... Ts>
bool is_a(const Action& action, const State&) {
  return (... || (action.as<Ts>() != nullptr));
}
// By the padding on screen and not by what was pressed: turned back, the sentence before is true again.
template <std::int64_t words>
bool is_padded(const Action&, const State& state) {
  const auto pad = state.settings.values.find("pad");
  return pad != state.settings.values.end() && pad->second >= words;
}

// Rows that begin 3, 4 or 5 banks further lead two columns of the warp back to one bank; 6 are as good as 2.
bool is_padded_too_far(const Action& action, const State& state) {
  return is_padded<3>(action, state) && state.settings.values.at("pad") % 4 != 2;
}

constexpr TourStop kStops[] = {
    {kNaive, "tour.count", "count", is_a<CountOut, PlayNext, StepAccess>},
    {kNaive, "tour.load", "play", is_a<PlayNext, StepAccess>},
    {kNaive, "tour.columns", "rung_next", nullptr},
    {kColumns, "tour.tile", "rung_next", nullptr},
    {kTile, "tour.pad", "parameter", is_padded<1>},
    {kTile, "tour.pad_more", "parameter", is_padded<2>},
    {kTile, "tour.workbench", "workbench", is_padded_too_far},
    {kTile, "tour.pad_less", "parameter", nullptr},
};

}  // namespace

std::span<const TourStop> tour_stops() {
  return kStops;
}

std::optional<int> tour_after(int stop, const Action& action, const State& state) {
  const Classroom& c = state.classroom;
  const Settings& settings = state.settings;
  if (settings.own || settings.text || state.pinned || state.present || c.active || c.predicting ||
      state.panels.any())
    return {};
  const std::string scenario = settings.scenario == kPadded ? kTile : settings.scenario;  // the same tile
  const auto here = [&](const TourStop& of) { return of.scenario == scenario; };
  auto at = std::begin(kStops) + stop;
  if (!here(*at) || scenario == kTile) at = std::find_if(std::begin(kStops), std::end(kStops), here);
  while (at != std::end(kStops) && here(*at) && at->done != nullptr && at->done(action, state)) ++at;
  if (at == std::end(kStops)) return {};
  return static_cast<int>(at - std::begin(kStops));
}

}  // namespace warplens::app
