#include "app/desktop/soak.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "app/desktop/studio.h"
#include "app/desktop/walker.h"

namespace warplens::desktop {
namespace {

constexpr int kActionsAFrame = 10, kReports = 20, kReadings = 10;
constexpr int kCompared = 4;  // reports at the beginning with reports at the end
constexpr double kFrameSeconds = 0.04;

// Of this process, now, as the operating system sees it; what the allocator only keeps is given back first.
double megabytes() {
  malloc_trim(0);
  long pages = 0, resident = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 20);
}

// Back to one small moment with nothing under way, in one size of type (the fonts of large type take tens of
// megabytes): memory is then that of what is kept, not of what is looked at.
void settle(App& app, gl::Framebuffer& target, FrameInput* in) {
  app.act({session::RevertText{}, session::SetPlaying{false}, session::SetPresent{false}, session::SetZoom{1},
           session::SelectScenario{"shared_row"}});
  for (int i = 0; i < 3000; ++i) {
    in->now += kFrameSeconds;
    target.bind();
    app.frame(*in);
    if (!app.awaits() && app.simulation().fresh) return;
    ::usleep(10'000);
  }
}

// The least of some readings: work that was cancelled gives its memory back a moment later.
double resting_megabytes() {
  double least = megabytes();
  for (int i = 1; i < kReadings; ++i) {
    ::usleep(100'000);
    least = std::min(least, megabytes());
  }
  return least;
}

// Of the reports from `from` to before `to`. The least: software rendering keeps the letters of a size that
// is no longer shown until it draws over them, and whether it does is chance; what leaks raises the least as
// well.
double least_of(const std::vector<double>& memory, int from, int to) {
  double least = memory.empty() ? 0 : memory.back();
  for (int i = from; i < to && i < static_cast<int>(memory.size()); ++i)
    least = std::min(least, memory[static_cast<std::size_t>(i)]);
  return least;
}

void report(int actions, double memory) {
  std::printf("%d actions, %.1f MB\n", actions, memory);
  std::fflush(stdout);
}

}  // namespace

int soak(App& app, const Options& options) {
  Studio studio;
  if (!open_studio(app, options.width, options.height, &studio)) return kCannot;
  Walker walker;
  FrameInput in;
  in.input.width = options.width;
  in.input.height = options.height;
  in.input.seconds = kFrameSeconds;
  std::vector<double> memory;
  settle(app, *studio.framebuffer, &in);
  report(0, resting_megabytes());
  const int between = std::max(options.soak / kReports, 1);
  int errors = 0;
  for (int i = 0; i < options.soak; ++i) {
    const char* name = "";
    app.act({walker.action(app, &name)});
    if (i % kActionsAFrame == 0) {
      walker.move_mouse(&in.input);
      in.now += kFrameSeconds;
      studio.framebuffer->bind();
      app.frame(in);
      glFlush();
      if (glGetError() != GL_NO_ERROR) ++errors;
    }
    if ((i + 1) % between != 0) continue;
    settle(app, *studio.framebuffer, &in);
    memory.push_back(resting_megabytes());
    report(i + 1, memory.back());
  }
  const double early = least_of(memory, kReports / 10, kReports / 10 + kCompared);
  const double late = least_of(memory, kReports - kCompared, kReports);
  const bool flat = late < 1.1 * early + 20;
  std::printf("%s: %.1f MB at rest after a tenth, %.1f MB at the end, %d OpenGL errors\n",
              flat && errors == 0 ? "done" : "WRONG", early, late, errors);
  return flat && errors == 0 ? 0 : 1;
}

}  // namespace warplens::desktop
