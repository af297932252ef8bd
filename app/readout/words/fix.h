// How counts stand to one another; what a fix is, and how much it saves, in words of a language.
#pragma once

#include <string>

#include "app/language/strings.h"
#include "app/state/catalog.h"
#include "app/state/diagnosis.h"

namespace warplens::app {

// "÷16", "12 % fewer": how `after` stands to `before`, with the unit's name. Empty: they are the same.
std::string change_words(double before, double after, const std::string& unit,
                         const language::Strings& strings);

std::string fix_text(const Fix& fix, const Catalog& catalog,
                     const language::Strings& strings);  // "padding 1"
// "16.5 times fewer wavefronts", with ", loads and stores together" in full, without the unit in brief.
std::string fix_gain(const Fix& fix, const language::Strings& strings);
std::string fix_gain_in_full(const Fix& fix, const language::Strings& strings);
std::string fix_gain_in_brief(const Fix& fix, const language::Strings& strings);

}  // namespace warplens::app
