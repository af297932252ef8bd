// Stands beside a long simulation and tells a terminal how far it is. What ends it is its budget.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "sim/launch/run.h"

namespace warplens::cli {

class Watch {
 public:
  // Sets progress of `limits`, which must outlive this.
  explicit Watch(sim::Limits& limits);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  void run();

  std::atomic<double> progress_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  bool told_ = false;
  std::thread thread_;  // none without a terminal
};

}  // namespace warplens::cli
