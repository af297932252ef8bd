// What the packs of the repository know, also as lessons ask for it.
#pragma once

#include "app/readout/ladder_times.h"
#include "tests/app/gallery.h"

namespace warplens::app {

inline const Measurements& recorded() {
  static const Measurements kRecorded = [] {
    Measurements recorded;
    recorded.packs = measure::load_packs(WARPLENS_SOURCE_DIR "/assets/recorded").value.value();
    return recorded;
  }();
  return kRecorded;
}

inline lesson::Recorded recorded_in_packs(const lesson::View& view) {
  const scenario::Scenario* scenario = gallery().find(view.scenario);
  const auto setup = scenario::make_setup(*scenario, view.values);
  return setup ? recorded().recorded(*setup.value, memory::default_gpu_model().name) : lesson::Recorded{};
}

inline lesson::Means with_packs() {
  return {{}, recorded_in_packs};
}

}  // namespace warplens::app
