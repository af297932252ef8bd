// Stands beside a long simulation: ends it when its time is up, and tells a terminal how far it is.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "sim/warp/run.h"

namespace warplens::cli {

class Watch {
 public:
  // Sets cancel and progress of `limits`, which must outlive this.
  Watch(double seconds, warp::Limits& limits);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  bool out_of_time() const { return cancel_.load(); }

 private:
  void run(double seconds);

  std::atomic<bool> cancel_{false};
  std::atomic<double> progress_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  bool told_ = false;
  std::thread thread_;
};

}  // namespace warplens::cli
