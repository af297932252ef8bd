// What the view on screen is made of: the landscape of the settings, the cell that is pointed at there, the
// profile beside the prediction, why the launch takes that long; of views with a file of their own, what that
// makes.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "app/derive/demand_worker.h"
#include "app/derive/profile_reading.h"
#include "app/jobs/job.h"
#include "app/simulate/simulator.h"

namespace warplens::app {

// What a view shows beside what is simulated anyway; of which kind it is, the view knows.
struct Made {
  ViewId of = ViewId::Memory;
  std::shared_ptr<const void> value = nullptr;  // null: not asked for, or not yet
  bool busy = false;
};

struct Plots {
  Made made;
  std::shared_ptr<const ProfileReading> reading;  // null: not asked for, or the grid is not counted yet
  DemandOnScreen why;                             // empty: not asked for
  bool busy = false;
};

// What was made for that view; null: another one was, or nothing yet.
template <typename Value>
std::shared_ptr<const Value> made_of(const Plots* plots, ViewId view) {
  if (plots == nullptr || plots->made.of != view) return nullptr;
  return std::static_pointer_cast<const Value>(plots->made.value);
}

}  // namespace warplens::app
