#include "app/desktop/sharing.h"

namespace warplens::desktop {

void Sharing::start(share::Order order, share::Source source) {
  stop();
  cancel_ = done_ = false;
  progress_ = 0;
  percent_ = -1;
  busy_ = true;
  thread_ = std::thread([this, order = std::move(order), source = std::move(source)] {
    Budget budget({.cancel = &cancel_});
    result_ = share::carry_out(order, source, budget, &progress_);
    done_ = true;
    if (wake_) wake_();
  });
}

std::optional<session::ShareTold> Sharing::news() {
  if (!busy_) return std::nullopt;
  if (!done_) {
    const int percent = static_cast<int>(100 * progress_);
    if (percent == percent_) return std::nullopt;
    percent_ = percent;
    return session::ShareTold{"share.busy", {}, false, true, progress_};
  }
  thread_.join();
  busy_ = false;
  if (!result_.key.empty()) return session::ShareTold{result_.key, result_.words, true, false, 0};
  std::string words = result_.written.string();
  if (result_.files > 1) words += " (" + std::to_string(result_.files) + ")";
  return session::ShareTold{"share.written", words, false, false, 1};
}

void Sharing::stop() {
  if (!thread_.joinable()) return;
  cancel_ = true;
  thread_.join();
  busy_ = false;
}

}  // namespace warplens::desktop
