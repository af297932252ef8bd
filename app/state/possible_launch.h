// Which values of a scenario's parameters make a launch that can be, as far as that is told without compiling
// the kernel: the limits of block and grid, and what the scenario requires.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/state/state.h"
#include "sim/scenario/scenario.h"

namespace warplens::app {

enum class LaunchLimit : std::uint8_t { None, Threads, Block, Grid, Requirement };

// Why the values cannot be launched; None: nothing of the above is in the way.
LaunchLimit limit_of(const scenario::Scenario& scenario, const scenario::ParameterValues& values);

struct PossibleValue {
  std::int64_t value = 0;
  LaunchLimit limit = LaunchLimit::None;               // that kept `value` from being what was wanted
  const scenario::Requirement* requirement = nullptr;  // of the scenario, where that is the limit
};
// What parameter `name` can become, on the way from its value in `values` to `wanted`, as near to that as can
// be. `by_steps`: only values that keys and sliders come to. Where `values` cannot be launched themselves,
// nothing is held back.
PossibleValue nearest_possible(const scenario::Scenario& scenario, const scenario::ParameterValues& values,
                               const std::string& name, std::int64_t wanted, bool by_steps);

// Why the parameter goes no further, and where it is now ("block y 16"); none: nothing kept it.
std::optional<Notice> limit_notice(const PossibleValue& possible,
                                   const scenario::ScenarioParameter& parameter, const std::string& language);
bool is_limit(const Notice& notice);

// `values`, or, where those cannot be launched, with as few of them at their defaults as makes them possible.
scenario::ParameterValues made_possible(const scenario::Scenario& scenario, scenario::ParameterValues values);

}  // namespace warplens::app
