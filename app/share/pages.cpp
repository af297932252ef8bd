#include <cmath>

#include "app/readout/ladder_times.h"
#include "app/readout/permalink.h"
#include "app/readout/question.h"
#include "app/readout/strip.h"
#include "app/scene/pen.h"
#include "app/scene/scene.h"
#include "app/share/export.h"
#include "app/share/subject.h"
#include "app/state/catalog.h"
#include "app/views/banks.h"
#include "app/views/global.h"
#include "app/views/memory.h"
#include "app/views/times.h"
#include "app/views/views.h"

namespace warplens::share {
namespace {

using app::ShareWhat;
using scene::Page;
using scene::Rect;

using scene::kBetweenPanels;

scene::Canvas canvas_of(const Subject& subject, float width, float height) {
  return {.width = width,
          .height = height,
          .scale = subject.scale,
          .palette = subject.palette,
          .strings = &subject.strings,
          .density = kSlideScale};
}

views::Inputs inputs_of(const Subject& subject) {
  return {.simulation = subject.simulation.get(),
          .asked_lane = subject.asked_lane,
          .motion = subject.motion ? &*subject.motion : nullptr,
          .now = subject.now,
          .whole = subject.whole,
          .reuse = views::reuse_view(subject.reuse.get(), *subject.simulation, subject.strings),
          .made = subject.made.get(),
          .times = subject.times.get(),
          .measured = {measured_of(subject), subject.peaks.get()},
          .plot_view = subject.plot_view};
}

// One side of A│B.
views::Inputs inputs_of(const Subject& subject, bool is_a) {
  views::Inputs inputs = inputs_of(subject);
  inputs.is_a = is_a;
  inputs.comparison = &subject.beside->comparison;
  inputs.other = is_a ? subject.simulation.get() : subject.beside->a.get();
  if (!is_a) return inputs;
  inputs.simulation = subject.beside->a.get();
  inputs.motion = nullptr;  // it is B's
  inputs.reuse = views::reuse_view(subject.beside->reuse.get(), *inputs.simulation, subject.strings);
  return inputs;
}

scene::Scene times(const Subject& subject, const scene::Canvas& canvas) {
  scene::Scene out;
  if (!subject.times_source.empty())
    out = views::time_bars_scene(
        views::time_bars_of(*subject.times, subject.unit, subject.strings.language()), canvas);
  else
    out.nothing = subject.strings("times.caption.none");
  if (out.title.empty()) out.title = subject.strings("times.title");
  return out;
}

// The figure with its words, both ending at the right; gives the width taken.
float put_verdict(Page* page, const Subject& subject, const app::Simulation& s, scene::Point right_end,
                  float size) {
  const scene::Palette& p = *subject.palette;
  if (!s.now) return 0;
  const app::CostSummary j = app::judge(s, subject.strings);
  const scene::Color color = app::verdict_color(p, j.verdict);
  const float words = scene::text_width(j.words, 0.47f * size);
  page->label(right_end, j.words, 0.47f * size, p.text, scene::Align::Right);
  const float gap = j.words.empty() ? 0 : words + 12;
  page->label({right_end.x - gap, right_end.y}, j.figure, size, color, scene::Align::Right, true);
  return words + scene::text_width(j.figure, size, scene::Font::Words, true) + size;
}

// The picture of an access with what it costs below.
scene::Scene with_strip(const Subject& subject, const views::Inputs& inputs, scene::Canvas canvas,
                        scene::Scene (*draw)(const views::Inputs&, const scene::Canvas&)) {
  const float height = app::kStripHeight * subject.scale;
  if (!inputs.simulation->now || canvas.height < 6 * height) return draw(inputs, canvas);
  canvas.height -= height;
  scene::Scene scene = draw(inputs, canvas);
  if (!scene.nothing.empty()) return scene;
  app::StripInput strip{.simulation = inputs.simulation};
  if (!inputs.is_a && subject.times) strip.times = subject.times.get(), strip.timed = subject.times_of;
  if (!views::looks_at_shared(*inputs.simulation)) scene.answer.clear();  // the strip has the same figures
  const float above = scene.height;
  canvas.height = height;
  scene::add_part(&scene, app::strip_scene(strip, canvas), {0, above});
  scene.height = above + height;
  return scene;
}

// The memory of the access looked at.
void put_memory(Page* page, const Subject& subject, const views::Inputs& inputs, const Rect& room) {
  const Rect inside = page->inside(room);
  page->panel(room, with_strip(subject, inputs, canvas_of(subject, inside.width, inside.height),
                               views::memory_looked_at));
}

// The source at the left, memory at the right, the scenario and the verdict above.
scene::Scene slide(const Subject& subject) {
  const app::Simulation& s = *subject.simulation;
  Page page(kSlideWidth, kSlideHeight, *subject.palette);
  const Rect room = page.foot(caption_of(subject), provenance_of(subject));
  const float used = put_verdict(&page, subject, s, {room.x + room.width, room.y + 20}, 36);
  page.label({room.x, room.y + 20},
             scene::shortened(subject.title, room.width - used, 22, scene::Font::Words, true), 22,
             subject.palette->text, scene::Align::Left, true);
  const Rect body{room.x, room.y + 46, room.width, room.height - 46};
  const float left = std::round(0.38f * body.width);
  const Rect source{body.x, body.y, left, body.height}, inside = page.inside(source);
  const views::Inputs inputs = inputs_of(subject);
  page.panel(source, views::source(inputs, canvas_of(subject, inside.width, inside.height)));
  put_memory(&page, subject, inputs,
             {body.x + left + kBetweenPanels, body.y, body.width - left - kBetweenPanels, body.height});
  return page.finish(subject.title);
}

// Who a side is, and how it differs.
void put_head(Page* page, const Subject& subject, bool is_a, const Rect& rect) {
  const scene::Palette& p = *subject.palette;
  const views::SideWords& words = is_a ? subject.beside->words_a : subject.beside->words_b;
  const std::string named = (is_a ? "A · " : "B · ") + words.name;
  page->label({rect.x, rect.y + 12}, scene::shortened(named, rect.width, 17, scene::Font::Words, true), 17,
              p.text, scene::Align::Left, true);
  page->label({rect.x, rect.y + 36}, scene::shortened(words.differences, rect.width, 13), 13,
              is_a ? p.secondary : p.accent);
}

// The memory of both sides beside each other, and the table of what is counted and measured.
scene::Scene compared(const Subject& subject) {
  constexpr float kHead = 50;
  const Beside& beside = *subject.beside;
  Page page(kSlideWidth, kSlideHeight, *subject.palette);
  const Rect room = page.foot(caption_of(subject), provenance_of(subject));
  const float table = std::round(0.26f * room.width);
  const float both = room.width - table - 2 * kBetweenPanels, part = std::floor(beside.divider * both);
  float x = room.x;
  for (const bool is_a : {true, false}) {
    const float pane = is_a ? part : std::floor(both - part);
    put_head(&page, subject, is_a, {x, room.y, pane, kHead});
    put_memory(&page, subject, inputs_of(subject, is_a), {x, room.y + kHead, pane, room.height - kHead});
    x += pane + kBetweenPanels;
  }
  const Rect rect{x, room.y, room.x + room.width - x, room.height}, inside = page.inside(rect);
  page.panel(rect, views::comparison(beside.rows, !beside.comparison.counts.empty(),
                                     canvas_of(subject, inside.width, inside.height)));
  return page.finish("A│B");
}

}  // namespace

scene::Scene view(ShareWhat what, const Subject& subject, float width, float height) {
  const views::Inputs inputs = inputs_of(subject);
  const scene::Canvas canvas = canvas_of(subject, width, height);
  if (what == ShareWhat::Times) return times(subject, canvas);
  const views::Panel* panel = views::panel_of(what);
  auto* draw = what.other == ShareWhat::View ? views::row_of(what.view).draw
               : panel != nullptr            ? panel->draw
                                             : nullptr;
  if (draw == nullptr) draw = views::memory_looked_at;
  auto* looked_at = views::looks_at_shared(*subject.simulation) ? views::shared_memory : views::global_memory;
  return draw == looked_at || draw == views::memory_looked_at ? with_strip(subject, inputs, canvas, draw)
                                                              : draw(inputs, canvas);
}

scene::Scene page(ShareWhat what, const Subject& subject) {
  if (what == ShareWhat::Slide || what == ShareWhat::Steps) return slide(subject);
  if (what == ShareWhat::Comparison) return compared(subject);
  Page page(kSlideWidth, kSlideHeight, *subject.palette);
  // Of the whole launch, not of the access looked at.
  const bool of_times = what == ShareWhat::Times || what == ViewId::Why;
  const bool measured = what == ShareWhat::Times && !subject.times_source.empty();
  const std::string source =
      measured ? subject.times_source + " · Warplens " WARPLENS_VERSION : provenance_of(subject);
  const std::string caption = of_times
                                  ? subject.title + (subject.times_of.empty() ? "" : " · " + subject.times_of)
                                  : caption_of(subject);
  const Rect body = page.foot(caption, source), room = page.inside(body);
  const scene::Scene inside = view(what, subject, room.width, room.height);
  page.panel(body, inside);
  return page.finish(inside.title);
}

Subject subject_of(const app::State& state, std::shared_ptr<const app::Simulation> simulation,
                   const app::Catalog& catalog, const std::vector<app::RungTime>& times,
                   const language::Strings& strings) {
  Subject out;
  out.simulation = std::move(simulation);
  out.strings = strings;
  out.palette = state.theme == app::Theme::Dark ? &scene::dark_palette() : &scene::light_palette();
  if (!out.simulation->hidden.times && app::has_more_to_gain(times))
    out.palette = &scene::with_more_to_gain(*out.palette);
  const scenario::Scenario* s = app::scenario_of(catalog, state.settings);
  if (s != nullptr && !state.settings.own && !app::is_edited(state))
    out.scenario = std::make_shared<const scenario::Scenario>(*s);
  out.title = s != nullptr && !s->title.empty() ? scenario::in_language(s->title, state.language)
                                                : out.simulation->program().kernel;
  const measure::Measurement* any = app::any_measurement(times);
  out.times = app::kept(times);
  out.unit = views::shown_unit(s, state.time_unit);
  out.times_of = app::timed_words(times, state.settings, state.optimised, strings);
  if (any != nullptr) {
    // The date is that of the measurement: exporting twice gives the same bytes.
    out.times_source =
        strings(any->recorded ? "share.recorded" : "share.measured", {{"gpu", any->device.name},
                                                                      {"driver", any->device.driver},
                                                                      {"date", any->when.substr(0, 10)},
                                                                      {"n", any->cold.seconds.size()}});
  }
  out.plot_view = state.plot;
  out.profile = state.profile;
  out.plot_view.pointed.reset();
  out.stills = state.stills;
  out.with_reuse = state.shown == ViewId::Reuse;
  if (out.simulation->hidden.costs) {
    if (const auto question = app::question_of(state, *out.simulation, strings))
      out.asked_lane = question->lane;
  }
  return out;
}

const measure::Measurement* measured_of(const Subject& subject) {
  return subject.times ? app::measurement_of(*subject.times) : nullptr;
}

void add_reuse(Subject* subject, Budget& budget, std::atomic<double>* progress) {
  if (!subject->with_reuse) return;
  const auto of = [&](const app::Simulation& s) -> std::shared_ptr<const views::Reuse> {
    if (s.empty() || !s.trace) return nullptr;
    return std::make_shared<const views::Reuse>(views::reuse_of(s, budget, progress));
  };
  subject->reuse = of(*subject->simulation);
  if (!subject->beside) return;
  auto beside = std::make_shared<Beside>(*subject->beside);
  beside->reuse = of(*beside->a);
  subject->beside = std::move(beside);
}

std::shared_ptr<const Beside> beside_of(const Side& a, const Side& b, const app::Comparison& comparison,
                                        const app::Catalog& catalog, const language::Strings& strings) {
  auto out = std::make_shared<Beside>();
  out->a = a.simulation;
  out->comparison = comparison;
  out->divider = b.state.divider;
  out->rows =
      views::comparison_table({&comparison, a.simulation.get(), b.simulation.get(), a.time, b.time}, strings);
  const auto words = [&](bool is_a, const app::State& state) {
    return views::side_words(comparison, is_a, app::scenario_of(catalog, state.settings),
                             app::is_edited(state), state.language, strings);
  };
  out->words_a = words(true, a.state);
  out->words_b = words(false, b.state);
  return out;
}

std::string caption_of(const Subject& subject) {
  const app::Simulation& s = *subject.simulation;
  if (!s.now) return s.program().kernel + " · " + subject.strings(s.no_access());
  return subject.strings("share.caption",
                         {{"kernel", s.program().kernel},
                          {"line", s.now->site->range.begin.line},
                          {"text", s.now->site->text},
                          {"block", app::dim_text(s.place.block, s.compiled->setup.launch.grid.z > 1, ",")},
                          {"warp", s.place.warp},
                          {"step", s.place.event + 1},
                          {"count", s.event_count()}});
}

std::string provenance_of(const Subject& subject) {
  const app::Simulation& s = *subject.simulation;
  std::string values;
  if (subject.scenario) {
    values = " · " + app::place_text(s, s.compiled->setup.values, *subject.scenario);
  } else {
    for (const auto& [name, value] : s.compiled->setup.values)
      values += ", " + name + " = " + std::to_string(value);
  }
  return subject.strings("render.provenance",
                         {{"gpu", std::string(s.compiled->gpu->name)},
                          {"version", WARPLENS_VERSION},
                          {"grid", app::dim_text(s.compiled->setup.launch.grid, true, " x ")},
                          {"block", app::dim_text(s.compiled->setup.launch.block, true, " x ")},
                          {"values", values}});
}

}  // namespace warplens::share
