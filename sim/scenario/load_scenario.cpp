// warplens.scenario/1 -> Scenario: the fields of docs/scenario.md, one by one.
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <set>
#include <tuple>

#include "sim/scenario/headers.h"
#include "sim/scenario/json_document.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/text_file.h"
#include "sim/text/scan.h"

namespace warplens::scenario {

namespace {

// A rule: a text, or a number as it stands.
std::string read_rule(const JsonValue& value, bool allow_fraction = false) {
  if (value.json().is_string()) {
    std::string rule = value.json().get<std::string>();
    if (rule.find_first_not_of(" \t\n") == std::string::npos) value.error(Message("is empty"));
    return rule;
  }
  if (value.json().is_boolean()) return value.json().get<bool>() ? "1" : "0";
  if (allow_fraction && value.json().is_number_float()) return value.json().dump();
  if (!value.json().is_number_integer()) {
    value.error(Message("must be an expression in a text, or an integer, not {}", kind_of(value.json())));
    return "0";
  }
  return std::to_string(value.as_integer().value_or(0));
}

std::string read_optional_rule(const JsonValue& object, std::string_view member) {
  return object.has(member) ? read_rule(object.member(member)) : "";
}

std::vector<std::string> read_extent_rules(const JsonValue& root, std::string_view member) {
  std::vector<std::string> rules;
  for (const JsonValue& value : root.list(member)) rules.push_back(read_rule(value));
  if (root.has(member) && root.member(member).json().is_array() && (rules.empty() || rules.size() > 3)) {
    root.error(member, Message("has {} entries; one to three are needed: x, y, z", rules.size()));
  }
  return rules;
}

void read_choices(const JsonValue& value, ScenarioParameter& parameter) {
  for (const JsonValue& choice : value.optional_list("choices")) {
    parameter.choices.push_back(choice.as_integer().value_or(0));
  }
  if (value.has("choices") && value.member("choices").json().is_array() && parameter.choices.empty())
    value.error("choices", Message("is empty; without it, minimum and maximum give a range"));
  for (const JsonValue& text : value.optional_list("texts")) {
    parameter.texts.push_back(text.as_text().value_or(""));
  }
  for (const JsonValue& words : value.optional_list("words")) parameter.words.push_back(words_in(words));
  const auto one_each = [&](const char* member, std::size_t count) {
    if (count == 0 || count == parameter.choices.size()) return;
    value.error(member, Message("has {} entries for {} choices", count, parameter.choices.size()));
  };
  one_each("texts", parameter.texts.size());
  one_each("words", parameter.words.size());
}

// The range, or the choices' ends; the default must be among them.
void read_range(const JsonValue& value, ScenarioParameter& parameter) {
  parameter.fallback = value.integer("default");
  if (parameter.choices.empty()) {
    parameter.minimum = value.integer("minimum");
    parameter.maximum = value.integer("maximum");
    parameter.step = value.optional_integer("step", 1);
    if (parameter.step < 1) value.error("step", Message("must be 1 or more"));
    if (parameter.minimum > parameter.maximum) value.error("minimum", Message("is greater than the maximum"));
    if (parameter.fallback < parameter.minimum || parameter.fallback > parameter.maximum) {
      value.error("default", Message("{} is outside {} to {}", parameter.fallback, parameter.minimum,
                                     parameter.maximum));
    }
    return;
  }
  parameter.minimum = parameter.choices.front();
  parameter.maximum = parameter.choices.back();
  const auto& choices = parameter.choices;
  if (std::adjacent_find(choices.begin(), choices.end(), std::greater_equal<>()) != choices.end()) {
    value.error("choices", Message("must ascend"));
  }
  if (std::ranges::find(choices, parameter.fallback) == choices.end()) {
    value.error("default", Message("{} is not among the choices", parameter.fallback));
  }
}

ScenarioParameter read_parameter(const JsonValue& value) {
  ScenarioParameter parameter;
  if (!value.is_object()) return parameter;
  parameter.name = value.text("name");
  if (value.has("name") && value.member("name").json().is_string() && !text::is_identifier(parameter.name)) {
    value.error("name", Message("\"{}\" is not an identifier", parameter.name));
  }
  parameter.label = read_words(value, "label", parameter.name);
  parameter.key = value.optional_text("key");
  if (parameter.key.size() > 1 || (parameter.key.size() == 1 && !text::is_letter(parameter.key[0]))) {
    value.error("key", Message("must be one letter"));
  }
  read_choices(value, parameter);
  read_range(value, parameter);
  return parameter;
}

void read_parameters(const JsonValue& root, Scenario& scenario) {
  std::set<std::string> names, keys;
  for (const JsonValue& value : root.optional_list("parameters")) {
    ScenarioParameter parameter = read_parameter(value);
    if (!parameter.name.empty() && !names.insert(parameter.name).second) {
      value.error("name", Message("\"{}\" is taken by an earlier parameter", parameter.name));
    }
    if (!parameter.key.empty() && !keys.insert(parameter.key).second) {
      value.error("key", Message("\"{}\" is taken by an earlier parameter", parameter.key));
    }
    scenario.parameters.push_back(std::move(parameter));
  }
}

void read_launch(const JsonValue& root, Scenario& scenario) {
  for (const JsonValue& rule : root.optional_list("template"))
    scenario.template_rules.push_back(read_rule(rule));
  for (const auto& [name, rule] : root.optional_members("defines")) {
    if (!text::is_identifier(name)) rule.error(Message("\"{}\" is not a macro name", name));
    scenario.define_rules.emplace_back(name, read_rule(rule));
  }
  scenario.grid_rules = read_extent_rules(root, "grid");
  scenario.block_rules = read_extent_rules(root, "block");
  scenario.shared_rule = read_optional_rule(root, "shared");
  for (const auto& [name, rule] : root.optional_members("scalars")) {
    scenario.scalar_rules[name] = read_rule(rule, true);
  }
  scenario.bytes_rule = read_optional_rule(root, "bytes");
  scenario.operations_rule = read_optional_rule(root, "operations");
}

void read_requirements(const JsonValue& root, Scenario& scenario) {
  for (const JsonValue& value : root.optional_list("requires")) {
    if (!value.is_object()) continue;
    Requirement requirement;
    requirement.rule = value.has("rule") ? read_rule(value.member("rule")) : value.text("rule");
    requirement.words = read_words(value, "words", requirement.rule);
    scenario.requirements.push_back(std::move(requirement));
  }
}

void read_reference(const JsonValue& root, Scenario& scenario) {
  const std::string name = root.optional_text("reference", "copy");
  if (const auto named = reference_named(name)) {
    scenario.reference = *named;
    return;
  }
  root.error(
      "reference",
      Message("is \"{}\"; \"copy\", \"cublas_hgemm\", \"cublas_sgemm\" or \"cublas_dgemm\" is needed", name));
}

// One of the ways to fill, or a parameter each of whose texts is one.
void read_fill(const JsonValue& value, const Scenario& scenario, BufferRule& rule) {
  const std::string fill = value.optional_text("fill", "zero");
  if (const auto named = sim::fill_named(fill)) {
    rule.fill = *named;
    return;
  }
  const auto parameter = std::ranges::find(scenario.parameters, fill, &ScenarioParameter::name);
  const auto is_fill = [](const std::string& text) { return sim::fill_named(text).has_value(); };
  if (parameter == scenario.parameters.end() || parameter->texts.empty() ||
      !std::ranges::all_of(parameter->texts, is_fill)) {
    value.error("fill",
                Message("is \"{}\"; \"zero\", \"iota\", \"random\", \"zipf\", \"permutation\", \"list\", "
                        "\"letters\", \"ascending\", \"small\" or a parameter with these as texts is needed",
                        fill));
    return;
  }
  rule.fill_parameter = fill;
}

void read_buffers(const JsonValue& root, Scenario& scenario) {
  for (const auto& [name, value] : root.optional_members("buffers")) {
    if (!value.is_object()) continue;
    BufferRule rule;
    rule.elements = read_optional_rule(value, "elements");
    rule.columns = read_optional_rule(value, "columns");
    read_fill(value, scenario, rule);
    for (const JsonValue& end : value.optional_list("range")) rule.range.push_back(read_rule(end));
    if (!rule.range.empty() && rule.range.size() != 2)
      value.error("range", Message("has {} entries; two are needed: the least and the greatest value",
                                   rule.range.size()));
    scenario.buffer_rules[name] = rule;
  }
}

CheckStep read_step(const JsonValue& value) {
  CheckStep step;
  step.name = value.text("name");
  step.elements = value.has("elements") ? read_rule(value.member("elements")) : value.text("elements");
  step.terms = value.has("terms") ? read_rule(value.member("terms")) : value.text("terms");
  step.largest = value.has("largest");
  step.of = value.text(step.largest ? "largest" : "sum");
  if (value.has("name") && !text::is_identifier(step.name))
    value.error("name", Message("\"{}\" is not an identifier", step.name));
  return step;
}

void read_check(const JsonValue& root, Scenario& scenario) {
  if (!root.has("check")) return;
  const JsonValue value = root.member("check");
  if (!value.is_object()) return;
  OutputCheck check;
  check.buffer = value.text("buffer");
  check.elements = value.has("elements") ? read_rule(value.member("elements")) : value.text("elements");
  check.expected = value.text("expected");
  check.tolerance = value.optional_number("tolerance", 0);
  if (check.tolerance < 0) value.error("tolerance", Message("must not be negative"));
  check.counted = read_optional_rule(value, "counted");
  check.margin = value.optional_number("margin", 0);
  if (check.margin < 0) value.error("margin", Message("must not be negative"));
  for (const JsonValue& step : value.optional_list("before"))
    if (step.is_object()) check.before.push_back(read_step(step));
  scenario.check = check;
}

// The kernel's file: beside the scenario or below, so that a scenario handed around cannot read elsewhere.
void read_source(const JsonValue& root, Scenario& scenario) {
  const std::filesystem::path source = root.optional_text("source", scenario.name + ".cu");
  scenario.source = scenario.file.parent_path() / source;
  if (!is_below(source, scenario.file)) {
    root.error("source", Message("must name a file beside this one or in a folder below"));
    return;
  }
  Outcome<std::string> text = read_text(scenario.source);
  for (const Message& error : text.errors) root.error("source", error);
  scenario.text = std::move(text.value).value_or("");
}

void read_scenario(const JsonValue& root, Scenario& scenario) {
  scenario.name = root.text("name");
  if (root.has("name") && !text::is_identifier(scenario.name)) {
    root.error("name", Message("\"{}\" is not a name: letters, digits and _, not starting with a digit",
                               scenario.name));
  }
  if (!root.has("title")) root.error("title", Message("is missing"));
  scenario.title = read_words(root, "title", scenario.name);
  scenario.teaches = read_words(root, "teaches", "");
  scenario.kernel = root.optional_text("kernel");
  scenario.ladder = root.optional_text("ladder");
  const std::int64_t rung = root.optional_integer("rung", 0);
  if (rung < 0 || rung > 1000) root.error("rung", Message("must be from 0 to 1000"));
  scenario.rung = static_cast<int>(std::clamp<std::int64_t>(rung, 0, 1000));
  scenario.rung_label = scenario.title;
  if (root.has("rung_label")) scenario.rung_label = read_words(root, "rung_label", "");
  read_parameters(root, scenario);
  read_launch(root, scenario);
  read_requirements(root, scenario);
  read_reference(root, scenario);
  read_buffers(root, scenario);
  read_check(root, scenario);
  if (text::is_identifier(scenario.name)) read_source(root, scenario);
}

}  // namespace

const std::string& in_language(const LocalText& text, std::string_view language) {
  static const std::string kNone;
  if (const auto place = text.find(std::string(language)); place != text.end()) return place->second;
  const auto english = text.find("en");
  return english == text.end() ? kNone : english->second;
}

Outcome<Scenario> load_scenario(const std::filesystem::path& file, Budget* budget) {
  return load_document<Scenario>(file, "scenario", read_scenario, budget);
}

Outcome<std::vector<Scenario>> load_scenarios(const std::filesystem::path& folder, Budget* budget) {
  Outcome<std::vector<Scenario>> outcome =
      load_all<Scenario>(folder, ".scenario.json", load_scenario, budget);
  if (!outcome) return outcome;
  std::set<std::string> names;
  std::erase_if(*outcome.value, [&](const Scenario& one) {
    const bool is_new = names.insert(one.name).second;
    if (!is_new)
      outcome.errors.push_back(
          Message("{}: name: \"{}\" is taken by another file", one.file.string(), one.name));
    return !is_new;
  });
  const auto order = [](const Scenario& s) { return std::tuple(s.ladder.empty(), s.ladder, s.rung, s.name); };
  std::ranges::sort(*outcome.value,
                    [&](const Scenario& a, const Scenario& b) { return order(a) < order(b); });
  return outcome;
}

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

namespace {

namespace fs = std::filesystem;

bool is_folder(const fs::path& path) {
  std::error_code failed;
  return fs::is_directory(path, failed);
}

// The source tree that `from` is in (a build folder is inside it): told by its own marks.
fs::path source_tree(fs::path from) {
  for (int up = 0; up < 8 && !from.empty(); ++up) {
    std::error_code failed;
    if (is_folder(from / "sim") && is_folder(from / "kernels") && fs::exists(from / "CMakeLists.txt", failed))
      return from;
    if (from == from.root_path()) break;
    from = from.parent_path();
  }
  return {};
}

}  // namespace

fs::path data_folder(std::string_view which) {
  if (const char* data = std::getenv("WARPLENS_DATA"); data != nullptr && *data != '\0') {
    const fs::path folder = fs::path(data) / which;
    return is_folder(folder) ? folder : fs::path();
  }
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed).parent_path();
  const fs::path installed = program.parent_path() / "share" / "warplens" / which;
  if (is_folder(installed)) return installed;
  for (const fs::path& start : {program, fs::current_path(failed)}) {
    const fs::path tree = source_tree(start);
    if (!tree.empty() && is_folder(tree / which)) return tree / which;
  }
  return {};
}

}  // namespace warplens::scenario
