#include "app/readout/words/why_figures.h"

#include <cmath>
#include <iterator>

#include "app/language/strings.h"
#include "sim/base/numbers.h"

namespace warplens::app {

std::string why_times(double times) {
  return without_zeros(fixed(times, times < 1.995 ? 2 : times < 9.95 ? 1 : 0));
}

std::string why_count(double count) {
  return count < 1e5 ? grouped(std::llround(count)) : with_prefix(count);
}

std::string why_bytes(double bytes) {
  return why_count(bytes) + (bytes < 1e5 ? " B" : "B");
}

std::string why_time(double seconds) {
  return seconds < 5e-9 ? std::string("< 0.01 µs") : seconds_text(seconds);
}

}  // namespace warplens::app
