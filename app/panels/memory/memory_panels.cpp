
#include <algorithm>

#include "app/panels/panels.h"
#include "app/panels/widgets/text_input.h"
#include "app/panels/widgets/ui.h"
#include "app/readout/question.h"
#include "app/readout/strip.h"
#include "app/state/catalog.h"
#include "app/state/teaching.h"
#include "app/views/blocks.h"
#include "app/views/compare.h"
#include "app/views/memory.h"
#include "app/views/times.h"
#include "app/views/views.h"
#include "sim/base/numbers.h"
#include "sim/report/report.h"

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

// Beside a class's vote, which is answered from them, the indices have no room in one.
int caption_rows(const View& view) {
  return view.state.voting.round ? 2 : 1;
}

// Below the verdict: the statement, where nothing else names it, and its indices, as many as have room, those
// that differ from lane to lane before the others.
void draw_caption(const View& view, const Rect& rect, const std::string& statement,
                  const std::string& detail = "") {
  std::vector<std::string> parts = app::index_definitions(view.sim, view.source(), view.lit_lane());
  if (!detail.empty()) parts.push_back(detail);
  const Type code{14, view.palette.secondary, Align::Left, Face::Code};
  const float inside = view.px(16);
  std::stable_partition(parts.begin(), parts.end(), [](const std::string& part) {
    return part.find('=') != std::string::npos && part.find("threadIdx.x") != std::string::npos;
  });
  if (!statement.empty()) parts.insert(parts.begin(), statement);
  std::vector<std::string> rows(static_cast<std::size_t>(caption_rows(view)));
  for (const std::string& part : parts) {
    for (std::string& row : rows) {
      const std::string more = (row.empty() ? "" : row + "   ") + part;
      if (text_width(view, more, code) > rect.width - 2 * inside) continue;
      row = more;
      break;
    }
  }
  const float y = rect.y + view.px(kStageHeading + 5);
  const float left = rect.x + 2 * inside + draw_text(view, {rect.x + inside, y}, rows.front(), code);
  for (std::size_t i = 1; i < rows.size(); ++i)
    draw_text(view, {rect.x + inside, y + view.px(kCaption) * static_cast<float>(i)}, rows[i], code);
  if (!view.bare || !view.sim.now) return;
  // No panel says of which kernel and warp this is.
  const scenario::Scenario* s = view.state.settings.own ? nullptr : view.scenario();
  const std::string kernel = view.sim.program().kernel,
                    warp = kDot + view.strings("map.who.warp", {{"n", view.sim.place.warp}});
  const Type type{14, view.palette.secondary, Align::Right, Face::Words};
  const float end = right(rect) - inside;
  const std::string of =
      first_that_fits(view,
                      {(s != nullptr ? scenario::in_language(s->title, view.state.language) : kernel) + warp,
                       (s != nullptr ? app::rung_name(*s, view.state.language) : kernel) + warp},
                      end - left, type);
  if (of.ends_with(warp)) draw_text(view, {end, y}, of, type);  // whole, or not at all
}

}  // namespace

// "padding 2  [P]", without the key where it is locked: of the parameters the one that P turns, or else those
// that were turned.
std::string turned_words(const View& view) {
  const scenario::Scenario* s = view.scenario();
  if (s == nullptr || view.state.settings.own) return {};
  const scenario::ParameterValues& values = view.state.settings.values;
  const auto turned = std::ranges::find(s->parameters, "p", &scenario::ScenarioParameter::key);
  if (turned == s->parameters.end())
    return app::other_values(*s, scenario::defaults(*s), values, view.state.language);
  return scenario::in_language(turned->label, view.state.language) + "  " +
         scenario::shown_value(*turned, app::value_of(*turned, values), view.state.language) +
         (app::is_locked(view.state, turned->name) ? "" : "  [P]");
}

namespace {

// The panel's ground and frame with the verdict large at its left, `reserve` pixels free at its right. Gives
// the width taken.
float draw_large_verdict(const View& view, const Rect& rect, float reserve = 0) {
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
  draw_verdict(view, summary, {rect.x + inside, rect.y + view.px(34)}, width - 2 * inside, kKeyMessage);
  return width;
}

// ---- A│B: whose side it is

views::SideWords words_of(const View& view) {
  return views::side_words(*view.comparison, view.is_a, view.scenario(), app::is_edited(view.state),
                           view.state.language, view.strings);
}

void draw_badge(const View& view, const Rect& box) {
  const scene::Palette& p = view.palette;
  const Color ink = view.is_a ? p.secondary : p.accent;
  fill(box, scene::with_alpha(ink, 0.16f), view.px(6));
  outline(box, ink, view.px(6), std::max(1.5f, view.px(2)));
  draw_text(view, {box.x + 0.5f * box.width, middle(box)}, view.is_a ? "A" : "B",
            {box.height / view.scale * 0.62f, legible(ink, scene::mix(p.panel, ink, 0.16f), p), Align::Center,
             Face::WordsBold});
}

// Presenting A│B: the verdict, whose it is at the right of it, and below both what is accessed.
void draw_side_heading(const View& view, const Rect& rect) {
  const views::SideWords side = words_of(view);
  const Type name{18, view.palette.text, Align::Right, Face::WordsBold};
  const float inside = view.px(16), end = right(rect) - inside, box = view.px(24), gap = view.px(10);
  const float wide = text_width(view, side.name, name) + gap + box;
  const float room = rect.width - draw_large_verdict(view, rect, wide + inside) - inside;
  const float named = draw_text(view, {end, rect.y + view.px(22)}, side.name, name);
  draw_badge(view, {end - named - gap - box, rect.y + view.px(10), box, box});
  const Color ink = view.is_a ? view.palette.secondary : view.palette.accent;
  Type type{14, ink, Align::Right, Face::Words};
  if (text_width(view, side.differences, type) > room) type.size = kLeastPresented, type.room = room;
  draw_text(view, {end, rect.y + view.px(48)}, side.differences, type);
  const Rect felt{end - std::max(room, wide), rect.y, std::max(room, wide), view.px(kStageHeading)};
  if (hit_area("head", felt).hovered) tooltip(view, side.name + "\n" + side.differences);
  if (!view.sim.now || view.sim.now->site == nullptr || view.shows_other_kernel()) return;
  draw_caption(view, rect,
               app::op_text(view.sim.now->access.op, view.strings) + " " + view.sim.now->site->text);
}

// When presenting: the verdict large at the left; at the right what is accessed and the line that does it.
void draw_large_heading(const View& view, const Rect& rect, const Heading& heading) {
  if (view.headed) return draw_side_heading(view, rect);
  // Beside another pane, whose heads say what is what, the verdict alone.
  if (view.comparison != nullptr) return void(draw_large_verdict(view, rect));
  const scene::Palette& p = view.palette;
  // "16-way conflict · wavefront 3 of 16": the verdict stands at the left already.
  std::string moment;
  if (const std::size_t dot = heading.answer.rfind(kDot); view.sim.steps() > 1 && !heading.parts.text.empty())
    moment = heading.answer.substr(dot == std::string::npos ? 0 : dot + kDot.size());
  const Type large{22, p.text, Align::Right, Face::WordsBold};
  const float inside = view.px(16), end = right(rect) - inside;
  const float taken = draw_large_verdict(view, rect, text_width(view, moment, large) + inside),
              room = rect.width - taken - inside;
  Type type = title_type(view);
  type.align = Align::Right;
  draw_text(view, {end, rect.y + view.px(22)}, large_title(view, heading, room, &type), type);
  draw_text(view, {end, rect.y + view.px(47)}, moment, large);
  const Type setting{18, p.secondary, Align::Right, Face::WordsBold};
  // The question is of this setting, which stands below the picture where there is a strip.
  const bool strip = view.state.classroom.predicting && !view.state.voting.round;
  const std::string asked = view.sim.hidden.costs && !strip ? turned_words(view) : "";
  if (text_width(view, asked, setting) <= room) draw_text(view, {end, rect.y + view.px(47)}, asked, setting);
  if (!view.sim.now || view.shows_other_kernel()) return;
  if (const app::Problem* failed = app::failure_of(view.sim)) {  // which lane, and how far out
    draw_text(view, {rect.x + inside, rect.y + view.px(kStageHeading + 5)}, view.strings(failed->message),
              {14, p.costly, Align::Left, Face::Words, rect.width - 2 * inside});
    return;
  }
  draw_caption(view, rect, "", heading.parts.detail);
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
  // Nothing may be known yet of the view that is asked for: then the memory is drawn.
  const bool known = view.made != nullptr || view.state.shown == ViewId::Reuse;
  const ViewId on = known ? view.state.shown : ViewId::Memory;
  for (const views::Row& row : views::rows()) {
    const bool active = row.id == on, is_there = row.is_there && row.is_there(view.state, view.sim);
    if (row.where == views::Tab::WhereThereIsOne && !active && !is_there) continue;
    if (narrow && row.where == views::Tab::WhereWide && !active) {
      behind += (hidden++ == 0 ? "" : "\n") + view.strings(row.tip());
      continue;
    }
    drawn.tabs.push_back({view.strings(row.tab()), view.strings(row.tip()), active});
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

// The switch between the views at the right of a panel's heading; gives the width drawn.
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

// The room that a scene has inside a panel. `captioned`: presenting, the indices of the statement are told
// below the verdict.
Rect scene_room(const View& view, const Rect& rect, bool captioned = true) {
  Rect room = picture_room(rect, view.scale, view.is_large());
  if (!captioned || !view.is_large() || (view.comparison != nullptr && !view.headed)) return room;
  const float taken = view.px(kCaption) * static_cast<float>(caption_rows(view));
  room.y += taken, room.height -= taken;
  return room;
}

// What the view's pictures are of.
views::Inputs inputs_of(const View& view) {
  views::Inputs in{.simulation = &view.sim,
                   .motion = &view.motion,
                   .now = view.now,
                   .counting = view.is_a ? scene::Counting{} : view.counting,
                   .addresses = !view.bare,
                   .comparison = view.comparison,
                   .is_a = view.is_a,
                   .reuse = views::reuse_view(view.reuse, view.sim, view.strings),
                   .block_uses = views::bytes_of_block(view.reuse, view.sim),
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

// The panel's ground with a heading of the scene's title and answer; presenting, with the verdict where it is
// asked for.
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

// A click on a number counts it out.
void draw_counting_scene(const View& view, const char* id, scene::Scene scene, ImVec2 at) {
  for (scene::HotSpot& spot : scene.hot_spots) {
    if (spot.count == scene::Count::Cost) spot.tooltip = with_meaning(view, spot.tooltip);
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

std::string change_words(const View& view) {
  const scenario::Scenario* s = view.scenario();
  if (view.motion.turned == nullptr || s == nullptr || view.motion.units == 0) return {};
  if (view.motion.turned_units == view.motion.units) return {};
  if (view.comparison != nullptr) return {};  // B stands beside A, not beside what it was before
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

void draw_calm_panel(const View& view, const Rect& rect, const std::string& title, const std::string& words) {
  draw_ground(view, rect);
  const float y = rect.y + std::min(view.px(20), 0.5f * rect.height), x = rect.x + view.px(14);
  const float left = x + draw_text(view, {x, y}, title, title_type(view)) + view.px(16);
  draw_text(view, {left, y}, words,
            {14, view.palette.secondary, Align::Left, Face::Words, right(rect) - left - view.px(14)});
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

views::TableInput table_input(const View& view) {
  return {view.comparison, &view.other->sim, &view.sim, app::measurement_of(view.other->times),
          app::measurement_of(view.times)};
}

// What the first buffer holds whose values steer addresses, where nobody chose them: other data would draw
// another picture.
std::string data_words(const View& view) {
  const auto steering = report::steering_buffers(view.sim.program(), view.sim.compiled->setup.launch);
  if (steering.empty()) return {};
  const bool zero = steering.front().fill == sim::Fill::Zero;
  return view.strings(zero ? "strip.data.zero" : "strip.data.iota", {{"buffer", steering.front().name}});
}

}  // namespace

void draw_strip(const View& view, const Rect& rect, float narrower) {
  if (!view.sim.now || view.shows_other_kernel()) return;
  const float inside = view.px(14);
  const bool waits = view.gpu.kind == GpuLine::Kind::Measuring || view.gpu.kind == GpuLine::Kind::Starting;
  app::StripInput in{
      .simulation = &view.sim,
      .times = &view.times,
      .timed = app::timed_words(view.times, view.state.settings, view.state.optimised, view.strings),
      .waits = view.strings(waits ? "strip.time.waits" : "strip.time.none")};
  if (view.comparison != nullptr && !view.is_a)
    in.requests = views::explaining_requests(table_input(view), view.strings);
  if (view.is_large() && view.comparison == nullptr) {
    in.turned = turned_words(view);
    if (in.turned.empty()) in.turned = data_words(view);
  }
  if (view.comparison != nullptr) {
    const views::TableInput both = table_input(view);
    if (both.time_a != nullptr && both.time_b != nullptr)
      in.longest = std::max(both.time_a->cold.median, both.time_b->cold.median);
    in.longest_bar = narrower - 2 * inside;
  }
  if (!view.is_a) in.counting = view.counting;
  if (view.state.race && view.comparison != nullptr) in.raced = view.state.race->part(view.is_a);
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

// ---- The view on screen, in the place of both memory panels.

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
    const float tabs = std::max(tabs_width(view, tabs_of(view, heading.right)), left_tabs) + view.px(20);
    if (heading.of_access) {
      draw_large_verdict(view, rect, tabs);
    } else {
      draw_panel(view, rect, {heading.title, "", {}, false, tabs});
    }
    const float end = right(rect) - view.px(16);
    draw_tabs_of(panel, "right", {end, rect.y + view.px(22)}, heading.right);
    draw_tabs_of(panel, "left", {end, rect.y + view.px(46)}, heading.left);
    if (view.comparison != nullptr || !heading.of_access || view.sim.now->site == nullptr) return;
    draw_caption(view, rect, view.sim.now->site->text);
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

// Another view in the place of the memory.
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

}  // namespace

// What is looked at: the memory of the access, or the view in its place.
void draw_picture(const View& view, const Rect& rect) {
  if (view.made != nullptr) return draw_plot(view, rect);
  const Rect room = scene_room(view, rect);
  scene::Scene scene = views::memory_looked_at(inputs_of(view), view.canvas(room.width, room.height));
  if (!scene.nothing.empty() || view.sim.empty()) {  // of a kernel that cannot be run, why
    const bool impossible = view.sim.empty() && !view.sim.problems.empty();
    draw_calm_panel(view, rect, scene.title, impossible ? view.strings("memory.no_picture") : scene.nothing);
    if (view.headed) draw_badge(view, {rect.x + view.px(14), rect.y + view.px(40), view.px(24), view.px(24)});
    return;
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

// ---- A│B: the table of all that is counted and measured on both sides.

namespace {

using views::TableRow;

// Swap, back to A, leave; at the right of the heading. Gives their left end.
float draw_buttons(const View& view, const Rect& rect) {
  float x = right(rect) - view.px(10);
  const float height = view.px(26), y = rect.y + view.px(7);
  answer(view, icon_button(view, "leave", {x -= height, y, height, height}, Icon::Cross, false),
         view.strings("compare.leave.tip"), app::LeaveComparison{});
  const auto button = [&](const char* id, const char* label, const char* tip, Action action) {
    const std::string text = view.strings(label);
    const float width = pill_width(view, text, false);
    answer(view, pill(view, id, {x -= width + view.px(6), y, width, height}, text, false), view.strings(tip),
           std::move(action));
  };
  button("return", "compare.return", "compare.return.tip", app::ReturnToA{});
  button("swap", "compare.swap", "compare.swap.tip", app::SwapAB{});
  return x;
}

}  // namespace

void draw_pane_head(const View& view, const Rect& rect) {
  draw_ground(view, rect, view.is_a ? 0 : view.px(1.5f));
  const float badge = rect.height - view.px(14), x = rect.x + badge + view.px(19);
  draw_badge(view, {rect.x + view.px(7), rect.y + view.px(7), badge, badge});
  const bool one_row = rect.height < view.px(50);
  const views::SideWords side = words_of(view);
  const Type name{16, view.palette.text, Align::Left, Face::WordsBold, right(rect) - view.px(22) - x};
  const float upper = one_row ? middle(rect) : rect.y + 0.34f * rect.height;
  const float named = draw_text(view, {x, upper}, side.name, name) + view.px(14), taken = one_row ? named : 0;
  const Type of{14, view.is_a ? view.palette.secondary : view.palette.accent, Align::Left, Face::Words,
                name.room - taken};
  const float lower = one_row ? upper : rect.y + 0.70f * rect.height;
  if (of.room > view.px(20)) draw_text(view, {x + taken, lower}, side.differences, of);
  if (hit_area("head", rect).hovered) tooltip(view, side.name + "\n" + side.differences);
}

// It follows the hand; a double click puts it back into the middle.
void draw_divider(const View& view, const Rect& rect, float left, float both) {
  const float more = view.px(4);  // than is drawn can be taken hold of
  const Hit hit = hit_area("grip", {rect.x - more, rect.y, rect.width + 2 * more, rect.height});
  const scene::Palette& p = view.palette;
  const bool taken = hit.hovered || hit.held;
  const float x = rect.x + 0.5f * rect.width, width = view.px(taken ? 3 : 2);
  const float grip = std::min(view.px(56), rect.height);
  const Color ink = taken ? p.text : p.faint;
  if (taken) fill({x - 0.5f * width, rect.y, width, rect.height}, ink, 0.5f * width);
  fill({x - view.px(2), middle(rect) - 0.5f * grip, view.px(4), grip}, ink, view.px(2));
  if (hit.hovered && !hit.held) tooltip(view, view.strings("compare.divider.tip"));
  if (hit.double_clicked) return view.act(app::MoveDivider{app::kMiddle});
  const ImGuiIO& io = ImGui::GetIO();
  if (!hit.held || io.MouseDelta.x == 0 || both <= 0) return;
  const float part = (io.MousePos.x - 0.5f * rect.width - left) / both;
  view.act(app::MoveDivider{std::clamp(part, app::kLeastPane, 1 - app::kLeastPane)});
}

void draw_comparison(const View& view, const Rect& rect) {
  const Rect inner = draw_panel(view, rect, {"", "", {}, false});
  const float end = draw_buttons(view, rect);
  draw_text(view, {inner.x, rect.y + view.px(20)}, "A│B", title_type(view, end - inner.x));
  const std::vector<TableRow> rows = views::comparison_table(table_input(view), view.strings);
  draw_scene(
      view, "table",
      views::comparison(rows, !view.comparison->counts.empty(), view.canvas(inner.width, inner.height)),
      top_left(inner));
}

// What it comes to, in a sentence that names what explains the time.
void draw_differences(const View& view, const Rect& rect) {
  if (!view.headed) draw_ground(view, rect);
  const float inside = view.px(14), room = rect.width - 2 * inside;
  const std::string words = views::comparison_result(table_input(view), view.strings);
  Type type{15, view.palette.text, Align::Left, Face::WordsBold, room};
  if (text_width(view, words, type) > room) type.size = 13;
  const float used = draw_text(view, {rect.x + inside, middle(rect)}, words, type);
  const std::string bars = view.strings("compare.bars");
  const Type quiet{13, view.palette.secondary, Align::Right};
  if (view.comparison->a_follows && used + view.px(24) + text_width(view, bars, quiet) <= room)
    draw_text(view, {rect.x + inside + room, middle(rect)}, bars, quiet);
}

}  // namespace warplens::panels
