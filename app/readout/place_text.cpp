#include "app/readout/place_text.h"

#include "sim/scenario/short_text.h"
#include "sim/scenario/text_file.h"

namespace warplens::session {

std::string place_text(const State& state, const Simulation& simulation, const Catalog& catalog) {
  const scenario::Scenario* s = catalog.find(state.settings.scenario);
  if (s == nullptr || state.settings.own) return {};
  scenario::ShortText text;
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
  return scenario::write_short_text(text, *s);
}

scenario::Outcome<PlaceText> read_place_text(const std::string& text, const Catalog& catalog) {
  if (!scenario::is_short_text(text))
    return {std::nullopt, {"a line such as warplens:transpose_shared?pad=1 is needed"}};
  const std::string name = scenario::scenario_of_short_text(text);
  const scenario::Scenario* s = catalog.find(name);
  if (s == nullptr) {
    std::vector<std::string> names;
    for (const scenario::Scenario& known : catalog.scenarios) names.push_back(known.name);
    return {std::nullopt, {"there is no scenario \"" + name + "\"" + scenario::did_you_mean(name, names)}};
  }
  const auto read = scenario::read_short_text(text, *s);
  if (!read) return {std::nullopt, read.errors};
  PlaceText out;
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

}  // namespace warplens::session
