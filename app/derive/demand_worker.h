// What the launch on screen asks for, the caches' model with it: made beside the frame and kept.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "app/explain/why.h"
#include "app/jobs/job.h"
#include "app/simulate/simulation.h"

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

}  // namespace warplens::app
