#include "app/jobs/runner.h"

#include <algorithm>
#include <utility>

namespace warplens::jobs {

namespace {

constexpr std::chrono::milliseconds kSlice{12};  // of a frame's 16

}  // namespace

Runner::Runner(RunnerOptions options) : options_(std::move(options)) {
  if (!options_.threads && options_.slices) slices_ = options_.slices();
  begin_frame();
}

Runner::~Runner() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Runner::begin_frame() {
  ++frame_;
  deadline_ = Clock::now() + options_.wait;
}

void Runner::set_wait(std::chrono::microseconds wait) {
  options_.wait = wait;
  begin_frame();
}

void Runner::post(const void* owner, std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    posted_.push_back({owner, std::move(work)});
    if (options_.threads && idle_ < posted_.size()) threads_.emplace_back([this] { serve(); });
  }
  changed_.notify_one();
}

bool Runner::take(const void* owner, Posted* out) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(posted_.begin(), posted_.end(), [owner](const Posted& posted) {
    return owner == nullptr || posted.owner == owner;
  });
  if (found == posted_.end()) return false;
  *out = std::move(*found);
  posted_.erase(found);
  return true;
}

bool Runner::drop(const void* owner) {
  Posted unused;
  return take(owner, &unused);
}

bool Runner::run(const void* owner) {
  if (slices_ && !slices_->has_room()) return false;
  Posted posted;
  if (!take(owner, &posted)) return false;
  carry_out(std::move(posted), deadline_);
  return true;
}

bool Runner::work() {
  if (options_.threads) return false;
  if (slices_ && slices_->go_on(kSlice)) return true;
  Posted posted;
  if (!take(nullptr, &posted)) return false;
  carry_out(std::move(posted), Clock::now() + kSlice);
  return true;
}

void Runner::carry_out(Posted posted, Clock::time_point until) {
  if (!slices_) return posted.work();
  ++unfinished_;
  slices_->begin(
      [this, work = std::move(posted.work)] {
        work();
        --unfinished_;
      },
      until);
}

void Runner::serve() {
  if (options_.thread_begins) options_.thread_begins();
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    changed_.wait(lock, [this] { return stopping_ || !posted_.empty(); });
    --idle_;
    if (posted_.empty()) return;  // stopping
    const Posted mine = std::move(posted_.front());
    posted_.pop_front();
    lock.unlock();
    mine.work();
    lock.lock();
  }
}

}  // namespace warplens::jobs
