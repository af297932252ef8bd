// Exports beside the frame, one at a time.
#pragma once

#include <optional>

#include "app/jobs/job.h"
#include "app/share/export.h"
#include "app/state/action.h"

namespace warplens::desktop {

class Sharing {
 public:
  explicit Sharing(jobs::Runner& runner) : job_(runner) {}

  // Precondition: not busy().
  void start(share::Order order, share::Source source);
  bool busy() const { return busy_; }
  // What the sheet shall say now; empty: as before.
  std::optional<app::ShareTold> news();

 private:
  jobs::Job<share::Result> job_;  // an export that is cancelled leaves nothing behind
  bool busy_ = false;
  int percent_ = -1;
};

}  // namespace warplens::desktop
