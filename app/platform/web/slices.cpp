// A browser's stacks: WebAssembly is entered anew for each work, and its entry is suspended by JavaScript
// Promise Integration. What suspends is the engine's own stack; the one in linear memory, where C++ keeps
// what has an address, is exchanged here. Where the browser has no such thing, work runs to its end.
#include "app/platform/slices.h"

#include <emscripten.h>

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "sim/base/budget.h"

// Functions of the compiler's runtime: they read and set the stack pointer in linear memory.
extern "C" {
void* stackSave();
void stackRestore(void* to);
// app/platform/web/library.js
int wl_can_suspend();
void wl_enter_fiber();    // calls wl_run_fiber() on a stack of the engine's own; back when that suspends or
                          // ends
void wl_suspend_fiber();  // on that stack: leaves it until wl_resume_fiber()
void wl_resume_fiber();   // the one that was suspended first goes on, after the present call from the page
}

namespace warplens::platform {
namespace {

constexpr std::size_t kStackBytes = std::size_t{2} << 20, kMostWaiting = 6;

struct Fiber {
  std::function<void()> work;
  std::vector<char> stack = std::vector<char>(kStackBytes);
  // Compiled code relies on an alignment of 16 bytes: it adds small offsets by OR.
  void* top() {
    const auto end = reinterpret_cast<std::uintptr_t>(stack.data() + stack.size());
    return reinterpret_cast<void*>(end & ~std::uintptr_t{15});
  }
};

class Suspended;
Suspended* the_slices = nullptr;

class Suspended final : public Slices {
 public:
  Suspended() {
    the_slices = this;
    set_between_looks(give_way);
  }

  bool has_room() const override { return waiting_.size() < kMostWaiting; }

  void begin(std::function<void()> work, Clock::time_point until) override {
    beginning_ = idle_.empty() ? std::make_unique<Fiber>() : std::move(idle_.back());
    if (!idle_.empty()) idle_.pop_back();
    beginning_->work = std::move(work);
    until_ = until;
    void* const mine = stackSave();
    caller_ = mine;
    stackRestore(beginning_->top());
    wl_enter_fiber();
    stackRestore(mine);
    current_ = nullptr;
  }

  bool go_on(std::chrono::microseconds slice) override {
    if (waiting_.empty()) return false;
    if (resuming_) return true;  // it has not had its turn yet
    slice_ = slice;
    resuming_ = true;
    wl_resume_fiber();
    return true;
  }

  void run() {
    std::unique_ptr<Fiber> mine = std::move(beginning_);
    current_ = mine.get();
    mine->work();
    mine->work = nullptr;
    current_ = nullptr;
    if (idle_.size() < 2) idle_.push_back(std::move(mine));
  }

  void* caller() const { return caller_; }

 private:
  static void give_way() {
    Suspended& slices = *the_slices;
    if (slices.current_ == nullptr || Clock::now() < slices.until_) return;
    slices.leave();
  }

  [[gnu::noinline]] void leave() {
    Fiber* const mine = std::exchange(current_, nullptr);
    waiting_.push_back(mine);
    void* const here = stackSave();
    stackRestore(caller_);
    wl_suspend_fiber();
    caller_ = stackSave();
    stackRestore(here);
    waiting_.pop_front();
    resuming_ = false;
    current_ = mine;
    until_ = Clock::now() + slice_;
  }

  std::unique_ptr<Fiber> beginning_;
  std::vector<std::unique_ptr<Fiber>> idle_;
  std::deque<Fiber*> waiting_;  // in the order in which they are resumed
  Fiber* current_ = nullptr;    // null: what runs is a frame
  bool resuming_ = false;
  Clock::time_point until_;
  std::chrono::microseconds slice_{};
  void* caller_ = nullptr;  // the stack of what entered or resumed the one that runs
};

// Apart, so that the function below has no frame in linear memory and leaves the pointer where it puts it.
[[gnu::noinline]] void run_fiber() {
  the_slices->run();
}

}  // namespace

extern "C" EMSCRIPTEN_KEEPALIVE void wl_run_fiber() {
  run_fiber();
  stackRestore(the_slices->caller());
}

std::unique_ptr<Slices> Slices::create() {
  if (wl_can_suspend() == 0) return nullptr;
  return std::make_unique<Suspended>();
}

}  // namespace warplens::platform
