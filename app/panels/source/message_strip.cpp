// One line below the top bar: what could not be done, what is under way beside the frame, what is left out of
// the picture, or the hint of the first minute; the first of these that there is.
#include <algorithm>

#include "app/panels/widgets/text_input.h"
#include "app/source/text_fixes.h"
#include "app/state/catalog.h"
#include "app/state/user_kernel.h"
#include "app/views/landscape.h"

namespace warplens::panels {
namespace {

bool works(const app::State& state, const app::Simulation& s, double working) {
  return (s.halted && !state.reading) || working > kPatienceSeconds;
}

void ground(const View& view, const Rect& rect, const Color& hue) {
  fill(rect, scene::mix(view.palette.window, hue, 0.14f), 0.5f * rect.height);
}

// A word to click on; `end` is its right end. Gives its left end.
float word(const View& view, const char* id, const Rect& strip, float end, const std::string& label,
           bool* clicked) {
  const float width = pill_width(view, label, false), height = strip.height - view.px(4);
  const Rect rect{end - width, strip.y + view.px(2), width, height};
  *clicked = pill(view, id, rect, label, false).clicked;
  return rect.x - view.px(8);
}

Actions draw_notice(const View& view, const Rect& rect) {
  Actions actions;
  const app::Notice& notice = *view.state.notice;
  const Color hue = notice.offers_recovery ? view.palette.accent
                    : notice.bad           ? view.palette.costly
                                           : view.palette.ideal;
  ground(view, rect, hue);
  bool clicked = false;
  float end = right(rect) - rect.height;
  if (notice.offers_recovery) {
    end = word(view, "recover", rect, end, view.strings("files.recover.yes"), &clicked);
    if (clicked) actions.push_back(app::Recover{});
    end = word(view, "discard", rect, end, view.strings("files.recover.no"), &clicked);
    if (clicked) actions.push_back(app::Discard{});
  }
  if (notice.asks_to_leave) {
    end = word(view, "leave", rect, end, view.strings("leave.yes"), &clicked);
    if (clicked) actions.push_back(app::Leave{});
    end = word(view, "save_as", rect, end, view.strings("leave.save"), &clicked);
    if (clicked && notice.key == "leave.lecture") actions.push_back(app::SaveLecture{});
    if (clicked && notice.key != "leave.lecture") actions.push_back(app::Save{true});
  }
  const std::string text = view.strings(notice.key, {{"words", view.strings(notice.words)}});
  const float x = rect.x + view.px(18);
  draw_text(view, {x, middle(rect)}, text,
            {14, view.palette.text, Align::Left, Face::Words, end - x - view.px(8)});
  const Rect cross{right(rect) - rect.height, rect.y, rect.height, rect.height};
  const Hit hit = hit_area("close", cross);
  draw_icon(view, Icon::Cross, {cross.x + 0.5f * cross.width, middle(cross)}, 0.32f * cross.height,
            hit.hovered ? view.palette.text : view.palette.secondary);
  if (hit.clicked) actions.push_back(app::DismissNotice{});
  if (hit_area("all", {rect.x, rect.y, std::max(end - rect.x, 1.0f), rect.height}).hovered)
    tooltip(view, text);
  return actions;
}

// What is under way, and how much of it is done: 0 to 1; negative where that is not known.
struct Work {
  std::string text;
  double part = -1;
};
std::string percent_of(double part) {
  return std::to_string(static_cast<int>(100 * part));
}
// The block first, then the grid, then what a plot of many of them waits for.
Work work_of(const View& view) {
  const app::Simulation& s = view.sim;
  if (view.state.reading) return {view.strings("work.reading", {{"name", *view.state.reading}})};
  if (!s.fresh && s.compiling) return {view.strings("work.compiling")};
  if (!s.fresh) return {view.strings("work.block", {{"percent", percent_of(s.progress)}}), s.progress};
  const auto shown = app::made_of<views::LandscapeShown>(view.plots, ViewId::Landscape);
  if (shown && shown->landscape && view.plots->busy) {
    const views::Landscape* landscape = shown->landscape.get();
    const auto count = [](std::size_t n) { return grouped(static_cast<long long>(n)); };
    return {view.strings("work.landscape",
                         {{"done", count(landscape->done)}, {"total", count(landscape->cells.size())}}),
            static_cast<double>(landscape->done) / static_cast<double>(landscape->cells.size())};
  }
  if (view.reuse != nullptr && view.reuse->busy)
    return {view.strings("reuse.work", {{"percent", percent_of(view.reuse->progress)}}),
            view.reuse->progress};
  if (s.totals && view.plots != nullptr && view.plots->busy && view.state.shown == ViewId::Why) {
    const double part = view.plots->why.progress;
    return {view.strings("why.working.part", {{"percent", percent_of(part)}}), part};
  }
  return {view.strings("work.grid", {{"percent", percent_of(s.totals_progress)}}), s.totals_progress};
}

Actions draw_work(const View& view, const Rect& rect) {
  Actions actions;
  const app::Simulation& s = view.sim;
  const scene::Palette& p = view.palette;
  const bool reading = view.state.reading.has_value(), halted = s.halted && !reading;
  ground(view, rect, halted ? p.secondary : p.accent);
  Work work = work_of(view);
  if (halted)
    work = {view.strings(s.compiling ? "work.halted.text"
                         : s.fresh   ? "work.halted.grid"
                                     : "work.halted.block")};
  if (work.part >= 0)
    fill({rect.x + 0.5f * rect.height, bottom(rect) - view.px(3),
          (rect.width - rect.height) * static_cast<float>(std::min(work.part, 1.0)), view.px(2)},
         p.accent);
  bool clicked = false;
  const float end = word(view, "stop", rect, right(rect) - view.px(6),
                         view.strings(halted ? "work.go_on" : "work.stop"), &clicked);
  if (clicked && reading) actions.push_back(app::EndReading{});
  if (clicked && !reading) actions.push_back(app::Halt{!s.halted});
  const float x = rect.x + view.px(18);
  draw_text(view, {x, middle(rect)}, work.text, {14, p.text, Align::Left, Face::Words, end - x});
  return actions;
}

void draw_cut(const View& view, const Rect& rect) {
  ground(view, rect, view.palette.secondary);
  const std::string shown = grouped(static_cast<long long>(view.sim.trace->events.size()));
  const std::string all = grouped(static_cast<long long>(view.sim.trace->total_events));
  const std::string text = view.strings("work.cut", {{"shown", shown}, {"all", all}});
  draw_text(view, {rect.x + view.px(18), middle(rect)}, text,
            {14, view.palette.text, Align::Left, Face::Words, rect.width - view.px(36)});
}

}  // namespace

bool has_message(const app::State& state, const app::Simulation& s, double working) {
  return state.notice || works(state, s, working) || s.cut_short();
}

Actions draw_message_strip(const View& view, const Rect& rect) {
  if (view.state.notice) return draw_notice(view, rect);
  if (works(view.state, view.sim, view.working)) return draw_work(view, rect);
  if (view.sim.cut_short()) {
    draw_cut(view, rect);
    return {};
  }
  if (view.alone) {
    draw_text(view, {rect.x + view.px(8), middle(rect)}, view.strings("alone.rest"),
              {14, view.palette.secondary, Align::Left, Face::Words, rect.width - view.px(16)});
    return {};
  }
  return draw_hint(view, rect);
}

namespace {

// "padding 2, block y 16": the values that it is of, where they are not those on screen.
std::string other_values(const View& view) {
  const auto &of = view.sim.compiled->settings.values, &asked = view.state.settings.values;
  const scenario::Scenario* scenario = view.scenario();
  std::string words;
  for (const auto& [name, value] : of) {
    const auto now = asked.find(name);
    const auto* parameter = scenario ? app::find_parameter(*scenario, name) : nullptr;
    if (parameter == nullptr || (now != asked.end() && now->second == value)) continue;
    words += (words.empty() ? "" : ", ") + scenario::in_language(parameter->label, view.state.language) +
             " " + std::to_string(value);
  }
  return words;
}

// Of what the picture is, where it is not of the settings on screen.
std::string words_of_picture(const View& view, bool wrong) {
  const app::PictureOf of = app::picture_of(view.sim, view.state.settings);
  if (of == app::PictureOf::OtherKernel)
    return view.strings("source.other_kernel", {{"name", view.sim.program().kernel}});
  if (!wrong) return view.strings("source.before");
  if (of == app::PictureOf::OtherText) {
    const auto index =
        app::other_index(app::text_of(view.catalog, view.sim.compiled->settings), view.source());
    return index ? view.strings("source.last_good.index", {{"expression", *index}})
                 : view.strings("source.last_good");
  }
  const std::string values = other_values(view);
  return values.empty() ? view.strings("source.last_launch")
                        : view.strings("source.last_launch.values", {{"values", values}});
}

}  // namespace

// The picture is of other settings than those on screen: it steps back.
void draw_staleness(const View& view, const Layout& layout) {
  const bool wrong = !view.sim.fresh &&
                     std::any_of(view.sim.problems.begin(), view.sim.problems.end(), [](const auto& problem) {
                       return problem.severity == cuda::Severity::Error;
                     });
  if (view.sim.fresh || view.sim.empty() || (!wrong && view.stale < kPatienceSeconds)) return;
  const Color veil = scene::with_alpha(view.palette.window, 0.55f);
  for (const Rect* rect : {&layout.global, &layout.shared, &layout.access, &layout.grid, &layout.times,
                           &layout.lanes, &layout.b.global, &layout.b.shared, &layout.table}) {
    if (rect->width > 0) fill(*rect, veil, view.px(8));
  }
  const Rect* on = &layout.global;
  for (const Rect* next : {&layout.shared, &layout.b.global, &layout.b.shared}) {
    if (on->width < 1) on = next;
  }
  const std::string words = words_of_picture(view, wrong);
  // On the panel's lower border, where no panel has words.
  Type type{14, view.palette.text, Align::Center, Face::WordsBold};
  type.room = on->width - view.px(60);
  const float width = std::min(text_width(view, words, type), type.room) + view.px(32), height = view.px(26);
  const Rect label{std::round(on->x + 0.5f * (on->width - width)),
                   std::round(bottom(*on) + view.px(4) - 0.5f * height), width, height};
  fill(label, view.palette.panel, 0.5f * height);
  outline(label, wrong ? view.palette.costly : view.palette.accent, 0.5f * height, view.px(1.5f));
  draw_text(view, {label.x + 0.5f * width, middle(label)}, words, type);
}

}  // namespace warplens::panels
