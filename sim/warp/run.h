// Limits of a run, and how a run can fail.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "sim/cuda/diagnostic.h"
#include "sim/warp/launch.h"

namespace warplens::warp {

struct Limits {
  std::uint64_t instructions = 20'000'000'000;   // executed warp instructions
  std::uint64_t trace_events = 4'000'000;        // in one block's trace
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
  const std::atomic<bool>* cancel = nullptr;     // looked at often; the run then ends with Cancelled
  std::atomic<double>* progress = nullptr;       // 0 to 1
};

struct RunError {
  enum class Kind { BadLaunch, Misaligned, OutOfRange, DivisionByZero, DivergentBarrier, Assertion, InstructionLimit,
                    TraceLimit, MemoryLimit, Cancelled };
  Kind kind = Kind::BadLaunch;
  std::string message;  // in words, with lane, thread, block, address as far as they apply
  cuda::SourceRange range;  // in the kernel's text
  Dim3 block{0, 0, 0}, thread{0, 0, 0};  // indices, not extents
  int warp = -1, lane = -1;
  bool is_limit() const { return kind == Kind::InstructionLimit || kind == Kind::TraceLimit || kind == Kind::MemoryLimit; }
};

}  // namespace warplens::warp
