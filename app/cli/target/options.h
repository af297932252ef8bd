// TARGET and its launch on a command line, and the simulation of it.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "sim/count/totals.h"
#include "sim/report/report.h"
#include "sim/scenario/permalink.h"
#include "sim/scenario/target.h"

namespace warplens::cli {

struct TargetOptions {
  scenario::Target target;
  void add_to(CLI::App& command, bool required = true);
};

struct SimulationOptions {
  std::string gpu = "sm_90";
  bool brute_force = false;
  int threads = 0;
  double seconds = 60;
  std::uint64_t steps = sim::Limits{}.instructions;
  // The whole request's: it begins with the first call.
  Budget& budget() const;
  sim::Limits limits() const;  // that go by it
  mutable std::shared_ptr<Budget> begun{};
  void add_to(CLI::App& command, bool with_totals = true);
  void add_seconds(CLI::App& command);
};

// Where a pasted target ("warplens:...#block=0,3&warp=2&access=5") looks; empty for any other. Throws
// CommandFailure.
scenario::Permalink place_of(const scenario::Target& target, Budget& budget);
// "X[,Y[,Z]]" of --blocks: indices, not extents; they begin at 0 and end before the grid does.
sim::Dim3 block_index(const std::string& text, const sim::Dim3& grid);  // throws CommandFailure
const memory::GpuModel& find_gpu(const std::string& name);              // throws CommandFailure

// Each throws CommandFailure with the exit code of the contract.
scenario::Prepared prepare_target(const scenario::Target& target, const SimulationOptions& options);
scenario::Prepared prepare_setup(scenario::Setup setup, const memory::GpuModel& gpu, Budget& budget);
sim::Totals totals_of(const scenario::Prepared& prepared, const SimulationOptions& options);
report::Report simulate(const scenario::Prepared& prepared, const SimulationOptions& options);
// With the distinct sectors, which may take as long again.
report::Report simulate_with_reuse(const scenario::Prepared& prepared, const SimulationOptions& options);
// The message of a failed run, with line and caret.
[[noreturn]] void fail_run(const scenario::Prepared& prepared, const sim::RunError& error);
// Of a stage that the budget ended.
CommandFailure failure_of(const Stopped& stopped);

// Splits "A options B options" as typed after `compare`: options follow their target; those before A are
// both's.
std::vector<scenario::Target> split_targets(const std::vector<std::string>& words, std::size_t count);

}  // namespace warplens::cli
