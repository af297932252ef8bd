// What one request may use: time, memory, simulated instructions, and a flag that cancels it. One budget goes
// through all stages of the request and is shared by all their threads.
//
//   Budget budget({.deadline = Budget::in(3), .cancel = &flag});
//   CompileResult compiled = compile(request, &budget);         // compiled.stopped: why it did not end
//   limits.budget = &budget;
//   Totals totals = grid_totals(program, launch, gpu, options);  // totals.error: the same
//
// Inside, a stage that must end throws Stopped. It never leaves compile(), list_kernels(), grid_totals() and
// the other entries that give a result: they say it there. Between two looks at the clock and the flag pass a
// few milliseconds at most.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "sim/base/message.h"

namespace warplens {

enum class Stage : std::uint8_t {
  Reading,
  Preprocessing,
  Parsing,
  Lowering,
  Optimising,
  Analysing,
  Preparing,
  Counting,
  Tracing,
  Checking,
  Running,
  Grading,
  Advising,
  Drawing,
  Writing
};
Message words_of(Stage stage);  // "counting the grid"

enum class StopReason : std::uint8_t { None, Cancelled, TimeLimit, MemoryLimit, InstructionLimit };

// Why a request ended before its result was there.
struct Stopped {
  StopReason why = StopReason::Cancelled;
  Stage stage = Stage::Reading;
  double limit = 0;         // that was hit: seconds, bytes or instructions
  Message message() const;  // "stopped after 3 seconds, while counting the grid"
  Message remedy() const;   // what to do about it, or empty
};

// Where long work shares its thread with something that must not wait: `give_way` is called at every look at
// any budget, and may return much later. None at first. Set before work begins.
void set_between_looks(void (*give_way)());

// The numbers that a budget is made from.
struct Allowance {
  std::uint64_t instructions = 20'000'000'000;          // executed warp instructions
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;  // of all threads together
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  const std::atomic<bool>* cancel = nullptr;  // outlives the budget
};

// All functions may be called by any thread.
class Budget {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Budget(const Allowance& allowance = {}) : allowance_(allowance) {}
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  static Clock::time_point in(double seconds);  // that long from now; without end where that is too long
  static Budget& endless();                     // for callers to whom nothing is a limit: never stops

  // Looks at the flag and the clock, about 50 ns. Once a budget has stopped it says so for ever.
  StopReason look();
  StopReason spend_instructions(std::uint64_t executed);  // and looks
  bool take(std::uint64_t bytes);                         // false, and stopped, where they are not left
  void give_back(std::uint64_t bytes) { used_bytes_.fetch_sub(bytes, std::memory_order_relaxed); }

  StopReason stop(
      StopReason why);  // ends it for all threads; gives the reason that stands, which is the first
  StopReason stopped() const { return stopped_.load(std::memory_order_relaxed); }
  Stopped why(Stage stage) const;  // in words, of a budget that has stopped
  void check(Stage stage) {        // throws Stopped
    if (look() != StopReason::None) throw why(stage);
  }
  std::uint64_t executed() const { return executed_.load(std::memory_order_relaxed); }  // instructions
  std::uint64_t used_bytes() const { return used_bytes_.load(std::memory_order_relaxed); }
  const Allowance& allowance() const { return allowance_; }

 private:
  const Allowance allowance_;
  const Clock::time_point began_ = Clock::now();
  std::atomic<std::uint64_t> executed_{0}, used_bytes_{0};
  std::atomic<StopReason> stopped_{StopReason::None};
};

// The steps of one thread in one stage; cheap enough for inner loops. A step is work of up to a microsecond.
class Pace {
 public:
  Pace(Budget& budget, Stage stage) : budget_(budget), stage_(stage) {}
  void step(std::uint64_t steps = 1) {  // throws Stopped
    if (steps < left_) {
      left_ -= static_cast<std::uint32_t>(steps);
      return;
    }
    left_ = kBetweenLooks;
    budget_.check(stage_);
  }
  Budget& budget() const { return budget_; }
  Stage stage() const { return stage_; }

 private:
  static constexpr std::uint32_t kBetweenLooks = 2048;
  Budget& budget_;
  Stage stage_;
  std::uint32_t left_ = kBetweenLooks;
};

// Memory taken from a budget for as long as this lives.
class HeldMemory {
 public:
  explicit HeldMemory(Budget& budget) : budget_(budget) {}
  ~HeldMemory() { give_back(); }
  HeldMemory(const HeldMemory&) = delete;
  HeldMemory& operator=(const HeldMemory&) = delete;

  bool take(std::uint64_t bytes) {  // false where they are not left; what was taken so far stays taken
    if (!budget_.take(bytes)) return false;
    bytes_ += bytes;
    return true;
  }
  void need(std::uint64_t bytes, Stage stage) {  // throws Stopped
    if (!take(bytes)) throw budget_.why(stage);
  }
  void give_back() { budget_.give_back(std::exchange(bytes_, 0)); }
  Budget& budget() const { return budget_; }

 private:
  Budget& budget_;
  std::uint64_t bytes_ = 0;
};

// Runs `work`, which may throw Stopped; says why it did not end, if it did not. Memory that the machine does
// not have counts as memory that the budget does not have.
template <class Work>
std::optional<Stopped> stopped_in(Stage stage, Work work) {
  try {
    work();
    return std::nullopt;
  } catch (const Stopped& stopped) {
    return stopped;
  } catch (const std::bad_alloc&) {
    return Stopped{StopReason::MemoryLimit, stage, 0};
  } catch (const std::length_error&) {
    return Stopped{StopReason::MemoryLimit, stage, 0};
  }
}

}  // namespace warplens
