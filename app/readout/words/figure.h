// What a challenge's goal is about, as the simulator finds it now, in the language on screen.
//
//   "shared_load_bank_conflicts = 31, pad = 0"  ->  "共享加载的存储体冲突 = 31 · 填充 = 0"
#pragma once

#include <string>

#include "app/language/strings.h"
#include "sim/scenario/scenario.h"

namespace warplens::app {

// `figures` as lesson::GoalVerdict has them. Parameters go by their labels in `scenario` (null: by their
// names), what is not known by the name that the rule gives it.
std::string figure_words(const std::string& figures, const scenario::Scenario* scenario,
                         const std::string& language, const language::Strings& strings);

}  // namespace warplens::app
