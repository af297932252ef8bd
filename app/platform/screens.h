// Where a second window goes, on the monitors that there are: pure functions of rectangles in the screen's
// coordinates.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace warplens::platform {

struct ScreenRect {
  int x = 0, y = 0, width = 0, height = 0;
  friend bool operator==(const ScreenRect&, const ScreenRect&) = default;
};

inline long shared_area(const ScreenRect& a, const ScreenRect& b) {
  const long width = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x);
  const long height = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

// The monitor that shows most of the window; -1: none shows any of it.
inline int monitor_of(const ScreenRect& window, const std::vector<ScreenRect>& monitors) {
  int best = -1;
  long most = 0;
  for (std::size_t i = 0; i < monitors.size(); ++i)
    if (const long area = shared_area(window, monitors[i]); area > most)
      most = area, best = static_cast<int>(i);
  return best;
}

// Most of a monitor, in its middle.
inline ScreenRect inside(const ScreenRect& monitor) {
  const int width = monitor.width * 9 / 10, height = monitor.height * 85 / 100;
  return {monitor.x + (monitor.width - width) / 2, monitor.y + (monitor.height - height) / 2, width, height};
}

// Monitors that begin at one place show the same.
inline bool mirrors(const ScreenRect& a, const ScreenRect& b) {
  return a.x == b.x && a.y == b.y;
}

// A window for one person beside one that is for all. `apart`: on a monitor that shows nothing of the other.
// Where there is none, it covers the other.
struct BesidePlace {
  ScreenRect rect;
  bool apart = false;
};
inline BesidePlace place_beside(const ScreenRect& window, const std::vector<ScreenRect>& monitors) {
  if (monitors.empty()) return {window, false};
  const ScreenRect& own = monitors[static_cast<std::size_t>(std::max(monitor_of(window, monitors), 0))];
  for (const ScreenRect& monitor : monitors)
    if (shared_area(monitor, window) == 0 && !mirrors(monitor, own)) return {inside(monitor), true};
  return {inside(own), false};
}

// Of a second window that may have been moved since, or whose monitor shows something else by now.
inline bool is_apart(const ScreenRect& window, const ScreenRect& second,
                     const std::vector<ScreenRect>& monitors) {
  const int of = monitor_of(window, monitors), on = monitor_of(second, monitors);
  if (of < 0 || on < 0) return false;
  const ScreenRect &halls = monitors[static_cast<std::size_t>(of)],
                   &own = monitors[static_cast<std::size_t>(on)];
  return !mirrors(halls, own) && shared_area(halls, second) == 0 && shared_area(own, window) == 0;
}

// Some monitor shows what another does not.
inline bool has_other(const std::vector<ScreenRect>& monitors) {
  return std::any_of(monitors.begin(), monitors.end(),
                     [&](const ScreenRect& monitor) { return !mirrors(monitor, monitors.front()); });
}

}  // namespace warplens::platform
