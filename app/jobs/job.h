// Work beside the frame, of which only the newest counts: starting it again cancels what was under way and
// drops its result. The work gets a flag to look at and a number from 0 to 1 to write its progress into.
// Where it throws there is no result: failure() says why.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "app/jobs/runner.h"
#include "sim/base/budget.h"

namespace warplens::jobs {

template <typename Result>
class Job {
 public:
  using Work = std::function<Result(const std::atomic<bool>* cancel, std::atomic<double>* progress)>;

  explicit Job(Runner& runner) : runner_(runner) {}
  ~Job() {
    cancel();
    if (runner_.drop(this)) return;
    // Where a browser goes on with what was put aside only after the frame, jobs live as long as the page.
    while (!runner_.threaded() && running_) runner_.work();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !running_; });
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  void start(Work work) {
    bool post = false;
    {
      const std::lock_guard lock(mutex_);
      if (current_) current_->cancel = true;
      next_ = std::make_shared<Run>();
      next_->work = std::move(work);
      result_.reset();
      failure_ = {};
      frame_ = runner_.frame();
      post = !std::exchange(running_, true);
    }
    if (post) runner_.post(this, [this] { run_all(); });
  }

  // What is under way is cancelled; neither a result nor a failure is kept.
  void cancel() {
    const std::lock_guard lock(mutex_);
    if (current_) current_->cancel = true;
    next_.reset();
    current_.reset();
    result_.reset();
    failure_ = {};
  }

  // The result of the newest work, once. In the frame that began it, waits for it as long as that frame
  // waits.
  std::optional<Result> take() {
    std::unique_lock lock(mutex_);
    if (frame_ == runner_.frame() && Runner::Clock::now() < runner_.deadline()) {
      if (!runner_.threaded()) {
        if (!next_) return std::exchange(result_, std::nullopt);
        lock.unlock();
        runner_.run(this);
        lock.lock();
        return std::exchange(result_, std::nullopt);
      }
      changed_.wait_until(lock, runner_.deadline(), [this] { return result_ || (!current_ && !next_); });
    }
    return std::exchange(result_, std::nullopt);
  }

  // Why the newest work ended without a result, in words; empty: it did not.
  Message failure() const {
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
  struct Run {
    Work work;
    std::atomic<bool> cancel{false};
    std::atomic<double> progress{0};
  };

  static std::optional<Result> carry_out(Run& run, Message* failure) {
    try {
      return run.work(&run.cancel, &run.progress);
    } catch (const Stopped& stopped) {
      *failure = stopped.message();
    } catch (const std::bad_alloc&) {
      *failure = Message("this machine's memory is used up");
    } catch (const std::exception& thrown) {
      *failure = Message::verbatim(thrown.what());
    }
    return std::nullopt;
  }

  // One after another, until there is no newer one.
  void run_all() {
    std::unique_lock lock(mutex_);
    while (next_) {
      const std::shared_ptr<Run> mine = current_ = std::exchange(next_, nullptr);
      lock.unlock();
      Message failure;
      std::optional<Result> result = carry_out(*mine, &failure);
      lock.lock();
      const bool wanted = current_ == mine && !mine->cancel;
      if (current_ == mine) current_.reset();
      if (!wanted) continue;
      result_ = std::move(result);
      failure_ = std::move(failure);
      changed_.notify_all();
      lock.unlock();
      runner_.wake();
      lock.lock();
    }
    running_ = false;
    changed_.notify_all();  // with the lock: the destructor may be waiting for this
  }

  Runner& runner_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<Run> current_, next_;  // under way; begins when that has ended
  std::optional<Result> result_;
  Message failure_;
  std::uint64_t frame_ = 0;  // that began the newest
  bool running_ = false;     // run_all() is posted or under way
};

}  // namespace warplens::jobs
