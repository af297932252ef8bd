// The time a request may take, and whether it was given up meanwhile.
#pragma once

#include <atomic>
#include <chrono>

namespace warplens::gpu {

struct Watch {
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin = Clock::now();
  double seconds = 60;  // allowed in all
  const std::atomic<bool>* cancelled = nullptr;

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - begin).count(); }
  bool expired() const { return elapsed() >= seconds; }
  bool is_cancelled() const { return cancelled != nullptr && cancelled->load(); }
};

}  // namespace warplens::gpu
