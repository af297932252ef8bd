// Scenario + values -> Setup: every rule worked out.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/numbers.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/target.h"
#include "sim/scenario/text_file.h"
#include "sim/text/scan.h"
#include "sim/text/shown.h"

namespace warplens::scenario {

namespace {

class SetupMaker {
 public:
  SetupMaker(const Scenario& scenario, const ParameterValues& given, Budget* budget)
      : scenario_(scenario), budget_(budget != nullptr ? *budget : Budget::endless()) {
    values_ = defaults(scenario);
    for (const auto& [name, value] : given) set(name, value);
    if (errors_.empty()) check_requirements();
  }

  Outcome<Setup> make(std::string_view text) {
    if (!errors_.empty()) return errors_;
    Setup setup;
    setup.name = scenario_.name;
    setup.source_name = scenario_.source.filename().string();
    setup.values = values_;
    setup.compile = compile_request(text);
    setup.launch = launch();
    setup.check = check();
    if (!scenario_.bytes_rule.empty()) setup.useful_bytes = non_negative(scenario_.bytes_rule, "bytes");
    if (!scenario_.operations_rule.empty())
      setup.operations = non_negative(scenario_.operations_rule, "operations");
    setup.reference = scenario_.reference;
    if (!errors_.empty()) return errors_;
    return setup;
  }

 private:
  void set(const std::string& name, std::int64_t value) {
    const ScenarioParameter* parameter = find_parameter(scenario_, name);
    if (parameter == nullptr) {
      std::vector<std::string> names;
      for (const ScenarioParameter& p : scenario_.parameters) names.push_back(p.name);
      const std::string known = text::joined(names);
      errors_.push_back(Message("{} has no parameter \"{}\"{}{}", scenario_.name, name,
                                did_you_mean(name, names),
                                known.empty() ? Message(" (it has none)") : Message(" (it has {})", known)));
      return;
    }
    values_[name] = value;
    const auto& choices = parameter->choices;
    if (!choices.empty() && std::ranges::find(choices, value) == choices.end()) {
      const std::string list =
          text::joined(choices, [](std::int64_t choice) { return std::to_string(choice); });
      errors_.push_back(Message("{}: {} = {} is none of its choices: {}", scenario_.name, name, value, list));
    } else if (value < parameter->minimum || value > parameter->maximum) {
      errors_.push_back(Message("{}: {} = {} is outside its range, {} to {}", scenario_.name, name, value,
                                parameter->minimum, parameter->maximum));
    }
  }

  void check_requirements() {
    for (std::size_t i = 0; i < scenario_.requirements.size(); ++i) {
      const Requirement& requirement = scenario_.requirements[i];
      const std::size_t before = errors_.size();
      const bool holds = integer(requirement.rule, "requires[" + std::to_string(i) + "].rule") != 0;
      if (!holds && errors_.size() == before)
        errors_.push_back(Message("{}: {} ({})", scenario_.name, Message::of_languages(requirement.words),
                                  text::shown_in_line(requirement.rule)));
    }
  }

  void fail(const std::string& field, const std::string& rule, const Message& message) {
    errors_.push_back(
        Message("{}: {}: \"{}\": {}", scenario_.file.string(), field, text::shown_in_line(rule), message));
  }

  sim::IntegerResult evaluated(const std::string& rule) {
    budget_.check(Stage::Preparing);
    return sim::evaluate_integer(rule, values_);
  }

  std::int64_t integer(const std::string& rule, const std::string& field) {
    const sim::IntegerResult result = evaluated(rule);
    if (!result.value) fail(field, rule, result.error);
    return result.value.value_or(0);
  }

  std::uint64_t non_negative(const std::string& rule, const std::string& field) {
    const std::size_t before = errors_.size();
    const std::int64_t value = integer(rule, field);
    if (errors_.size() == before && value < 0) {
      fail(field, rule, Message("is {}; it must not be negative", value));
    }
    return value < 0 ? 0 : static_cast<std::uint64_t>(value);
  }

  // The chosen text of a parameter, a number, or the name of a type as it stands.
  std::string text_of(const std::string& rule, const std::string& field) {
    const ScenarioParameter* parameter = find_parameter(scenario_, rule);
    if (parameter != nullptr && !parameter->texts.empty())
      return scenario::text_of(*parameter, values_[rule]);
    const sim::IntegerResult result = evaluated(rule);
    if (result.value) return std::to_string(*result.value);
    if (is_type_text(rule)) return rule;
    fail(field, rule, result.error);
    return rule;
  }

  // Words alone, none of them a parameter: "float4", "unsigned int", "true"; or a template of such words and
  // of numbers, "Pool<float, 2>".
  bool is_type_text(const std::string& rule) {
    if (const std::size_t open = rule.find('<'); open != std::string::npos && rule.ends_with('>')) {
      const std::vector<std::string> parts =
          text::split_list(rule.substr(open + 1, rule.size() - open - 2), kNesting);
      return is_type_text(rule.substr(0, open)) && std::ranges::all_of(parts, [&](const std::string& part) {
               return evaluated(part).value.has_value() || is_type_text(part);
             });
    }
    std::size_t at = 0;
    while (at < rule.size()) {
      std::size_t end = at;
      while (end < rule.size() && (text::is_word(rule[end]) || rule[end] == ':')) ++end;
      if (end == at || text::is_digit(rule[at])) return false;
      if (values_.contains(rule.substr(at, end - at))) return false;
      at = end;
      while (at < rule.size() && rule[at] == ' ') ++at;
    }
    return !rule.empty();
  }

  sim::CompileRequest compile_request(std::string_view text) {
    sim::CompileRequest request;
    request.text = text;
    request.headers = scenario_.headers;
    request.source = scenario_.source_text;
    request.source_name = scenario_.source_name;
    request.parameters = scenario_.source_parameters;
    for (const auto& [name, rule] : scenario_.buffer_rules) {
      request.buffers_overlap |= !rule.same_as.empty();
      if (rule.behind) request.behind.push_back(*rule.behind);
    }
    request.kernel = scenario_.kernel;
    for (std::size_t i = 0; i < scenario_.template_rules.size(); ++i) {
      request.template_arguments.push_back(
          text_of(scenario_.template_rules[i], "template[" + std::to_string(i) + "]"));
    }
    for (const auto& [name, rule] : scenario_.define_rules) {
      request.defines.emplace_back(name, text_of(rule, "defines." + name));
    }
    return request;
  }

  sim::Dim3 extents(const std::vector<std::string>& rules, const std::string& field) {
    sim::Dim3 dim;
    std::uint32_t* parts[] = {&dim.x, &dim.y, &dim.z};
    for (std::size_t i = 0; i < rules.size() && i < 3; ++i) {
      const std::string at = field + "[" + std::to_string(i) + "]";
      const std::uint64_t value = non_negative(rules[i], at);
      if (value > std::numeric_limits<std::uint32_t>::max()) {
        fail(at, rules[i], Message("is {}; that is too large", value));
      }
      *parts[i] = static_cast<std::uint32_t>(value);
    }
    return dim;
  }

  sim::Argument scalar(const std::string& rule, const std::string& field) {
    const auto number = number_in<double>(rule);
    const bool has_fraction = rule.find_first_of(".eEn") != std::string::npos;  // or it is "inf"
    if (number && has_fraction) return *number;
    // Rules are computed with a sign: what has none is given as it is.
    if (const auto bits = number_in<std::uint64_t>(rule); bits && *bits > INT64_MAX) return *bits;
    return integer(rule, field);
  }

  sim::Launch launch() {
    sim::Launch launch;
    launch.grid = extents(scenario_.grid_rules, "grid");
    launch.block = extents(scenario_.block_rules, "block");
    launch.cluster = scenario_.cluster;
    if (!scenario_.shared_rule.empty()) launch.shared_bytes = non_negative(scenario_.shared_rule, "shared");
    for (const auto& [name, rule] : scenario_.scalar_rules) {
      launch.arguments[name] = scalar(rule, "scalars." + name);
    }
    for (const auto& [name, rule] : scenario_.buffer_rules) {
      sim::Buffer buffer;
      buffer.fill = rule.fill;
      if (!rule.fill_parameter.empty())
        buffer.fill =
            sim::fill_named(text_of(rule.fill_parameter, "buffers." + name + ".fill")).value_or(rule.fill);
      buffer.is_null = rule.elements == kNull;
      if (!rule.elements.empty() && !buffer.is_null) {
        const std::string field = "buffers." + name + ".elements";
        const std::size_t before = errors_.size();
        buffer.elements = non_negative(rule.elements, field);
        if (buffer.elements == 0 && errors_.size() == before) fail(field, rule.elements, Message("is 0"));
      }
      if (rule.range.size() == 2 && sim::takes_range(buffer.fill)) buffer.range = range(rule.range, name);
      if (!rule.offset.empty()) buffer.offset = non_negative(rule.offset, "buffers." + name + ".offset");
      buffer.element = rule.element;
      buffer.offset_bytes = rule.offset_bytes;
      buffer.same_as = rule.same_as;
      buffer.data = rule.data;
      buffer.addresses = rule.addresses;
      if (buffer.data) buffer.fill = sim::Fill::Zero;  // behind them
      launch.arguments[name] = buffer;
    }
    return launch;
  }

  sim::FillRange range(const std::vector<std::string>& rules, const std::string& buffer) {
    constexpr std::int64_t kMost = std::int64_t{1} << 53;
    const std::string field = "buffers." + buffer + ".range";
    const std::int64_t least = integer(rules[0], field), most = integer(rules[1], field);
    if (most < least || least < -kMost || most > kMost)
      fail(field, rules[1], Message("is {}; from {} on, up to 2^53 is possible", most, least));
    return {static_cast<double>(least), static_cast<double>(most)};
  }

  std::optional<OutputCheck> check() {
    std::optional<OutputCheck> check = scenario_.check;
    if (!check) return check;
    check->elements = worked_out(check->elements, "check.elements");
    if (!check->counted.empty()) check->counted = worked_out(check->counted, "check.counted");
    for (CheckStep& step : check->before)
      step.elements = worked_out(step.elements, "check.before." + step.name);
    return check;
  }

  // How many values the rule is worked out for: each is a thread of a kernel that is simulated, and a number
  // that is held.
  std::string worked_out(const std::string& rule, const std::string& field) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 30;
    const std::uint64_t count = non_negative(rule, field);
    if (count > kMost) fail(field, rule, Message("is {}; a check works out {} values at most", count, kMost));
    return std::to_string(count);
  }

  const Scenario& scenario_;
  Budget& budget_;
  ParameterValues values_;
  std::vector<Message> errors_;
};

}  // namespace

std::string shown_value(const ScenarioParameter& parameter, std::int64_t value, std::string_view language) {
  const auto at =
      static_cast<std::size_t>(std::ranges::find(parameter.choices, value) - parameter.choices.begin());
  return at < parameter.words.size() ? in_language(parameter.words[at], language) : text_of(parameter, value);
}

std::string text_of(const ScenarioParameter& parameter, std::int64_t value) {
  const auto at =
      static_cast<std::size_t>(std::ranges::find(parameter.choices, value) - parameter.choices.begin());
  return at < parameter.texts.size() ? parameter.texts[at] : std::to_string(value);
}

std::optional<std::int64_t> value_named(const ScenarioParameter& parameter, std::string_view text) {
  const auto found = std::ranges::find(parameter.texts, text);
  if (found == parameter.texts.end()) return std::nullopt;
  return parameter.choices[found - parameter.texts.begin()];
}

ParameterValues defaults(const Scenario& scenario) {
  ParameterValues values;
  for (const ScenarioParameter& parameter : scenario.parameters) values[parameter.name] = parameter.fallback;
  return values;
}

Outcome<Setup> make_setup(const Scenario& scenario, const ParameterValues& values, Budget* budget) {
  return make_setup(scenario, values, scenario.text, budget);
}

Outcome<Setup> make_setup(const Scenario& scenario, const ParameterValues& values, std::string_view text,
                          Budget* budget) {
  return SetupMaker(scenario, values, budget).make(text);
}

}  // namespace warplens::scenario
