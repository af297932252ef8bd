// State -> Simulation, with its caches and its work beside the frame.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/jobs/job.h"
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
      : programs_(std::move(programs)), worker_(runner) {}
  // Begins what the state asks for, and gives what has become known.
  Actions update(const State& state);
  bool busy() const { return worker_.busy(); }

 private:
  struct Asked {
    std::shared_ptr<const UserKernel> own;
    std::shared_ptr<const std::string> text;
    friend bool operator==(const Asked&, const Asked&) = default;
  };
  static Asked asked_by(const State& state);

  std::shared_ptr<Programs> programs_;
  Asked asked_;
  jobs::Job<KernelSettled> worker_;
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
    PricedWarp priced;  // the warp that was looked at as it began
    std::optional<Unfinished> unfinished = std::nullopt;
  };
  struct Totalled {
    std::shared_ptr<const Compiled> compiled;
    std::shared_ptr<const sim::Totals> totals;
  };
  using WarpKey = std::pair<const sim::Trace*, int>;             // warp
  using EventKey = std::pair<const sim::Trace*, std::uint32_t>;  // index into Trace::events

  void ask(const Settings& settings);
  void compile();
  void adopt(Compilation made);
  void start_work(const Position& position);
  void start_trace(const Position& position);
  void halt_work();
  void collect_work();
  void adopt(Traced traced);
  bool shows_beginning(const Traced& traced) const;
  void drop_other_kernel();
  void tell_progress(const State& state);
  void look(const Position& position);
  bool has_priced(int warp);
  void look_up_variables();
  void add_findings(const State& state);

  const Catalog* catalog_;
  SimulatorOptions options_;

  // The settings that are asked for.
  std::optional<Settings> asked_;
  bool compiling_ = false;                  // compiler_ has them
  bool compiled_ = false;                   // the two below are theirs
  std::vector<Problem> problems_;           // of text and launch
  std::shared_ptr<const Compiled> wanted_;  // null: there is no program for them
  std::vector<Problem> run_problems_;       // of the block's run
  struct Recent {
    Settings settings;
    Compilation made;
  };
  std::vector<Recent> recent_;  // newest last: toggling back and forth compiles once
  std::optional<BlockKey> trace_key_;
  std::size_t part_ = 0;       // of its trace the one under way
  bool trace_halted_ = false;  // ... which was stopped
  std::shared_ptr<const Compiled> totals_key_;

  // These belong to the picture that is shown; `picture_` is what derive() gives out.
  BlockKey shown_;
  Totalled totals_;  // may be of a program whose block is still under way
  PricedWarp priced_;
  std::optional<WarpKey> price_key_;
  std::optional<EventKey> variables_key_;
  Simulation picture_;
  Position looked_;
  std::shared_ptr<const Findings> findings_;
  bool changed_ = true;
  std::shared_ptr<const Simulation> current_;

  jobs::Job<Compilation> compiler_;
  jobs::Job<Traced> tracer_;
  jobs::Job<Totalled> totaller_;
  jobs::Job<PricedWarp> pricer_;
  jobs::Job<std::pair<EventKey, Variables>> variables_;
};

}  // namespace warplens::app
