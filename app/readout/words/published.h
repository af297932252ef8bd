// What the app says of figures that others published: as a picture's data, and in one line.
#pragma once

#include <string>
#include <vector>

#include "app/language/strings.h"
#include "app/measure/published.h"
#include "app/readout/ladder_times.h"
#include "app/scene/plot/published.h"
#include "app/simulate/simulation.h"

namespace warplens::app {

// What is published, and where one looks from.
struct PublishedOf {
  const std::vector<measure::PublishedPack>& packs;
  const scenario::Scenario* here = nullptr;         // null: no scenario, about which nothing is published
  std::vector<const scenario::Scenario*> ladder{};  // its rungs, in order
  const Simulation* simulation = nullptr;           // of the warp looked at; or null
};

// Of the ladder that one is on: a figure for each kind that is published. `counters`: with what a profiler
// counted, in columns, and why those counts are what they are: computed by the GPU's model.
scene::PublishedView published_view(const PublishedOf& of, bool counters, const language::Strings& strings);

// Times that were measured here and what others published, apart: each under a heading and on an axis of its
// own.
struct TimesApart {
  scene::TimeBarsView measured;  // without a time in it: what is published stands alone
  std::string heading, source;   // "NVIDIA H200 · 4096 × 4096", "recorded 2025-11-21 · median of 60"
  scene::PublishedView published;
};
TimesApart times_apart(const PublishedOf& of, const std::vector<RungTime>& times, const State& state,
                       const language::Strings& strings);

// Of the scenario itself: "published: 2.331 ms on a Quadro P2000, not measured here", and what the tooltip
// says; empty: nothing is published of it.
struct PublishedLine {
  std::string words, brief, tip;
};
PublishedLine published_line(const std::vector<measure::PublishedPack>& packs, const scenario::Scenario* here,
                             const language::Strings& strings);

// "Quadro P2000 (Pascal)"; where none is published, that.
std::string gpu_of(const measure::PublishedPack& pack, const language::Strings& strings);

}  // namespace warplens::app
