// Asks the simulator what a lesson wants to know, beside the frame: the answer to the step's question, and
// whether the challenge is met by the settings on screen. What it finds comes as actions.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "app/jobs/job.h"
#include "app/state/action.h"
#include "app/state/catalog.h"
#include "sim/lesson/figures.h"

namespace warplens::app {

class LessonJudge {
 public:
  explicit LessonJudge(jobs::Runner& runner) : worker_(runner) {}
  // Begins what the state asks for, and gives what has become known. `recorded` is asked at once, where a
  // question needs it; empty: nothing is recorded.
  Actions update(const State& state, const lesson::RecordedOf& recorded = {});
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
  using Records = std::vector<std::pair<lesson::View, lesson::Recorded>>;
  static bool speaks_of_resources(const Asked& asked);
  static Records records_of(const Asked& asked, const lesson::RecordedOf& recorded);
  static Action judge(const Asked& asked, const Records& records, const std::atomic<bool>* cancel);

  Asked asked_;
  bool busy_ = false;
  jobs::Job<Found> worker_;
};

}  // namespace warplens::app
