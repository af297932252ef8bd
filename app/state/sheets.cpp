#include "app/state/sheets.h"

namespace warplens::app {

void show_view(State* state, ViewId view) {
  state->shown = view;
  state->plot.held = false;
  state->plot.pointed.reset();
}

std::vector<Sheet> sheets_of(const State& state) {
  std::vector<Sheet> open;
  if (state.help) open.push_back(Sheet::Help);
  if (state.classroom.list) open.push_back(Sheet::Lessons);
  if (state.dialog) open.push_back(Sheet::Dialog);
  if (state.share) open.push_back(Sheet::Share);
  if (state.classroom.palette) open.push_back(Sheet::Palette);
  if (state.classroom.tour) open.push_back(Sheet::Tour);
  if (state.lecturing.list) open.push_back(Sheet::Scenes);
  if (state.names) open.push_back(Sheet::Names);
  return open;
}

void make_room(State* state, std::optional<Sheet> sheet) {
  if (sheet != Sheet::Help) state->help = false;
  if (sheet != Sheet::Lessons) state->classroom.list.reset();
  if (sheet != Sheet::Dialog) state->dialog.reset();
  if (sheet != Sheet::Share) state->share.reset();
  if (sheet != Sheet::Palette) state->classroom.palette.reset();
  if (sheet != Sheet::Tour) state->classroom.tour.reset();
  if (sheet != Sheet::Scenes) state->lecturing.list.reset();
  if (sheet != Sheet::Names) state->names = false;
  state->field = {};
  state->menu.reset();
  state->editing = false;
}

}  // namespace warplens::app
