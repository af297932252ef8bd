// Asks the simulator what a lesson wants to know, beside the frame: the answer to the step's question, and
// whether the challenge is met by the settings on screen. What it finds comes as actions.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "app/simulate/background.h"
#include "app/state/action.h"
#include "app/state/catalog.h"

namespace warplens::session {

class LessonJudge {
 public:
  // `on_done` is called from another thread when there is something to be had from update().
  explicit LessonJudge(std::function<void()> on_done) : worker_(std::move(on_done)) {}
  // Begins what the state asks for, and gives what has become known, waiting for it at most so long.
  Actions update(const State& state, std::chrono::microseconds patience);
  bool busy() const { return busy_; }

 private:
  struct Asked {
    std::shared_ptr<const lesson::Lesson> lesson;
    int step = -1;
    Settings settings;  // of a challenge
    friend bool operator==(const Asked&, const Asked&) = default;
  };
  struct Found {
    Action action;
  };
  static Action judge(const Asked& asked, const std::atomic<bool>* cancel);

  Asked asked_;
  bool busy_ = false;
  Background<Found> worker_;
};

}  // namespace warplens::session
