// State -> Simulation, with its caches and its work beside the frame.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/jobs/memo.h"
#include "app/simulate/pricing.h"
#include "app/simulate/simulation.h"
#include "app/source/programs.h"
#include "app/state/action.h"
#include "app/state/catalog.h"

// Settings -> a program with a launch that is possible, or what is wrong with them.

namespace warplens::app {

struct Compilation {
  std::shared_ptr<const Compiled> compiled;  // null: `problems` say why
  std::vector<Problem> problems;
};
// `scenario`: that of the settings (scenario_of), or null where there is none; lives as long as the result.
Compilation compile_settings(const Settings& settings, const scenario::Scenario* scenario,
                             const Means& means);

// Where an array is left whose length is a guess of the launch form's, that is what to do about it.
Problem problem_of(const sim::RunError& error, const Compiled& compiled);

// Carries out the wishes of users' own kernels (user_kernel.h) beside the frame: reads the text that
// was typed, tries out the launch that was chosen. What comes of them comes as an action.

class KernelSettler {
 public:
  KernelSettler(jobs::Runner& runner, std::shared_ptr<Programs> programs)
      : programs_(std::move(programs)), memos_(runner) {}
  // Begins what the state asks for, and gives what has become known.
  Actions update(const State& state);
  bool busy() const { return busy_; }

 private:
  struct Asked {
    std::shared_ptr<const UserKernel> own;
    std::shared_ptr<const std::string> text;
    friend bool operator==(const Asked&, const Asked&) = default;
  };
  static Asked asked_by(const State& state);

  std::shared_ptr<Programs> programs_;
  jobs::Memos memos_;
  bool busy_ = false;
};

struct SimulatorOptions {
  std::uint64_t instructions = 2'000'000'000;  // of one block, and of the grid's representatives
  std::uint64_t trace_events = 2'000'000;
  std::shared_ptr<Programs> programs = nullptr;  // shared with others; null: its own
};

class Simulator {
 public:
  Simulator(const Catalog* catalog, jobs::Runner& runner, SimulatorOptions options = {});
  // What is not there when the frame's wait is over comes with a later call. The same pointer as before where
  // nothing changed.
  std::shared_ptr<const Simulation> derive(const State& state);

 private:
  struct BlockKey {
    std::shared_ptr<const Compiled> compiled;
    sim::Dim3 block;
    friend bool operator==(const BlockKey&, const BlockKey&) = default;
  };
  struct Traced {
    BlockKey key;
    std::shared_ptr<const sim::Trace> trace;
    std::shared_ptr<const PricedWarp> priced;  // the warp that was looked at as it began
    std::optional<Unfinished> unfinished;
  };
  // All that a picture is made of.
  struct Parts {
    Settings settings;
    Position position;
    std::shared_ptr<const Compilation> made;
    std::shared_ptr<const Traced> traced;  // of the settings, in view or not
    Message failure;                       // why one of the two is not there, in words
    std::shared_ptr<const Traced> shown;
    std::shared_ptr<const PricedWarp> priced;
    int event = -1;  // of those priced
    Variables variables;
    std::shared_ptr<const sim::Totals> totals;
    double totals_progress = 0;
    std::shared_ptr<const Findings> findings;
    bool fresh = false, busy = false, compiling = false, halted = false;
    friend bool operator==(const Parts&, const Parts&) = default;
  };

  jobs::Kept<Compilation> compile(const State& state);
  jobs::Kept<sim::Totals> count(const std::shared_ptr<const Compiled>& wanted, jobs::MemoOptions how);
  jobs::Kept<Traced> trace(const BlockKey& key, const Position& position, jobs::MemoOptions how);
  bool comes_into_view(const Traced& traced, const Settings& asked) const;
  const Compiled* in_view() const { return shown_ ? shown_->key.compiled.get() : nullptr; }
  void drop_other_kernel(const Settings& asked);
  // Null: not yet.
  std::shared_ptr<const PricedWarp> price(const std::shared_ptr<const Traced>& of, const Position& position);
  Variables look_up_variables(int event);
  Simulation picture(const Parts& parts) const;

  const Catalog* catalog_;
  SimulatorOptions options_;
  // In view until what is asked for is there: a block, a warp of it, and what is counted of its program.
  std::shared_ptr<const Traced> shown_;
  std::shared_ptr<const PricedWarp> priced_;
  std::shared_ptr<const sim::Totals> totals_;
  BlockKey begun_;        // the block that is traced,
  std::size_t part_ = 0;  // up to where: the parts that are done
  jobs::Memos memos_;
};

}  // namespace warplens::app
