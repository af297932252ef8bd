// Carries out the wishes of kernels of somebody's own (own_kernel.h) beside the frame: reads the text that
// was typed, tries out the launch that was chosen. What comes of them comes as an action.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "app/source/programs.h"
#include "app/simulate/background.h"
#include "app/state/action.h"

namespace warplens::session {

class KernelSettler {
 public:
  // `on_done` is called from another thread when there is something to be had from update().
  KernelSettler(std::function<void()> on_done, std::shared_ptr<Programs> programs)
      : programs_(std::move(programs)), worker_(std::move(on_done)) {}
  // Begins what the state asks for, waiting for it at most so long, and gives what has become known.
  Actions update(const State& state, std::chrono::microseconds patience);
  bool busy() const { return worker_.busy(); }

 private:
  struct Asked {
    std::shared_ptr<const OwnKernel> own;
    std::shared_ptr<const std::string> text;
    friend bool operator==(const Asked&, const Asked&) = default;
  };
  static Asked asked_by(const State& state);

  std::shared_ptr<Programs> programs_;
  Asked asked_;
  Background<KernelSettled> worker_;
};

}  // namespace warplens::session
