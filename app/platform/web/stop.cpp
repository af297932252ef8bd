// A page ends without a word: what is unsaved is kept as it is noted.
#include "app/platform/stop.h"

namespace warplens::platform {

void prepare_command() {}

const std::atomic<bool>& asked_to_stop() {
  static const std::atomic<bool> never{false};
  return never;
}

struct EndWatch::Watcher {};
EndWatch::EndWatch(std::function<void()>, std::function<void()>) {}
EndWatch::~EndWatch() = default;

void end_as_asked() {}

}  // namespace warplens::platform
