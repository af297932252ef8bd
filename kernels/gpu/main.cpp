// warplens-gpu: runs CUDA kernels for Warplens. It reads requests from standard input and answers on standard
// output, one JSON document a line (warplens.gpu/1, docs/measurement.md). A bad kernel can end this program,
// never the app.
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "kernels/gpu/session.h"
#include "kernels/protocol/protocol.h"
#include "sim/file/temporary.h"
#include "sim/text/shown.h"

namespace {

using warplens::measure::kLongestLine, warplens::measure::limits_of_lines, warplens::measure::Reply;

constexpr const char* kHelp =
    "warplens-gpu runs CUDA kernels for Warplens; warplens and warplens-cli start it by themselves.\n"
    "It reads requests from standard input and answers on standard output, one JSON document a line.\n"
    "  --batch     finish all requests after the end of the input (otherwise its end stops the program)\n"
    "  --version   say the version and end\n"
    "  --help      say this and end\n";

// Lines read from the pipe by a thread of their own, so that a cancel, or the end of the pipe, is noticed
// while a kernel runs.
class RequestQueue {
 public:
  // The end of the input means that nothing waits for a measurement any more: it cancels the one that runs
  // and drops those that wait. With `batch` all are carried out first.
  RequestQueue(int fd, bool batch) : batch_(batch), reader_([this, fd] { read_lines(fd); }) {}
  RequestQueue(const RequestQueue&) = delete;

  // The next request; empty at the end. A request is the running one until `next` is called again.
  std::optional<std::string> next() {
    std::unique_lock lock(mutex_);
    running_ = 0;
    while (true) {
      changed_.wait(lock, [this] { return ended_ || !lines_.empty(); });
      if (lines_.empty()) return std::nullopt;
      std::string line = std::move(lines_.front());
      lines_.pop_front();
      const Head head = head_of(line);
      if (head.request == "quit") return std::nullopt;
      if (ended_ && !batch_ && head.request == "measure") continue;
      running_ = head.id;
      cancelled_ = head.id != 0 && head.id == given_up_;
      return line;
    }
  }
  const std::atomic<bool>& cancelled() const { return cancelled_; }

 private:
  // The request's name and id; empty and 0 where the line is none.
  struct Head {
    std::string request;
    std::uint64_t id = 0;
  };
  static Head head_of(const std::string& line) {
    auto document = warplens::scenario::JsonDocument::parse(line, "request", limits_of_lines());
    const warplens::scenario::JsonValue root = document.root();
    Head head{root.optional_text("request")};
    warplens::scenario::Fields fields(root);
    fields("id", head.id);
    return head;
  }

  void take_line(std::string line) {
    if (line.empty() || line == "\r") return;
    const Head head = head_of(line);
    {
      const std::lock_guard lock(mutex_);
      if (head.request == "cancel" && head.id != 0) {
        given_up_ = head.id;
        if (head.id == running_) cancelled_ = true;
        return;
      }
      lines_.push_back(std::move(line));
    }
    changed_.notify_all();
  }

  void read_lines(int fd) {
    std::string pending;
    std::array<char, 65536> bytes;
    while (true) {
      const ssize_t got = read(fd, bytes.data(), bytes.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      pending.append(bytes.data(), static_cast<std::size_t>(got));
      std::size_t begin = 0;
      for (std::size_t newline; (newline = pending.find('\n', begin)) != std::string::npos;
           begin = newline + 1)
        take_line(pending.substr(begin, newline - begin));
      pending.erase(0, begin);
      if (pending.size() > kLongestLine) break;  // no request is that long
    }
    if (!pending.empty()) take_line(pending);
    const std::lock_guard lock(mutex_);
    ended_ = true;
    if (!batch_) cancelled_ = true;
    changed_.notify_all();
  }

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

// Replies go to the standard output as it was at the start; what kernels and libraries print goes to standard
// error, so that it cannot get between the lines.
int take_over_standard_output() {
  const int replies = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return replies;
}

[[noreturn]] void serve(bool batch) {
  signal(SIGPIPE, SIG_IGN);
  const int replies = take_over_standard_output();
  auto& queue = *new RequestQueue(STDIN_FILENO, batch);  // its reader may wait in read(2) to the very end
  const auto send = [&](const Reply& reply) {
    const auto text =
        warplens::measure::to_json(reply).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    if (warplens::file::write_all(replies, text + "\n") != 0) _exit(0);  // nothing listens any more
  };
  {
    warplens::gpu::Session session(send, queue.cancelled());
    while (const auto line = queue.next())
      if (!session.answer(*line)) _exit(75);  // a lost GPU state cannot be cleaned up, only left behind
  }
  _exit(0);
}

}  // namespace

int main(int count, char** words) {
  bool batch = false;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--batch") {
      batch = true;
    } else if (word == "--version") {
      warplens::text::print(stdout, WARPLENS_VERSION "\n");
      return 0;
    } else {
      warplens::text::print(word == "--help" ? stdout : stderr, kHelp);
      return word == "--help" ? 0 : 2;
    }
  }
  serve(batch);
}
