#include "app/readout/words/why_figures.h"

#include <cmath>
#include <cstdio>
#include <iterator>

#include "app/language/strings.h"
#include "app/scene/plot/time_axis.h"

namespace warplens::app {

std::string why_times(double times) {
  char text[32];
  std::snprintf(text, sizeof text, times < 1.995 ? "%.2f" : times < 9.95 ? "%.1f" : "%.0f", times);
  std::string out = text;
  while (out.find('.') != std::string::npos && (out.back() == '0' || out.back() == '.')) {
    const bool point = out.back() == '.';
    out.pop_back();
    if (point) break;
  }
  return out;
}

std::string why_percent(double part) {
  return std::to_string(static_cast<int>(std::lround(100 * part)));
}

std::string why_count(double count) {
  if (count < 1e5) return language::grouped(std::llround(count));
  constexpr const char* kPrefixes[] = {"", "k", "M", "G", "T", "P"};
  std::size_t at = 0;
  for (; count >= 999.5 && at + 1 < std::size(kPrefixes); ++at) count /= 1000;
  char text[32];
  std::snprintf(text, sizeof text, count < 9.995 ? "%.2f" : count < 99.95 ? "%.1f" : "%.0f", count);
  return std::string(text) + " " + kPrefixes[at];
}

std::string why_bytes(double bytes) {
  return why_count(bytes) + (bytes < 1e5 ? " B" : "B");
}

std::string why_time(double seconds) {
  return seconds < 5e-9 ? std::string("< 0.01 µs") : scene::seconds_text(seconds);
}

}  // namespace warplens::app
