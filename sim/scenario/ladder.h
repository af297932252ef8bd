// What two rungs of a ladder have in common: values carried from one scenario to another.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/scenario/scenario.h"

namespace warplens::scenario {

const ScenarioParameter* find_parameter(const Scenario& scenario, std::string_view name);

// The value that the parameter can take nearest to `value`.
std::int64_t clamped(const ScenarioParameter& parameter, std::int64_t value);
// From 1 or more to over 128.
bool is_size(const ScenarioParameter& parameter);

// Values for `to`, coming from `from`: what its own subject is (a value whose default differs between the
// two) starts at its default, the rest stays as it was turned.
ParameterValues carried_over(const Scenario& from, const ParameterValues& values, const Scenario& to);
// The same for comparing the two: sizes too stay as they are, where `to` takes them.
ParameterValues carried_over_in_size(const Scenario& from, const ParameterValues& values, const Scenario& to);

}  // namespace warplens::scenario
