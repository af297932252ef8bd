// Animation as a value: what began when. It follows the simulation; the clock is handed in: one that runs at
// the speed of playing, and stands while that is paused in the middle of a motion (see motion_rate).
#pragma once

#include <memory>

#include "app/simulate/simulation.h"

namespace warplens::app {

inline constexpr double kAccessMotion = 0.35, kWavefrontMotion = 0.25, kSlideMotion = 0.6;  // seconds

struct Motion {
  bool enabled = true;  // false: everything is at its end at once (stills)
  double access_began = -1e9, wavefront_began = -1e9, slide_began = -1e9;
  bool backwards = false;  // the wavefront before was a later one of the same access
  // The shared access before a parameter turned it into the present one, the wavefront that it stood at, and
  // the program it was of; the words of its array slide.
  std::shared_ptr<const memory::WarpAccess> previous;
  int previous_wavefront = 0;
  std::shared_ptr<const Compiled> previous_compiled;
  // What the access looked at was of before its settings were turned, and its cost then; told until another
  // is looked at. Null: nothing was turned.
  std::shared_ptr<const Compiled> turned;
  int turned_units = 0;

  // What was on screen when this was made.
  std::shared_ptr<const Compiled> compiled;
  ResolvedPosition place;
  AccessId name;
  int units = 0;   // sectors or wavefronts
  int scene = -1;  // of a lecture
  std::shared_ptr<const memory::WarpAccess> shared;
  AccessId shared_name;
  // What it was before a program that stopped short of the access, as one does while a text is typed: where
  // the next one comes to it, words slide from there.
  std::shared_ptr<const Motion> held;

  float access(double now) const;  // 0 to 1
  float wavefront(double now) const;
  float slide(double now) const;
  bool moving(double now) const;
};

// Seconds of motion that go by in a second.
double motion_rate(const Playback& playback);

// `scene`: of a lecture; -1: none.
Motion follow(const Motion& before, const Simulation& simulation, double now, int scene = -1);

}  // namespace warplens::app
