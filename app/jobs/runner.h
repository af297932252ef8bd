// Where work beside the frame runs, and how long a frame waits for it. Everything that a frame begins shares
// one deadline: however many actions come in a frame, they wait together at most once.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "app/platform/slices.h"

namespace warplens::jobs {

struct RunnerOptions {
  std::chrono::microseconds wait{10'000};  // of a frame, for what it begins
  // Called after a job that is still wanted has ended, on the thread it ran on.
  std::function<void()> wake = {};
  // false: jobs run on the frame's own thread, in Job::take() and work(): in slices, where there are any, and
  // to their end where there are none.
  bool threads = true;
  std::function<std::unique_ptr<platform::Slices>()> slices = platform::Slices::create;
  std::function<void()> thread_begins = {};  // called first by each thread that is made
};

// Threads are made as they are needed and kept. The jobs of a runner must be gone before it is.
class Runner {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Runner(RunnerOptions options = {});
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // From here the frame's wait counts.
  void begin_frame();
  void set_wait(std::chrono::microseconds wait);
  std::uint64_t frame() const { return frame_; }
  Clock::time_point deadline() const { return deadline_; }
  bool threaded() const { return options_.threads; }
  void wake() const {
    if (options_.wake) options_.wake();
  }

  // Runs `work` beside the frame; `owner` is for the two below.
  void post(const void* owner, std::function<void()> work);
  // What was posted and has not begun: dropped; run here and now. false: there was none.
  bool drop(const void* owner);
  bool run(const void* owner);
  // Without threads: a slice of what is unfinished, or of what was posted first, at the end of a frame.
  // false: there is nothing.
  bool work();
  // Without threads: something waits for work(), so that the next frame should come soon.
  bool has_work() const { return !options_.threads && (unfinished_ > 0 || !posted_.empty()); }

 private:
  struct Posted {
    const void* owner;
    std::function<void()> work;
  };
  bool take(const void* owner, Posted* out);  // null: any
  void serve();
  void carry_out(Posted posted, Clock::time_point until);

  RunnerOptions options_;
  std::uint64_t frame_ = 0;
  Clock::time_point deadline_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Posted> posted_;
  std::size_t idle_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> threads_;

  std::unique_ptr<platform::Slices> slices_;  // null: with threads, or work runs to its end
  int unfinished_ = 0;                        // begun in slices
};

}  // namespace warplens::jobs
