#include "app/scene/plot/time_axis.h"

#include <algorithm>

#include "sim/base/numbers.h"

namespace warplens::scene {

double in_unit(const TimeBar& bar, double seconds, TimeUnit unit) {
  if (!(seconds > 0) || !std::isfinite(seconds)) return 0;
  switch (unit) {
    case TimeUnit::Time:
      return seconds;
    case TimeUnit::Bytes:
      return 1e-9 * bar.bytes / seconds;
    case TimeUnit::Operations:
      return 1e-9 * bar.operations / seconds;
  }
  return 0;
}

std::string amount_text(double amount, TimeUnit unit) {
  if (unit == TimeUnit::Time) return seconds_text(amount);
  const std::string text = fixed(std::min(amount, 1e9), amount < 9.95 ? 1 : 0);
  const std::string figure = amount < 9.95 ? text : grouped(std::llround(amount));
  return figure + (unit == TimeUnit::Bytes ? " GB/s" : " GFLOP/s");
}

void TimeAxis::include(double amount) {
  if (!(amount > 0) || !std::isfinite(amount)) return;
  least_ = empty() ? amount : std::min(least_, amount);
  most_ = std::max(most_, amount);
}

// A decade that leaves the least a bar to be seen.
double TimeAxis::from() const {
  return std::pow(10, std::floor(std::log10(least_ / 1.5)));
}

double TimeAxis::part_of(double amount) const {
  if (empty() || !(amount > 0)) return 0;
  if (!is_logarithmic()) return std::clamp(amount / most_, 0.0, 1.0);
  return std::clamp(std::log(amount / from()) / std::log(most_ / from()), 0.0, 1.0);
}

std::vector<double> TimeAxis::decades() const {
  std::vector<double> decades;
  if (empty() || !is_logarithmic()) return decades;
  for (double at = from(); at <= most_ && decades.size() < 16; at *= 10) decades.push_back(at);
  return decades;
}

}  // namespace warplens::scene
