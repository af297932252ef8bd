#include "app/actions/plot_actions.h"

#include <algorithm>

#include "app/derive/plots.h"
#include "app/explain/choose_launch.h"
#include "app/simulate/navigation.h"
#include "app/state/chosen_kernel.h"
#include "app/state/loaded_profile.h"
#include "app/state/user_kernel.h"

namespace warplens::app {
namespace {

std::optional<LandscapePlan> plan_of(const State& state, const Catalog& catalog) {
  return plan_landscape(scenario_of(catalog, state.settings), state.settings, state.plot);
}

}  // namespace

// What is on screen stays where the profile is of another kernel.
void PlotActions::operator()(const TakeProfile& a) {
  const std::string kernel = kernel_name_of(catalog, state.settings);
  if (!kernel.empty() && explain::launches_of(a.profile->profile, kernel).empty()) {
    const auto choice = explain::choose_launch(a.profile->profile, {{kernel}, {}}, a.profile->file);
    state.notice = Notice{"explain.other_kernel", choice.errors.front(), true, false};
    return;
  }
  state.profile = a.profile;
  state.plot.launch.clear();
  show_view(&state, ViewId::Profile);
}

void PlotActions::operator()(const StepProfileLaunch& a) {
  if (!state.profile) return;
  const std::string kernel = kernel_name_of(catalog, state.settings);
  const std::vector<std::string> ids = explain::launches_of(state.profile->profile, kernel);
  if (ids.empty()) return;
  std::string shown = state.plot.launch;
  if (shown.empty() && !simulation.empty()) {
    const scenario::Setup& setup = simulation.compiled->setup;
    const auto fits = explain::choose_launch(
        state.profile->profile,
        {{kernel}, setup.compile.template_arguments, setup.launch.grid, setup.launch.block, {}},
        state.profile->file);
    if (fits) shown = state.profile->profile.launches[fits.value->launch].id;
  }
  const auto at = std::ranges::find(ids, shown);
  const auto count = static_cast<std::ptrdiff_t>(ids.size());
  const std::ptrdiff_t now = at == ids.end() ? (a.by > 0 ? -1 : 0) : at - ids.begin();
  state.plot.launch = ids[static_cast<std::size_t>(((now + a.by) % count + count) % count)];
}

// What is clicked stays under the pointer.
void PlotActions::operator()(const GoToAccess& a) {
  if (simulation.empty() || !simulation.trace) return;
  const int warps = static_cast<int>(simulation.trace->warp_events.size());
  if (warps == 0) return;
  Position position = shown_position(state.position, simulation);
  position.warp = std::clamp(a.warp, 0, warps - 1);
  position.access = AccessId{};
  position.access.any = false;
  position.access.number = std::max(a.event, 0);
  position.wavefront = 0;
  const bool follows = state.plot.follows && state.plot.timeline.zoom <= 1;
  again(LookAt{position});
  state.plot.follows = follows;
}

void PlotActions::operator()(const SetLandscapeAxes& a) {
  state.plot.x = a.x;
  state.plot.y = a.y;
  state.plot.pointed.reset();
}

// To the next parameter that the other axis does not have.
void PlotActions::operator()(const StepLandscapeAxis& a) {
  const auto plan = plan_of(state, catalog);
  if (!plan) return;
  const auto& all = plan->scenario->parameters;
  const scenario::ScenarioParameter *mine = a.down ? plan->y.parameter : plan->x.parameter,
                                    *other = a.down ? plan->x.parameter : plan->y.parameter;
  const int count = static_cast<int>(all.size()), step = a.by < 0 ? count - 1 : 1;
  int at = static_cast<int>(mine - all.data());
  do {
    at = (at + step) % count;
  } while (&all[static_cast<std::size_t>(at)] == other);
  const std::string &next = all[static_cast<std::size_t>(at)].name, &stays = other->name;
  (*this)(a.down ? SetLandscapeAxes{stays, next} : SetLandscapeAxes{next, stays});
}

void PlotActions::operator()(const SetLandscapeMeasure& a) {
  state.plot.measure = a.measure;
}

void PlotActions::operator()(const StepLandscapeMeasure& a) {
  constexpr int kMeasures = 5;
  state.plot.measure =
      static_cast<LandscapeMeasure>((static_cast<int>(state.plot.measure) + a.by + kMeasures) % kMeasures);
}

void PlotActions::operator()(const PointAtCell& a) {
  state.plot.pointed = a.cell;
}

// From the cell that is pointed at, or from where one is.
void PlotActions::operator()(const MoveOnLandscape& a) {
  const auto plan = plan_of(state, catalog);
  if (!plan) return;
  CellValues from = state.plot.pointed.value_or(plan->here);
  if (plan->cell_of(from) < 0) from = plan->here;
  const auto moved = [](const LandscapeAxis& axis, std::int64_t value, int by) {
    const int last = static_cast<int>(axis.values.size()) - 1;
    return axis.values[static_cast<std::size_t>(std::clamp(axis.index_of(value) + by, 0, last))];
  };
  state.plot.pointed = CellValues{moved(plan->x, from.x, a.columns), moved(plan->y, from.y, a.rows)};
}

void PlotActions::operator()(const HoldLandscape& a) {
  state.plot.held = a.held && state.shown == ViewId::Landscape;
  if (!state.plot.held) state.plot.pointed.reset();
}

void PlotActions::operator()(const GoToCell& a) {
  const auto plan = plan_of(state, catalog);
  if (!plan) return;
  const std::string x = plan->x.parameter->name, y = plan->y.parameter->name;
  if (!state.settings.own) {
    Settings settings = state.settings;
    settings.values[x] = clamped(*plan->x.parameter, a.cell.x);
    settings.values[y] = clamped(*plan->y.parameter, a.cell.y);
    return change(std::move(settings));
  }
  const std::string field_x = field_of(*state.settings.own, x), field_y = field_of(*state.settings.own, y);
  again(SetFormField{field_x, std::to_string(a.cell.x), {}});
  const std::string both = "landscape";
  state.gesture = both;
  again(SetFormField{field_y, std::to_string(a.cell.y), both});
  state.gesture.clear();
}

}  // namespace warplens::app
