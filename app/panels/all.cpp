#include <utility>

#include "app/panels/panels.h"
#include "app/panels/widgets/ui.h"
#include "app/readout/question.h"
#include "app/simulate/simulation.h"
#include "app/state/catalog.h"
#include "app/state/teaching.h"

namespace warplens::panels {
namespace {

// Draws a panel under a name of its own, where it has a place.
struct Drawer {
  const View& view;
  template <typename Panel>
  void operator()(const char* id, Panel panel, const Rect& rect) const {
    if (rect.width < 1 || rect.height < 1) return;
    ImGui::PushID(id);
    panel(view, rect);
    ImGui::PopID();
  }
};

// One lane at most is pointed at, and only changes are actions.
void settle_hovering(const View& view) {
  int lane = -1;
  std::erase_if(view.actions, [&](const Action& action) {
    const auto* hover = action.as<app::HoverLane>();
    if (hover != nullptr) lane = hover->value;
    return hover != nullptr;
  });
  if (lane != view.state.hovered_lane) view.act(app::HoverLane{lane});
}

// What was done in A's pane: a place of A's is looked at by its name; A's settings stay.
void act_for_b(const View& a, const View& b) {
  for (Action& action : std::exchange(a.actions, {})) {
    if (const auto* access = action.as<app::GoToAccess>()) {
      app::Position to = app::shown_position(a.state.position, a.sim);
      to.warp = access->warp;
      to.access = app::AccessId::numbered(access->event);
      to.wavefront = 0;
      b.act(app::LookAt{std::move(to)});
    } else if (const auto* line = action.as<app::GoToLine>()) {
      b.act(app::LookAt{app::go_to_line(a.state.position, a.sim, line->line)});
    } else if (action.as<app::HoverLane>() != nullptr) {
      b.act(std::move(action));
    }
  }
}

void draw_panes(const View& view, const Layout& layout) {
  const auto draw_pane = [&](const View& of, const Pane& pane) {
    const Drawer draw{of};
    ImGui::PushID(of.is_a ? "a" : "b");
    draw("head", draw_pane_head, pane.head);
    draw("source", draw_source, pane.source);
    draw("picture", draw_picture, pane.picture);
    const auto strip = [&](const View& side, const Rect& rect) {
      draw_strip(side, rect, std::min(layout.a.strip.width, layout.b.strip.width));
    };
    draw("strip", strip, pane.strip);
    ImGui::PopID();
  };
  draw_pane(*view.other, layout.a);
  act_for_b(*view.other, view);
  draw_pane(view, layout.b);
  const Drawer draw{view};
  const auto divider = [&](const View& of, const Rect& rect) {
    draw_divider(of, rect, layout.a.picture.x, layout.a.picture.width + layout.b.picture.width);
  };
  draw("divider", divider, layout.divider);
  draw("table", draw_comparison, layout.table);
  draw("differences", draw_differences, layout.differences);
}

}  // namespace

LayoutOptions layout_options(const app::State& state, const app::Simulation& s, float width, float height) {
  LayoutOptions options;
  options.width = width;
  options.height = height;
  options.zoom = state.zoom;
  options.present = state.present;
  options.panels = state.panels;
  options.tour = app::tour_stop(state) != nullptr;
  options.grid_rows = s.compiled && (!s.program().shared_arrays.empty() || s.shared) ? 5 : 2;
  options.tall_grid = state.grid_tab != app::GridTab::Totals;
  options.form = state.form && state.settings.own;
  options.lesson = has_lesson_panel(state);
  options.asks = state.present && state.classroom.predicting.has_value();
  options.compare = state.pinned.has_value() && !options.lesson;
  options.divider = state.divider;
  options.same_text = state.pinned && state.pinned->scenario == state.settings.scenario &&
                      state.pinned->text == state.settings.text && state.pinned->own == state.settings.own;
  options.editing = state.editing;
  options.source = state.editing || (s.empty() && !s.problems.empty());  // what is wrong stands at its line
  options.headed = options.compare && state.present && !options.source && state.shown == ViewId::Memory;
  options.vote = state.voting.round.has_value() && !options.compare;
  options.open = options.vote ? state.voting.round->phase() != vote::Phase::Revealed
                              : options.asks && !state.classroom.predicting->guess.locked;
  options.map = state.shown == ViewId::Map && !hidden_in(state).costs;
  options.notes = state.present && state.lecturing.notes && !state.notes_apart &&
                  app::scene_at(state) != nullptr && !app::notes_wait(state);
  return options;
}

// What lies over everything while it is open.
static void draw_sheets(const View& view, const Rect& window, const Drawer& draw) {
  if (view.state.help) draw("help", draw_help, window);
  if (view.state.classroom.palette) draw("palette", draw_command_palette, window);
  if (view.state.dialog) draw("dialog", draw_file_dialog, window);
  if (view.state.share) draw("share", draw_share, window);
  if (view.state.lecturing.list) draw("scenes", draw_scenes, window);
  if (view.state.field.id == app::kBlockInput) draw("prompt", draw_block_prompt, window);
}

static void draw_turned(const Layout& layout, const Drawer& draw) {
  draw("transport", draw_transport, layout.transport);
  draw("parameters", draw_parameters, layout.parameters);
}

// Top bar, transport and parameters over the picture.
static void draw_floating(const View& view, const Layout& layout, const Drawer& draw) {
  if (view.chrome_top) {
    const Window over(view, "warplens-top", layout.top, false);
    fill(layout.top, view.palette.panel, 0);
    draw("top", draw_top_bar, layout.top);
  }
  if (!view.chrome_bottom || layout.transport.width == 0) return;
  const Window over(view, "warplens-bottom", layout.bottom, false);
  fill(layout.bottom, view.palette.panel, 0);
  draw_turned(layout, draw);
}

// Around the picture, and the picture.
static void draw_panels(const View& view, const Layout& layout, const Rect& window, const Drawer& draw) {
  const Window all(view, "warplens", window, false, ImGuiWindowFlags_NoBringToFrontOnFocus);
  draw("lesson", layout.floats ? draw_asked : draw_lesson_panel, layout.lesson);  // Tab comes there first
  if (!layout.floats && !layout.is_bare) {
    fill_ground(view, layout.bottom, view.palette.panel, 0);
    fill({0, layout.bottom.y, layout.bottom.width, 1}, view.palette.line);
    draw("top", draw_top_bar, layout.top);
    draw_turned(layout, draw);
  }
  if (!layout.hint_floats) draw("hint", draw_message_strip, layout.hint);
  draw("index", draw_index_input, layout.index);
  if (view.comparison != nullptr) draw_panes(view, layout);
  draw("source", draw_source, layout.source);
  draw("notes", draw_notes, layout.notes);
  draw("lanes", draw_lanes, layout.lanes);
  draw("form", draw_launch_form, layout.form);
  draw("picture", draw_picture, layout.picture);
  draw("access", draw_access, layout.access);
  draw("grid", draw_grid, layout.grid);
  draw("times", draw_times, layout.times);
  draw(
      "strip", [](const View& of, const Rect& rect) { draw_strip(of, rect, rect.width); }, layout.strip);
  draw("keys", draw_first_keys, layout.keys);
  draw("map", draw_block_map, layout.map);
  draw("vote", draw_vote, layout.vote);
  draw_staleness(view, layout);
}

void draw_all(const View& view, const Layout& layout) {
  const Rect window{0, 0, layout.top.width, layout.height};
  const Drawer draw{view};
  begin_controls(view);
  draw_panels(view, layout, window, draw);
  if (layout.floats) draw_floating(view, layout, draw);
  if (layout.hint_floats) {
    const Window over(view, "warplens-hint", layout.hint, false);
    fill(layout.hint, view.palette.panel, view.px(6));
    draw("hint", draw_message_strip, layout.hint);
  }
  end_controls(view);
  draw_sheets(view, window, draw);
  settle_hovering(view);
}

}  // namespace warplens::panels
