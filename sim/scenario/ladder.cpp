#include "sim/scenario/ladder.h"

#include <algorithm>

namespace warplens::scenario {

const ScenarioParameter* find_parameter(const Scenario& scenario, std::string_view name) {
  for (const ScenarioParameter& p : scenario.parameters) {
    if (p.name == name) return &p;
  }
  return nullptr;
}

std::int64_t clamped(const ScenarioParameter& parameter, std::int64_t value) {
  if (parameter.choices.empty()) return std::clamp(value, parameter.minimum, parameter.maximum);
  return *std::ranges::min_element(parameter.choices, [&](auto a, auto b) {
    // Unsigned distances: the difference of two 64-bit values may not fit a signed one.
    const auto distance = [&](std::int64_t c) {
      return c > value ? static_cast<std::uint64_t>(c) - static_cast<std::uint64_t>(value)
                       : static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(c);
    };
    return distance(a) < distance(b);
  });
}

bool is_size(const ScenarioParameter& parameter) {
  return parameter.choices.empty() && parameter.minimum >= 1 && parameter.maximum > 128;
}

ParameterValues carried_over(const Scenario& from, const ParameterValues& values, const Scenario& to) {
  ParameterValues out = defaults(to);
  for (const ScenarioParameter& parameter : to.parameters) {
    const ScenarioParameter* old = find_parameter(from, parameter.name);
    const auto value = values.find(parameter.name);
    if (old == nullptr || value == values.end() || old->fallback != parameter.fallback) continue;
    out[parameter.name] = clamped(parameter, value->second);
  }
  return out;
}

ParameterValues carried_over_in_size(const Scenario& from, const ParameterValues& values,
                                     const Scenario& to) {
  ParameterValues out = carried_over(from, values, to);
  for (const ScenarioParameter& parameter : to.parameters) {
    const ScenarioParameter* old = find_parameter(from, parameter.name);
    const auto value = values.find(parameter.name);
    if (old == nullptr || value == values.end() || !is_size(*old) || !is_size(parameter)) continue;
    if (clamped(parameter, value->second) == value->second) out[parameter.name] = value->second;
  }
  return out;
}

}  // namespace warplens::scenario
