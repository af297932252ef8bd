#include "app/state/teaching.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/state/action.h"
#include "app/state/classroom.h"
#include "app/state/sheets.h"
#include "sim/base/numbers.h"

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
  if (!active || state.settings.own || state.settings.scenario != active->view().scenario) return false;
  // What is asked is asked of these values: with others the picture would contradict the answer.
  if (!active->in_challenge()) return active->prediction() != nullptr && !active->guess.locked;
  const lesson::Challenge& challenge = active->lesson->challenge;
  return std::ranges::find(challenge.free, parameter) == challenge.free.end();
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

const TourStop* tour_stop(const State& state) {
  const std::optional<int>& tour = state.classroom.tour;
  return tour && state.shown == ViewId::Memory ? &kStops[*tour] : nullptr;
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

namespace {

// A rule of figures and not of numbers alone: those would be given away by what is on screen.
bool speaks_of_figures(const std::string& rule) {
  return std::any_of(rule.begin(), rule.end(),
                     [](char c) { return std::isalpha(static_cast<unsigned char>(c)); });
}

Hidden hidden_by(const lesson::Prediction& prediction) {
  const std::string rules = prediction.rules();
  // What will be lit in the picture is not to be read off it, whatever it follows from.
  const bool costs = speaks_of_figures(rules) || prediction.names != lesson::Names::Nothing;
  return {costs, rules.find("active_lanes") != std::string::npos, costs};
}

// A later step asks about the same run of the same kernel.
bool is_asked_later(const ActiveLesson& active) {
  const auto& steps = active.lesson->steps;
  const lesson::View& view = active.view();
  for (auto i = static_cast<std::size_t>(active.step) + 1; i < steps.size(); ++i) {
    const lesson::Step& later = steps[i];
    if (later.prediction && speaks_of_figures(later.prediction->rules()) &&
        later.view.scenario == view.scenario && later.view.values == view.values &&
        later.view.code == view.code)
      return true;
  }
  return false;
}

// The question that is open, or a later one.
bool asks_for_times(const ActiveLesson& active) {
  const auto& steps = active.lesson->steps;
  const int begin = active.step + (active.guess.locked || active.in_challenge() ? 1 : 0);
  for (auto i = static_cast<std::size_t>(begin); i < steps.size(); ++i) {
    if (steps[i].prediction && lesson::speaks_of_times(steps[i].prediction->rules())) return true;
  }
  return false;
}

}  // namespace

std::int64_t Guess::value() const {
  if (marks != 0) return marks;
  if (chosen >= 0) return chosen;
  return number_in<std::int64_t>(typed).value_or(0);
}

const lesson::View& ActiveLesson::view() const {
  return in_challenge() ? lesson->challenge.view : lesson->steps[static_cast<std::size_t>(step)].view;
}

const lesson::Prediction* ActiveLesson::prediction() const {
  if (in_challenge()) return nullptr;
  const auto& prediction = lesson->steps[static_cast<std::size_t>(step)].prediction;
  return prediction ? &*prediction : nullptr;
}

StepStanding standing_of(const LessonRecord& record, int step, int steps) {
  if (step >= steps) return record.passed ? StepStanding::Right : StepStanding::Open;
  if (!record.done.contains(step)) return StepStanding::Open;
  const auto asked = record.predictions.find(step);
  if (asked == record.predictions.end() || asked->second.tries == 0) return StepStanding::Done;
  return asked->second.right ? StepStanding::Right : StepStanding::Wrong;
}

int ActiveLesson::hint_count() const {
  if (in_challenge()) return static_cast<int>(lesson->challenge.hints.size());
  return prediction() != nullptr ? 1 : 0;
}

std::string lesson_key(const lesson::Lesson& lesson, bool built_in) {
  return built_in ? lesson.name : lesson.file.string();
}

std::vector<std::string> words_of(const lesson::Lesson& one, const std::string& language) {
  std::vector<std::string> words;
  const auto add = [&](const lesson::LocalText& text) {
    words.push_back(scenario::in_language(text, language));
  };
  add(one.title), add(one.goal), add(one.challenge.text);
  for (const lesson::Step& step : one.steps) {
    add(step.text);
    if (!step.prediction) continue;
    add(step.prediction->question), add(step.prediction->hint), add(step.prediction->why);
    for (const lesson::Choice& choice : step.prediction->choices) add(choice.words);
    for (const lesson::WrongAnswer& wrong : step.prediction->wrong) add(wrong.why);
  }
  for (const lesson::Goal& goal : one.challenge.goals) add(goal.words);
  for (const lesson::LocalText& hint : one.challenge.hints) add(hint);
  return words;
}

int place_in_a_hall(const std::vector<platform::NetworkAddress>& addresses) {
  using Kind = platform::NetworkAddress::Kind;
  int reachable = 0, place = -1;
  for (std::size_t i = 0; i < addresses.size(); ++i)
    if (addresses[i].kind != Kind::Loopback && addresses[i].kind != Kind::Virtual)
      ++reachable, place = static_cast<int>(i);
  return reachable == 1 ? place : static_cast<int>(addresses.size()) - 1;
}

Hidden hidden_by(const Classroom& classroom) {
  // Predicting goes on to the next access of the same run.
  if (classroom.predicting) return {!classroom.predicting->guess.locked, false, true};
  if (!classroom.active) return {};
  const lesson::Prediction* prediction = classroom.active->prediction();
  const bool times = asks_for_times(*classroom.active);
  if (prediction != nullptr && !classroom.active->guess.locked) {
    Hidden hidden = hidden_by(*prediction);
    hidden.times = times;
    if (hidden.costs) return hidden;
  }
  return {false, false, is_asked_later(*classroom.active), times};
}

}  // namespace warplens::app
