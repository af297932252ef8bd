#include <algorithm>

#include "app/actions/appliers.h"
#include "app/explain/explanation.h"
#include "app/input/palette.h"
#include "app/readout/question.h"
#include "app/simulate/simulation.h"
#include "app/state/catalog.h"
#include "app/state/diagnosis.h"
#include "app/state/loaded_profile.h"
#include "app/state/sheets.h"
#include "app/views/counts.h"

namespace warplens::app {

// ---- lists under buttons ----------------------------------------------------------------------------------

void Appliers::operator()(const ShowMenu& a) {
  state.menu.reset();
  if (!a.of) return;
  const std::vector<MenuEntry> entries = menu_entries(*a.of, state, catalog);
  if (entries.empty()) return;
  make_room(&state, std::nullopt);
  const auto now = std::ranges::find(entries, true, &MenuEntry::is_now);
  state.menu = Menu{*a.of, now == entries.end() ? 0 : static_cast<int>(now - entries.begin())};
}

void Appliers::operator()(const ChooseMenu& a) {
  if (!state.menu) return;
  const std::vector<MenuEntry> entries = menu_entries(state.menu->of, state, catalog);
  const int entry = a.entry >= 0 ? a.entry : state.menu->selected;
  state.menu.reset();
  if (entry < static_cast<int>(entries.size())) again(entries[static_cast<std::size_t>(entry)].chosen);
}

// Another row of the list that is open, as far as there are any.
void Appliers::operator()(const MoveSelection& a) {
  const auto move = [&](int* selected, std::size_t count) {
    *selected = std::clamp(*selected + a.by, 0, std::max(static_cast<int>(count) - 1, 0));
  };
  auto& palette = state.classroom.palette;
  if (palette) {
    if (palette->entries) move(&palette->selected, fitting(*palette->entries, state.field.text).size());
  } else if (state.dialog) {
    (*this)(SelectEntry{state.dialog->selected + a.by});
  } else if (state.classroom.list) {
    move(&*state.classroom.list, catalog.lessons.size());
  } else if (state.menu) {
    move(&state.menu->selected, menu_entries(state.menu->of, state, catalog).size());
  } else if (state.lecturing.list) {
    move(&*state.lecturing.list, static_cast<std::size_t>(scene_count()));
    state.field = {};
  }
}

// ---- values and places that are typed ---------------------------------------------------------------------

bool Appliers::take_typed() {
  const TextField field = state.field;
  if (field.text == field.before) {  // nothing was typed
    state.field = {};
    return true;
  }
  if (const scenario::ScenarioParameter* p = typed_parameter(catalog, state.settings, field.id)) {
    const auto value = value_in(*p, field.text);
    if (!value) return false;
    const std::string name = p->name;
    state.field = {};
    again(SetParameter{name, *value, {}});
    return true;
  }
  if (field.id == kBlockInput && !simulation.empty()) {
    const auto block = block_in(simulation.compiled->setup.launch.grid, field.text);
    if (!block) return false;
    state.field = {};
    again(GoToBlock{*block});
    return true;
  }
  state.field = {};
  return true;
}

bool Appliers::leave_typed(const LeaveField& a) {
  if (!is_typed_whole(state.field.id)) return false;
  if (a.keep && take_typed()) return true;
  if (!a.keep || a.away) state.field = {};
  return true;
}

bool Appliers::next_typed(const NextField& a) {
  if (!is_typed_whole(state.field.id)) return false;
  const scenario::ScenarioParameter* p = typed_parameter(catalog, state.settings, state.field.id);
  if (p == nullptr) return true;
  const std::string name = p->name;
  if (!take_typed()) return true;  // to be corrected first
  const scenario::Scenario* s = scenario_of(catalog, state.settings);
  if (s == nullptr || s->parameters.empty()) return true;
  const auto order = parameters_in_order(*s);
  const auto here = std::ranges::find(order, name, &scenario::ScenarioParameter::name);
  const auto count = static_cast<std::ptrdiff_t>(order.size());
  const std::ptrdiff_t to = ((here - order.begin() + a.by) % count + count) % count;
  again(FocusField{std::string(kValueInput) + order[static_cast<std::size_t>(to)]->name});
  return true;
}

// ---- A│B --------------------------------------------------------------------------------------------------

void Appliers::operator()(const CompareWith& a) {
  if (!state.pinned) state.pinned = state.settings, state.paired = true;
  const bool other_text = a.b.own || state.settings.own;
  change(a.b);
  leave_text();
  if (other_text) state.playback.playing = false;
}

// ---- what is wrong, and what would mend it ----------------------------------------------------------------

void Appliers::operator()(const ShowFix&) {
  const Diagnosis* found = diagnosis_of(state);
  if (found == nullptr || !found->fix || hidden_in(state).rest) return;
  state.pinned.reset();  // what is on screen is what the fix is of
  (*this)(CompareWith{found->fix->settings});
}

void Appliers::operator()(const GoToWorst&) {
  if (simulation.empty() || hidden_in(state).rest) return;
  const std::vector<views::WorstLine> worst = views::worst_lines(simulation);
  if (const auto to = costliest_access(simulation, worst.empty() ? 0 : worst[0].line)) again(LookAt{*to});
}

void Appliers::operator()(const GoToError& a) {
  const auto found = std::ranges::find_if(simulation.problems,
                                          [](const Problem& problem) { return problem.at.has_value(); });
  if (hidden_in(state).rest) return;
  if (found == simulation.problems.end()) {
    state.notice = Notice{"errors.none", {}, false};
    return;
  }
  const RunPlace at = *found->at;
  Position to;
  to.block = at.block;
  to.warp = std::max(at.warp, 0);
  to.access.any = false;
  to.access.number = kLastAccess;  // the one that could not be made
  state.halted = false;
  const Message words = found->message;  // with thread, lane, warp and block
  again(LookAt{to});
  if (a.says) state.notice = Notice{"errors.at", words, true};
}

// What is on screen stays where the profile is of another kernel.
void Appliers::operator()(const TakeProfile& a) {
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

void Appliers::operator()(const StepProfileLaunch& a) {
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
void Appliers::operator()(const GoToAccess& a) {
  if (simulation.empty() || !simulation.trace) return;
  const int warps = static_cast<int>(simulation.trace->warp_events.size());
  if (warps == 0) return;
  Position position = shown_position(state.position, simulation);
  position.warp = std::clamp(a.warp, 0, warps - 1);
  position.access = AccessId{};
  position.access.any = false;
  position.access.number = std::max(a.event, 0);
  position.wavefront = 0;
  again(LookAt{position});
}

}  // namespace warplens::app
