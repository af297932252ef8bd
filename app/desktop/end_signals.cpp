#include "app/desktop/end_signals.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <utility>

namespace warplens::desktop {
namespace {

constexpr int kGraceMilliseconds = 3000;
constexpr int kSignals[] = {SIGTERM, SIGHUP, SIGINT};
std::atomic<int> pipe_in{-1}, came{0};

void on_signal(int number) {
  const int error = errno;
  came = number;
  const char byte = 1;
  [[maybe_unused]] const ssize_t written = ::write(pipe_in, &byte, 1);
  errno = error;
}

}  // namespace

EndSignals::EndSignals(std::function<void()> wake, std::function<void()> last_resort)
    : wake_(std::move(wake)), last_resort_(std::move(last_resort)) {
  if (::pipe2(ends_, O_CLOEXEC) != 0) return;  // they end it as ever
  pipe_in = ends_[1];
  thread_ = std::thread([this] { watch(); });
  for (const int number : kSignals) {
    struct sigaction before {
    }, now{};
    if (::sigaction(number, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
    now.sa_handler = on_signal;
    now.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
    ::sigaction(number, &now, nullptr);
  }
}

EndSignals::~EndSignals() {
  if (!thread_.joinable()) return;
  for (const int number : kSignals) {
    struct sigaction now {};
    if (::sigaction(number, nullptr, &now) == 0 && now.sa_handler == on_signal) std::signal(number, SIG_DFL);
  }
  const char end = 0;
  [[maybe_unused]] const ssize_t written = ::write(ends_[1], &end, 1);
  thread_.join();
  ::close(ends_[0]);
  ::close(ends_[1]);
}

int EndSignals::received() {
  return came;
}

void EndSignals::watch() {
  char byte = 0;
  while (::read(ends_[0], &byte, 1) < 0 && errno == EINTR) {
  }
  if (byte == 0) return;
  wake_();
  pollfd ended{ends_[0], POLLIN, 0};
  if (::poll(&ended, 1, kGraceMilliseconds) > 0) return;
  last_resort_();
  end_by(came);
}

void end_by(int signal) {
  std::signal(signal, SIG_DFL);
  ::kill(::getpid(), signal);
}

}  // namespace warplens::desktop
