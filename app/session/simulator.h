// State -> Simulation, with its caches and its work beside the frame.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/session/background.h"
#include "app/session/catalog.h"
#include "app/session/simulation.h"

namespace warplens::session {

struct SimulatorOptions {
  // How long derive() waits for each of trace and totals before the picture goes without.
  std::chrono::microseconds patience{8000};
  std::uint64_t instructions = 2'000'000'000;  // of one block, and of the grid's representatives
  std::uint64_t trace_events = 2'000'000;
  std::function<void()> on_done;  // called from other threads when there is something new to derive
};

class Simulator {
 public:
  Simulator(const Catalog* catalog, SimulatorOptions options);
  // The same pointer as before where nothing changed.
  std::shared_ptr<const Simulation> derive(const State& state);
  void set_patience(std::chrono::microseconds patience) { options_.patience = patience; }

 private:
  struct BlockKey {
    std::shared_ptr<const Compiled> compiled;
    warp::Dim3 block;
    friend bool operator==(const BlockKey&, const BlockKey&) = default;
  };
  struct Traced {
    BlockKey key;
    std::shared_ptr<const warp::Trace> trace;
  };
  struct Totalled {
    std::shared_ptr<const Compiled> compiled;
    std::shared_ptr<const warp::Totals> totals;
  };
  using Clock = std::chrono::steady_clock;

  void compile(const Settings& settings);
  void start_work(const warp::Dim3& block);
  void halt_work();
  void collect_work(Clock::time_point until);
  void adopt(const Traced& traced);
  void price_warp(int warp);
  void look(const Position& position);
  void add_findings(const State& state);
  void look_up_variables();

  const Catalog* catalog_;
  SimulatorOptions options_;

  // Of the settings asked for.
  std::optional<Settings> asked_;
  std::vector<Problem> problems_;           // of text and launch
  std::vector<Problem> run_problems_;       // of the block's run
  std::shared_ptr<const Compiled> wanted_;  // null: there is no program for them
  struct Recent {
    Settings settings;
    std::vector<Problem> problems;
    std::shared_ptr<const Compiled> compiled;
  };
  std::vector<Recent> recent_;  // newest last: toggling back and forth compiles once
  std::optional<BlockKey> trace_key_;
  std::shared_ptr<const Compiled> totals_key_;

  // Of what is shown; `picture_` is what derive() gives out.
  BlockKey shown_;
  Totalled totals_;  // may be of a program whose block is still under way
  int priced_warp_ = -1;
  std::pair<const warp::Trace*, std::uint32_t> variables_key_{nullptr, 0};
  Simulation picture_;
  Position looked_;
  std::shared_ptr<const Findings> findings_;
  bool changed_ = true;
  std::shared_ptr<const Simulation> current_;

  Background<Traced> tracer_;
  Background<Totalled> totaller_;
};

// One look at a trace made elsewhere, without totals: for pictures outside the app.
std::shared_ptr<const Simulation> simulation_of(std::shared_ptr<const Compiled> compiled,
                                                std::shared_ptr<const warp::Trace> trace, int warp,
                                                const AccessName& access, int wavefront);
// The same warp at another of its accesses (from 0). Precondition: not from.empty().
std::shared_ptr<const Simulation> moved_to(const Simulation& from, int event, int wavefront);

}  // namespace warplens::session
