// Two reports side by side: warplens.comparison/1, docs/report.md.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "sim/report/report.h"

namespace warplens::report {

// One line of the table A | B | difference.
struct ComparedCount {
  memory::Space space = memory::Space::Global;
  memory::Op op = memory::Op::Load;
  std::string count;  // "sectors", as in documents; "barriers": of the whole grid, of no space
  std::uint64_t a = 0, b = 0;
};
// In the order of documents; counts that are 0 on both sides are left out, and barriers come last.
std::vector<ComparedCount> compared_counts(const GridCounts& a, const GridCounts& b);
// "=", "+1,024", "-983,040"
std::string difference_text(std::uint64_t a, std::uint64_t b);

// Two reports side by side, with the times that were measured for exactly these targets.

struct ComparedTimes {
  std::string label;           // "recorded, NVIDIA H200"; empty: neither is known
  std::optional<double> a, b;  // medians in seconds; none: not measured
};

nlohmann::ordered_json comparison_json(const Report& a, const Report& b, const ComparedTimes& times = {});
std::string comparison_csv(const Report& a, const Report& b, const ComparedTimes& times = {});
std::string comparison_text(const Report& a, const Report& b, const ComparedTimes& times = {});

// What a compiler made of the accesses of a line, if it left fewer, more or wider ones.
enum class Became : std::uint8_t { Merged, Dropped, Hoisted, Unrolled, Split };
constexpr const char* name_of(Became became) {
  constexpr const char* kNames[] = {"merged", "dropped", "hoisted", "unrolled", "split"};
  return kNames[static_cast<std::size_t>(became)];
}

// By line of the text that both reports are about. If a line lost all its accesses to a nearby line that has
// none in the text, nothing is said about it.
std::map<int, Became> became_of(const sim::Program& written, const sim::Totals& counted_written,
                                const sim::Program& compiled, const sim::Totals& counted_compiled);

}  // namespace warplens::report
