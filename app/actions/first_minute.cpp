// The tour and the command palette: the part of LessonActions that is for new users.
#include <algorithm>

#include "app/actions/lesson_actions.h"
#include "app/input/palette.h"
#include "app/state/chosen_kernel.h"
#include "app/state/sheets.h"
#include "app/state/teaching/tour.h"

namespace warplens::app {

void LessonActions::operator()(const ShowTour& a) {
  Classroom& c = state.classroom;
  c.tour.reset();
  if (!a.show) return;
  make_room(&state, Sheet::Tour);
  c.active.reset();
  c.predicting.reset();
  state.pinned.reset();
  state.shown = ViewId::Memory;
  state.plot.held = false;
  state.plot = {};
  state.hint = state.present = false;
  enter_stop(0);
}

void LessonActions::operator()(const StepTour& a) {
  if (!state.classroom.tour) return;
  const int to = *state.classroom.tour + a.by;
  if (to >= static_cast<int>(tour_stops().size())) return (*this)(ShowTour{false});
  enter_stop(std::max(to, 0));
}

void LessonActions::enter_stop(int stop) {
  state.classroom.tour = stop;
  const TourStop& at = tour_stops()[static_cast<std::size_t>(stop)];
  if (!at.as_turned || !is_about(at, state.settings)) {
    lesson::View view;
    view.scenario = at.scenario;
    if (std::optional<Settings> settings = settings_of(catalog, view)) change(std::move(*settings));
    state.position = {};
    state.form = false;
    // Nothing but what is turned from here on is undone or redone.
    state.future.clear();
    state.classroom.tour_found = state.past.size();
  }
  state.playback.playing = false;
}

void LessonActions::close_palette() {
  if (!state.classroom.palette) return;
  state.classroom.palette.reset();
  state.field = {};
}

void LessonActions::operator()(const ShowPalette& a) {
  close_palette();
  if (!a.show) return;
  make_room(&state, Sheet::Palette);
  state.classroom.palette = CommandPalette{};
  state.classroom.palette->offer = a.offer;
  state.field.id = "palette";
  state.requests.emplace_back(ListCommands{});
}

// Beside a kernel of the same ladder it does as much: sizes stay as they are.
void LessonActions::compare_with(const std::string& name) {
  const scenario::Scenario *to = catalog.find(name), *from = scenario_of(catalog, state.settings);
  if (to == nullptr) return;
  const bool ladder =
      from != nullptr && !state.settings.own && !to->ladder.empty() && from->ladder == to->ladder;
  again(CompareWith{
      {to->name, ladder ? carried_over_in_size(*from, state.settings.values, *to) : scenario::defaults(*to),
       nullptr, nullptr}});
}

void LessonActions::operator()(const TakeCommands& a) {
  auto& palette = state.classroom.palette;
  if (!palette) return;
  palette->entries = a.entries;
  if (palette->offer != CommandPalette::Offer::Scenarios || state.settings.own || !state.field.text.empty())
    return;
  // The list opens where one is.
  const std::vector<int> found = fitting(*a.entries, {});
  const auto open = std::find_if(found.begin(), found.end(), [&](int i) {
    const PaletteEntry& entry = a.entries->all[static_cast<std::size_t>(i)];
    return entry.kind == PaletteEntry::Kind::Scenario && entry.name == state.settings.scenario;
  });
  if (open != found.end()) palette->selected = static_cast<int>(open - found.begin());
}

void LessonActions::operator()(const MovePalette& a) {
  auto& palette = state.classroom.palette;
  if (!palette || !palette->entries) return;
  const int count = static_cast<int>(fitting(*palette->entries, state.field.text).size());
  palette->selected = std::clamp(palette->selected + a.by, 0, std::max(count - 1, 0));
}

void LessonActions::operator()(const ChooseCommand& a) {
  const auto& palette = state.classroom.palette;
  if (!palette || !palette->entries) return;
  const std::vector<int> found = fitting(*palette->entries, state.field.text);
  const int entry = a.entry >= 0 ? a.entry : palette->selected;
  if (entry < 0 || entry >= static_cast<int>(found.size())) return;
  const PaletteEntry chosen =
      palette->entries->all[static_cast<std::size_t>(found[static_cast<std::size_t>(entry)])];
  const bool beside = palette->offer == CommandPalette::Offer::Comparison;
  close_palette();
  if (beside && chosen.kind == PaletteEntry::Kind::Scenario) return compare_with(chosen.name);
  if (beside && !state.pinned) again(PinA{});
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

}  // namespace warplens::app
