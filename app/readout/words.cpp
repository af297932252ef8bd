#include "app/readout/words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "app/readout/verdict.h"
#include "app/state/catalog.h"
#include "sim/base/numbers.h"
#include "sim/profile/ncu_profile.h"
#include "sim/report/why.h"

namespace warplens::app {
namespace {

constexpr std::array<std::string_view, 8> kCounts{
    "requests", "sectors",    "ideal_sectors",    "lines",
    "bytes",    "wavefronts", "ideal_wavefronts", "bank_conflicts",
};

// "sectors" -> "compare.count.sectors"; none: no count is called that.
std::optional<std::string> count_words(std::string_view name, const language::Strings& strings) {
  if (std::ranges::find(kCounts, name) == kCounts.end()) return std::nullopt;
  return strings("compare.count." + std::string(name));
}

// "global_load_sectors": of the whole grid.
std::optional<std::string> grid_words(std::string_view name, const language::Strings& strings) {
  for (const auto& [space, key] : {std::pair<std::string_view, const char*>{"global_", "class.figure.global"},
                                   {"shared_", "class.figure.shared"}}) {
    if (!name.starts_with(space)) continue;
    const std::string_view rest = name.substr(space.size());
    for (const memory::Op op : memory::kAllOps) {
      const std::string prefix = report::name_of(op) + std::string("_");
      if (!rest.starts_with(prefix)) continue;
      if (rest.substr(prefix.size()) == "distinct_sectors")
        return strings("class.figure.distinct", {{"op", op_text(op, strings)}});
      if (const auto count = count_words(rest.substr(prefix.size()), strings))
        return strings(key, {{"op", op_text(op, strings)}, {"count", *count}});
    }
  }
  return std::nullopt;
}

// "bank_5", "step_31": of a lane.
std::optional<std::string> lane_words(std::string_view name, const language::Strings& strings) {
  for (const auto& [start, key] : {std::pair<std::string_view, const char*>{"bank_", "class.figure.bank"},
                                   {"step_", "class.figure.step"}}) {
    const std::string lane(name.starts_with(start) ? name.substr(start.size()) : std::string_view());
    if (!lane.empty() && lane.find_first_not_of("0123456789") == std::string::npos)
      return strings(key, {{"lane", lane}});
  }
  return std::nullopt;
}

// What resource_figures.h and the origins of sectors add, each by a key of its own.
constexpr std::array<std::string_view, 17> kOthers{
    "recorded_ns",      "least_ns",        "l1_hit_percent",  "l2_read_sectors",  "dram_read_bytes",
    "dram_write_bytes", "multiprocessors", "resident_blocks", "resident_warps",   "in_flight_warps",
    "in_flight_bytes",  "sectors_first",   "sectors_of_warp", "sectors_of_block", "active_lanes",
    "blocks",           "threads",
};

std::optional<std::string> resource_figure_words(std::string_view name, const language::Strings& strings) {
  if (std::ranges::find(kOthers, name) != kOthers.end()) return strings("class.figure." + std::string(name));
  constexpr std::string_view kLeast = "least_", kEnd = "_ns";
  if (!name.starts_with(kLeast) || !name.ends_with(kEnd) || name.size() <= kLeast.size() + kEnd.size())
    return std::nullopt;
  name = name.substr(kLeast.size(), name.size() - kLeast.size() - kEnd.size());
  for (int i = 0; i <= static_cast<int>(report::Resource::Fp32); ++i) {
    const auto resource = static_cast<report::Resource>(i);
    if (name == report::name_of(resource))
      return strings("class.figure.least", {{"resource", strings("why.resource." + std::string(name))}});
  }
  return std::nullopt;
}

std::string name_words(const std::string& name, const scenario::Scenario* scenario,
                       const std::string& language, const language::Strings& strings) {
  if (scenario != nullptr) {
    if (const auto* parameter = find_parameter(*scenario, name); parameter && !parameter->label.empty())
      return scenario::in_language(parameter->label, language);
  }
  if (name.starts_with("beside_")) {
    const std::string other = name_words(name.substr(7), scenario, language, strings);
    return strings("class.figure.beside", {{"words", other}});
  }
  if (auto words = resource_figure_words(name, strings)) return *words;
  if (auto words = grid_words(name, strings)) return *words;
  if (auto words = count_words(name, strings)) return *words;
  if (auto words = lane_words(name, strings)) return *words;
  if (name == "barriers") return strings("compare.count.barriers");
  std::string readable = name;
  std::ranges::replace(readable, '_', ' ');
  return readable;
}

std::string value_words(const std::string& name, const std::string& value, const scenario::Scenario* scenario,
                        const std::string& language) {
  const auto number = number_in<std::int64_t>(value);
  const auto* parameter = scenario != nullptr ? find_parameter(*scenario, name) : nullptr;
  if (number && parameter != nullptr && !parameter->choices.empty())
    return scenario::shown_value(*parameter, *number, language);
  return number && *number >= 0 ? grouped(*number) : value;
}

}  // namespace

std::string figure_words(const std::string& figures, const scenario::Scenario* scenario,
                         const std::string& language, const language::Strings& strings) {
  const std::string comma = ", ", equals = " = ";
  std::string words;
  for (std::size_t at = 0; at < figures.size();) {
    const std::size_t end = std::min(figures.find(comma, at), figures.size());
    const std::string one = figures.substr(at, end - at);
    const std::size_t sign = one.find(equals);
    if (!words.empty()) words += " · ";
    const std::string name = one.substr(0, sign);
    words += sign == std::string::npos
                 ? one
                 : name_words(name, scenario, language, strings) + equals +
                       value_words(name, one.substr(sign + equals.size()), scenario, language);
    at = end + comma.size();
  }
  return words;
}

using explain::Agreement;
using explain::ExplainedCounter;
using explain::Explanation;
using explain::Part;
using language::Strings;

namespace {

// "12,345", "12.35", "1.2e-05": digits that say something, whatever the size.
std::string explained_figure(double value) {
  if (value != 0 && std::abs(value) < 0.01) return formatted("%.3g", value);
  const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
  return grouped_text(fixed(value, whole ? 0 : 2));
}

// Of counts their name says what is counted; bytes are told all the same.
std::string unit_of(const ExplainedCounter& counter) {
  if (counter.unit == "byte" || counter.unit == "byte/block") return " B";
  return counter.unit.empty() || !counter.parts.empty() ? std::string() : " " + counter.unit;
}

// Traffic behind the caches: "DRAM bytes, read".
std::string behind_label(const ExplainedCounter& counter, const Strings& strings) {
  const auto has = [&](std::string_view word) { return counter.name.find(word) != std::string::npos; };
  return strings(has("read")    ? "explain.behind.read"
                 : has("write") ? "explain.behind.write"
                                : "explain.behind.all",
                 {{"level", counter.name.starts_with("lts") ? "L2" : "DRAM"},
                  {"count", strings(has("bytes") ? "compare.count.bytes" : "compare.count.sectors")}});
}

}  // namespace

std::string measured_text(const ExplainedCounter& counter) {
  if (counter.unit == "second" && counter.measured > 0) return seconds_text(counter.measured);
  const bool rounded = counter.resolution >= 0.5;
  return (rounded ? "≈ " : "") + explained_figure(counter.measured) + unit_of(counter);
}

std::string predicted_text(const ExplainedCounter& counter) {
  return counter.predicted ? explained_figure(*counter.predicted) + unit_of(counter) : std::string();
}

std::string difference_text(const ExplainedCounter& counter) {
  if (!counter.predicted) return {};
  if (counter.state == Agreement::Equal) return "=";
  const double more = counter.measured - *counter.predicted;
  return (more < 0 ? "−" : "+") + explained_figure(std::abs(more));
}

std::string label_of(const ExplainedCounter& counter, const Strings& strings) {
  if (counter.state == Agreement::Behind) return behind_label(counter, strings);
  if (counter.field.empty() || counter.is_average || counter.ops.empty())
    return profile::label_of(counter.name);
  const std::string space =
      strings(counter.space == memory::Space::Shared ? "explain.of.shared" : "explain.of.global");
  const std::string op =
      counter.ops.size() == 1 ? op_text(counter.ops.front(), strings) : strings("explain.of.all");
  return strings("explain.label",
                 {{"count", strings("compare.count." + counter.field)}, {"space", space}, {"op", op}});
}

std::string state_word(Agreement state, const Strings& strings) {
  constexpr const char* kWords[] = {"equal", "explained", "unexplained", "behind", "not_predicted"};
  return strings(std::string("explain.state.") + kWords[static_cast<std::size_t>(state)]);
}

std::string equation(const ExplainedCounter& counter, const Strings& strings) {
  if (counter.parts.empty()) return {};
  std::string text = measured_text(counter) + " =";
  for (std::size_t i = 0; i < counter.parts.size(); ++i) {
    const Part& part = counter.parts[i];
    text += (part.amount < 0 ? " − "
             : i > 0         ? " + "
                             : " ") +
            strings(std::string("explain.part.") + name_of(part.kind),
                    {{"n", explained_figure(std::abs(part.amount))}});
  }
  return text;
}

std::string share_text(const explain::Share& share, const Strings& strings) {
  // Of conflicts what one request loses, of all else what one request counts.
  const std::string key = share.wavefronts > 0 ? "explain.share.conflicts" : "explain.share.count";
  const auto requests = static_cast<double>(share.requests);
  const std::string sum =
      strings(key + (share.requests == 1 ? ".one" : ""), {{"wavefronts", share.wavefronts},
                                                          {"ideal", share.ideal},
                                                          {"requests", explained_figure(requests)},
                                                          {"each", explained_figure(share.amount / requests)},
                                                          {"n", explained_figure(share.amount)}});
  return strings("explain.share",
                 {{"place", strings("explain.share.place", {{"line", share.line}, {"text", share.text}})},
                  {"sum", sum}});
}

std::string reason_of(const ExplainedCounter& counter, const Strings& strings) {
  std::string text;
  const auto add = [&](const std::string& more) {
    text += (text.empty() || strings.language() != "en" ? "" : " ") + more;
  };
  for (const Part& part : counter.parts)
    if (part.kind != Part::Kind::Addresses && part.kind != Part::Kind::Unknown)
      add(strings(std::string("explain.why.") + name_of(part.kind)));
  if (!counter.hint.empty()) add(strings("explain.hint." + counter.hint));
  if (text.empty() && counter.state == Agreement::Unexplained) add(strings("explain.why.unknown"));
  if (counter.modelled)
    add(strings("explain.modelled",
                {{"n", explained_figure(counter.unit == "%" ? std::round(10 * *counter.modelled) / 10
                                                            : std::round(*counter.modelled))}}));
  return text;
}

std::string summary_of(const Explanation& explanation, const Strings& strings) {
  const auto n = [&](Agreement state) { return std::to_string(explanation.count(state)); };
  return strings("explain.summary", {{"equal", n(Agreement::Equal)},
                                     {"explained", n(Agreement::Explained)},
                                     {"unexplained", n(Agreement::Unexplained)},
                                     {"behind", n(Agreement::Behind)},
                                     {"rest", n(Agreement::NotPredicted)}});
}

}  // namespace warplens::app
