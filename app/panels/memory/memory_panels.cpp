#include "app/panels/memory/memory_panels.h"

#include <algorithm>

#include "app/panels/widgets/text_input.h"
#include "app/panels/widgets/ui.h"
#include "app/readout/question.h"
#include "app/views/views.h"

namespace warplens::panels {
namespace {

const std::string kDot = " · ";

// As much of the title as has room, in smaller letters where that helps.
std::string large_title(const View& view, const Heading& heading, float room, Type* type) {
  const scene::TitleParts& parts = heading.parts;
  if (parts.text.empty() || text_width(view, heading.title, *type) <= room) return heading.title;
  const std::size_t dot = parts.lead.find(kDot);
  const std::string op = dot == std::string::npos ? parts.lead : parts.lead.substr(dot + kDot.size());
  for (const std::string& words : {parts.lead + " " + parts.text, op + " " + parts.text}) {
    if (text_width(view, words, *type) <= room) return words;
  }
  type->size = kLeastPresented;
  type->room = room;
  return op + " " + parts.text;
}

// When presenting: the verdict large at the left; at the right what is accessed and the line that does it.
void draw_large_heading(const View& view, const Rect& rect, const Heading& heading) {
  const float taken = draw_large_verdict(view, rect);
  // Beside another pane, whose heads say what is what, the verdict alone.
  if (view.comparison != nullptr) return;
  const scene::Palette& p = view.palette;
  const float inside = view.px(16), end = right(rect) - inside, room = rect.width - taken - inside;
  Type type{15, scene::mix(p.secondary, p.text, 0.55f), Align::Right, Face::WordsBold};
  const std::string title = large_title(view, heading, room, &type);
  draw_text(view, {end, rect.y + view.px(22)}, title, type);
  const Type answer{14, heading.answer_color.value_or(p.secondary), Align::Right, Face::WordsBold, room};
  // What the verdict says already gives way: of "2-way conflict · wavefront 1 of 2" the end stays.
  const std::size_t dot = heading.answer.rfind(kDot);
  const std::string last =
      dot == std::string::npos ? heading.answer : heading.answer.substr(dot + kDot.size());
  draw_text(view, {end, rect.y + view.px(46)}, first_that_fits(view, {heading.answer, last}, room, answer),
            answer);
}

// What is drawn, which is the memory where nothing is known yet of the view that is asked for.
ViewId view_drawn(const View& view) {
  const ViewId on = view.state.shown;
  return view.plots != nullptr || on == ViewId::Reuse ? on : ViewId::Memory;
}

// The tabs as drawn, each with what a click on it does. Those of menu_entries(Menu::Of::Pictures) that a
// narrow panel has no room for are behind a tab with their number, the last one.
struct ViewTabs {
  std::vector<Tab> tabs;
  Actions clicks;
};
ViewTabs tabs_drawn(const View& view, bool narrow) {
  ViewTabs drawn;
  std::string behind;
  int hidden = 0;
  const ViewId on = view_drawn(view);
  for (const views::Row& row : views::rows()) {
    const bool active = row.id == on, is_there = row.is_there && row.is_there(view.state, view.sim);
    if (row.where == views::Tab::WhereThereIsOne && !active && !is_there) continue;
    if (narrow && row.where == views::Tab::WhereWide && !active) {
      behind += (hidden++ == 0 ? "" : "\n") + view.strings(row.tip);
      continue;
    }
    drawn.tabs.push_back({view.strings(row.tab), view.strings(row.tip), active});
    drawn.clicks.emplace_back(app::ShowView{row.id});
  }
  if (hidden == 0) return drawn;
  drawn.tabs.push_back({"+" + std::to_string(hidden), behind, false});
  drawn.clicks.emplace_back(app::ShowMenu{app::Menu::Of::Pictures});
  return drawn;
}

ViewTabs view_tabs(const View& view, const Rect& panel) {
  ViewTabs all = tabs_drawn(view, false);
  return tabs_width(view, all.tabs) <= 0.55f * panel.width ? all : tabs_drawn(view, true);
}

}  // namespace

float draw_view_switch(const View& view, const Rect& panel, Actions* actions) {
  const ViewTabs all = view_tabs(view, panel);
  const ImVec2 end{right(panel) - view.px(14), panel.y + view.px(20)};
  const TabChoice choice = draw_tabs(view, "map", end, all.tabs);
  if (choice.clicked >= 0) actions->push_back(all.clicks[static_cast<std::size_t>(choice.clicked)]);
  const Rect last{end.x - view.px(20), end.y - view.px(11), view.px(20), view.px(22)};
  const Actions chosen = draw_menu(view, app::Menu::Of::Pictures, last, {.width = 200});
  actions->insert(actions->end(), chosen.begin(), chosen.end());
  return choice.width;
}

float view_switch_width(const View& view, const Rect& panel) {
  return tabs_width(view, view_tabs(view, panel).tabs);
}

float draw_large_verdict(const View& view, const Rect& rect, float reserve) {
  fill_ground(view, rect, view.palette.panel, view.px(8));
  outline(rect, view.palette.accent, view.px(8), std::max(1.5f, view.px(2)));
  const bool alone = view.comparison == nullptr || reserve > 0;
  const float inside = view.px(16), half = (alone ? 0.5f : 1.0f) * rect.width;
  if (!view.sim.now || view.shows_other_kernel()) return half;
  const app::CostSummary summary = app::judge(*view.sim.now, view.strings);
  // The verdict goes before the words at the right.
  const float most = std::max(half, std::min((alone ? 0.7f : 1.0f) * rect.width, rect.width - reserve));
  const float width = std::clamp(verdict_width(view, summary, kKeyMessage) + 2 * inside, half, most);
  draw_verdict(view, summary, {rect.x + inside, rect.y + view.px(34)}, width - inside, kKeyMessage);
  return width;
}

Rect scene_room(const View& view, const Rect& rect) {
  return picture_room(rect, view.scale, view.state.present);
}

picture::Inputs inputs_of(const View& view) {
  picture::Inputs in{.simulation = &view.sim,
                     .motion = &view.motion,
                     .now = view.now,
                     .stills = !view.motion.enabled && view.state.stills,
                     .comparison = view.comparison,
                     .is_a = view.is_a,
                     .reuse = views::reuse_view(view.reuse, view.sim, view.strings),
                     .plots = view.plots,
                     .plot_view = view.state.plot};
  if (view.other != nullptr) {
    in.other_plots = view.other->plots;
    in.other = &view.other->sim;
    in.other_wavefront = view.state.position.wavefront;
  }
  if (view.sim.hidden.costs) {
    if (const auto question = app::question_of(view.state, view.sim, view.strings))
      in.asked_lane = question->lane;
  }
  return in;
}

void draw_heading(const View& view, const Rect& rect, const scene::Scene& scene, bool active, float reserve,
                  bool with_verdict) {
  Heading heading{scene.title, scene.answer, {}, active, reserve, scene.title_parts, reserve > 0};
  if (scene.answer_is_costly) heading.answer_color = view.palette.costly;
  if (scene.answer_is_ideal) heading.answer_color = view.palette.ideal;
  if (view.state.present && with_verdict) {
    draw_large_heading(view, rect, heading);
  } else {
    draw_panel(view, rect, heading);
  }
}

Actions draw_scene_panel(const View& view, const Rect& rect, scene::Scene scene, bool active, float reserve) {
  draw_heading(view, rect, scene, active, reserve, true);
  const Rect room = scene_room(view, rect);
  Actions actions;
  const scene::HotSpot* spot = draw_scene(view, "scene", std::move(scene), top_left(room));
  if (spot != nullptr && spot->lane >= 0) actions.push_back(app::HoverLane{spot->lane});
  return actions;
}

void draw_calm_panel(const View& view, const Rect& rect, const std::string& title, const std::string& words) {
  fill_ground(view, rect, view.palette.panel, view.px(8));
  outline(rect, view.palette.line, view.px(8), 1);
  const float y = rect.y + std::min(view.px(20), 0.5f * rect.height);
  const float x = rect.x + view.px(14);
  const float width = draw_text(
      view, {x, y}, title,
      {15, scene::mix(view.palette.secondary, view.palette.text, 0.55f), Align::Left, Face::WordsBold});
  const float left = x + width + view.px(16);
  draw_text(view, {left, y}, words,
            {14, view.palette.secondary, Align::Left, Face::Words, right(rect) - left - view.px(14)});
}

}  // namespace warplens::panels
