#include "app/state/possible_launch.h"

#include "app/source/predicted_gpu.h"
#include "app/state/catalog.h"

namespace warplens::app {
namespace {

using scenario::ParameterValues;
using scenario::Scenario;

// The first rule that the values break; null: they break none.
const scenario::Requirement* broken_rule(const Scenario& scenario, const ParameterValues& values) {
  for (const scenario::Requirement& requirement : scenario.requirements) {
    const sim::IntegerResult holds = sim::evaluate_integer(requirement.rule, values);
    if (!holds.value || *holds.value == 0) return &requirement;
  }
  return nullptr;
}

LaunchLimit limit_of(const sim::Launch& launch, const memory::GpuModel& gpu) {
  const auto over = [](std::uint32_t size, long most) {
    return size == 0 || size > static_cast<unsigned long>(most);
  };
  const sim::Dim3 &b = launch.block, &g = launch.grid;
  if (over(b.x, gpu.max_block_x) || over(b.y, gpu.max_block_y) || over(b.z, gpu.max_block_z))
    return b.count() > static_cast<std::uint64_t>(gpu.max_threads_per_block) ? LaunchLimit::Threads
                                                                             : LaunchLimit::Block;
  if (b.count() > static_cast<std::uint64_t>(gpu.max_threads_per_block)) return LaunchLimit::Threads;
  if (over(g.x, gpu.max_grid_x) || over(g.y, gpu.max_grid_y) || over(g.z, gpu.max_grid_z))
    return LaunchLimit::Grid;
  return LaunchLimit::None;
}

// Of all parameters: what is left out has its default.
ParameterValues filled(const Scenario& scenario, const ParameterValues& values) {
  ParameterValues all = scenario::defaults(scenario);
  for (const auto& [name, value] : values) all[name] = value;
  return all;
}

}  // namespace

LaunchLimit limit_of(const Scenario& scenario, const ParameterValues& values) {
  const ParameterValues all = filled(scenario, values);
  if (broken_rule(scenario, all) != nullptr) return LaunchLimit::Requirement;
  const auto setup = scenario::make_setup(scenario, all, std::string_view());
  // A rule that cannot be worked out is told where it is compiled.
  return setup ? limit_of(setup.value->launch, predicted_gpu()) : LaunchLimit::None;
}

PossibleValue nearest_possible(const Scenario& scenario, const ParameterValues& values,
                               const std::string& name, std::int64_t wanted, bool by_steps) {
  ParameterValues all = filled(scenario, values);
  const scenario::ScenarioParameter* parameter = find_parameter(scenario, name);
  const std::int64_t from = all[name];
  all[name] = wanted;
  PossibleValue out{wanted, limit_of(scenario, all), broken_rule(scenario, all)};
  if (out.limit == LaunchLimit::None) return out;
  const auto possible = [&](std::int64_t value) {
    all[name] = value;
    return limit_of(scenario, all) == LaunchLimit::None;
  };
  if (parameter == nullptr || !possible(from)) return {wanted, LaunchLimit::None, nullptr};
  const int back = wanted > from ? -1 : 1;
  const auto is_between = [&](std::int64_t value) { return back < 0 ? value > from : value < from; };
  constexpr int kMostTried = 200;
  std::int64_t value = wanted;
  for (int i = 0; by_steps && i < kMostTried && is_between(value); ++i) {
    const std::int64_t next = stepped(*parameter, value, back);
    if (next == value || !is_between(next)) break;
    if (possible(value = next)) return {value, out.limit, out.requirement};
  }
  out.value = from;
  if (by_steps || !parameter->choices.empty()) return out;
  // What is typed goes as far as it can. A limit is one value beyond which nothing is possible; a requirement
  // may take one value and not the next: those close to what was wanted are tried one by one.
  for (value = wanted; value != from && std::abs(value - wanted) < kMostTried; value += back) {
    if (possible(value)) return {value, out.limit, out.requirement};
  }
  std::int64_t good = from, bad = wanted;
  while (std::abs(bad - good) > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    (possible(middle) ? good : bad) = middle;
  }
  out.value = good;
  return out;
}

std::optional<Notice> limit_notice(const PossibleValue& possible,
                                   const scenario::ScenarioParameter& parameter,
                                   const std::string& language) {
  if (possible.limit == LaunchLimit::None) return std::nullopt;
  std::string words = scenario::in_language(parameter.label, language) + " " + std::to_string(possible.value);
  if (possible.requirement != nullptr)
    words += " · " + scenario::in_language(possible.requirement->words, language);
  Notice notice{"limit.rule", Message::verbatim(std::move(words)), true};
  if (possible.limit == LaunchLimit::Threads) notice.key = "limit.threads";
  if (possible.limit == LaunchLimit::Block) notice.key = "limit.block";
  if (possible.limit == LaunchLimit::Grid) notice.key = "limit.grid";
  return notice;
}

bool is_limit(const Notice& notice) {
  return notice.key.starts_with("limit.");
}

ParameterValues made_possible(const Scenario& scenario, ParameterValues values) {
  if (limit_of(scenario, values) == LaunchLimit::None) return values;
  for (const scenario::ScenarioParameter& parameter : scenario.parameters) {
    ParameterValues changed = values;
    changed[parameter.name] = parameter.fallback;
    if (limit_of(scenario, changed) == LaunchLimit::None) return changed;
  }
  return scenario::defaults(scenario);
}

}  // namespace warplens::app
