#include "sim/scenario/permalink.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "sim/base/numbers.h"
#include "sim/scenario/target.h"
#include "sim/text/scan.h"

namespace warplens::scenario {
namespace {

constexpr std::string_view kScheme = "warplens:";
constexpr std::size_t kLongest = 64 << 10;
constexpr std::array<const char*, 3> kBlockNames{"block_x", "block_y", "block_z"};

std::optional<std::int64_t> whole_number(std::string_view text) {
  return parse_whole(std::string(text), "", std::numeric_limits<std::int64_t>::min()).value;
}

struct Reader {
  const Scenario& scenario;
  Permalink out;
  std::vector<Message> errors{};

  void fail(std::string_view field, const Message& words) {
    errors.push_back(Message("{}: {}", field, words));
  }

  void pass_over(std::string_view field, const Message& words) {
    out.gone.push_back(Message("{}: {}", field, words));
  }

  void set(const ScenarioParameter& p, std::int64_t value, std::string_view field) {
    const auto& choices = p.choices;
    if (!choices.empty() && std::ranges::find(choices, value) == choices.end()) {
      const auto list = text::joined(choices, [&](std::int64_t choice) { return text_of(p, choice); });
      return fail(field, Message("{} must be one of {}", p.name, list));
    }
    if (choices.empty() && (value < p.minimum || value > p.maximum)) {
      return fail(field, Message("{} must be from {} to {}", p.name, p.minimum, p.maximum));
    }
    out.values[p.name] = value;
  }

  void block_shape(std::string_view value, std::string_view field) {
    const auto shape = parse_extents(std::string(value), "");
    if (!shape)
      return fail(field,
                  Message("a block's shape is needed: one to three numbers with x between, such as 32x16"));
    const std::array<std::uint32_t, 3> extents{shape.value->x, shape.value->y, shape.value->z};
    const auto given = static_cast<std::size_t>(extents_given(std::string(value)));  // the others stay
    for (std::size_t i = 0; i < given; ++i) {
      if (const ScenarioParameter* p = find_parameter(scenario, kBlockNames[i])) {
        set(*p, extents[i], field);
      } else if (extents[i] != 1) {
        return pass_over(field,
                         Message("the block of {} has no {} to choose", scenario.name, kBlockNames[i]));
      }
    }
  }

  void parameter(std::string_view name, std::string_view value, std::string_view field) {
    const ScenarioParameter* p = find_parameter(scenario, name);
    if (p == nullptr && name == "block") return block_shape(value, field);
    if (p == nullptr) {
      std::vector<std::string> names{"block"};
      for (const ScenarioParameter& known : scenario.parameters) names.push_back(known.name);
      const Message meant = did_you_mean(name, names);
      const Message words("{} has no parameter \"{}\"{}", scenario.name, name, meant);
      return meant.empty() ? pass_over(field, words) : fail(field, words);
    }
    if (const auto chosen = value_named(*p, value)) return set(*p, *chosen, field);
    const auto number = whole_number(value);
    if (!number) return fail(field, Message("a whole number is needed"));
    set(*p, *number, field);
  }

  void place(std::string_view name, std::string_view value, std::string_view field) {
    if (name == "block") {
      const auto index = parse_index(std::string(value), "");
      if (!index)
        return fail(field,
                    Message("a block of the grid is needed: one to three numbers from 0, such as 0,3"));
      out.block = *index.value;
      return;
    }
    if (std::ranges::find(kLook, name) != std::end(kLook)) {
      out.look.emplace(name, value);
      return;
    }
    if (name == "literal") {
      return pass_over(field, Message("each access of the text counts, without a setting"));
    }
    const bool from_0 = name == "warp";
    std::optional<int>* to = from_0                ? &out.warp
                             : name == "access"    ? &out.access
                             : name == "wavefront" ? &out.wavefront
                                                   : nullptr;
    if (to == nullptr) {
      return fail(field, Message("after # may stand block, warp, access and wavefront{}",
                                 did_you_mean(name, {"block", "warp", "access", "wavefront"})));
    }
    const auto number = whole_number(value);
    if (!number || *number < (from_0 ? 0 : 1) || *number > 1'000'000'000)
      return fail(field, Message("a number from {} is needed", from_0 ? "0" : "1"));
    *to = static_cast<int>(*number);
  }

  template <typename Take>
  void fields(std::string_view text, Take take) {
    std::set<std::string_view> names;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('&', begin), text.size());
      const std::string_view field = text.substr(begin, end - begin);
      begin = end + 1;
      if (field.empty()) continue;
      const std::size_t equals = field.find('=');
      if (equals == std::string_view::npos || equals == 0) {
        fail(field, Message("NAME=VALUE is needed"));
      } else if (!names.insert(field.substr(0, equals)).second) {
        fail(field, Message("is given twice"));
      } else {
        take(field.substr(0, equals), field.substr(equals + 1), field);
      }
    }
  }
};

struct Parts {
  std::string_view name, parameters, place;
};

// "32%20x%2016" -> "32 x 16", as browsers write what stands in an address.
std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool may_escape = text[i] == '%' && i + 2 < text.size();
    const auto byte = may_escape ? number_in<unsigned char>(text.substr(i + 1, 2), 16) : std::nullopt;
    out += byte ? static_cast<char>(*byte) : text[i];
    i += byte ? 2 : 0;
  }
  return out;
}

// What follows the scheme, or of an address its fragment; nullopt: it is neither.
std::optional<std::string> line_of(std::string_view text) {
  text = text::trimmed(text, " \t\r\n\"'`<>");  // what a chat or a shell has put around it
  if (text.starts_with(kScheme)) return std::string(text.substr(kScheme.size()));
  if (!text.starts_with("https://") && !text.starts_with("http://") && !text.starts_with("file://"))
    return std::nullopt;
  const std::size_t hash = text.find('#');
  if (hash == std::string_view::npos || hash + 1 == text.size()) return std::nullopt;
  return decoded(text.substr(hash + 1));
}

// The parts point into `text`, which line_of() gave.
Parts parts_of(std::string_view text) {
  Parts parts;
  if (const std::size_t hash = text.find_first_of("#!"); hash != std::string_view::npos) {
    parts.place = text.substr(hash + 1);
    text = text.substr(0, hash);
  }
  if (const std::size_t question = text.find('?'); question != std::string_view::npos) {
    parts.parameters = text.substr(question + 1);
    text = text.substr(0, question);
  }
  parts.name = text;
  return parts;
}

}  // namespace

bool is_permalink(std::string_view text) {
  return line_of(text).has_value();
}

std::string scenario_of_permalink(std::string_view text) {
  const std::string line = line_of(text).value_or(std::string());
  return std::string(parts_of(line).name);
}

Outcome<Permalink> read_permalink(std::string_view text, const Scenario& scenario) {
  if (text.size() > kLongest) return Message("longer than a short text may be");
  const std::string line = line_of(text).value_or(std::string());
  const Parts parts = parts_of(line);
  Reader reader{scenario, {}};
  reader.out.scenario = scenario.name;
  reader.fields(parts.parameters,
                [&](auto name, auto value, auto field) { reader.parameter(name, value, field); });
  reader.fields(parts.place, [&](auto name, auto value, auto field) { reader.place(name, value, field); });
  if (!reader.errors.empty()) return std::move(reader.errors);
  return std::move(reader.out);
}

std::string write_permalink(const Permalink& text, const Scenario& scenario) {
  const auto value_of = [&](const ScenarioParameter& p) {
    const auto found = text.values.find(p.name);
    return found == text.values.end() ? p.fallback : found->second;
  };
  std::string parameters, block;
  for (const char* name : kBlockNames) {
    const ScenarioParameter* p = find_parameter(scenario, name);
    if (p == nullptr) break;
    block += (block.empty() ? "" : "x") + text_of(*p, value_of(*p));
  }
  const bool shape = !block.empty() && find_parameter(scenario, "block") == nullptr;
  const auto add = [](std::string* to, const std::string& field) { *to += (to->empty() ? "" : "&") + field; };
  for (const ScenarioParameter& p : scenario.parameters) {
    const bool of_block = std::ranges::find(kBlockNames, p.name) != kBlockNames.end();
    if (of_block && shape && block.empty()) continue;
    if (of_block && shape) {
      add(&parameters, "block=" + std::exchange(block, {}));
    } else {
      add(&parameters, p.name + "=" + text_of(p, value_of(p)));
    }
  }
  std::string place;
  if (text.block) {
    add(&place, "block=" + std::to_string(text.block->x) + "," + std::to_string(text.block->y) +
                    (text.block->z > 0 ? "," + std::to_string(text.block->z) : ""));
  }
  if (text.warp) add(&place, "warp=" + std::to_string(*text.warp));
  if (text.access) add(&place, "access=" + std::to_string(*text.access));
  if (text.wavefront) add(&place, "wavefront=" + std::to_string(*text.wavefront));
  for (const auto& [name, value] : text.look) add(&place, name + "=" + value);
  return std::string(kScheme) + scenario.name + (parameters.empty() ? "" : "?" + parameters) +
         (place.empty() ? "" : "#" + place);
}

}  // namespace warplens::scenario
