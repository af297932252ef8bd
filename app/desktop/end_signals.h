// The end from outside: SIGTERM, SIGHUP, SIGINT. The frame loop saves what it has and ends; where it does not
// come to that, what was noted last is saved without it.
#pragma once

#include <functional>
#include <thread>

namespace warplens::desktop {

class EndSignals {
 public:
  // Both are called from another thread: `wake` when a signal came, `last_resort` where the loop has not
  // ended within 3 seconds of it; then the program ends as the signal has it. A second signal ends it at
  // once. What is ignored, as under nohup, stays so. One at a time.
  EndSignals(std::function<void()> wake, std::function<void()> last_resort);
  ~EndSignals();
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;

  static int received();  // its number; 0: none

 private:
  void watch();
  std::function<void()> wake_, last_resort_;
  int ends_[2] = {-1, -1};  // a pipe: the handler may do no more than write to it
  std::thread thread_;
};

// Ends the program as that signal does by itself.
void end_by(int signal);

}  // namespace warplens::desktop
