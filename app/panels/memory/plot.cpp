// The block's timeline, the landscape of two parameters and a profile, in the place of both memory panels.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/lessons/lesson_panels.h"
#include "app/panels/memory/memory_panels.h"
#include "app/panels/widgets/tabs.h"
#include "app/views/views.h"

namespace warplens::panels {
namespace {

struct PlotPanel {
  const View& view;
  Rect rect, room;
  picture::Inputs in;
  Actions actions;
};

// The panel with the scene in it; the hot spot under the pointer.
const scene::HotSpot* draw_framed(PlotPanel* panel, scene::Scene scene, bool held, float reserve) {
  const View& view = panel->view;
  Heading heading{scene.title, scene.answer, {}, true, reserve, scene.title_parts, reserve > 0};
  if (scene.answer_is_costly) heading.answer_color = view.palette.costly;
  if (scene.answer_is_ideal) heading.answer_color = view.palette.ideal;
  draw_panel(view, panel->rect, heading);
  if (held) outline(panel->rect, view.palette.accent, view.px(8), view.px(3));
  if (!scene.nothing.empty()) {
    Column column{view, panel->room.x, panel->room.y + view.px(10), panel->room.width};
    column.paragraph(scene.nothing, {15, view.palette.secondary});
    return nullptr;
  }
  return draw_scene(view, "scene", std::move(scene), top_left(panel->room));
}

// A view that has a file of its own.
void draw_view(PlotPanel* panel, const views::Row& row, float reserve) {
  const View& view = panel->view;
  const scene::Canvas canvas = view.canvas(panel->room.width, panel->room.height);
  scene::Scene scene = row.draw(panel->in, canvas);
  const bool nothing = !scene.nothing.empty();
  const scene::HotSpot* spot = draw_framed(panel, std::move(scene), false, reserve);
  if (nothing || row.feel == nullptr) return;
  const ImGuiIO& io = ImGui::GetIO();
  views::Pointer pointer{io.MousePos.x - panel->room.x, io.MousePos.y - panel->room.y, io.MouseDelta.x,
                         io.MouseDelta.y};
  pointer.hovered = ImGui::IsItemHovered();
  pointer.held = ImGui::IsItemActive();
  pointer.wheel = pointer.hovered ? io.MouseWheel : 0;
  pointer.clicked =
      ImGui::IsItemDeactivated() && pointer.hovered && ImGui::GetMouseDragDelta(0, view.px(4)).x == 0;
  pointer.spot = spot;
  views::Felt felt = row.feel(panel->in, canvas, pointer);
  tooltip(view, felt.tooltip);
  for (Action& action : felt.actions) panel->actions.push_back(std::move(action));
}

// The two parameters and what is counted, each a word that a click changes.
float draw_axis_choices(PlotPanel* panel, float y) {
  const View& view = panel->view;
  const app::Landscape& landscape = *panel->in.plots->landscape;
  const std::string& language = view.state.language;
  struct Choice {
    const char* id;
    std::string text;
    const char* tip;
    Action action;
  };
  const auto label = [&](const app::LandscapeAxis& axis) {
    return scenario::in_language(axis.parameter->label, language);
  };
  const std::string of = "landscape.of." + std::to_string(static_cast<int>(landscape.measure));
  const auto next = static_cast<app::LandscapeMeasure>(static_cast<int>(landscape.measure) % 4 + 1);
  const std::array choices{
      Choice{"x", "→ " + label(landscape.plan.x), "landscape.x.tip", app::StepLandscapeAxis{false, 1}},
      Choice{"y", "↓ " + label(landscape.plan.y), "landscape.y.tip", app::StepLandscapeAxis{true, 1}},
      Choice{"of", view.strings(of), "landscape.measure.tip", app::SetLandscapeMeasure{next}}};
  float x = panel->room.x;
  const float height = view.px(26);
  for (const Choice& choice : choices) {
    const float width = pill_width(view, choice.text, false);
    if (x + width > right(panel->room)) break;
    const Hit hit = pill(view, choice.id, {x, y, width, height}, choice.text, false);
    if (hit.hovered) tooltip(view, view.strings(choice.tip));
    if (hit.clicked) panel->actions.push_back(choice.action);
    x += width + view.px(8);
  }
  return height + view.px(8);
}

// The cell that is pointed at, in words and as its picture, in the half where the pointer is not.
void draw_preview(PlotPanel* panel, const scene::Rect& cell) {
  const View& view = panel->view;
  const app::Landscape& landscape = *panel->in.plots->landscape;
  const int index = landscape.plan.cell_of(*view.state.plot.pointed);
  const Rect& room = panel->room;
  const float inside = view.px(12);
  const Rect frame{0, 0, std::min(view.px(400), 0.46f * room.width), 0};
  const Type type{14, view.palette.text};
  const auto lines =
      wrapped(view, picture::cell_words(landscape, index, view.strings), frame.width - 2 * inside, type);
  const float line = line_height(view, type), words = line * static_cast<float>(lines.size());
  const app::Simulation* preview = panel->in.plots->preview.get();
  const bool pictured = preview != nullptr && frame.width > view.px(220) && room.height > view.px(300);
  const float picture_height = pictured ? std::min(view.px(230), 0.5f * room.height) : 0;
  Rect box = frame;
  box.height = words + 2 * inside + picture_height;
  const bool at_left = room.x + cell.x + 0.5f * cell.width > room.x + 0.5f * room.width;
  box.x = at_left ? room.x : right(room) - box.width;
  box.y =
      std::clamp(room.y + cell.y - 0.5f * box.height, room.y, std::max(room.y, bottom(room) - box.height));
  fill(box, view.palette.panel, view.px(8));
  outline(box, view.palette.secondary, view.px(8), std::max(1.0f, view.px(1.5f)));
  float y = box.y + inside + 0.5f * line;
  for (std::size_t i = 0; i < lines.size(); ++i, y += line) {
    Type own = type;
    if (i == 0) own.face = Face::WordsBold;
    draw_text(view, {box.x + inside, y}, lines[i], own);
  }
  if (!pictured) return;
  picture::Inputs in{.simulation = preview};
  const scene::Canvas canvas = view.canvas(box.width - 2 * inside, picture_height - inside);
  scene::Scene scene = is_of_shared(landscape.measure) ? picture::shared_memory(in, canvas)
                                                       : picture::global_memory(in, canvas);
  if (!scene.nothing.empty()) return;
  draw_scene(view, "preview", std::move(scene), {box.x + inside, box.y + inside + words + view.px(4)});
}

void draw_landscape(PlotPanel* panel, float reserve) {
  const View& view = panel->view;
  const bool choices = !view.state.present && view.comparison == nullptr && panel->in.plots->landscape;
  const Rect whole = panel->room;
  if (choices) {
    const float taken = view.px(34);
    panel->room.y += taken, panel->room.height = std::max(0.0f, panel->room.height - taken);
  }
  scene::Scene scene = picture::landscape(panel->in, view.canvas(panel->room.width, panel->room.height));
  const std::vector<scene::HotSpot> spots = scene.hot_spots;
  const bool nothing = !scene.nothing.empty();
  const scene::HotSpot* spot = draw_framed(panel, std::move(scene), view.state.plot.held, reserve);
  const bool clicked = !nothing && ImGui::IsItemClicked();
  if (choices) draw_axis_choices(panel, whole.y);
  if (nothing) return;
  const app::Landscape& landscape = *panel->in.plots->landscape;
  const auto& pointed = view.state.plot.pointed;
  std::optional<app::CellValues> under;
  if (spot != nullptr && spot->index >= 0)
    under = landscape.plan.values_of(static_cast<std::size_t>(spot->index));
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  const bool at_rest = moved.x == 0 && moved.y == 0;
  if (!view.is_a && ImGui::IsMousePosValid() && !(at_rest && pointed) && under != pointed &&
      (under || !view.state.plot.held))
    panel->actions.push_back(app::PointAtCell{under});
  if (clicked && under && !view.is_a) panel->actions.push_back(app::GoToCell{*under});
  if (view.is_a || !pointed) return;
  const int index = landscape.plan.cell_of(*pointed);
  for (const scene::HotSpot& cell : spots) {
    if (cell.index == index) return draw_preview(panel, cell.rect);
  }
}

void draw_profile(PlotPanel* panel, float reserve) {
  const View& view = panel->view;
  scene::Scene scene = picture::profile(panel->in, view.canvas(panel->room.width, panel->room.height));
  draw_framed(panel, std::move(scene), false, reserve);
}

// A question is about times.
bool draw_hidden_times(PlotPanel* panel, const char* title, float reserve) {
  const View& view = panel->view;
  if (!view.sim.hidden.times) return false;
  scene::Scene scene;
  scene.title = view.strings(title);
  scene.nothing = times_hidden_words(view);
  draw_framed(panel, std::move(scene), false, reserve);
  return true;
}

// In A│B the bars of both panes have one axis.
void draw_why(PlotPanel* panel, float reserve) {
  const View& view = panel->view;
  const app::WhyOf of = view.why_of();
  const app::WhyOf beside = view.other != nullptr ? view.other->why_of() : app::WhyOf{};
  const scene::Canvas canvas = view.canvas(panel->room.width, panel->room.height);
  draw_framed(panel, picture::why(of, view.other != nullptr ? &beside : nullptr, canvas), false, reserve);
}

// A click on a mark or a row goes to its rung.
void draw_roofline(PlotPanel* panel, float reserve) {
  const View& view = panel->view;
  if (draw_hidden_times(panel, "roofline.title", reserve)) return;
  scene::Scene scene = picture::roofline(view.times, panel->in.motion, panel->in.now,
                                         view.canvas(panel->room.width, panel->room.height));
  const bool nothing = !scene.nothing.empty();
  const scene::HotSpot* spot = draw_framed(panel, std::move(scene), false, reserve);
  if (nothing || spot == nullptr || !ImGui::IsItemClicked() || view.is_a) return;
  const auto rung = static_cast<std::size_t>(spot->index);
  if (spot->index >= 0 && rung < view.times.size())
    panel->actions.push_back(app::SelectScenario{view.times[rung].scenario->name});
}

// The panel with the scene, whose hot spots light their lane everywhere.
void draw_told(PlotPanel* panel, scene::Scene scene, float reserve) {
  const bool nothing = !scene.nothing.empty();
  const scene::HotSpot* spot = draw_framed(panel, std::move(scene), false, reserve);
  if (nothing || spot == nullptr) return;
  if (spot->lane >= 0) panel->actions.push_back(app::HoverLane{spot->lane});
}

void draw_layout(PlotPanel* panel, float reserve) {
  draw_told(panel, picture::layout(panel->in, panel->view.canvas(panel->room.width, panel->room.height)),
            reserve);
}

void draw_fragments(PlotPanel* panel, float reserve) {
  draw_told(panel, picture::fragments(panel->in, panel->view.canvas(panel->room.width, panel->room.height)),
            reserve);
}

}  // namespace

bool shows_plot(const View& view) {
  return view.plots != nullptr && is_plot(view.state.shown) && !view.sim.empty() && view.sim.trace != nullptr;
}

Actions draw_plot(const View& view, const Rect& rect) {
  const bool with_switch = !view.state.present && view.comparison == nullptr;
  const float inside = view.px(14), title = view.px(view.state.present ? 44 : 38);
  PlotPanel panel{view,
                  rect,
                  {rect.x + inside, rect.y + title, std::max(0.0f, rect.width - 2 * inside),
                   std::max(0.0f, rect.height - title - view.px(12))},
                  inputs_of(view),
                  {}};
  const float reserve = with_switch ? map_switch_width(view, rect) + view.px(10) : 0;
  const views::Row& row = views::row_of(view.state.shown);
  if (row.draw != nullptr)
    draw_view(&panel, row, reserve);
  else if (view.state.shown == ViewId::Profile)
    draw_profile(&panel, reserve);
  else if (view.state.shown == ViewId::Landscape)
    draw_landscape(&panel, reserve);
  else if (view.state.shown == ViewId::Why)
    draw_why(&panel, reserve);
  else if (view.state.shown == ViewId::Roofline)
    draw_roofline(&panel, reserve);
  else if (view.state.shown == ViewId::Layout)
    draw_layout(&panel, reserve);
  else
    draw_fragments(&panel, reserve);
  if (with_switch) draw_map_switch(view, rect, &panel.actions);
  return std::move(panel.actions);
}

}  // namespace warplens::panels
