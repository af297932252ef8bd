// The end that comes from outside: Ctrl C, the end of the session or of the terminal. A second one ends the
// program at once. What is ignored, as under nohup and in the background of a script, stays so.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>

namespace warplens::platform {

// A command calls this before anything else: from then on a signal ends it where it next looks at
// asked_to_stop(), and a write that fails, for example to a pipe without a reader, reports an error and does
// not end the program.
void prepare_command();
const std::atomic<bool>& asked_to_stop();
// The command's time ends then. Where it is still there a seventh of a second after that, or after its end
// was asked for, `last_resort` is called from another thread, and the program ends with the exit code that it
// gives: what has much to give back, or overlooks its budget, keeps nobody waiting. Until then `looks_on` is
// called from that thread, from the first second on, five times a second.
void end_command_by(std::chrono::steady_clock::time_point deadline, std::function<int()> last_resort,
                    std::function<void()> looks_on);
void spare_command();  // it has work that no deadline ends: nothing of the above, from now on
// Set while a write waits for whoever reads it, which is no work.
std::atomic<bool>& command_writes();

// For a window: its loop saves what there is and ends; where it does not come to that, what was noted last is
// saved without it. One at a time.
class EndWatch {
 public:
  // Both are called from another thread: `wake` when the end is asked for, `last_resort` where this is still
  // there 3 seconds later; then the program ends as it does by itself.
  EndWatch(std::function<void()> wake, std::function<void()> last_resort);
  ~EndWatch();
  EndWatch(const EndWatch&) = delete;
  EndWatch& operator=(const EndWatch&) = delete;

 private:
  struct Watcher;
  std::unique_ptr<Watcher> watcher_;
};

// Ends the program as what asked for its end does by itself. Does nothing where nothing asked.
void end_as_asked();

}  // namespace warplens::platform
