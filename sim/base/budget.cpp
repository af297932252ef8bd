#include "sim/base/budget.h"

#include <cmath>

#include "sim/base/numbers.h"

namespace warplens {

namespace {

std::atomic<void (*)()> between_looks{nullptr};

std::string in_binary_units(double bytes) {
  const double mebi = bytes / (1 << 20);
  if (mebi < 1) return formatted("%.3g KiB", mebi * 1024);
  return mebi >= 1024 ? formatted("%.3g GiB", mebi / 1024) : formatted("%.3g MiB", mebi);
}

}  // namespace

Message words_of(Stage stage) {
  static const Message kWords[] = {
      Message("reading the text"),       Message("expanding macros"),
      Message("parsing the text"),       Message("compiling: constants, templates and calls"),
      Message("optimising the program"), Message("analysing the program"),
      Message("preparing the launch"),   Message("counting the grid"),
      Message("tracing a block"),        Message("checking memory"),
      Message("running the kernel"),     Message("grading"),
      Message("looking for advice"),     Message("drawing"),
      Message("writing the answer")};
  return kWords[static_cast<std::size_t>(stage)];
}

Message Stopped::message() const {
  const Message doing = words_of(stage);
  switch (why) {
    case StopReason::TimeLimit: {
      const std::string seconds = formatted("%.4g", limit);
      return seconds == "1" ? Message("stopped after {} second, while {}", seconds, doing)
                            : Message("stopped after {} seconds, while {}", seconds, doing);
    }
    case StopReason::MemoryLimit:
      return limit > 0 ? Message("stopped at {} of memory, while {}", in_binary_units(limit), doing)
                       : Message("this machine's memory is used up, while {}", doing);
    case StopReason::InstructionLimit:
      return Message(
          "stopped after {} instructions: an endless loop, or a launch too large to simulate within this "
          "limit",
          fixed(limit, 0));
    case StopReason::Cancelled:
    case StopReason::None:
      break;
  }
  return Message("cancelled, while {}", doing);
}

Message Stopped::remedy() const {
  switch (why) {
    case StopReason::TimeLimit:
      return Message(
          "give it more time, or less to do: a smaller size, a shorter text; or a loop may never end");
    case StopReason::MemoryLimit:
      return Message("give it less to hold: smaller buffers and local arrays, a shorter text");
    case StopReason::InstructionLimit:
      return Message("make the launch smaller, or look for a loop that never ends");
    case StopReason::Cancelled:
    case StopReason::None:
      break;
  }
  return {};
}

Budget::Clock::time_point Budget::in(double seconds) {
  constexpr double kLong = 1e9;  // some thirty years
  if (!(seconds < kLong)) return Clock::time_point::max();
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

Budget& Budget::endless() {
  static Budget budget({.instructions = ~std::uint64_t{0}, .memory_bytes = ~std::uint64_t{0}});
  return budget;
}

StopReason Budget::stop(StopReason why) {
  StopReason before = StopReason::None;
  return stopped_.compare_exchange_strong(before, why, std::memory_order_relaxed) ? why : before;
}

void set_between_looks(void (*give_way)()) {
  between_looks = give_way;
}

StopReason Budget::look() {
  if (void (*const give_way)() = between_looks.load(std::memory_order_relaxed)) give_way();
  const StopReason before = stopped();
  if (before != StopReason::None) return before;
  if (allowance_.cancel != nullptr && allowance_.cancel->load(std::memory_order_relaxed))
    return stop(StopReason::Cancelled);
  if (allowance_.deadline != Clock::time_point::max() && Clock::now() >= allowance_.deadline)
    return stop(StopReason::TimeLimit);
  return StopReason::None;
}

StopReason Budget::spend_instructions(std::uint64_t executed) {
  const std::uint64_t sum = executed_.fetch_add(executed, std::memory_order_relaxed) + executed;
  if (sum > allowance_.instructions) return stop(StopReason::InstructionLimit);
  return look();
}

bool Budget::take(std::uint64_t bytes) {
  if (look() != StopReason::None) return false;
  std::uint64_t used = used_bytes();
  do {
    if (bytes > allowance_.memory_bytes || used > allowance_.memory_bytes - bytes) {
      stop(StopReason::MemoryLimit);
      return false;
    }
  } while (!used_bytes_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  return true;
}

Stopped Budget::why(Stage stage) const {
  Stopped result{stopped(), stage, 0};
  if (result.why == StopReason::MemoryLimit) result.limit = static_cast<double>(allowance_.memory_bytes);
  if (result.why == StopReason::InstructionLimit) result.limit = static_cast<double>(allowance_.instructions);
  if (result.why == StopReason::TimeLimit) {
    const double seconds = std::chrono::duration<double>(allowance_.deadline - began_).count();
    result.limit = std::round(seconds * 1000) / 1000;
  }
  return result;
}

}  // namespace warplens
