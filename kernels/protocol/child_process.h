// A child process with its three pipes: started, spoken to in lines, ended and reaped, whatever it does.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/message.h"
#include "sim/file/temporary.h"

namespace warplens::measure {

using Clock = std::chrono::steady_clock;

using file::Descriptor;

// A pipe by which another thread wakes one that waits in poll(2).
class WakePipe {
 public:
  WakePipe();
  void wake() const;  // any thread, never blocks
  void clear() const;
  int read_end() const { return read_.get(); }

 private:
  Descriptor read_, write_;
};

class ChildProcess {
 public:
  // Finds argv[0] as a shell would. Empty, with `error` in words, where it cannot be started.
  static std::unique_ptr<ChildProcess> start(const std::vector<std::string>& argv, Message& error);
  ChildProcess(const ChildProcess&) = delete;
  ~ChildProcess();  // end(0.5)

  enum class Event { Line, Woken, Deadline, Ended, TooLong };
  struct Received {
    Event event = Event::Deadline;
    std::string line;  // without its newline
  };
  // Waits for a line of its standard output, for `wake`, for the deadline, or for the end of its output.
  Received read_line(Clock::time_point deadline, const WakePipe* wake, std::size_t longest);
  // False: it no longer reads, or not before the deadline.
  bool write_line(const std::string& line, Clock::time_point deadline);

  void close_input() { in_ = Descriptor(); }

  // Closes its input, waits, sends SIGTERM, waits, sends SIGKILL, and reaps it; then the same, without a wait
  // before SIGTERM, for those of its group that it leaves behind: a launcher may end before what it started.
  // A process that has left the group (setsid) is its own master.
  void end(double patience_seconds);
  bool running();
  bool ended_well() const { return ended_ && !signalled_ && status_ == 0; }  // with exit code 0
  std::string last_words() const { return stderr_tail_; }                    // the end of its standard error
  // "ended with exit code 3", "was killed by signal 11", "did not end by itself and was ended"
  Message how_it_ended();
  pid_t pid() const { return pid_; }

 private:
  ChildProcess(pid_t pid, Descriptor in, Descriptor out, Descriptor err)
      : pid_(pid), in_(std::move(in)), out_(std::move(out)), err_(std::move(err)) {}
  void take_output();
  void take_error();
  bool wait_until(Clock::time_point deadline);
  void send(int signal);
  void end_group();
  bool pop_line(Received& received);

  pid_t pid_;
  bool ended_ = false;   // known to have ended; it may still have to be reaped
  bool reaped_ = false;  // until then no other process has its number, which is its group's too
  int status_ = 0;       // exit code, or signal
  bool signalled_ = false;
  bool ended_by_us_ = false;  // it was sent a signal
  Descriptor in_, out_, err_;
  std::string pending_;
  std::size_t searched_ = 0;  // pending_ holds no newline before this
  std::string stderr_tail_;
};

// "ssh -p 22 'my host'" -> its words, as a shell splits them: quotes and backslashes, nothing else.
std::optional<std::vector<std::string>> split_words(const std::string& text, Message& error);

}  // namespace warplens::measure
