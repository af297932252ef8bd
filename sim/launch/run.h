// Limits of a run, and how a run can fail.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "sim/base/budget.h"
#include "sim/cuda/text/diagnostic.h"
#include "sim/launch/launch.h"

namespace warplens::sim {

struct Limits : Allowance {
  Budget* budget = nullptr;  // the request's; null: one of this run's own, made from the numbers of Allowance
  // In one block's trace: what comes beyond is counted, not kept. A million events take 36 MB, and up to 136
  // MB more where no two of them have the same shape; checkpoints take 32 MB at most.
  std::uint64_t trace_events = 4'000'000;
  std::uint64_t trace_bytes = 400'000'000;
  bool check_memory = true;                 // in traces and check runs: see memory_checker.h
  std::atomic<double>* progress = nullptr;  // 0 to 1
};

struct RunError {
  enum class Kind {
    BadLaunch,
    Misaligned,
    OutOfRange,
    DivisionByZero,
    DivergentBarrier,
    Assertion,
    InstructionLimit,
    TraceLimit,
    MemoryLimit,
    TimeLimit,
    Cancelled,
    Uninitialised,
    Race,
    EndlessLoop
  };
  Kind kind = Kind::BadLaunch;
  Message message;          // in words, with lane, thread, block, address as far as they apply
  Message remedy;           // what to do about it, or empty
  cuda::SourceRange range;  // in the kernel's text: the access, division, barrier or assertion itself
  cuda::SourceRange other;  // Race: the access that it collides with
  Dim3 block{0, 0, 0}, thread{0, 0, 0};  // indices, not extents
  int warp = -1, lane = -1;
  bool is_limit() const {
    return kind == Kind::InstructionLimit || kind == Kind::TraceLimit || kind == Kind::MemoryLimit ||
           kind == Kind::TimeLimit;
  }
};

RunError run_error(const Stopped& stopped);

// The budget that a run goes by.
class RunBudget {
 public:
  explicit RunBudget(const Limits& limits) : own_(limits), used_(limits.budget ? *limits.budget : own_) {}
  Budget& operator*() const { return used_; }
  Budget* operator->() const { return &used_; }

 private:
  Budget own_;
  Budget& used_;
};

// How a public function runs what may use up a budget.

// Runs `work(Budget&)` within the budget that the limits name, or else one of its own; `error` says what
// ended it early, unless it holds something already.
template <class Work>
void run_within(const Limits& limits, Stage stage, std::optional<RunError>& error, Work work) {
  const RunBudget budget(limits);
  const std::optional<Stopped> stopped = stopped_in(stage, [&] { work(*budget); });
  if (stopped && !error) error = run_error(*stopped);
}

}  // namespace warplens::sim
