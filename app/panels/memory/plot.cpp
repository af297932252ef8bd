// The view on screen, in the place of both memory panels.
#include <algorithm>

#include "app/panels/lessons/lesson_panels.h"
#include "app/panels/memory/memory_panels.h"
#include "app/panels/widgets/ui.h"
#include "app/views/views.h"

namespace warplens::panels {
namespace {

struct PlotPanel {
  const View& view;
  Rect rect, room;
  views::Inputs in;
};

std::vector<Tab> tabs_of(const View& view, const std::vector<views::Choice>& choices) {
  std::vector<Tab> tabs;
  if (choices.size() < 2) return tabs;  // there is nothing to choose
  for (const views::Choice& choice : choices)
    tabs.push_back({choice.text, choice.tip != nullptr ? view.strings(choice.tip) : "", choice.active});
  return tabs;
}

// Gives the width taken, to the left of `end`.
float draw_tabs_of(PlotPanel* panel, const char* id, const ImVec2& end,
                   const std::vector<views::Choice>& choices) {
  const TabChoice choice = draw_tabs(panel->view, id, end, tabs_of(panel->view, choices));
  if (choice.clicked >= 0) panel->view.act(choices[static_cast<std::size_t>(choice.clicked)].action);
  return choice.width;
}

// Tabs at the left, tabs at the right, then those of the views. Presenting: the verdict, and the tabs one row
// below the other.
void draw_tabbed_heading(PlotPanel* panel, const views::Heading& heading, bool held) {
  const View& view = panel->view;
  const Rect& rect = panel->rect;
  const float left_tabs = tabs_width(view, tabs_of(view, heading.left));
  if (view.is_large()) {
    draw_large_verdict(view, rect,
                       std::max(tabs_width(view, tabs_of(view, heading.right)), left_tabs) + view.px(20));
    const float end = right(rect) - view.px(16);
    draw_tabs_of(panel, "right", {end, rect.y + view.px(22)}, heading.right);
    draw_tabs_of(panel, "left", {end, rect.y + view.px(46)}, heading.left);
    return;
  }
  // Framed where it is of the access looked at.
  const bool active = held || (view.sim.now && view.sim.now->access.space == memory::Space::Global);
  draw_ground(view, rect, active ? view.px(1.5f) : 0);
  const float y = rect.y + view.px(20), left = rect.x + view.px(14);
  float end = right(rect) - view.px(14);
  if (view.comparison == nullptr) end -= draw_view_switch(view, rect) + view.px(12);
  end -= draw_tabs_of(panel, "right", {end, y}, heading.right) + view.px(12);
  const Type type = title_type(view);
  const float wide = text_width(view, heading.title, type);
  const float titled = wide <= end - left - left_tabs - view.px(14) ? wide : 0;  // the tab says it too
  if (titled > 0) draw_text(view, {left, y}, heading.title, type);
  draw_tabs_of(panel, "left", {std::min(end, left + titled + view.px(16) + left_tabs), y}, heading.left);
}

// The panel with the scene in it; the hot spot under the pointer.
const scene::HotSpot* draw_framed(PlotPanel* panel, scene::Scene scene, bool held, float reserve,
                                  const views::Row& row) {
  const View& view = panel->view;
  if (row.heading != nullptr)
    draw_tabbed_heading(panel, row.heading(panel->in, view.strings), held);
  else
    draw_heading(view, panel->rect, scene, true, reserve, row.with_verdict);
  if (held) outline(panel->rect, view.palette.accent, view.px(8), view.px(3));
  if (!scene.nothing.empty()) {
    Column column{view, panel->room.x, panel->room.y + view.px(10), panel->room.width};
    column.paragraph(scene.nothing, {15, view.palette.secondary});
    return nullptr;
  }
  return draw_scene(view, "scene", std::move(scene), top_left(panel->room));
}

// Words over the picture that a click changes.
void draw_choices(PlotPanel* panel, const std::vector<views::Choice>& choices, float y) {
  const View& view = panel->view;
  float x = panel->room.x;
  const float height = view.px(26);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const views::Choice& choice = choices[i];
    const float width = pill_width(view, choice.text, false);
    if (x + width > right(panel->room)) break;
    answer(view,
           pill(view, ("choice" + std::to_string(i)).c_str(), {x, y, width, height}, choice.text, false),
           view.strings(choice.tip), choice.action);
    x += width + view.px(8);
  }
}

void draw_view(PlotPanel* panel, const views::Row& row, float reserve) {
  const View& view = panel->view;
  std::vector<views::Choice> choices;
  if (row.choices != nullptr && !view.is_large() && view.comparison == nullptr)
    choices = row.choices(panel->in, view.strings);
  const Rect whole = panel->room;
  if (!choices.empty()) {
    const float taken = view.px(34);
    panel->room.y += taken, panel->room.height = std::max(0.0f, panel->room.height - taken);
  }
  const scene::Canvas canvas = view.canvas(panel->room.width, panel->room.height);
  scene::Scene scene = row.draw(panel->in, canvas);
  const bool nothing = !scene.nothing.empty();
  const scene::HotSpot* spot = draw_framed(panel, std::move(scene), view.state.plot.held, reserve, row);
  const ImGuiIO& io = ImGui::GetIO();
  views::Pointer pointer{io.MousePos.x - panel->room.x, io.MousePos.y - panel->room.y, io.MouseDelta.x,
                         io.MouseDelta.y};
  pointer.from_x = io.MouseClickedPos[0].x - panel->room.x;
  pointer.from_y = io.MouseClickedPos[0].y - panel->room.y;
  pointer.there = ImGui::IsMousePosValid();
  pointer.hovered = !nothing && ImGui::IsItemHovered();
  pointer.held = !nothing && ImGui::IsItemActive();
  pointer.wheel = pointer.hovered ? io.MouseWheel : 0;
  pointer.pressed = !nothing && scene_clicked();
  pointer.doubled = pointer.hovered && ImGui::IsMouseDoubleClicked(0);
  pointer.clicked =
      ImGui::IsItemDeactivated() && pointer.hovered && ImGui::GetMouseDragDelta(0, view.px(4)).x == 0;
  pointer.spot = spot;
  draw_choices(panel, choices, whole.y);
  if (nothing || row.feel == nullptr) return;
  views::Felt felt = row.feel(panel->in, canvas, pointer);
  tooltip(view, felt.tooltip);
  view.act(std::move(felt.actions));
}

}  // namespace

bool shows_map(const View& view) {
  return view.made != nullptr && view.state.shown == ViewId::Map;
}

bool shows_plot(const View& view) {
  return view.made != nullptr && view.state.shown != ViewId::Map;
}

void draw_plot(const View& view, const Rect& rect) {
  const bool with_switch = !view.is_large() && view.comparison == nullptr;
  const views::Row& row = views::row_of(view.state.shown);
  Rect room = scene_room(view, rect, row.with_verdict);
  if (view.is_large() && !row.with_verdict) {
    const float more = std::min(view.px(kStageHeading - 44), room.y - rect.y);
    room.y -= more, room.height += more;
  }
  PlotPanel panel{view, rect, room, inputs_of(view)};
  const float reserve = with_switch ? view_switch_width(view, rect) + view.px(10) : 0;
  draw_view(&panel, row, reserve);
  if (with_switch && row.heading == nullptr) draw_view_switch(view, rect);
}

}  // namespace warplens::panels
