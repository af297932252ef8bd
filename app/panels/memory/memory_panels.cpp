#include "app/panels/memory/memory_panels.h"

#include <algorithm>

#include "app/panels/lessons/lesson_panels.h"
#include "app/panels/widgets/text_input.h"
#include "app/panels/widgets/ui.h"
#include "app/readout/question.h"
#include "app/readout/strip.h"
#include "app/state/catalog.h"
#include "app/state/teaching.h"
#include "app/views/banks.h"
#include "app/views/blocks.h"
#include "app/views/global.h"
#include "app/views/times.h"
#include "app/views/views.h"
#include "sim/base/numbers.h"

namespace warplens::panels {
namespace {

const std::string kDot = " · ";
constexpr float kCaption = 20;  // of the statement's indices, below the verdict

// "Shared memory · load tile[c][r]", or as much of it as has room, in smaller letters where that helps.
std::string large_title(const View& view, const Heading& heading, float room, Type* type) {
  const scene::TitleParts& parts = heading.parts;
  if (parts.text.empty()) return heading.title;
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
  Type type = title_type(view);
  type.align = Align::Right;
  draw_text(view, {end, rect.y + view.px(22)}, large_title(view, heading, room, &type), type);
  if (view.sim.steps() > 1 && heading.parts.text.size() > 0) {
    // "16-way conflict · wavefront 3 of 16": the verdict stands at the left already.
    const std::size_t dot = heading.answer.rfind(kDot);
    draw_text(view, {end, rect.y + view.px(47)},
              dot == std::string::npos ? heading.answer : heading.answer.substr(dot + kDot.size()),
              {22, p.text, Align::Right, Face::WordsBold, room});
  }
  if (!view.sim.now || view.shows_other_kernel()) return;
  const Type code{14, p.secondary, Align::Left, Face::Code};
  std::vector<std::string> parts = app::index_definitions(view.sim, view.source());
  if (!heading.parts.detail.empty()) parts.push_back(heading.parts.detail);
  std::string caption;  // as much as has room
  for (const std::string& part : parts) {
    const std::string more = (caption.empty() ? "" : caption + "   ") + part;
    if (text_width(view, more, code) <= rect.width - 2 * inside) caption = more;
  }
  draw_text(view, {rect.x + inside, rect.y + view.px(kStageHeading + 5)}, caption, code);
}

// What is drawn, which is the memory where nothing is known yet of the view that is asked for.
ViewId view_drawn(const View& view) {
  const ViewId on = view.state.shown;
  return view.made != nullptr || on == ViewId::Reuse ? on : ViewId::Memory;
}

// The tabs as drawn, each with what a click on it does. Those of menu_entries(Menu::Of::Pictures) that a
// narrow panel has no room for are behind a tab with their number, the last one.
struct ViewTabs {
  std::vector<Tab> tabs;
  app::Actions clicks;
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

float draw_view_switch(const View& view, const Rect& panel) {
  const ViewTabs all = view_tabs(view, panel);
  const ImVec2 end{right(panel) - view.px(14), panel.y + view.px(20)};
  const TabChoice choice = draw_tabs(view, "map", end, all.tabs);
  if (choice.clicked >= 0) view.act(all.clicks[static_cast<std::size_t>(choice.clicked)]);
  const Rect last{end.x - view.px(20), end.y - view.px(11), view.px(20), view.px(22)};
  draw_menu(view, app::Menu::Of::Pictures, last, {.width = 200});
  return choice.width;
}

float view_switch_width(const View& view, const Rect& panel) {
  return tabs_width(view, view_tabs(view, panel).tabs);
}

float draw_large_verdict(const View& view, const Rect& rect, float reserve) {
  if (view.bare)
    fill_ground(view, rect, view.palette.panel, view.px(8));
  else
    draw_ground(view, rect);
  const bool alone = view.comparison == nullptr || reserve > 0;
  const float inside = view.px(16), half = (alone ? 0.5f : 1.0f) * rect.width;
  if (!view.sim.now || view.shows_other_kernel()) return half;
  app::CostSummary summary = app::judge(view.sim, view.strings);
  if (const std::string change = change_words(view); !change.empty()) summary.words += kDot + change;
  // The verdict goes before the words at the right.
  const float most = std::max(half, std::min((alone ? 0.7f : 1.0f) * rect.width, rect.width - reserve));
  const float width = std::clamp(verdict_width(view, summary, kKeyMessage) + 2 * inside, half, most);
  draw_verdict(view, summary, {rect.x + inside, rect.y + view.px(34)}, width - inside, kKeyMessage);
  return width;
}

Rect scene_room(const View& view, const Rect& rect, bool captioned) {
  Rect room = picture_room(rect, view.scale, view.is_large());
  if (!captioned || !view.is_large() || view.comparison != nullptr) return room;
  room.y += view.px(kCaption), room.height -= view.px(kCaption);
  return room;
}

std::string change_words(const View& view) {
  const scenario::Scenario* s = view.scenario();
  if (view.motion.turned == nullptr || s == nullptr || view.motion.units == 0) return {};
  const app::Settings &before = view.motion.turned->settings, &now = view.sim.compiled->settings;
  const auto differs = [&](const scenario::ScenarioParameter& one) {
    return app::value_of(one, before.values) != app::value_of(one, now.values);
  };
  if (before.scenario != now.scenario || view.sim.now->known != app::Known::All ||
      std::ranges::count_if(s->parameters, differs) != 1)
    return {};
  const std::string to = app::other_values(*s, before.values, now.values, view.state.language);
  if (to.empty()) return {};
  const std::string from = app::other_values(*s, now.values, before.values, view.state.language);
  const auto same = static_cast<std::size_t>(
      std::mismatch(from.begin(), from.end(), to.begin(), to.end()).first - from.begin());
  const bool shared = view.sim.now->access.space == memory::Space::Shared;
  return view.strings("access.turned",
                      {{"from", from},
                       {"to", to.substr(to.rfind(' ', same) + 1)},  // without the name
                       {"units", view.strings(shared ? "compare.count.wavefronts" : "compare.count.sectors")},
                       {"before", view.motion.turned_units},
                       {"after", view.motion.units}});
}

views::Inputs inputs_of(const View& view) {
  views::Inputs in{.simulation = &view.sim,
                   .motion = &view.motion,
                   .now = view.now,
                   .stills = !view.motion.enabled && view.state.stills,
                   .counting = view.is_a ? scene::Counting{} : view.counting,
                   .addresses = !view.bare,
                   .comparison = view.comparison,
                   .is_a = view.is_a,
                   .reuse = views::reuse_view(view.reuse, view.sim, view.strings),
                   .made = view.made,
                   .times = &view.times,
                   .measured = {app::measurement_of(view.times), view.peaks},
                   .plot_view = view.state.plot};
  if (view.other != nullptr) {
    in.other_made = view.other->made;
    in.other_measured = {app::measurement_of(view.other->times), view.other->peaks};
    in.other = &view.other->sim;
    in.other_wavefront = view.state.position.wavefront;
  }
  if (view.sim.hidden.costs) {
    if (const auto question = app::question_of(view.state, view.sim, view.strings))
      in.asked_lane = question->lane;
  }
  if (view.comparison == nullptr) in.places = app::places_of(view.state, view.sim);
  return in;
}

void draw_heading(const View& view, const Rect& rect, const scene::Scene& scene, bool active, float reserve,
                  bool with_verdict) {
  Heading heading{scene.title, scene.answer, {}, active, reserve, scene.title_parts, reserve > 0};
  if (scene.answer_is_costly) heading.answer_color = view.palette.costly;
  if (scene.answer_is_ideal) heading.answer_color = view.palette.ideal;
  if (view.is_large() && with_verdict) {
    draw_large_heading(view, rect, heading);
  } else {
    draw_panel(view, rect, heading);
  }
}

namespace {

// A click on a number counts it out.
void draw_counting_scene(const View& view, const char* id, scene::Scene scene, ImVec2 at) {
  for (const scene::HotSpot& spot : scene.hot_spots) {
    const Rect felt{at.x + spot.rect.x, at.y + spot.rect.y, spot.rect.width, spot.rect.height};
    if (spot.count != scene::Count::None && !view.is_a && control_pressed(felt))
      view.act(app::CountOut{spot.count});
  }
  const scene::HotSpot* spot = draw_scene(view, id, std::move(scene), at);
  const bool clicked = scene_clicked();
  if (spot == nullptr) return;
  if (spot->lane >= 0) view.act(app::HoverLane{spot->lane});
  if (spot->place >= 0 && clicked) view.act(app::MarkPlace{spot->place});
  if (spot->count != scene::Count::None && clicked && !view.is_a) view.act(app::CountOut{spot->count});
}

}  // namespace

void draw_calm_panel(const View& view, const Rect& rect, const std::string& title, const std::string& words) {
  draw_ground(view, rect);
  const float y = rect.y + std::min(view.px(20), 0.5f * rect.height), x = rect.x + view.px(14);
  const float left = x + draw_text(view, {x, y}, title, title_type(view)) + view.px(16);
  draw_text(view, {left, y}, words,
            {14, view.palette.secondary, Align::Left, Face::Words, right(rect) - left - view.px(14)});
}

// What is looked at: the memory of the access, or the view in its place.
void draw_picture(const View& view, const Rect& rect) {
  if (shows_plot(view) || shows_map(view)) return draw_plot(view, rect);
  const Rect room = scene_room(view, rect);
  const bool shared = view.sim.now && view.sim.now->access.space == memory::Space::Shared;
  scene::Scene scene = (shared ? views::shared_memory : views::global_memory)(
      inputs_of(view), view.canvas(room.width, room.height));
  if (!scene.nothing.empty() || view.sim.empty()) {  // of a kernel that cannot be run, why
    const bool impossible = view.sim.empty() && !view.sim.problems.empty();
    return draw_calm_panel(view, rect, scene.title,
                           impossible ? view.strings("memory.no_picture") : scene.nothing);
  }
  const bool with_switch = view.comparison == nullptr && !view.is_large() && view.sim.now &&
                           view.sim.now->known == app::Known::All;
  // Drawn after the panel's ground, measured before its heading.
  const float reserve = with_switch ? view_switch_width(view, rect) + view.px(10) : 0;
  // Of the access looked at its own panel tells the cost, or the head of its side in A│B: once is enough.
  if (view.sim.now && !view.alone && !view.is_large()) scene.answer.clear();
  draw_heading(view, rect, scene, false, reserve, true);
  draw_counting_scene(view, "scene", std::move(scene), top_left(room));
  if (with_switch) draw_view_switch(view, rect);
}

// How the block becomes warps, and where the block is in the grid. A click chooses the warp, or the
// block.

void draw_block_map(const View& view, const Rect& rect) {
  if (view.sim.empty()) return;
  const float heading = view.px(24);
  scene::Scene scene = views::block_map(inputs_of(view), view.canvas(rect.width, rect.height - heading));
  const float y = rect.y + 0.4f * heading;
  const float answer = draw_text(view, {right(rect), y}, scene.answer,
                                 {13, view.palette.secondary, Align::Right, Face::Words, 0.5f * rect.width});
  draw_text(view, {rect.x, y}, scene.title,
            {13, view.palette.secondary, Align::Left, Face::WordsBold, rect.width - answer - view.px(12)});
  const scene::HotSpot* spot = draw_scene(view, "map", std::move(scene), {rect.x, rect.y + heading});
  const bool clicked = scene_clicked();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (spot != nullptr && spot->grid) {
    const sim::Dim3& grid = view.sim.compiled->setup.launch.grid;
    const sim::Dim3 block =
        views::block_at(grid, view.sim.place.block, spot->rect, mouse.x - rect.x, mouse.y - rect.y - heading);
    tooltip(view, view.strings("map.grid.tip",
                               {{"x", grouped(block.x)}, {"y", grouped(block.y)}, {"z", grouped(block.z)}}));
    if (clicked) view.act(app::GoToBlock{block});
  }
  const bool on_caption = spot == nullptr && ImGui::IsItemHovered() && mouse.y > bottom(rect) - view.px(20);
  if (on_caption) tooltip(view, view.strings("map.block.tip"));
  if (on_caption && clicked) view.act(app::FocusField{app::kBlockInput});
  if (spot != nullptr && spot->lane >= 0) view.act(app::HoverLane{spot->lane});
  if (spot != nullptr && spot->warp >= 0 && clicked) view.act(app::GoToWarp{spot->warp});
}

// What is below the picture: the strip; presenting, the speaker's notes and which scene this is.
namespace {

// "padding 2": of the parameters the one that P turns, or else those that were turned.
std::string turned_words(const View& view) {
  const scenario::Scenario* s = view.scenario();
  if (s == nullptr || view.state.settings.own) return {};
  const scenario::ParameterValues& values = view.state.settings.values;
  const auto turned = std::ranges::find(s->parameters, "p", &scenario::ScenarioParameter::key);
  if (turned == s->parameters.end())
    return app::other_values(*s, scenario::defaults(*s), values, view.state.language);
  return scenario::in_language(turned->label, view.state.language) + "  " +
         scenario::shown_value(*turned, app::value_of(*turned, values), view.state.language);
}

}  // namespace

void draw_strip(const View& view, const Rect& rect) {
  if (!view.sim.now || view.shows_other_kernel()) return;
  const bool waits = view.gpu.kind == GpuLine::Kind::Measuring || view.gpu.kind == GpuLine::Kind::Starting;
  app::StripInput in{
      .simulation = &view.sim,
      .times = &view.times,
      .timed = app::timed_words(view.times, view.state.settings, view.state.optimised, view.strings),
      .waits = view.strings(waits ? "strip.time.waits" : "strip.time.none")};
  if (view.comparison != nullptr && !view.is_a)
    in.requests = views::explaining_requests(table_input(view), view.strings);
  if (view.is_large() && view.comparison == nullptr) in.turned = turned_words(view);
  if (!view.is_a) in.counting = view.counting;
  if (view.state.race && view.comparison != nullptr) in.raced = view.state.race->part(view.is_a);
  const float inside = view.px(14);
  draw_counting_scene(view, "strip", app::strip_scene(in, view.canvas(rect.width - 2 * inside, rect.height)),
                      {rect.x + inside, rect.y});
}

void draw_notes(const View& view, const Rect& rect) {
  const app::LectureScene* scene = app::scene_at(view.state);
  if (scene == nullptr) return;
  const scene::Palette& p = view.palette;
  draw_box(rect, scene::mix(p.panel, p.accent, 0.10f), p.accent, view.px(8));
  const std::string notes = app::scene_words(scene->notes, view.state.language);
  Scrolled scrolled("notes", rect);
  Column column{view, scrolled.origin.x + view.px(14), scrolled.origin.y + view.px(10),
                rect.width - view.px(34)};
  column.paragraph(notes.empty() ? view.strings("lecture.no_notes") : notes, {15, p.text});
  scrolled.reach(column.y);
}

// "‹ 3 / 9 ›  Sixteen words in two banks"
void draw_scene_place(const View& view, const Rect& rect) {
  const app::LectureScene* scene = app::scene_at(view.state);
  if (scene == nullptr) return;
  const scene::Palette& p = view.palette;
  const app::Lecturing& now = view.state.lecturing;
  const int count = static_cast<int>(now.lecture->scenes.size());
  const float size = view.px(26);
  float x = rect.x;
  const auto button = [&](const char* id, Icon icon, const char* tip, Action action) {
    answer(view, icon_button(view, id, {x, middle(rect) - 0.5f * size, size, size}, icon, false),
           view.strings(tip), std::move(action));
    x += size + view.px(6);
  };
  button("earlier", Icon::Previous, "lecture.previous.tip", app::StepScene{-1});
  const std::string of = std::to_string(count);
  const Type figures{14, p.text, Align::Center, Face::CodeBold};
  const float room = text_width(view, of + "/" + of, figures);
  draw_text(view, {x + 0.5f * room, middle(rect)}, std::to_string(now.scene + 1) + "/" + of, figures);
  x += room + view.px(6);
  button("later", Icon::Next, "lecture.next.tip", app::StepScene{1});
  x += view.px(4);
  const std::string name = app::scene_words(scene->name, view.state.language);
  const Rect words{x, rect.y, right(rect) - x, rect.height};
  const Type bold{14, p.text, Align::Left, Face::WordsBold, words.width};
  if (words.width > view.px(100) || text_width(view, name, bold) <= words.width)
    draw_text(view, {x, middle(rect)}, name, bold);
  answer(view, hit_area("scene", words), name + "\n" + view.strings("lecture.list.tip"), app::ShowScenes{});
}

}  // namespace warplens::panels
