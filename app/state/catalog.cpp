#include "app/state/catalog.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <memory>
#include <utility>

#include "app/source/programs.h"
#include "app/source/text_fixes.h"
#include "app/state/teaching.h"
#include "app/state/user_kernel.h"
#include "sim/base/numbers.h"
#include "sim/lower/lower.h"

namespace warplens::app {
namespace {

using scenario::Scenario;
using scenario::ScenarioParameter;

std::int64_t next_power(std::int64_t value, bool up) {
  const auto bits = static_cast<std::uint64_t>(std::max<std::int64_t>(value, 1));
  if (up) return static_cast<std::int64_t>(std::bit_floor(bits)) * 2;
  return static_cast<std::int64_t>(value > 0 && std::has_single_bit(bits) ? bits / 2 : std::bit_floor(bits));
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

std::string other_values(const scenario::Scenario& scenario, const scenario::ParameterValues& shown,
                         const scenario::ParameterValues& others, std::string_view language) {
  std::string words;
  for (const ScenarioParameter& parameter : scenario.parameters) {
    const auto here = shown.find(parameter.name), there = others.find(parameter.name);
    if (there == others.end() || (here != shown.end() && here->second == there->second)) continue;
    words += (words.empty()      ? ""
              : language == "en" ? ", "
                                 : "，") +
             scenario::in_language(parameter.label, language) + " " +
             scenario::shown_value(parameter, there->second, language);
  }
  return words;
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

const scenario::Scenario* scenario_of(const Catalog& catalog, const Settings& settings) {
  return settings.own ? &settings.own->scenario : catalog.find(settings.scenario);
}

std::string kernel_name_of(const Catalog& catalog, const Settings& settings) {
  if (settings.own) return settings.own->form.kernel;
  const scenario::Scenario* scenario = scenario_of(catalog, settings);
  return scenario == nullptr ? std::string() : scenario->kernel;
}

const std::string& text_of(const Catalog& catalog, const Settings& settings) {
  static const std::string kNone;
  if (settings.text) return *settings.text;
  const scenario::Scenario* s = catalog.find(settings.scenario);
  return s ? s->text : kNone;
}

Settings with_text(const Catalog& catalog, const Settings& settings, const std::string& text) {
  Settings out = settings;
  if (settings.own) {
    out.text = std::make_shared<const std::string>(text);
    return with_own(out, wishing_text(*settings.own));
  }
  const scenario::Scenario* s = catalog.find(settings.scenario);
  const bool is_the_file = s != nullptr && text == s->text;
  out.text = is_the_file ? nullptr : std::make_shared<const std::string>(text);
  return out;
}

std::vector<std::string> form_fields(const UserKernel& own) {
  std::vector<std::string> fields;
  for (const auto& value : own.form.templates) fields.push_back("template." + value.name);
  for (const char* group : {"grid", "block"}) {
    for (const char* axis : {".x", ".y", ".z"}) fields.push_back(std::string(group) + axis);
  }
  fields.emplace_back("shared");
  for (const auto& value : own.form.scalars) fields.push_back("scalar." + value.name);
  for (const auto& buffer : own.form.buffers) {
    fields.push_back("offset." + buffer.name);
    fields.push_back("elements." + buffer.name);
  }
  return fields;
}

std::string field_value(const Catalog& catalog, const State& state, const std::string& id) {
  if (id == kShareFolder) return state.share_folder;
  if (id == kSceneName || id == kSceneNotes) return scene_field(state, id);
  if (const scenario::ScenarioParameter* p = typed_parameter(catalog, state.settings, id))
    return scenario::shown_value(*p, value_of(*p, state.settings.values), state.language);
  if (id == kIndexInput) {
    const auto index = find_index(text_of(catalog, state.settings));
    return index ? index->text : std::string();
  }
  return state.settings.own ? field_text(state.settings.own->form, id) : std::string();
}

namespace {

using scenario::ParameterValues;

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

namespace {

// "1,048,576" is a number with commas, "3,4" is not.
bool is_grouped(std::string_view text) {
  std::size_t run = 0;
  bool first = true;
  for (const char c : text) {
    if (c == ',') {
      if (run == 0 || run > 3 || (!first && run != 3)) return false;
      first = false, run = 0;
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      ++run;
    } else {
      return false;
    }
  }
  return !first && run == 3;
}

// Letters and digits alone, "×" as "x": "32 × 8" and "32x8" are one.
std::string plain(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("×")) {
      out += 'x', ++i;
    } else if (std::isspace(static_cast<unsigned char>(text[i])) == 0) {
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
    }
  }
  return out;
}

std::int64_t step_of(const scenario::ScenarioParameter& parameter) {
  return std::max<std::int64_t>(parameter.step, 1);
}

std::vector<std::uint64_t> numbers_in(std::string_view text) {
  std::vector<std::uint64_t> numbers;
  bool in_number = false;
  for (const char c : text) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (!digit && std::string_view(" ,;()").find(c) == std::string_view::npos) return {};
    if (digit && !in_number) numbers.push_back(0);
    if (digit) numbers.back() = std::min<std::uint64_t>(10 * numbers.back() + (c - '0'), UINT64_C(1) << 40);
    in_number = digit;
  }
  return numbers;
}

}  // namespace

const scenario::ScenarioParameter* typed_parameter(const Catalog& catalog, const Settings& settings,
                                                   std::string_view input) {
  if (!input.starts_with(kValueInput)) return nullptr;
  const scenario::Scenario* s = scenario_of(catalog, settings);
  return s == nullptr ? nullptr : find_parameter(*s, input.substr(kValueInput.size()));
}

std::optional<std::int64_t> value_in(const scenario::ScenarioParameter& parameter, std::string_view text) {
  std::string typed(text);
  if (is_grouped(typed)) std::erase(typed, ',');
  if (typed.find(',') != std::string::npos) return std::nullopt;  // to C++ an operator
  for (std::size_t i = 0; i < parameter.texts.size() && i < parameter.choices.size(); ++i) {
    if (plain(parameter.texts[i]) == plain(typed)) return parameter.choices[i];
  }
  for (std::size_t i = 0; i < parameter.words.size() && i < parameter.choices.size(); ++i) {
    for (const auto& [unused, words] : parameter.words[i])
      if (plain(words) == plain(typed)) return parameter.choices[i];
  }
  const std::optional<std::int64_t> value = sim::evaluate_integer(typed, {}).value;
  if (!value) return std::nullopt;
  if (!parameter.choices.empty()) {
    // Where choices have names, a bare number is one of theirs only if it is spelled out nowhere else.
    const auto& all = parameter.choices;
    return std::find(all.begin(), all.end(), *value) != all.end() ? value : std::nullopt;
  }
  const bool in_range = *value >= parameter.minimum && *value <= parameter.maximum;
  return in_range && (*value - parameter.minimum) % step_of(parameter) == 0 ? value : std::nullopt;
}

std::int64_t value_of(const scenario::ScenarioParameter& parameter, const scenario::ParameterValues& values) {
  const auto found = values.find(parameter.name);
  return found == values.end() ? parameter.fallback : found->second;
}

std::string range_text(const scenario::ScenarioParameter& parameter, std::string_view language) {
  std::string text;
  for (const std::int64_t choice : parameter.choices)
    text += (text.empty() ? "" : ", ") + scenario::shown_value(parameter, choice, language);
  if (!text.empty()) return text;
  text = grouped(parameter.minimum);
  if (const std::int64_t step = step_of(parameter); step > 1)
    text += ", " + grouped(parameter.minimum + step);
  return text + " … " + grouped(parameter.maximum);
}

std::optional<sim::Dim3> block_in(const sim::Dim3& grid, std::string_view text) {
  const std::vector<std::uint64_t> numbers = numbers_in(text);
  if (numbers.empty() || numbers.size() > 3) return std::nullopt;
  std::uint64_t x = numbers[0], y = numbers.size() > 1 ? numbers[1] : 0,
                z = numbers.size() > 2 ? numbers[2] : 0;
  if (numbers.size() == 1) {
    const std::uint64_t columns = grid.x, layer = std::uint64_t{grid.x} * grid.y;
    z = x / layer, y = x % layer / columns, x = x % columns;
  }
  if (x >= grid.x || y >= grid.y || z >= grid.z) return std::nullopt;
  return sim::Dim3{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
                   static_cast<std::uint32_t>(z)};
}

std::vector<const scenario::ScenarioParameter*> parameters_in_order(const scenario::Scenario& scenario) {
  std::vector<const scenario::ScenarioParameter*> order;
  for (const scenario::ScenarioParameter& p : scenario.parameters) order.push_back(&p);
  std::stable_partition(order.begin(), order.end(), [](auto* p) { return !is_size(*p); });
  return order;
}

}  // namespace warplens::app
