// Who a side of A│B is, and what of its settings is not so on the other.
#pragma once

#include <string>

#include "app/derive/comparison.h"
#include "app/language/strings.h"

namespace warplens::app {

struct SideWords {
  std::string name;         // "padded tile (edited)"
  std::string differences;  // "≠ padding 2 · ≠ 12 lines"; "= same parameters, same text"
};
// `scenario`: of that side's settings; null: a kernel of the user's own.
SideWords side_words(const Comparison& comparison, bool is_a, const scenario::Scenario* scenario, bool edited,
                     const std::string& language, const language::Strings& strings);

}  // namespace warplens::app
