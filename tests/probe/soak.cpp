#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "sim/text/shown.h"
#include "tests/probe/probes.h"
#include "tests/probe/walker.h"

namespace warplens::desktop {
namespace {

constexpr int kActionsAFrame = 10, kReports = 20, kReadings = 10;
constexpr double kFrameSeconds = 0.04;

// Of this process, now, in megabytes.
struct Memory {
  double resident = 0;  // as the operating system sees it; what the allocator only keeps is given back first
  double used = 0;      // asked for and not given back: what leaks raises this, whatever else is chance
};
Memory memory_now() {
  malloc_trim(0);
  long pages = 0, resident = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  const struct mallinfo2 info = ::mallinfo2();
  const double page = static_cast<double>(::sysconf(_SC_PAGESIZE));
  return {static_cast<double>(resident) * page / (1 << 20),
          static_cast<double>(info.uordblks + info.hblkhd) / (1 << 20)};
}

// Back to one small moment with nothing under way, in one size of type (the fonts of large type take tens of
// megabytes): memory is then that of what is kept, not of what is looked at.
void settle(App& app, gl::Framebuffer& target, FrameInput* in) {
  app.act({app::SetPlaying{false}, app::SetPresent{false}, app::SetZoom{1}, app::SelectScenario{"copy"},
           app::SelectScenario{"shared_row"}});  // the other one takes an edited text away
  for (int i = 0; i < 3000; ++i) {
    in->now += kFrameSeconds;
    target.bind();
    app.frame(*in);
    if (!app.awaits() && app.simulation().fresh) return;
    ::usleep(10'000);
  }
}

// The least of some readings: work that was cancelled gives its memory back a moment later.
Memory memory_at_rest() {
  Memory least = memory_now();
  for (int i = 1; i < kReadings; ++i) {
    ::usleep(100'000);
    const Memory now = memory_now();
    least = {std::min(least.resident, now.resident), std::min(least.used, now.used)};
  }
  return least;
}

// Of the reports from `from` to before `to`. The least: software rendering keeps the letters of a size that
// is no longer shown until it draws over them, and whether it does is chance; what leaks raises the least as
// well.
Memory least_of(const std::vector<Memory>& memory, int from, int to) {
  Memory least = memory.empty() ? Memory{} : memory.back();
  for (int i = from; i < to && i < static_cast<int>(memory.size()); ++i) {
    const Memory& at = memory[static_cast<std::size_t>(i)];
    least = {std::min(least.resident, at.resident), std::min(least.used, at.used)};
  }
  return least;
}

void report(int actions, const Memory& memory) {
  text::say(stdout, "%d actions, %.1f MB resident, %.1f MB used\n", actions, memory.resident, memory.used);
  std::fflush(stdout);
}

}  // namespace

int soak(App& app, OffscreenTarget& studio, int actions) {
  Walker walker;
  FrameInput in = input_of(studio);
  in.input.seconds = kFrameSeconds;
  std::vector<Memory> memory;
  settle(app, *studio.framebuffer, &in);
  report(0, memory_at_rest());
  const int between = std::max(actions / kReports, 1);
  int errors = 0;
  for (int i = 0; i < actions; ++i) {
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
    memory.push_back(memory_at_rest());
    report(i + 1, memory.back());
  }
  const Memory early = least_of(memory, kReports / 10, kReports / 2);
  const Memory late = least_of(memory, kReports / 2, kReports);
  const bool flat = late.resident < 1.1 * early.resident + 10 && late.used < early.used + 4;
  text::say(
      stdout,
      "%s: at rest %.1f MB resident, %.1f MB used in the first half; %.1f and %.1f in the second; %d OpenGL "
      "errors\n",
      flat && errors == 0 ? "done" : "WRONG", early.resident, early.used, late.resident, late.used, errors);
  return flat && errors == 0 ? 0 : 1;
}

}  // namespace warplens::desktop
