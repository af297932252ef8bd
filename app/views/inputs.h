// What the pictures of a moment are made from: in the window, in files of every form, on the command line.
// A view that has nothing to show says why in Scene::nothing.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/derive/comparison.h"
#include "app/derive/motion.h"
#include "app/readout/ladder_times.h"
#include "app/readout/verdict.h"
#include "app/scene/memory/question_scene.h"
#include "app/scene/views.h"
#include "app/simulate/simulation.h"
#include "app/state/classroom.h"

namespace warplens::app {

// What a view shows beside what is simulated anyway; of which kind it is, the view knows.
struct Made {
  ViewId of = ViewId::Memory;
  std::shared_ptr<const void> value = nullptr;  // null: not asked for, or not yet
  bool busy = false;
  bool stale = false;   // it is of settings before those on screen
  double progress = 0;  // of what is under way
  friend bool operator==(const Made&, const Made&) = default;
};
// What was made for that view; null: another one was, or nothing yet.
template <typename Value>
std::shared_ptr<const Value> made_of(const Made* made, ViewId view) {
  if (made == nullptr || made->of != view) return nullptr;
  return std::static_pointer_cast<const Value>(made->value);
}

}  // namespace warplens::app

namespace warplens::views {

struct Measured {
  const measure::Measurement* launch = nullptr;  // the time that is shown; null: there is none
  const measure::PeakRecord* peaks = nullptr;    // of the GPU that is simulated; null: not measured
};

// What is pointed to outlives the call.
struct Inputs {
  const app::Simulation* simulation = nullptr;  // never null; may be empty()
  int asked_lane = -1;                          // that an open question is about
  std::optional<scene::PlacesView> places{};    // that are marked in the picture
  // What moves, at the time `now`; null: everything is at its end.
  const app::Motion* motion = nullptr;
  double now = 0;
  bool whole = false;          // of a shared access all wavefronts, none singled out
  scene::Counting counting{};  // what is lit one by one
  bool addresses = true;       // of global memory, beside each of many sectors
  // A│B: what differs, and the simulation in the other pane. Null: one is alone.
  const app::Comparison* comparison = nullptr;
  const app::Simulation* other = nullptr;
  int other_wavefront = 0;  // that the pane with more of them has come to
  bool is_a = false;
  // Who touched the sectors before; none: it is not told.
  std::optional<scene::ReuseView> reuse{};
  int block_uses = 0;  // bytes of the access's sectors, where others of the block use more of them
  // What the view on screen is made of. Null: none was asked for.
  const app::Made* made = nullptr;
  const app::Made* other_made = nullptr;              // A│B: of the other pane
  const std::vector<app::RungTime>* times = nullptr;  // of the ladder; null: none
  Measured measured{}, other_measured{};
  app::PlotView plot_view{};
};

// The lines around the access looked at, each with what it costs the warp.
scene::Scene source(const Inputs& inputs, const scene::Canvas& canvas);

}  // namespace warplens::views
