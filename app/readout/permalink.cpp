#include "app/readout/permalink.h"

#include "sim/scenario/permalink.h"
#include "sim/scenario/text_file.h"

namespace warplens::app {

std::string write_permalink(const State& state, const Simulation& simulation, const Catalog& catalog) {
  const scenario::Scenario* s = catalog.find(state.settings.scenario);
  if (s == nullptr || state.settings.own) return {};
  scenario::Permalink text;
  text.values = state.settings.values;
  const bool shown = !simulation.empty() && simulation.fresh;
  text.block = shown ? simulation.place.block : state.position.block;
  text.warp = shown ? simulation.place.warp : state.position.warp;
  if (shown && simulation.place.event >= 0) {
    text.access = simulation.place.event + 1;
    // That there is more than one is the answer to a question that may be open.
    if (!hidden_by(state.classroom).costs && simulation.wavefronts_of(simulation.place.event) > 1)
      text.wavefront = simulation.place.wavefront + 1;
  }
  return scenario::write_permalink(text, *s);
}

scenario::Outcome<LinkedPlace> read_permalink(const std::string& text, const Catalog& catalog) {
  if (!scenario::is_permalink(text))
    return {std::nullopt, {Message("a line such as warplens:transpose_shared?pad=1 is needed")}};
  const std::string name = scenario::scenario_of_permalink(text);
  const scenario::Scenario* s = catalog.find(name);
  if (s == nullptr) {
    std::vector<std::string> names;
    for (const scenario::Scenario& known : catalog.scenarios) names.push_back(known.name);
    return {std::nullopt,
            {Message("there is no scenario \"{}\"{}", name, scenario::did_you_mean(name, names))}};
  }
  const auto read = scenario::read_permalink(text, *s);
  if (!read) return {std::nullopt, read.errors};
  LinkedPlace out;
  for (const Message& gone : read.value->gone) out.lost += (out.lost.empty() ? "" : ", ") + gone.english();
  out.settings.scenario = name;
  out.settings.values = scenario::defaults(*s);
  for (const auto& [parameter, value] : read.value->values) out.settings.values[parameter] = value;
  if (read.value->block) out.position.block = *read.value->block;
  out.position.warp = read.value->warp.value_or(0);
  if (read.value->access) {
    out.position.access.any = false;
    out.position.access.number = *read.value->access - 1;
  }
  out.position.wavefront = read.value->wavefront.value_or(1) - 1;
  return {std::move(out), {}};
}

}  // namespace warplens::app
