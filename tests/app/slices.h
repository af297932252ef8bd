// Slices as a browser has them, for tests on a desktop, which has threads: stacks by ucontext.
#pragma once

#include <ucontext.h>

#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "app/platform/slices.h"
#include "sim/base/budget.h"

namespace warplens::platform {

inline constexpr std::size_t kStackBytes = std::size_t{4} << 20, kMostWaiting = 8;

struct Fiber {
  std::function<void()> work;
  std::vector<char> stack = std::vector<char>(kStackBytes);
  ucontext_t own{};
  bool ended = false;
};

class Contexts;
inline thread_local Contexts* running_in = nullptr;  // the slices whose work runs on this thread now

class Contexts final : public Slices {
 public:
  Contexts() { set_between_looks(give_way); }
  // What has not ended is dropped with its stack, without unwinding it: its owner ends it before.
  ~Contexts() override = default;

  bool has_room() const override { return waiting_.size() < kMostWaiting; }

  void begin(std::function<void()> work, Clock::time_point until) override {
    auto fiber = std::make_unique<Fiber>();
    fiber->work = std::move(work);
    getcontext(&fiber->own);
    fiber->own.uc_stack.ss_sp = fiber->stack.data();
    fiber->own.uc_stack.ss_size = fiber->stack.size();
    fiber->own.uc_link = &caller_;
    makecontext(&fiber->own, run_current, 0);
    enter(std::move(fiber), until);
  }

  bool go_on(std::chrono::microseconds slice) override {
    if (waiting_.empty()) return false;
    auto fiber = std::move(waiting_.front());
    waiting_.pop_front();
    enter(std::move(fiber), Clock::now() + slice);
    return true;
  }

 private:
  void enter(std::unique_ptr<Fiber> fiber, Clock::time_point until) {
    // One that begins another from within would lose its way back.
    Contexts* outer = std::exchange(running_in, this);
    current_ = fiber.get();
    until_ = until;
    swapcontext(&caller_, &fiber->own);
    running_in = outer;
    if (!fiber->ended) waiting_.push_back(std::move(fiber));
  }

  static void run_current() {
    Fiber& fiber = *running_in->current_;
    fiber.work();
    fiber.ended = true;
  }

  static void give_way() {
    Contexts* slices = running_in;
    if (slices == nullptr || Clock::now() < slices->until_) return;
    swapcontext(&slices->current_->own, &slices->caller_);
  }

  ucontext_t caller_{};
  Fiber* current_ = nullptr;
  Clock::time_point until_;
  std::deque<std::unique_ptr<Fiber>> waiting_;
};

inline std::unique_ptr<Slices> contexts() {
  return std::make_unique<Contexts>();
}

}  // namespace warplens::platform
