#include "app/readout/words/figure.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "app/readout/verdict.h"
#include "app/state/catalog.h"
#include "sim/base/numbers.h"
#include "sim/report/report.h"
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
constexpr std::array<std::string_view, 14> kOthers{
    "recorded_ns",      "least_ns",        "l1_hit_percent",  "l2_read_sectors",  "dram_read_bytes",
    "dram_write_bytes", "multiprocessors", "resident_blocks", "resident_warps",   "in_flight_warps",
    "in_flight_bytes",  "sectors_first",   "sectors_of_warp", "sectors_of_block",
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
  if (name == "active_lanes") return strings("class.figure.active_lanes");
  if (name == "blocks") return strings("class.figure.blocks");
  if (name == "threads") return strings("class.figure.threads");
  if (name == "barriers") return strings("compare.count.barriers");
  std::string readable = name;
  std::ranges::replace(readable, '_', ' ');
  return readable;
}

std::string value_words(const std::string& value) {
  const auto number = number_in<std::int64_t>(value);
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
    words += sign == std::string::npos ? one
                                       : name_words(one.substr(0, sign), scenario, language, strings) +
                                             equals + value_words(one.substr(sign + equals.size()));
    at = end + comma.size();
  }
  return words;
}

}  // namespace warplens::app
