// Why a launch takes as long as it does, as the picture's data: what is modelled has its "≈", what is
// measured says so.
#pragma once

#include <string>
#include <vector>

#include "app/explain/why.h"
#include "app/language/strings.h"
#include "app/readout/words/why_sentences.h"
#include "app/scene/plot/why.h"

namespace warplens::app {

// What the panel is of. What is pointed to outlives the call.
struct WhyOf {
  const explain::Demand* demand = nullptr;       // null: it is still being modelled
  bool stale = false;                            // it is of other settings than those on screen
  double progress = 0;                           // of the model that is awaited
  const measure::Measurement* launch = nullptr;  // the time that is shown; null: there is none
  const measure::PeakRecord* peaks = nullptr;    // of the GPU that is simulated; null: not measured
  std::string gpu{};                             // that is simulated: "sm_90"
};

// `beside`: the other pane's of A│B, whose bars have the same axis; null: one is alone.
scene::WhyView why_view(const WhyOf& of, const WhyOf* beside, const language::Strings& strings);

}  // namespace warplens::app
