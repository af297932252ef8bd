#include "app/actions/plot_actions.h"

#include <algorithm>

#include "app/explain/choose_launch.h"
#include "app/simulate/navigation.h"
#include "app/state/chosen_kernel.h"
#include "app/state/loaded_profile.h"

namespace warplens::app {
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

}  // namespace warplens::app
