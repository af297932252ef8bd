#include "app/cli/stop.h"

#include <csignal>

namespace warplens::cli {

namespace {

std::atomic<bool> asked{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal's handler may touch nothing else

void note(int) {
  asked = true;
}

}  // namespace

void mind_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {
    }, minded{};
    minded.sa_handler = note;
    minded.sa_flags = static_cast<int>(SA_RESETHAND);  // and no SA_RESTART: what waits looks up
    // Under nohup, and in the background of a script, a signal stays ignored.
    if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
      ::sigaction(signal, &minded, nullptr);
  }
}

const std::atomic<bool>& asked_to_stop() {
  return asked;
}

}  // namespace warplens::cli
