// Does an attempt meet a lesson's challenge? Decided by the simulator alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/lesson/figures.h"
#include "sim/scenario/target.h"

// The answer to a lesson's question, asked of the simulator.

namespace warplens::lesson {

// The number asked for, or the index of the right choice. It is an error when not exactly one choice is
// right.
Outcome<std::int64_t> answer(const Prediction& prediction, const scenario::Prepared& prepared,
                             const View& view, const Means& means = {});

// Values of free parameters, or an edited kernel, or both.
struct Attempt {
  ParameterValues values;  // over those with which the challenge begins
  std::string text;        // empty: the kernel as it is
};

struct GoalVerdict {
  LocalText words;
  std::string rule;
  bool holds = false;
  std::string figures;  // what the rule spoke of: "shared_load_bank_conflicts = 31"
};

struct Grade {
  bool output_right = true;  // of an edited kernel, at the trial's sizes and at the challenge's own
  Message first_difference;  // "out[5] is 0; it should be 37", or why it could not run
  std::vector<GoalVerdict> goals;
  bool passed() const;
};

// Errors: values that are not free, or not possible; a kernel that does not compile.
// `means.limits` hold for each run of a kernel; cancelled, the grade is an error or says so.
Outcome<Grade> grade(const Challenge& challenge, const Attempt& attempt, const Means& means = {});

// All that can be wrong with a lesson that reads well: views that do not exist, questions without an answer,
// questions that an earlier step has answered already, texts that rely on what does not hold, a challenge
// that is met from the start, or that its own solution does not meet. Empty: it is sound.
std::vector<Message> problems_of(const Lesson& lesson, const Means& means = {});

}  // namespace warplens::lesson
