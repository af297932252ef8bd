// Asks the simulator what a lesson wants to know, beside the frame: the answer to the step's question, and
// whether the challenge is met by the settings on screen. What it finds comes as actions.
#pragma once

#include <memory>

#include "app/jobs/memo.h"
#include "app/state/action.h"
#include "app/state/state.h"
#include "sim/lesson/figures.h"

namespace warplens::app {

class LessonJudge {
 public:
  explicit LessonJudge(jobs::Runner& runner) : memos_(runner) {}
  // Begins what the state asks for, and gives what has become known. `recorded` is asked at once, where a
  // question needs it; empty: nothing is recorded.
  Actions update(const State& state, const lesson::RecordedOf& recorded = {});
  bool busy() const { return busy_; }

 private:
  jobs::Memos memos_;
  std::shared_ptr<const Action> told_;  // last
  bool busy_ = false;
};

}  // namespace warplens::app
