// Whether what an access fetches in vain is used after all, in a sentence: why its cost and its time may say
// different things.
//
//   "33 % of these sectors' bytes are its own, but x, y and z share them: 100 % over 3 loads"
#pragma once

#include <optional>
#include <string>

#include "app/language/strings.h"
#include "app/simulate/reuse.h"

namespace warplens::app {

// Of Simulation::global; empty: nothing is gained by sharing, or it is not known yet.
std::string sharing_words(const Reuse& reuse, const Simulation& simulation, const language::Strings& strings);

// What the reuse picture below a global access says; none: it is not shown.
std::optional<scene::ReuseView> reuse_view(const Reuse* reuse, const Simulation& simulation,
                                           const language::Strings& strings);

}  // namespace warplens::app
