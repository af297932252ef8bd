#include "app/cli/watch.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace warplens::cli {

Watch::Watch(double seconds, warp::Limits& limits) : thread_([this, seconds] { run(seconds); }) {
  limits.cancel = &cancel_;
  limits.progress = &progress_;
}

Watch::~Watch() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
  if (told_) std::fprintf(stderr, "\r\033[K");
}

void Watch::run(double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const double passed = std::chrono::duration<double>(Clock::now() - begin).count();
    if (passed >= seconds) {
      cancel_ = true;
      return;
    }
    if (terminal && passed > 1) {
      std::fprintf(stderr, "\rsimulating ... %3.0f %%", 100 * progress_.load());
      told_ = true;
    }
    const double wait = std::min(terminal ? 0.2 : 1.0, seconds - passed);
    changed_.wait_for(lock, std::chrono::duration<double>(wait), [this] { return stopping_; });
  }
}

}  // namespace warplens::cli
