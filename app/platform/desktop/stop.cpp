#include "app/platform/stop.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <utility>

namespace warplens::platform {
namespace {

constexpr int kGraceMilliseconds = 3000;
constexpr std::chrono::milliseconds kCommandGrace{150};
constexpr int kSignals[] = {SIGTERM, SIGHUP, SIGINT};
std::atomic<bool> asked{false}, spared{false};
std::atomic<int> pipe_in{-1}, came{0};
static_assert(std::atomic<int>::is_always_lock_free);  // a signal's handler may touch nothing else

void note(int number) {
  const int error = errno;
  came = number;
  asked = true;
  if (pipe_in >= 0) {
    const char byte = 1;
    [[maybe_unused]] const ssize_t written = ::write(pipe_in, &byte, 1);
  }
  errno = error;
}

void listen(int flags) {
  for (const int number : kSignals) {
    struct sigaction before {
    }, now{};
    if (::sigaction(number, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
    now.sa_handler = note;
    now.sa_flags = static_cast<int>(SA_RESETHAND) | flags;
    ::sigaction(number, &now, nullptr);
  }
}

}  // namespace

void prepare_command() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  listen(0);  // no SA_RESTART: what waits looks up
}

const std::atomic<bool>& asked_to_stop() {
  return asked;
}

std::atomic<bool>& command_writes() {
  static std::atomic<bool> writes{false};
  return writes;
}

void end_command_by(std::chrono::steady_clock::time_point deadline, std::function<int()> last_resort,
                    std::function<void()> looks_on) {
  using Clock = std::chrono::steady_clock;
  static int ends[2] = {-1, -1};
  if (ends[0] >= 0 || ::pipe2(ends, O_CLOEXEC) != 0) return;
  pipe_in = ends[1];
  // Never joined: it ends with the program, which waits for nothing that it does.
  std::thread([deadline, last_resort = std::move(last_resort), looks_on = std::move(looks_on)] {
    const auto wait = [&, begun = Clock::now()](Clock::time_point until) {  // false: the end was asked for
      while (!asked && Clock::now() < until) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
        pollfd asks{ends[0], POLLIN, 0};
        ::poll(&asks, 1, static_cast<int>(std::clamp<std::int64_t>(left, 1, 200)));
        if (Clock::now() - begun > std::chrono::seconds(1)) looks_on();
      }
      return !asked;
    };
    for (Clock::time_point end = deadline; wait(end) && command_writes();) end = Clock::now() + kCommandGrace;
    std::this_thread::sleep_for(kCommandGrace);
    if (!spared) std::_Exit(last_resort());
  }).detach();
}

void spare_command() {
  spared = true;
}

void end_as_asked() {
  if (came == 0) return;
  std::signal(came, SIG_DFL);
  ::kill(::getpid(), came);
}

struct EndWatch::Watcher {
  std::function<void()> wake, last_resort;
  int ends[2] = {-1, -1};  // a pipe: the handler may do no more than write to it
  std::thread thread;

  void watch() {
    char byte = 0;
    while (::read(ends[0], &byte, 1) < 0 && errno == EINTR) {
    }
    if (byte == 0) return;
    wake();
    pollfd ended{ends[0], POLLIN, 0};
    if (::poll(&ended, 1, kGraceMilliseconds) > 0) return;
    last_resort();
    end_as_asked();
  }
};

EndWatch::EndWatch(std::function<void()> wake, std::function<void()> last_resort)
    : watcher_(std::make_unique<Watcher>()) {
  watcher_->wake = std::move(wake);
  watcher_->last_resort = std::move(last_resort);
  if (::pipe2(watcher_->ends, O_CLOEXEC) != 0) return;  // they end it as ever
  pipe_in = watcher_->ends[1];
  watcher_->thread = std::thread([watcher = watcher_.get()] { watcher->watch(); });
  listen(SA_RESTART);
}

EndWatch::~EndWatch() {
  if (!watcher_->thread.joinable()) return;
  for (const int number : kSignals) {
    struct sigaction now {};
    if (::sigaction(number, nullptr, &now) == 0 && now.sa_handler == note) std::signal(number, SIG_DFL);
  }
  const char end = 0;
  [[maybe_unused]] const ssize_t written = ::write(watcher_->ends[1], &end, 1);
  watcher_->thread.join();
  pipe_in = -1;
  ::close(watcher_->ends[0]);
  ::close(watcher_->ends[1]);
}

}  // namespace warplens::platform
