#include "app/cli/check/busiest.h"

#include <algorithm>

namespace warplens::cli {

namespace {

constexpr double kLong = 200e3;      // ns: a pass is hardly longer than the launch
constexpr double kLeastPercent = 1;  // below, the percentage has too few digits
constexpr double kClose = 0.9;
constexpr double kBusy = 0.1;          // of the time
constexpr std::size_t kPerSecond = 2;  // the first two of kCounted have clocks of their own

constexpr const char* kPercents[] = {"dram__throughput.avg.pct_of_peak_sustained_elapsed",
                                     "lts__t_sectors.avg.pct_of_peak_sustained_elapsed",
                                     "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed",
                                     "sm__inst_executed.avg.pct_of_peak_sustained_elapsed"};

double counter(const measure::Measurement& m, const char* name) {
  const auto found = m.counters.values.find(name);
  return found == m.counters.values.end() ? 0 : found->second;
}

Shares counts_of(const measure::Measurement& m) {
  return {counter(m, "dram__bytes_read.sum") + counter(m, "dram__bytes_write.sum"),
          counter(m, "lts__t_sectors.sum"), counter(m, "l1tex__data_pipe_lsu_wavefronts.sum"),
          counter(m, "smsp__inst_executed.sum")};
}

std::size_t index_of_longest(const Shares& shares) {
  return static_cast<std::size_t>(std::ranges::max_element(shares) - shares.begin());
}

bool close(const Shares& shares, std::size_t one, std::size_t other) {
  return std::min(shares[one], shares[other]) >= kClose * std::max(shares[one], shares[other]);
}

}  // namespace

std::optional<Shares> counted_peaks(const std::vector<measure::Measurement>& measurements) {
  std::array<std::vector<double>, std::size(kCounted)> found;
  for (const measure::Measurement& m : measurements) {
    const double nanoseconds = counter(m, "gpu__time_duration.sum");
    const double cycles = counter(m, "sm__cycles_elapsed.max");
    if (nanoseconds < kLong || cycles == 0) continue;
    const Shares counts = counts_of(m);
    for (std::size_t i = 0; i < counts.size(); ++i)
      if (const double percent = counter(m, kPercents[i]); percent >= kLeastPercent)
        found[i].push_back(100 * counts[i] / percent / (i < kPerSecond ? nanoseconds / 1e9 : cycles));
  }
  Shares peaks;
  for (std::size_t i = 0; i < peaks.size(); ++i) {
    if (found[i].empty()) return std::nullopt;
    const auto middle = found[i].begin() + static_cast<std::ptrdiff_t>(found[i].size() / 2);
    std::ranges::nth_element(found[i], middle);
    peaks[i] = *middle;
  }
  return peaks;
}

Shares counted_seconds(const measure::Measurement& m, const Shares& peaks) {
  const int mhz = m.clocks.sm_mhz_most != 0 ? m.clocks.sm_mhz_most : m.device.sm_clock_mhz;
  const double cycles_per_second = mhz * 1e6;
  Shares seconds = counts_of(m);
  for (std::size_t i = 0; i < seconds.size(); ++i)
    seconds[i] /= peaks[i] * (i < kPerSecond ? 1 : cycles_per_second);
  return seconds;
}

Shares bounded_seconds(const std::vector<report::Bound>& bounds) {
  Shares seconds{};
  const auto take = [&](std::size_t index, const report::Bound& bound) {
    seconds[index] = std::max(seconds[index], bound.seconds);
  };
  for (const report::Bound& bound : bounds) {
    if (bound.resource == report::Resource::Dram) take(0, bound);
    if (bound.resource == report::Resource::L2) take(1, bound);
    if (bound.resource == report::Resource::L1 || bound.resource == report::Resource::Shared) take(2, bound);
    if (bound.resource == report::Resource::Issue) take(3, bound);
  }
  return seconds;
}

BusiestMatch match(const Shares& counted, const Shares& bounded, double measured_seconds) {
  if (std::max(std::ranges::max(counted), std::ranges::max(bounded)) < kBusy * measured_seconds)
    return BusiestMatch::Idle;
  const std::size_t theirs = index_of_longest(counted), ours = index_of_longest(bounded);
  if (theirs == ours) return BusiestMatch::Same;
  if (close(bounded, theirs, ours)) return BusiestMatch::Tied;
  return close(counted, theirs, ours) ? BusiestMatch::Close : BusiestMatch::Other;
}

const char* longest_of(const Shares& shares) {
  return kCounted[index_of_longest(shares)];
}

}  // namespace warplens::cli
