#include "app/share/subject.h"

#include "app/readout/ladder_times.h"
#include "app/readout/question.h"
#include "app/readout/strip.h"
#include "app/state/catalog.h"
#include "app/views/times.h"
#include "sim/scenario/permalink.h"

namespace warplens::share {
Subject subject_of(const app::State& state, std::shared_ptr<const app::Simulation> simulation,
                   const app::Catalog& catalog, const std::vector<app::RungTime>& times,
                   const language::Strings& strings) {
  Subject out;
  out.simulation = std::move(simulation);
  out.strings = strings;
  out.palette = state.theme == app::Theme::Dark ? &scene::dark_palette() : &scene::light_palette();
  const scenario::Scenario* s = app::scenario_of(catalog, state.settings);
  if (s != nullptr && !state.settings.own && !app::is_edited(state))
    out.scenario = std::make_shared<const scenario::Scenario>(*s);
  out.title = s != nullptr && !s->title.empty() ? scenario::in_language(s->title, state.language)
                                                : out.simulation->program().kernel;
  const measure::Measurement* any = nullptr;
  out.times = app::kept(times);
  out.unit = views::shown_unit(s, state.time_unit);
  for (const app::RungTime& time : times) {
    if (time.measurement != nullptr && (any == nullptr || time.current)) any = time.measurement;
  }
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
    scenario::Permalink place;
    place.values = s.compiled->setup.values;
    place.block = s.place.block;
    place.warp = s.place.warp;
    if (s.place.event >= 0) place.access = s.place.event + 1;
    if (s.wavefronts_of(s.place.event) > 1) place.wavefront = s.place.wavefront + 1;
    values = " · " + scenario::write_permalink(place, *subject.scenario);
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
