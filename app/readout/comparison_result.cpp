#include "app/readout/comparison_result.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace warplens::app {
namespace {

constexpr double kAlike = 0.005;      // counts that differ by less are told as the same
constexpr double kTimesAlike = 0.01;  // as in the table
constexpr double kInTimes = 1.5;      // from here on "times", below "%"

struct Sums {
  std::uint64_t a = 0, b = 0;
  double gap() const { return std::abs(static_cast<double>(a) - static_cast<double>(b)); }
};

Sums sums_of(const Comparison& c, memory::Space space, const char* count) {
  Sums sums;
  for (const report::ComparedCount& each : c.counts) {
    if (each.space != space || each.count != count) continue;
    sums.a += each.a;
    sums.b += each.b;
  }
  return sums;
}

std::string digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text,
                value >= 99.95                     ? "%.0f"
                : value >= 1.095 || value < 0.0995 ? "%.1f"
                                                   : "%.2f",
                value);
  return text;
}
std::string two_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value >= 9.995 ? "%.1f" : "%.2f", value);
  return text;
}

std::string size_of(const Simulation* simulation) {
  if (simulation == nullptr || simulation->empty()) return {};
  return size_text(simulation->compiled->settings.values);
}

struct Times {
  std::string words;
  int direction = 0;  // -1: B is faster
};
Times times_of(const TableInput& in, const language::Strings& strings) {
  if (in.time_a == nullptr || in.time_b == nullptr || size_of(in.a) != size_of(in.b)) return {};
  const double a = in.time_a->cold.median, b = in.time_b->cold.median;
  if (a <= 0 || b <= 0) return {};
  if (std::abs(b - a) < kTimesAlike * a) return {strings("compare.result.time.same"), 0};
  const bool faster = b < a;
  return {
      strings(faster ? "compare.result.time.less" : "compare.result.time.more", {{"n", two_digits(b / a)}}),
      faster ? -1 : 1};
}

}  // namespace

std::string change_words(std::uint64_t before, std::uint64_t after, const std::string& unit,
                         const language::Strings& strings) {
  const auto a = static_cast<double>(before), b = static_cast<double>(after);
  if (before == after) return {};
  if (after == 0) return strings("compare.result.none", {{"unit", unit}});
  if (before == 0) return strings("compare.result.only", {{"unit", unit}});
  const double factor = std::max(a, b) / std::min(a, b);
  if (factor < 1 + kAlike) return {};
  const bool fewer = after < before;
  if (factor >= kInTimes)
    return strings(fewer ? "compare.result.fewer" : "compare.result.more",
                   {{"n", digits(factor)}, {"unit", unit}});
  const double percent = 100 * std::abs(b - a) / a;
  return strings(
      fewer ? "compare.result.fewer.percent" : "compare.result.more.percent",
      {{"n", percent < 0.95 ? digits(percent) : std::to_string(std::lround(percent))}, {"unit", unit}});
}

std::string comparison_result(const TableInput& in, const language::Strings& strings) {
  if (in.comparison == nullptr || in.comparison->counts.empty()) return {};
  struct Need {
    std::string words;
    double bytes = 0;
    bool fewer = false;
  };
  std::vector<Need> needs;
  const auto add = [&](memory::Space space, const char* count, int bytes) {
    const Sums sums = sums_of(*in.comparison, space, count);
    std::string words = change_words(sums.a, sums.b, strings(std::string("compare.count.") + count), strings);
    if (!words.empty()) needs.push_back({std::move(words), sums.gap() * bytes, sums.b < sums.a});
  };
  add(memory::Space::Global, "sectors", memory::kSectorBytes);
  add(memory::Space::Shared, "wavefronts", memory::kLineBytes);
  std::stable_sort(needs.begin(), needs.end(),
                   [](const Need& a, const Need& b) { return a.bytes > b.bytes; });
  const Times times = times_of(in, strings);
  if (needs.empty()) {
    return times.words.empty() ? strings("compare.result.same")
                               : strings("compare.result.same.time", {{"time", times.words}});
  }
  std::string words = needs[0].words;
  if (needs.size() > 1)
    words = strings("compare.result.and", {{"one", needs[0].words}, {"other", needs[1].words}});
  if (times.words.empty()) return strings("compare.result.needs", {{"needs", words}});
  // Fewer sectors that take longer are worth a "but".
  const bool against = times.direction == 0 || needs[0].fewer != (times.direction < 0);
  return strings(against ? "compare.result.but" : "compare.result.both",
                 {{"needs", words}, {"time", times.words}});
}

}  // namespace warplens::app
