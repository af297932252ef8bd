#include "app/cli/watch.h"

#include <chrono>
#include <cstdio>

#include "app/platform/system.h"

namespace warplens::cli {

Watch::Watch(sim::Limits& limits) {
  limits.progress = &progress_;
  if (platform::errors_are_seen()) thread_ = std::thread([this] { run(); });
}

Watch::~Watch() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
  if (told_) std::fprintf(stderr, "\r\033[K");
}

void Watch::run() {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::seconds(1), [this] { return stopping_; });
  while (!stopping_) {
    std::fprintf(stderr, "\rsimulating ... %3.0f %%", 100 * progress_.load());
    told_ = true;
    changed_.wait_for(lock, std::chrono::milliseconds(200), [this] { return stopping_; });
  }
}

}  // namespace warplens::cli
