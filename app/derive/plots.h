// What the view on screen is made of: the landscape of the settings, the cell that is pointed at there, the
// profile beside the prediction, why the launch takes that long; of views with a file of their own, what that
// makes.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/explain/choose_launch.h"
#include "app/explain/explanation.h"
#include "app/explain/why.h"
#include "app/jobs/job.h"
#include "app/simulate/simulation.h"
#include "app/simulate/simulator.h"
#include "app/state/loaded_profile.h"

// What the launch on screen asks for, the caches' model with it: made beside the frame and kept.

namespace warplens::app {

// Registers of a thread, as a measurement of the state's launch says; empty: not known.
using RegistersOf = std::function<std::optional<int>(const State&)>;

struct DemandOnScreen {
  std::shared_ptr<const explain::Demand> demand;  // null: not yet
  bool fresh = false;                             // it is of the settings on screen
  double progress = 0;                            // of what is under way
  friend bool operator==(const DemandOnScreen&, const DemandOnScreen&) = default;
};

class DemandWorker {
 public:
  // `registers_of` may be empty.
  DemandWorker(jobs::Runner& runner, std::uint64_t instructions, RegistersOf registers_of);
  // Needs the grid's totals. Until a new one is there the one before stays, not fresh. Nothing is begun while
  // the state is halted.
  DemandOnScreen derive(const State& state, const Simulation& simulation);
  // What is under way ends, what is known stays.
  void rest();
  bool failed() const { return !worker_.failure().empty(); }

 private:
  struct Key {
    std::shared_ptr<const sim::Totals> totals;  // of one compilation and launch
    std::optional<int> registers;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Known {
    Key key;
    std::shared_ptr<const Compiled> compiled;
    std::shared_ptr<const explain::Demand> demand;
  };
  const Known* find(const Key& key, const Compiled& compiled) const;
  void start(const Key& key, const std::shared_ptr<const Compiled>& compiled);

  std::uint64_t instructions_;
  RegistersOf registers_of_;
  std::optional<Key> under_way_;
  std::deque<Known> known_;  // newest last
  std::shared_ptr<const explain::Demand> shown_;
  jobs::Job<Known> worker_;
};

// Throws Stopped where the limits' budget ends; `error` of the result says what went wrong in the run.
std::shared_ptr<const explain::Demand> demand_of(const Compiled& compiled, const sim::Totals& totals,
                                                 std::optional<int> registers, const sim::Limits& limits);

// The profile that is open, beside the prediction of the settings on screen.

struct ProfileReading {
  std::shared_ptr<const LoadedProfile> of;
  std::vector<Message> trouble;  // why no launch of it can be read beside these settings; then nothing below
  explain::LaunchChoice choice;
  explain::Explanation explanation;
  const profile::ProfiledLaunch& launch() const { return of->profile.launches[choice.launch]; }
};

// `launch`: its ID; empty: the first that fits. Precondition: totals.
ProfileReading read_beside(const std::shared_ptr<const LoadedProfile>& profile, const Simulation& simulation,
                           const std::string& launch);

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
