// Work beside the frame, of which only the newest counts: starting a job cancels the one before and drops its
// result. A job gets a flag to look at and a number from 0 to 1 to write its progress into. A job that throws
// has no result: failure() says why.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "sim/base/budget.h"

namespace warplens::session {

template <typename Result>
class Background {
 public:
  using Job = std::function<Result(const std::atomic<bool>* cancel, std::atomic<double>* progress)>;

  // `on_done` is called in the worker's thread after each job that was not replaced.
  explicit Background(std::function<void()> on_done = {}) : on_done_(std::move(on_done)) {}
  ~Background() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      cancel_running();
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  void start(Job job) {
    {
      const std::lock_guard lock(mutex_);
      cancel_running();
      next_ = std::make_shared<Running>();
      next_->job = std::move(job);
      result_.reset();
      failure_.clear();
      if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
    }
    changed_.notify_all();
  }

  void cancel() {
    const std::lock_guard lock(mutex_);
    cancel_running();
    next_.reset();
    current_.reset();
    result_.reset();
    failure_.clear();
  }

  // The result of the newest job, waiting for it at most so long. Given once.
  std::optional<Result> take(std::chrono::microseconds patience) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, patience, [this] { return result_ || (!current_ && !next_); });
    return std::exchange(result_, std::nullopt);
  }

  // Why the newest job ended without a result, in words; empty: it did not.
  std::string failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
  }

  bool busy() const {
    const std::lock_guard lock(mutex_);
    return current_ || next_;
  }
  double progress() const {
    const std::lock_guard lock(mutex_);
    return current_ ? current_->progress.load() : 0.0;
  }

 private:
  struct Running {
    Job job;
    std::atomic<bool> cancel{false};
    std::atomic<double> progress{0};
  };

  void cancel_running() {
    if (current_) current_->cancel = true;
  }

  static std::optional<Result> run(Running& running, std::string* failure) {
    try {
      return running.job(&running.cancel, &running.progress);
    } catch (const Stopped& stopped) {
      *failure = stopped.message();
    } catch (const std::bad_alloc&) {
      *failure = "this machine's memory is used up";
    } catch (const std::exception& thrown) {
      *failure = thrown.what();
    }
    return std::nullopt;
  }

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return stopping_ || next_; });
      if (stopping_) return;
      const std::shared_ptr<Running> mine = current_ = std::exchange(next_, nullptr);
      lock.unlock();
      std::string failure;
      std::optional<Result> result = run(*mine, &failure);
      lock.lock();
      if (current_ != mine || mine->cancel) {
        if (current_ == mine) current_.reset();
        continue;  // something newer is wanted
      }
      current_.reset();
      result_ = std::move(result);
      failure_ = std::move(failure);
      lock.unlock();
      changed_.notify_all();
      if (on_done_) on_done_();
      lock.lock();
    }
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> on_done_;
  std::shared_ptr<Running> current_, next_;
  std::optional<Result> result_;
  std::string failure_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace warplens::session
