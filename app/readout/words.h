// What a challenge's goal is about, as the simulator finds it now, in the language on screen.
//
//   "shared_load_bank_conflicts = 31, pad = 0"  ->  "共享加载的存储体冲突 = 31 · 填充 = 0"
#pragma once

#include <string>

#include "app/explain/explanation.h"
#include "app/language/strings.h"
#include "sim/scenario/scenario.h"

namespace warplens::app {

// `figures` as lesson::GoalVerdict has them. Parameters go by their labels in `scenario` (null: by their
// names), what is not known by the name that the rule gives it.
std::string figure_words(const std::string& figures, const scenario::Scenario* scenario,
                         const std::string& language, const language::Strings& strings);

// An explanation of profiled counters in words and numbers, for the window, files and the command line alike.

// "16,012,462"; what was printed rounded begins with ≈; averages and times have their unit.
std::string measured_text(const explain::ExplainedCounter& counter);
std::string predicted_text(const explain::ExplainedCounter& counter);   // empty: not predicted
std::string difference_text(const explain::ExplainedCounter& counter);  // "+283,822", "=", or empty

// "bank conflicts, shared store"; of what is no count the name that the file has.
std::string label_of(const explain::ExplainedCounter& counter, const language::Strings& strings);
std::string state_word(explain::Agreement state, const language::Strings& strings);  // "equal", "explained"
// "16,012,462 = 15,728,640 by addresses + 283,822 arbitration"; empty: there are no parts.
std::string equation(const explain::ExplainedCounter& counter, const language::Strings& strings);
// "line 8, smem[tx][ty]: (32 − 2) × 524,288 requests = 15,728,640"
std::string share_text(const explain::Share& share, const language::Strings& strings);
// Why it differs, and what to look at; what it means, where it is not predicted. Empty: nothing to say.
std::string reason_of(const explain::ExplainedCounter& counter, const language::Strings& strings);
// "6 equal, 2 explained, 1 not explained; 3 behind the caches; 140 not predicted"
std::string summary_of(const explain::Explanation& explanation, const language::Strings& strings);

}  // namespace warplens::app
