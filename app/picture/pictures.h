// The one way from a simulation to a picture: each view as a function of data. The window, files of every
// form and the command line place the same scenes.
//
//   picture::Inputs inputs{.simulation = &simulation};
//   scene::Scene scene = picture::matrix_map(inputs, canvas)   ;     // size, scale, theme, language
//
// A view that has nothing to show says why in Scene::nothing.
#pragma once

#include "app/derive/comparison.h"
#include "app/derive/motion.h"
#include "app/derive/plots.h"
#include "app/readout/ladder_times.h"
#include "app/readout/verdict.h"
#include "app/readout/words/why.h"
#include "app/scene/views.h"
#include "app/simulate/simulation.h"
#include "app/state/classroom.h"

namespace warplens::picture {

// What pictures are of. What is pointed to outlives the call.
struct Inputs {
  const app::Simulation* simulation = nullptr;  // never null; may be empty()
  int asked_lane = -1;                          // that an open question is about
  // What moves, at the time `now`; null: everything is at its end.
  const app::Motion* motion = nullptr;
  double now = 0;
  bool whole = false;   // of a shared access all wavefronts, none singled out
  bool stills = false;  // of a corner turn a picture a phase
  // A│B: what differs, and the simulation in the other pane. Null: one is alone.
  const app::Comparison* comparison = nullptr;
  const app::Simulation* other = nullptr;
  int other_wavefront = 0;  // that the pane with more of them has come to
  bool is_a = false;
  // Who touched the sectors before; none: it is not told.
  std::optional<scene::ReuseView> reuse{};
  // What the view on screen is made of. Null: none was asked for.
  const app::Plots* plots = nullptr;
  const app::Plots* other_plots = nullptr;  // A│B: those of the other pane
  app::PlotView plot_view{};
};

// What Nsight Compute counted, number by number, beside the prediction.
scene::Scene profile(const Inputs& inputs, const scene::Canvas& canvas);
// The least time that each resource needs for the launch. `beside`: A│B's other pane, for a common axis; or
// null.
scene::Scene why(const app::WhyOf& of, const app::WhyOf* beside, const scene::Canvas& canvas);
// The ladder's rungs under the roofs of the GPU that they were measured on. `motion` null: nothing moves. Hot
// spots carry in `index` a rung of the ladder.
scene::Scene roofline(const std::vector<app::RungTime>& times, const app::Motion* motion, double now,
                      const scene::Canvas& canvas);
// The lines around the access looked at, each with what it costs the warp.
scene::Scene source(const Inputs& inputs, const scene::Canvas& canvas);

}  // namespace warplens::picture
