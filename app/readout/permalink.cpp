#include "app/readout/permalink.h"

#include "sim/scenario/permalink.h"

namespace warplens::app {

std::string write_permalink(const State& state, const Simulation& simulation, const Catalog& catalog) {
  const scenario::Scenario* s = catalog.find(state.settings.scenario);
  if (s == nullptr || state.settings.own) return {};
  if (!simulation.empty() && simulation.fresh)
    // That there is more than one wavefront is the answer to a question that may be open.
    return place_text(simulation, state.settings.values, *s, !hidden_by(state.classroom).costs);
  scenario::Permalink text;
  text.values = state.settings.values;
  text.block = state.position.block;
  text.warp = state.position.warp;
  return scenario::write_permalink(text, *s);
}

std::string place_text(const Simulation& simulation, const scenario::ParameterValues& values,
                       const scenario::Scenario& scenario, bool with_wavefront) {
  const ResolvedPosition& place = simulation.place;
  scenario::Permalink text;
  text.values = values;
  text.block = place.block;
  text.warp = place.warp;
  if (place.event >= 0) text.access = place.event + 1;
  if (place.event >= 0 && with_wavefront && simulation.wavefronts_of(place.event) > 1)
    text.wavefront = place.wavefront + 1;
  return scenario::write_permalink(text, scenario);
}

}  // namespace warplens::app
