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

// Monitors that begin at one place show the same: whoever looks at the other one may be in the hall.
inline bool is_mirrored(const ScreenRect& monitor, const std::vector<ScreenRect>& monitors) {
  const auto begins_there = [&](const ScreenRect& other) {
    return monitor.x == other.x && monitor.y == other.y;
  };
  return std::count_if(monitors.begin(), monitors.end(), begins_there) > 1;
}

// Its middle is on no monitor: the one that it was on was unplugged, or shows something else by now.
inline bool is_lost(const ScreenRect& window, const std::vector<ScreenRect>& monitors) {
  return monitor_of({window.x + window.width / 2, window.y + window.height / 2, 1, 1}, monitors) < 0;
}

// A window for one person beside one that is for all: on a monitor that shows nothing of the other. Where
// there is none, it covers the other.
inline ScreenRect place_beside(const ScreenRect& window, const std::vector<ScreenRect>& monitors) {
  if (monitors.empty()) return window;
  for (const ScreenRect& monitor : monitors)
    if (shared_area(monitor, window) == 0 && !is_mirrored(monitor, monitors)) return inside(monitor);
  return inside(monitors[static_cast<std::size_t>(std::max(monitor_of(window, monitors), 0))]);
}

// Of a second window that may have been moved since, or whose monitor shows something else by now. Windows
// that do not know where they are, as under Wayland, may be anywhere.
inline bool is_apart(const std::optional<ScreenRect>& window, const std::optional<ScreenRect>& second,
                     const std::vector<ScreenRect>& monitors) {
  if (!window || !second) return false;
  const int of = monitor_of(*window, monitors), on = monitor_of(*second, monitors);
  if (of < 0 || on < 0) return false;
  const ScreenRect &halls = monitors[static_cast<std::size_t>(of)],
                   &own = monitors[static_cast<std::size_t>(on)];
  return !is_mirrored(own, monitors) && shared_area(halls, *second) == 0 && shared_area(own, *window) == 0;
}

}  // namespace warplens::platform
