// Carries out the wishes of users' own kernels (user_kernel.h) beside the frame: reads the text that
// was typed, tries out the launch that was chosen. What comes of them comes as an action.
#pragma once

#include <memory>

#include "app/jobs/job.h"
#include "app/source/programs.h"
#include "app/state/action.h"

namespace warplens::app {

class KernelSettler {
 public:
  KernelSettler(jobs::Runner& runner, std::shared_ptr<Programs> programs)
      : programs_(std::move(programs)), worker_(runner) {}
  // Begins what the state asks for, and gives what has become known.
  Actions update(const State& state);
  bool busy() const { return worker_.busy(); }

 private:
  struct Asked {
    std::shared_ptr<const UserKernel> own;
    std::shared_ptr<const std::string> text;
    friend bool operator==(const Asked&, const Asked&) = default;
  };
  static Asked asked_by(const State& state);

  std::shared_ptr<Programs> programs_;
  Asked asked_;
  jobs::Job<KernelSettled> worker_;
};

}  // namespace warplens::app
