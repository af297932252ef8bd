#include "app/desktop/sharing.h"

namespace warplens::desktop {

void Sharing::start(share::Order order, share::Source source) {
  percent_ = -1;
  busy_ = true;
  job_.start([order = std::move(order), source = std::move(source)](const std::atomic<bool>* cancel,
                                                                    std::atomic<double>* progress) {
    Budget budget({.cancel = cancel});
    return share::carry_out(order, source, budget, progress);
  });
}

std::optional<app::ShareTold> Sharing::news() {
  if (!busy_) return std::nullopt;
  const auto result = job_.take();
  const Message failure = job_.failure();
  busy_ = !result && failure.empty();
  if (busy_) {
    const int percent = static_cast<int>(100 * job_.progress());
    if (std::exchange(percent_, percent) == percent) return std::nullopt;
    return app::ShareTold{"share.busy", {}, false, true, job_.progress()};
  }
  if (!result) return app::ShareTold{"files.trouble", failure, true, false, 0};
  if (!result->key.empty()) return app::ShareTold{result->key, result->words, true, false, 0};
  const std::string file = result->written.string();
  const Message words = result->files > 1 ? Message("{} ({})", file, result->files) : Message::verbatim(file);
  return app::ShareTold{"share.written", words, false, false, 1};
}

}  // namespace warplens::desktop
