#include "app/state/catalog.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "app/state/possible_launch.h"

namespace warplens::app {
namespace {

using scenario::Scenario;
using scenario::ScenarioParameter;

bool is_power_of_two(std::int64_t value) {
  return value > 0 && std::has_single_bit(static_cast<std::uint64_t>(value));
}

std::int64_t next_power(std::int64_t value, bool up) {
  const auto bits = static_cast<std::uint64_t>(std::max<std::int64_t>(value, 1));
  if (up) return static_cast<std::int64_t>(std::bit_floor(bits)) * 2;
  return static_cast<std::int64_t>(is_power_of_two(value) ? bits / 2 : std::bit_floor(bits));
}

}  // namespace

std::shared_ptr<const lesson::Lesson> Catalog::after(const lesson::Lesson& lesson) const {
  for (std::size_t i = 0; i + 1 < lessons.size(); ++i)
    if (lessons[i].get() == &lesson) return lessons[i + 1];
  return nullptr;
}

const Scenario* Catalog::find(std::string_view name) const {
  for (const Scenario& s : scenarios) {
    if (s.name == name) return &s;
  }
  return nullptr;
}

std::vector<const Scenario*> Catalog::ladder_of(const Scenario& scenario) const {
  if (scenario.ladder.empty()) return {&scenario};
  std::vector<const Scenario*> rungs;
  for (const Scenario& s : scenarios) {
    if (s.ladder == scenario.ladder) rungs.push_back(&s);
  }
  std::stable_sort(rungs.begin(), rungs.end(), [](auto* a, auto* b) { return a->rung < b->rung; });
  return rungs;
}

std::vector<const Scenario*> Catalog::ladders() const {
  std::vector<const Scenario*> first;
  for (const Scenario& s : scenarios) {
    if (ladder_of(s).front() == &s) first.push_back(&s);
  }
  return first;
}

void load_lessons(const std::filesystem::path& folder, Catalog* catalog) {
  auto loaded = lesson::load_lessons(folder);
  catalog->errors.insert(catalog->errors.end(), loaded.errors.begin(), loaded.errors.end());
  if (!loaded.value) return;
  for (lesson::Lesson& one : *loaded.value) {
    if (!one.steps.empty())
      catalog->lessons.push_back(std::make_shared<const lesson::Lesson>(std::move(one)));
  }
}

Catalog load_catalog(const std::filesystem::path& kernels_folder, Budget* budget) {
  Catalog catalog;
  auto loaded = scenario::load_scenarios(kernels_folder, budget);
  if (loaded.value) {
    for (Scenario& scenario : *loaded.value) catalog.scenarios.push_back(std::move(scenario));
  }
  catalog.errors = std::move(loaded.errors);
  return catalog;
}

std::int64_t stepped(const ScenarioParameter& parameter, std::int64_t value, int by) {
  value = clamped(parameter, value);
  if (!parameter.choices.empty()) {
    const auto& choices = parameter.choices;
    const auto at = std::find(choices.begin(), choices.end(), value) - choices.begin();
    const auto last = static_cast<std::ptrdiff_t>(choices.size()) - 1;
    return choices[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at + by, 0, last))];
  }
  if (is_size(parameter)) {
    for (; by > 0 && value < parameter.maximum; --by) value = next_power(value, true);
    for (; by < 0 && value > parameter.minimum; ++by) value = next_power(value, false);
    return clamped(parameter, value);
  }
  const std::int64_t room = by > 0 ? parameter.maximum - value : value - parameter.minimum;
  const std::int64_t wanted =
      std::abs(static_cast<std::int64_t>(by)) * std::max<std::int64_t>(parameter.step, 1);
  return by > 0 ? value + std::min(room, wanted) : value - std::min(room, wanted);
}

scenario::ParameterValues carried_to(const Scenario& from, const scenario::ParameterValues& values,
                                       const Scenario& to) {
  return made_possible(to, scenario::carried_over(from, values, to));
}

scenario::ParameterValues carried_in_size(const Scenario& from, const scenario::ParameterValues& values,
                                               const Scenario& to) {
  return made_possible(to, scenario::carried_over_in_size(from, values, to));
}

}  // namespace warplens::app
