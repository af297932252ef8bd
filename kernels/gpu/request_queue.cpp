#include "kernels/gpu/request_queue.h"

#include <unistd.h>

#include <array>
#include <cerrno>

#include "kernels/protocol/protocol.h"

namespace warplens::gpu {
namespace {

// The request's name and id; empty and 0 where the line is none.
struct Head {
  std::string request;
  std::uint64_t id = 0;
};
Head head_of(const std::string& line) {
  auto document = scenario::JsonDocument::parse(line, "request", measure::limits_of_lines());
  const scenario::JsonValue root = document.root();
  Head head{root.optional_text("request")};
  scenario::Fields fields(root);
  fields("id", head.id);
  return head;
}

}  // namespace

RequestQueue::RequestQueue(int fd, bool batch) : batch_(batch), reader_([this, fd] { read_lines(fd); }) {}

std::optional<std::string> RequestQueue::next() {
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

void RequestQueue::take_line(std::string line) {
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

void RequestQueue::read_lines(int fd) {
  std::string pending;
  std::array<char, 65536> bytes;
  while (true) {
    const ssize_t got = read(fd, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    pending.append(bytes.data(), static_cast<std::size_t>(got));
    std::size_t begin = 0;
    for (std::size_t newline; (newline = pending.find('\n', begin)) != std::string::npos; begin = newline + 1)
      take_line(pending.substr(begin, newline - begin));
    pending.erase(0, begin);
    if (pending.size() > measure::kLongestLine) break;  // no request is that long
  }
  if (!pending.empty()) take_line(pending);
  const std::lock_guard lock(mutex_);
  ended_ = true;
  if (!batch_) cancelled_ = true;
  changed_.notify_all();
}

}  // namespace warplens::gpu
