#include "app/scene/plot/time_axis.h"

#include <algorithm>
#include <cmath>

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

}  // namespace warplens::scene
