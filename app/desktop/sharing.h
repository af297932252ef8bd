// Exports beside the frame: one at a time, on a thread of its own.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <thread>

#include "app/share/export.h"
#include "app/state/action.h"

namespace warplens::desktop {

class Sharing {
 public:
  explicit Sharing(std::function<void()> wake) : wake_(std::move(wake)) {}
  ~Sharing() { stop(); }
  Sharing(const Sharing&) = delete;
  Sharing& operator=(const Sharing&) = delete;

  // Precondition: not busy().
  void start(share::Order order, share::Source source);
  bool busy() const { return busy_; }
  // What the sheet shall say now; empty: as before.
  std::optional<session::ShareTold> news();
  void stop();  // what is under way leaves nothing behind

 private:
  std::function<void()> wake_;
  std::thread thread_;
  std::atomic<bool> cancel_{false}, done_{false};
  std::atomic<double> progress_{0};
  bool busy_ = false;
  int percent_ = -1;
  share::Result result_;
};

}  // namespace warplens::desktop
