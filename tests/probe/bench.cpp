
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "app/simulate/matrix_shape.h"
#include "sim/text/shown.h"
#include "tests/probe/probes.h"

namespace warplens::desktop {

namespace {

// Of unsorted values, the one that this part of them does not exceed.
double percentile(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1) + 0.5)];
}

nlohmann::json summary_of(const std::vector<double>& milliseconds) {
  return {{"p50", percentile(milliseconds, 0.5)},
          {"p90", percentile(milliseconds, 0.9)},
          {"p99", percentile(milliseconds, 0.99)},
          {"max", percentile(milliseconds, 1)}};
}

nlohmann::json size_of(const OffscreenTarget& target) {
  return {target.framebuffer->width(), target.framebuffer->height()};
}

// Seconds that all threads of the program have computed: steadier than the clock where others compute too.
double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

nlohmann::json peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// What is pressed is done within a frame, which waits for it.
std::vector<app::KeyPress> key(char character, bool shift = false) {
  app::KeyPress press;
  press.character = character;
  press.shift = shift;
  return {press};
}

// One frame after another, each measured from its actions to its last pixel.
class FrameTimes {
 public:
  template <typename Frame>
  void add(const std::string& what, Frame frame) {
    glFinish();
    const double began = seconds_now(), computed = processor_seconds();
    frame();
    glFinish();
    wall_.push_back(1e3 * (seconds_now() - began));
    processor_.push_back(1e3 * (processor_seconds() - computed));
    what_.push_back(what);
  }
  void print(const OffscreenTarget& target) const {
    std::vector<std::size_t> order(wall_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return processor_[a] > processor_[b]; });
    nlohmann::json slowest = nlohmann::json::array();
    for (std::size_t i = 0; i < std::min<std::size_t>(order.size(), 12); ++i)
      slowest.push_back({{"frame", order[i]},
                         {"what", what_[order[i]]},
                         {"milliseconds", wall_[order[i]]},
                         {"processor_milliseconds", processor_[order[i]]}});
    const nlohmann::json report{{"frames", wall_.size()},
                                {"size", size_of(target)},
                                {"renderer", gl::description()},
                                {"milliseconds", summary_of(wall_)},
                                {"processor_milliseconds", summary_of(processor_)},
                                {"slowest", slowest}};
    text::say(stdout, "%s\n", report.dump(1).c_str());
  }

 private:
  std::vector<double> wall_, processor_;
  std::vector<std::string> what_;
};

}  // namespace

int bench_motion(App& app, OffscreenTarget& studio, int frames) {
  app.act({app::SetPlaying{true}, app::SetSpeed{2}});
  for (int i = 0; i < 4; ++i) draw(app, studio, i / 60.0);
  FrameTimes times;
  for (int i = 0; i < frames; ++i) {
    const bool pad = i % 120 == 60, rung = i % 360 == 359;
    times.add(pad    ? "padding"
              : rung ? "rung"
                     : "play",
              [&] {
                if (!app.state().playback.playing) app.act({app::GoToEnd{false}, app::SetPlaying{true}});
                draw(app, studio, 1 + i / 60.0,
                     pad    ? key('p', i / 120 % 4 > 1)
                     : rung ? key(i / 360 % 6 < 3 ? '[' : ']')
                            : std::vector<app::KeyPress>());
              });
  }
  times.print(studio);
  return 0;
}

int bench_map(App& app, OffscreenTarget& studio, int frames) {
  app.act({app::SetMapScope{app::MapScope::Block}, app::ShowView{ViewId::Map}, app::FindOnMap{}});
  const scene::MapPosition middle = app::place_of_map(app.simulation(), app.state().plot.map);
  for (int i = 0; i < 4; ++i) draw(app, studio, 0.1 * i);
  FrameTimes times;
  for (int i = 0; i < frames; ++i) {
    const double part = static_cast<double>(i) / frames;
    scene::MapPosition position = middle;
    position.zoom = std::exp2(12 * (0.5 - 0.5 * std::cos(2 * M_PI * part)));  // 1 to 4096 and back
    position.column += 0.2 * std::sin(20 * part) / position.zoom;
    times.add("zoom " + std::to_string(position.zoom), [&] {
      app.act({app::MoveMap{position}});
      draw(app, studio, 1 + i / 60.0);
    });
  }
  times.print(studio);
  return 0;
}

int bench_toggles(App& app, OffscreenTarget& studio, int toggles) {
  for (int i = 0; i < 4; ++i) draw(app, studio);
  std::vector<double> times;
  glFinish();
  int late = 0;
  const double cpu_began = processor_seconds();
  for (int i = 0; i < toggles; ++i) {
    glFinish();
    const double began = seconds_now();
    // P, P, Shift P, Shift P: padding 1, 2, 1, 0. A new program, trace, totals; then the picture.
    draw(app, studio, 0, key('p', i % 4 > 1));
    glFinish();
    if (!app.simulation().fresh) ++late;
    times.push_back(1e3 * (seconds_now() - began));
  }
  const double cpu = processor_seconds() - cpu_began;
  const nlohmann::json report{{"toggles", toggles},
                              {"size", size_of(studio)},
                              {"renderer", gl::description()},
                              {"milliseconds", summary_of(times)},
                              {"late", late},  // shown a frame later, since the machine was busy
                              {"cpu_milliseconds_a_toggle", 1e3 * cpu / toggles},
                              {"peak_megabytes", peak_megabytes()}};
  text::say(stdout, "%s\n", report.dump(1).c_str());
  return 0;
}

int bench_start(App& app, OffscreenTarget& studio, double started) {
  draw(app, studio);
  glFinish();
  const double milliseconds = 1e3 * (seconds_now() - started);
  const nlohmann::json report{{"milliseconds_to_first_frame", milliseconds},
                              {"peak_megabytes", peak_megabytes()}};
  text::say(stdout, "%s\n", report.dump(1).c_str());
  return 0;
}

}  // namespace warplens::desktop
