// Stepping and playing, the ladder, the parameters.
#include "app/input/commands.h"
#include "app/state/chosen_kernel.h"
#include "app/state/typed_value.h"

namespace warplens::app {
namespace {

const scenario::ScenarioParameter* parameter_of(In in) {
  const scenario::Scenario* s = scenario_of(in.catalog, in.state.settings);
  if (s == nullptr) return nullptr;
  for (const scenario::ScenarioParameter& parameter : s->parameters) {
    if (parameter.key.size() == 1 && parameter.key[0] == in.character) return &parameter;
  }
  return nullptr;
}

Actions choose_rung(In in) {
  const scenario::Scenario* here = scenario_of(in.catalog, in.state.settings);
  if (here == nullptr || in.state.settings.own) return {};
  const auto rungs = in.catalog.ladder_of(*here);
  const auto index = static_cast<std::size_t>(in.character - '1');
  return index < rungs.size() ? Actions{SelectScenario{rungs[index]->name}} : Actions{};
}

// In class a digit is an answer, whether one is asked for now or has just been given.
bool may_climb(In in) {
  return !in.state.classroom.active && !in.state.classroom.predicting;
}

const scenario::ScenarioParameter* first_parameter(In in) {
  const scenario::Scenario* s = scenario_of(in.catalog, in.state.settings);
  return s == nullptr || s->parameters.empty() ? nullptr : parameters_in_order(*s).front();
}

constexpr Command kPictureCommands[] = {
    {"play", Focus::Picture, "Space", "help.play",
     [](In in) { return Actions{SetPlaying{!in.state.playback.playing}}; }},
    {"access_previous", Focus::Picture, "←", "help.access.previous", does<StepAccess, -1>, "help.access"},
    {"access_next", Focus::Picture, "→", "help.access.next", does<StepAccess, 1>, "help.access"},
    {"wavefront_previous", Focus::Picture, "Ctrl ←", "help.wavefront.previous", does<StepWavefront, -1>,
     "help.wavefront"},
    {"wavefront_next", Focus::Picture, "Ctrl →", "help.wavefront.next", does<StepWavefront, 1>,
     "help.wavefront"},
    {"line_previous", Focus::Picture, "Shift ←", "help.line.previous", does<StepLine, -1>, "help.line"},
    {"line_next", Focus::Picture, "Shift →", "help.line.next", does<StepLine, 1>, "help.line"},
    {"warp_previous", Focus::Picture, "↑", "help.warp.previous", does<StepWarp, -1>, "help.warp"},
    {"warp_next", Focus::Picture, "↓", "help.warp.next", does<StepWarp, 1>, "help.warp"},
    {"block_previous", Focus::Picture, "PgUp", "help.block.previous", does<StepBlock, -1>, "help.block"},
    {"block_next", Focus::Picture, "PgDn", "help.block.next", does<StepBlock, 1>, "help.block"},
    {"access_first", Focus::Picture, "Home", "help.ends.first", does<GoToEnd, false>, "help.ends"},
    {"access_last", Focus::Picture, "End", "help.ends.last", does<GoToEnd, true>, "help.ends"},
    {"rung", Focus::Picture, "1 … 9", nullptr, choose_rung, "help.rung", may_climb, "1 … 9"},
    {"rung_previous", Focus::Picture, "[", "help.rung.previous", does<StepRung, -1>, "help.next_rung"},
    {"rung_next", Focus::Picture, "]", "help.rung.next", does<StepRung, 1>, "help.next_rung"},
    // A scenario's own keys go before any other character of the picture: Shift comes with them.
    {"parameter", Focus::Parameter, "A … Z", nullptr,
     [](In in) {
       return Actions{StepParameter{parameter_of(in)->name, in.shift ? -1 : 1}};
     },
     "help.parameter", [](In in) { return parameter_of(in) != nullptr; }, "P X Y …"},
    {"value", Focus::Picture, "V", "help.value",
     [](In in) { return Actions{FocusField{std::string(kValueInput) + first_parameter(in)->name}}; }, nullptr,
     [](In in) { return first_parameter(in) != nullptr; }},
};

}  // namespace

std::span<const Command> picture_commands() {
  return kPictureCommands;
}

}  // namespace warplens::app
