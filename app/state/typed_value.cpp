#include "app/state/typed_value.h"

#include <algorithm>
#include <cctype>

#include "app/state/chosen_kernel.h"
#include "sim/lower/lower.h"

namespace warplens::app {
namespace {

std::string grouped(std::int64_t value) {
  std::string digits = std::to_string(value);
  const std::size_t sign = digits[0] == '-' ? 1 : 0;
  for (std::size_t at = digits.size(); at > sign + 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

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

std::string typed_text(const scenario::ScenarioParameter& parameter, std::int64_t value,
                       std::string_view language) {
  return scenario::shown_value(parameter, value, language);
}

std::int64_t value_of(const scenario::ScenarioParameter& parameter, const scenario::ParameterValues& values) {
  const auto found = values.find(parameter.name);
  return found == values.end() ? parameter.fallback : found->second;
}

std::string range_text(const scenario::ScenarioParameter& parameter, std::string_view language) {
  std::string text;
  for (const std::int64_t choice : parameter.choices)
    text += (text.empty() ? "" : ", ") + typed_text(parameter, choice, language);
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
