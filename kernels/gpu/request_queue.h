// Lines read from the pipe by a thread of their own, so that a cancel, or the end of the pipe, is noticed
// while a kernel runs.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace warplens::gpu {

class RequestQueue {
 public:
  // The end of the input means that nothing waits for a measurement any more: it cancels the one that runs
  // and drops those that wait. With `batch` all are carried out first.
  RequestQueue(int fd, bool batch);
  RequestQueue(const RequestQueue&) = delete;

  // The next request; empty at the end. A request is the running one until `next` is called again.
  std::optional<std::string> next();
  const std::atomic<bool>& cancelled() const { return cancelled_; }

 private:
  void read_lines(int fd);
  void take_line(std::string line);

  const bool batch_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  std::uint64_t running_ = 0;   // id of the request handed out last; 0: none
  std::uint64_t given_up_ = 0;  // id of the latest cancel, which may come before its request is handed out
  bool ended_ = false;
  std::atomic<bool> cancelled_{false};
  std::thread reader_;
};

}  // namespace warplens::gpu
