#include "app/actions/apply.h"

#include <algorithm>

#include "app/actions/appliers.h"
#include "app/derive/comparison.h"
#include "app/derive/motion.h"
#include "app/input/palette.h"
#include "app/readout/question.h"
#include "app/simulate/simulation.h"
#include "app/state/catalog.h"
#include "app/state/sheets.h"
#include "app/state/teaching.h"
#include "app/state/user_kernel.h"
#include "app/views/landscape.h"
#include "app/views/map.h"
#include "app/views/memory.h"
#include "app/views/phases.h"
#include "app/views/timeline.h"

namespace warplens::app {
namespace {

constexpr std::size_t kMostUndo = 500;
constexpr std::size_t kMostUndoBytes = std::size_t{64} << 20;  // of texts

// The oldest settings go where all texts together are too long; a text that several share counts for each,
// since a run of typing makes a new one a step.
void bound_history(std::vector<Past>* past) {
  std::size_t bytes = 0, keep = 0;
  while (keep < past->size() && keep < kMostUndo) {
    const auto& text = (*past)[past->size() - 1 - keep].text;
    bytes += text ? text->size() : 0;
    if (bytes > kMostUndoBytes && keep > 0) break;
    ++keep;
  }
  past->erase(past->begin(), past->end() - static_cast<std::ptrdiff_t>(keep));
}

// Settings change, and the ones before can be had again.
void change_settings(State* state, Settings settings, const std::string& gesture) {
  if (settings == state->settings) return;
  const bool joins = !gesture.empty() && gesture == state->gesture && !state->past.empty();
  if (!joins) {
    state->past.push_back({std::move(state->settings), state->position});
    bound_history(&state->past);
  }
  state->future.clear();
  state->settings = std::move(settings);
  state->gesture = gesture;
}

void forget_limit(State* state) {
  if (state->notice && is_limit(*state->notice)) state->notice.reset();
}

void travel(State* state, std::vector<Past>* from, std::vector<Past>* to) {
  if (from->empty()) return;
  to->push_back({std::move(state->settings), state->position});
  state->position = from->back().position;
  if (from->back().alone) state->pinned.reset();
  state->settings = std::move(from->back());
  from->pop_back();
  state->gesture.clear();
  forget_limit(state);
}

struct Applier : Appliers {
  using Appliers::operator();

  const scenario::Scenario* scenario() const { return scenario_of(catalog, state.settings); }

  void move(const Position& position) {
    state.position = position;
    state.playback.elapsed = 0;
    state.playback.frozen = false;
  }
  // By hand: a class that steps does not want to be overtaken.
  void step(const Position& position) {
    move(position);
    state.playback.playing = false;
    forget_limit(&state);
  }

  void operator()(const StepAccess& a) {
    step(in_phases() ? step_in_block(state.position, simulation, a.by)
                     : step_access(state.position, simulation, a.by));
  }
  // Warps take turns between barriers; the view of the phases goes with them.
  bool in_phases() const {
    return state.shown == ViewId::Phases && views::corner_turn(simulation) != nullptr;
  }
  void operator()(const StepLine& a) { step(step_line(state.position, simulation, a.by)); }
  // How many wavefronts there are is an answer: while it is asked for, an access is one step.
  void operator()(const StepWavefront& a) {
    if (hidden_in(state).costs) return (*this)(StepAccess{a.by});
    step(step_wavefront(state.position, simulation, a.by));
  }
  void operator()(const StepWarp& a) { move(step_warp(state.position, simulation, a.by)); }
  void operator()(const StepBlock& a) {
    state.halted = false;
    move(step_block(state.position, simulation, a.by));
  }
  void operator()(const GoToEnd& a) { step(go_to_end(state.position, simulation, a.last)); }
  void operator()(const GoToEvent& a) { step(go_to_event(state.position, simulation, a.event, a.wavefront)); }
  void operator()(const GoToLine& a) { step(go_to_line(state.position, simulation, a.line)); }
  void operator()(const GoToWarp& a) {
    move(step_warp(state.position, simulation, a.warp - simulation.place.warp));
  }
  void operator()(const GoToBlock& a) {
    if (simulation.empty()) return;
    const sim::Dim3& grid = simulation.compiled->setup.launch.grid;
    Position to = state.position;
    to.block = {std::min(a.block.x, grid.x - 1), std::min(a.block.y, grid.y - 1),
                std::min(a.block.z, grid.z - 1)};
    state.halted = false;
    move(to);
  }

  void operator()(const SetPlaying& a) {
    if (state.race && state.race->over()) state.race.reset();
    state.playback.frozen = state.playback.playing && !a.on;
    state.playback.playing = a.on;
    state.playback.one_access = false;
    state.playback.slow_warp = simulation.place.warp;
    state.playback.elapsed = 0;
  }
  void operator()(const PlayNext&) {
    const Position next = step_access(state.position, simulation, 1);
    step(next == state.position ? go_to_end(state.position, simulation, false) : next);
    state.playback.playing = state.playback.one_access = true;
  }
  // Wavefronts are counted as they pass; boxes by App, which has the clock.
  void operator()(const CountOut& a) {
    if (a.what != scene::Count::Cost || simulation.empty() || hidden_in(state).costs) return;
    if (simulation.steps() > 1) step(go_to_event(state.position, simulation, simulation.place.event, 0));
    state.playback.playing = state.playback.one_access = simulation.steps() > 1;
  }
  void operator()(const SetSpeed& a) { state.playback.speed = std::clamp(a.speed, kSlowest, kFastest); }
  void operator()(const Tick& a) {
    if (!state.playback.playing || simulation.empty()) return;
    if (state.race) return race_on(a.seconds * state.playback.speed);
    state.playback.elapsed += a.seconds * state.playback.speed;
    const bool phases = in_phases(), asked = hidden_in(state).costs;
    const double rests = phases ? phase_rests() : asked ? kAccessSeconds : dwell(simulation, state.position);
    if (state.playback.elapsed < rests) return;
    if (state.playback.one_access && simulation.place.wavefront + 1 >= simulation.steps()) {
      state.playback.playing = state.playback.one_access = false;
      return;
    }
    // One step a tick: the next one is of a place that only the next simulation knows.
    const Position to = phases  ? step_in_block(state.position, simulation, 1)
                        : asked ? step_access(state.position, simulation, 1)
                                : step_wavefront(state.position, simulation, 1);
    if (to == state.position) state.playback.playing = false;  // the end of the block
    move(to);
  }

  // One warp is followed; the others do the same beside it.
  double phase_rests() const {
    const int slow = state.playback.slow_warp;
    if (simulation.place.warp == slow || !simulation.trace || slow < 0 || slow >= simulation.trace->warps)
      return kPhaseSeconds;
    const auto& own = simulation.trace->warp_events[static_cast<std::size_t>(slow)];
    return kOtherWarpsSeconds / static_cast<double>(simulation.trace->events.size() - own.size());
  }

  void race_on(double seconds) {
    Race& race = *state.race;
    race.done = std::min(1.0, race.done + seconds / kRaceSeconds);
    if (race.over()) state.playback.playing = false;
    move(position_at(state.position, simulation, race.shown(false)));
  }
  void operator()(const RunRace&) {
    leave_answered();
    const bool runs = state.race && !state.race->over();
    state.race.reset();
    if (runs)
      state.playback.playing = false;
    else if (state.pinned)
      state.requests.emplace_back(MakeRace{});
  }
  void operator()(const TakeRace& a) {
    step(position_at(state.position, simulation, 0));
    state.race = a.race;
    state.playback.playing = true;
  }

  void operator()(const SetParameter& a) {
    const scenario::Scenario* s = scenario();
    const scenario::ScenarioParameter* parameter = s ? find_parameter(*s, a.name) : nullptr;
    if (parameter == nullptr) return;
    set_parameter(*s, *parameter, clamped(*parameter, a.value), a.gesture, !a.gesture.empty());
  }
  // A launch that cannot be is not tried: the value goes as far as it can, and says why no further.
  void set_parameter(const scenario::Scenario& s, const scenario::ScenarioParameter& parameter,
                     std::int64_t wanted, const std::string& by, bool by_steps) {
    const std::string& name = parameter.name;
    if (is_locked(state, name)) {
      state.notice = Notice{"class.locked",
                            Message::verbatim(scenario::in_language(parameter.label, state.language)), false};
      return;
    }
    const std::string gesture = by.empty() ? by : by + ":" + name;
    const PossibleValue possible = nearest_possible(s, state.settings.values, name, wanted, by_steps);
    const std::string value = std::to_string(possible.value);
    std::optional<Notice> limit = limit_notice(possible, parameter, state.language);
    if (state.settings.own) {
      (*this)(SetFormField{field_of(*state.settings.own, name), value, gesture});
    } else {
      Settings settings = state.settings;
      settings.values[name] = possible.value;
      change(std::move(settings), gesture);
    }
    if (limit) state.notice = std::move(limit);
  }
  void operator()(const SetValues& a) {
    Settings settings = state.settings;
    for (const auto& [name, value] : a.values)
      if (!is_locked(state, name)) settings.values[name] = value;
    change(std::move(settings), {});
  }
  void operator()(const StepParameter& a) {
    const scenario::Scenario* s = scenario();
    const scenario::ScenarioParameter* parameter = s ? find_parameter(*s, a.name) : nullptr;
    if (parameter == nullptr) return;
    const auto value = state.settings.values.find(a.name);
    const std::int64_t from = value == state.settings.values.end() ? parameter->fallback : value->second;
    set_parameter(*s, *parameter, stepped(*parameter, from, a.by), a.held ? "held" : "", true);
  }
  void operator()(const SelectScenario& a) {
    const scenario::Scenario* to = catalog.find(a.name);
    const scenario::Scenario* from = scenario();
    if (to == nullptr || to == from) return;
    const bool ladder =
        from != nullptr && !state.settings.own && !to->ladder.empty() && from->ladder == to->ladder;
    Settings settings;
    settings.scenario = to->name;
    settings.values = ladder ? carried_to(*from, state.settings.values, *to) : scenario::defaults(*to);
    change(std::move(settings), {});
    // On another rung the same access, unless that has nothing to show there and another has.
    Position place;
    if (ladder) place.block = state.position.block, place.access = state.position.access;
    place.access.or_costlier = ladder && !place.access.any;
    move(place);
    leave_text();
  }
  void operator()(const StepRung& a) {
    const auto rungs = rungs_of(state, catalog);
    if (rungs.empty()) return;
    const auto at = std::ranges::find(rungs, true, &MenuEntry::is_now) - rungs.begin();
    const auto to = std::clamp<std::ptrdiff_t>(at + a.by, 0, static_cast<std::ptrdiff_t>(rungs.size()) - 1);
    if (to != at) again(rungs[static_cast<std::size_t>(to)].chosen);
  }
  void operator()(const SetText& a) {
    change(with_text(catalog, state.settings, a.text), a.gesture);
    state.caret = a.caret;
    state.playback.playing = false;
  }
  void operator()(const Undo&) { go_back(&state.past, &state.future); }
  void operator()(const Redo&) { go_back(&state.future, &state.past); }
  void go_back(std::vector<Past>* from, std::vector<Past>* to) {
    const bool own_before = state.settings.own != nullptr;
    travel(&state, from, to);
    state.halted = false;
    if (state.paired && state.pinned && *state.pinned == state.settings) state.pinned.reset();
    if (own_before != (state.settings.own != nullptr)) state.form = !own_before;
    if (state.field.id.empty() || state.dialog) return;
    state.field.text = field_value(catalog, state, state.field.id);
  }

  // A is what the picture is of: what cannot be compiled or launched would leave it empty.
  void operator()(const PinA&) {
    leave_answered();
    state.paired = false;
    state.pinned = is_broken() && simulation.compiled ? simulation.compiled->settings : state.settings;
  }
  bool is_broken() const {
    return !simulation.fresh && std::any_of(simulation.problems.begin(), simulation.problems.end(),
                                            [](auto& p) { return p.severity == cuda::Severity::Error; });
  }
  // In a file of one's own the kernel before it takes the rung's place.
  void operator()(const CompareRungs&) {
    leave_answered();
    state.paired = false;
    if (auto other = neighbour_rung(catalog, state.settings, state.past)) state.pinned = std::move(*other);
    if (auto other = neighbour_kernel(state.settings)) state.pinned = std::move(*other);
  }
  void operator()(const SwapAB&) {
    if (!state.pinned) return;
    Settings a = *state.pinned;
    state.pinned = state.settings;
    change(std::move(a), {});
    leave_text();
  }
  void operator()(const ReturnToA&) {
    if (!state.pinned) return;
    change(*state.pinned, {});
    leave_text();
  }
  void operator()(const LeaveComparison&) { state.pinned.reset(); }
  void operator()(const LookAt& a) { step(a.position); }

  void operator()(const ShowView& a) {
    show_view(&state, a.view);
    if (a.view == ViewId::Reuse && views::looks_at_shared(simulation))
      state.notice = Notice{"reuse.global_only", {}, false};
  }
  void operator()(const HoldView& a) { state.plot.held = a.on && state.shown == ViewId::Map; }

  void operator()(const SetPresent& a) {
    state.present = a.on;
    state.menu.reset();
  }
  void operator()(const ShowPanels& a) {
    // With a launch form the whole workbench stands, whatever panels are chosen.
    const bool is_alone = state.panels.none() && !state.form;
    state.panels = a.panels ? *a.panels : is_alone ? state.workbench : Panels();
    if (state.panels.any()) state.workbench = state.panels;
    state.form &= state.panels.any();
    state.menu.reset();
  }
  void operator()(const TogglePanel& a) {
    Panels panels = state.panels;
    (*this)(ShowPanels{panels.flip(static_cast<std::size_t>(a.panel))});
  }
  void operator()(const SetHelp& a) {
    if (a.on) make_room(&state, Sheet::Help);
    state.help = a.on;
  }
  void operator()(const MoveControl& a) {
    state.control = state.control ? *state.control + a.by : a.by > 0 ? 0 : -1;
  }
  void operator()(const PressControl&) { state.control_pressed = state.control.has_value(); }
  void operator()(const SettleControl& a) { state.control = a.control, state.control_pressed = false; }
  void operator()(const SetZoom& a) { state.zoom = std::clamp(a.zoom, 0.5f, 3.0f); }
  void operator()(const SetEditing& a) {
    if (a.on) make_room(&state, std::nullopt);
    state.editing = a.on;
    if (a.on) state.playback.playing = false;
    state.gesture.clear();
  }
  void operator()(const SetCaret& a) {
    state.caret = a.caret;
    state.gesture.clear();
  }

  // A text that is refused here has no picture to stand beside what the compiler made of it.
  void operator()(const CompileKernel&) {
    if (!is_compiled(state.settings)) return void(state.requests.emplace_back(RunCompiler{}));
    const UserKernel* own = state.settings.own.get();
    if (own->written == nullptr) return (*this)(ShowNotice{{"compile.is_ptx", {}, true, false}});
    change(Settings(*own->written), {});
    state.pinned.reset();
    state.notice.reset();
    leave_text();
    state.form = state.settings.own && state.panels.any();
  }
  void operator()(const TakeCompiled& a) {
    if (!(state.settings == a.of)) return;
    const std::optional<Settings> written = is_broken() ? std::nullopt : std::optional(a.of);
    state.on_disk[a.compiled.own->file.string()] = a.compiled.text;
    change(a.compiled, {});
    state.pinned = written;
    state.paired = true;
    leave_text();
    state.form = false;
  }

  // A field of the state, and what is asked of the world outside as it stands.
  template <auto kField>
  void operator()(const Set<kField>& a) {
    state.*kField = a.value;
  }
  template <typename A>
  requires(kPlaceIn<A, Request> > 0) void operator()(const A& a) { state.requests.emplace_back(a); }

  // Of one view alone.
  template <typename A>
  requires requires(const views::Acting& on, const A& action) { views::act(on, action); }
  void operator()(const A& a) {
    views::act({state, simulation, catalog, [this](const Action& other) { again(other); },
                [this](Settings settings) { change(std::move(settings)); }},
               a);
  }
};

void go_on_with_tour(State* state, const Action& action) {
  std::optional<int>& tour = state->classroom.tour;
  if (!tour) return;
  const auto stops = tour_stops();
  const std::string_view before = stops[static_cast<std::size_t>(*tour)].scenario;
  tour = tour_after(*tour, action, *state);
  // Each kernel of the tour begins with what its sentence is about, the costliest access.
  if (tour && stops[static_cast<std::size_t>(*tour)].scenario != before) state->position = {};
}

}  // namespace

void Appliers::again(const Action& action) {
  std::visit(static_cast<Applier&>(*this), action.value());
  go_on_with_tour(&state, action);
}

// Settings change while an access is looked at: from now on it is that one, not the costliest.
void Appliers::change(Settings settings, const std::string& gesture) {
  const bool by_number = state.position.access.number >= 0 && simulation.fresh;
  const AccessId& access = state.position.access;
  if ((access.any || access.or_costlier || by_number) && simulation.place.event >= 0) {
    if (access.any) state.position.warp = simulation.place.warp;
    state.position.access = name_of(simulation, simulation.place.event);
  }
  // What plays stops where it is turned, and shows it from the first wavefront on, with all that queues.
  if (state.playback.playing && settings != state.settings) {
    state.playback.playing = state.playback.one_access = false;
    state.position.wavefront = 0;
  }
  change_settings(&state, std::move(settings), gesture);
  forget_limit(&state);
  state.halted = false;
  state.playback.frozen = false;
}

// A race is of these settings, and goes through the warp by itself; a question stops it.
static bool goes_on_racing(const State& before, const State& now, const Action& action) {
  if (now.classroom.predicting || now.classroom.active) return false;
  const bool moves_by_itself = action.as<Tick>() != nullptr || action.as<TakeRace>() != nullptr;
  return !before.race || moves_by_itself ||
         (before.position == now.position && before.settings == now.settings && before.pinned == now.pinned);
}

// News, such as that a file was saved, is about what is on screen, and goes where that is left.
static void forget_news(const State& before, State* now, const Action& action) {
  const auto& told = before.notice;
  if (!told || !told->is_news()) return;
  if (!now->notice || now->notice->key != told->key || action.as<Tick>() != nullptr) return;
  const auto phase = [](const State& s) {
    return s.voting.round ? static_cast<int>(s.voting.round->phase()) : -1;
  };
  const auto typed = [](const State& s) {
    const Guess* guess = guess_of(s.classroom);
    return guess != nullptr ? guess->typed : std::string();
  };
  if (phase(before) != phase(*now) || typed(before) != typed(*now) || before.position != now->position ||
      before.settings != now->settings || before.shown != now->shown || before.present != now->present ||
      before.pinned != now->pinned || before.panels != now->panels || before.help != now->help)
    now->notice.reset();
}

State apply(State state, const Action& action, const Simulation& simulation, const Catalog& catalog) {
  const bool predicting = state.classroom.predicting.has_value();
  const State before = predicting || state.race || state.notice ? state : State{};
  Applier applier{{std::move(state), simulation, catalog}};
  applier.again(action);
  if (applier.state.race && !goes_on_racing(before, applier.state, action))
    applier.state.race.reset(), applier.state.playback.playing = false;
  forget_news(before, &applier.state, action);
  // A prediction is about one access: coming to another one is asked about anew.
  auto& asked = applier.state.classroom.predicting;
  if (predicting && asked && !same_access(before, applier.state, simulation)) asked->guess = {};
  end_vote_on_other_question(&applier.state);
  tell_late_truth(&applier.state);
  return std::move(applier.state);
}

State opening(const Catalog& catalog, const std::string& scenario) {
  State state;
  state.settings.scenario = scenario;
  if (const scenario::Scenario* s = catalog.find(scenario)) state.settings.values = scenario::defaults(*s);
  return state;
}

double dwell(const Simulation& simulation, const Position& position) {
  const int wavefronts = simulation.steps();
  if (wavefronts == 1) return kAccessSeconds;
  const bool beyond = wavefronts > simulation.wavefronts_of(simulation.place.event);
  const int now = beyond ? position.wavefront : simulation.place.wavefront;
  // The first one passes once the lanes have fallen.
  return now + 1 < wavefronts ? kWavefrontSeconds + (now == 0 ? kAccessMotion : 0) : kAccessSeconds / 2;
}

}  // namespace warplens::app
