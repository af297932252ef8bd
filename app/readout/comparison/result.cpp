#include "app/readout/comparison/result.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "sim/base/numbers.h"

namespace warplens::app {
namespace {

constexpr double kAlike = 0.005;      // counts that differ by less are told as the same
constexpr double kTimesAlike = 0.01;  // as in the table
constexpr double kInTimes = 1.5;      // from here on "times", below "%"

struct Sums {
  double a = 0, b = 0;
  double gap() const { return std::abs(a - b); }
};

Sums sums_of(const Comparison& c, memory::Space space, const char* count) {
  Sums sums;
  for (const report::ComparedCount& each : c.counts) {
    if (each.space != space || each.count != count) continue;
    sums.a += static_cast<double>(each.a);
    sums.b += static_cast<double>(each.b);
  }
  return sums;
}
Sums of_a_request(Sums sums, const Sums& requests) {
  sums.a /= std::max(requests.a, 1.0);
  sums.b /= std::max(requests.b, 1.0);
  return sums;
}

std::string factor_text(double value) {
  return fixed(value, value >= 99.95 ? 0 : value >= 1.095 || value < 0.0995 ? 1 : 2);
}

// A count, or a mean a request.
std::string amount_of(double value) {
  const long long whole = std::llround(value);
  const bool is_whole = value >= 100 || std::abs(value - static_cast<double>(whole)) < 0.005;
  return is_whole ? grouped(whole) : factor_text(value);
}
std::string two_digits(double value) {
  return fixed(value, value >= 9.995 ? 1 : 2);
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
  if (in.time_a == nullptr || in.time_b == nullptr || !same_work(in)) return {};
  const double a = in.time_a->cold.median, b = in.time_b->cold.median;
  if (a <= 0 || b <= 0) return {};
  if (std::abs(b - a) < kTimesAlike * a) return {strings("compare.result.time.same"), 0};
  const bool faster = b < a;
  return {
      strings(faster ? "compare.result.time.less" : "compare.result.time.more", {{"n", two_digits(b / a)}}),
      faster ? -1 : 1};
}

// Bytes that went from and to device memory, as measured; where they are nearly the same, the caches served
// what the counts of requests differ by.
std::optional<std::uint64_t> common_traffic(const measure::Measurement& a, const measure::Measurement& b) {
  constexpr double kNearly = 0.1;
  const auto traffic = [](const measure::Measurement& m) {
    double bytes = 0;
    for (const char* counter : {"dram__bytes_read.sum", "dram__bytes_write.sum"}) {
      const auto found = m.counters.values.find(counter);
      if (found == m.counters.values.end()) return 0.0;
      bytes += found->second;
    }
    return bytes;
  };
  const double of_a = traffic(a), of_b = traffic(b);
  if (!(of_a > 0) || std::abs(of_a - of_b) > kNearly * of_a) return std::nullopt;
  return static_cast<std::uint64_t>(of_b);
}

}  // namespace

bool same_work(const TableInput& in) {
  return size_of(in.a) == size_of(in.b);
}

std::string change_words(double a, double b, const std::string& unit, const language::Strings& strings) {
  if (a == b) return {};
  if (b == 0) return strings("compare.result.none", {{"unit", unit}});
  if (a == 0) return strings("compare.result.only", {{"n", amount_of(b)}, {"unit", unit}});
  const double factor = std::max(a, b) / std::min(a, b);
  if (factor < 1 + kAlike) return {};
  const bool fewer = b < a;
  if (factor >= kInTimes)
    return strings(fewer ? "compare.result.fewer" : "compare.result.more",
                   {{"n", factor_text(factor)}, {"unit", unit}});
  const double percent = 100 * std::abs(b - a) / a;
  return strings(
      fewer ? "compare.result.fewer.percent" : "compare.result.more.percent",
      {{"n", percent < 0.95 ? factor_text(percent) : std::to_string(std::lround(percent))}, {"unit", unit}});
}

std::string comparison_result(const TableInput& in, const language::Strings& strings) {
  if (in.comparison == nullptr || in.comparison->counts.empty()) return {};
  struct Need {
    std::string words;
    double bytes = 0;
    bool fewer = false;
    bool only = false;  // A has none
  };
  std::vector<Need> needs;
  const bool alike = same_work(in);
  const auto add = [&](memory::Space space, const char* count, int bytes) {
    Sums sums = sums_of(*in.comparison, space, count);
    if (!alike) sums = of_a_request(sums, sums_of(*in.comparison, space, "requests"));
    std::string words = change_words(sums.a, sums.b, strings(std::string("compare.count.") + count), strings);
    if (!words.empty()) needs.push_back({std::move(words), sums.gap() * bytes, sums.b < sums.a, sums.a == 0});
  };
  add(memory::Space::Global, "sectors", memory::kSectorBytes);
  add(memory::Space::Shared, "wavefronts", memory::kLineBytes);
  std::stable_sort(needs.begin(), needs.end(),
                   [](const Need& a, const Need& b) { return a.bytes > b.bytes; });
  if (!alike) {
    std::string request = strings("compare.result.request.same");
    if (!needs.empty()) request = strings("compare.result.request", {{"needs", needs[0].words}});
    return strings("compare.result.sizes", {{"request", request}});
  }
  const Times times = times_of(in, strings);
  if (needs.empty()) {
    return times.words.empty() ? strings("compare.result.same")
                               : strings("compare.result.same.time", {{"time", times.words}});
  }
  std::string words = needs[0].words;
  const bool only = std::ranges::any_of(needs, [](const Need& need) { return need.only; });
  const std::string join = only ? ".only" : "";  // what has a comma in it is joined by semicolons
  if (needs.size() > 1)
    words = strings("compare.result.and" + join, {{"one", needs[0].words}, {"other", needs[1].words}});
  if (times.words.empty()) return strings("compare.result.needs", {{"needs", words}});
  // Fewer sectors that take longer are worth a "but", and what was measured behind the caches may say why.
  const bool against = times.direction == 0 || needs[0].fewer != (times.direction < 0);
  const auto both = against ? common_traffic(*in.time_a, *in.time_b) : std::nullopt;
  if (both)
    return strings("compare.result.but.memory" + join,
                   {{"needs", words}, {"time", times.words}, {"amount", volume(*both)}});
  return strings((against ? "compare.result.but" : "compare.result.both") + join,
                 {{"needs", words}, {"time", times.words}});
}

}  // namespace warplens::app
