// TARGET and its launch on a command line, and the simulation of it.
#pragma once

#include <CLI/CLI.hpp>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "app/cli/command.h"
#include "app/measure/toolkit.h"
#include "app/source/kernel_facts.h"
#include "kernels/protocol/measurement.h"
#include "sim/count/totals.h"
#include "sim/launch/run.h"
#include "sim/lesson/figures.h"
#include "sim/report/report.h"
#include "sim/scenario/permalink.h"
#include "sim/scenario/target.h"

// Numbers among the options of both programs: decimal or 0x..., nothing around them, within a range. CLI11's
// own conversions take "010" for 8, -1 for 2^64 - 1, and let NaN pass every range.

namespace warplens::cli {

inline constexpr int kMostNumber = std::numeric_limits<int>::max();

// `*target` keeps its value where the option is left out.
template <typename T>
CLI::Option* add_number(CLI::App& app, const std::string& name, T* target, T least, T most,
                        const std::string& description, const std::string& left_out = "") {
  const auto read = [=](const std::string& text) {
    constexpr bool kReal = std::is_floating_point_v<T>;
    const std::string what = name.substr(name.rfind(',') + 1);
    const auto take = [&](const auto& parsed) {
      if (!parsed)
        throw CLI::ValidationError(parsed.errors.front().english(), CLI::ExitCodes::ValidationError);
      *target = static_cast<T>(*parsed.value);
    };
    if constexpr (kReal) {
      take(scenario::parse_real(text, what, least, most));
    } else {
      constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
      const bool wide =
          sizeof(T) == 8 && static_cast<std::uint64_t>(most) > static_cast<std::uint64_t>(kMost);
      take(scenario::parse_whole(text, what, static_cast<std::int64_t>(least),
                                 wide ? kMost : static_cast<std::int64_t>(most)));
    }
  };
  CLI::Option* option = app.add_option_function<std::string>(name, read, description);
  option->type_name("NUMBER");
  if (!left_out.empty()) option->default_str(left_out);
  return option;
}

// One of these words.
inline CLI::Option* add_choice(CLI::App& app, const std::string& name, std::string* target,
                               const std::vector<std::string>& words, const std::string& description) {
  return app.add_option(name, *target, description)->check(CLI::IsMember(words));
}

struct TargetOptions {
  scenario::Target target;
  void add_to(CLI::App& command, bool required = true);
  void add_compiled(CLI::App& command);
};

// A kernel file, and what its text says by itself.
struct KernelFile {
  scenario::Target target;  // that names it
  scenario::Setup setup;
  std::string text;  // with what the command line defines
  app::FileFacts facts;
  app::Programs programs;
};

struct SimulationOptions {
  std::string gpu = "sm_90";
  bool brute_force = false;
  int threads = 0;
  double seconds = 60;
  bool has_lengths = false;  // each buffer has an end, as a GPU needs: one that nobody gives is guessed
  std::uint64_t steps = sim::Limits{}.instructions;
  // The whole request's: it begins with the first call.
  Budget& budget() const;
  sim::Limits limits() const;  // that go by it, and tell a terminal how far it is
  mutable std::shared_ptr<Budget> begun{};
  mutable std::shared_ptr<KernelFile> read{};  // last, for the other launches of a command
  void add_to(CLI::App& command, bool with_totals = true);
  void add_seconds(CLI::App& command);
};

// What most commands are asked with, each in part.
struct CommonOptions {
  TargetOptions target;
  SimulationOptions simulation;  // of some its budget alone
  FormatOptions format;
  std::string language = "en";
};

// Where a pasted target ("warplens:...#block=0,3&warp=2&access=5") looks; empty for any other. Throws
// CommandFailure.
scenario::Permalink place_of(const scenario::Target& target, Budget& budget);
// "X[,Y[,Z]]" of --blocks: indices, not extents; they begin at 0 and end before the grid does.
std::string comma_list(const sim::Dim3& extents);                       // "4,2,1"
sim::Dim3 block_index(const std::string& text, const sim::Dim3& grid);  // throws CommandFailure
const memory::GpuModel& find_gpu(const std::string& name);              // throws CommandFailure

// Each throws CommandFailure with the exit code of the contract.
scenario::Prepared prepare_target(const scenario::Target& target, const SimulationOptions& options);
// Where the target says --compiled, what a compiler makes of the kernel, launched so.
scenario::Setup as_asked(scenario::Setup setup, const scenario::Target& target,
                         const SimulationOptions& options);
measure::CompileOrder compile_order(const SimulationOptions& options);
scenario::Prepared prepare_setup(scenario::Setup setup, const memory::GpuModel& gpu, Budget& budget);
sim::Totals totals_of(const scenario::Prepared& prepared, const SimulationOptions& options);
report::Report simulate(const scenario::Prepared& prepared, const SimulationOptions& options);
// With the distinct sectors, which may take as long again.
report::Report simulate_with_reuse(const scenario::Prepared& prepared, const SimulationOptions& options);
// The message of a failed run, with line and caret.
std::string words_of(const scenario::Prepared& prepared, const sim::RunError& error, const Message& remedy);
[[noreturn]] void fail_run(const scenario::Prepared& prepared, const sim::RunError& error);
// Of a stage that the budget ended.
CommandFailure failure_of(const Stopped& stopped);

// Splits "A options B options" as typed after `compare`: options follow their target; those before A are
// both's.
std::vector<scenario::Target> split_targets(const std::vector<std::string>& words, std::size_t count);

// The warp itself, where a block of that many threads has it. Throws CommandFailure.
int warp_index(int warp, std::uint64_t threads, const std::string& what = "--warp");
// A pasted target may name a block and a warp that this launch does not have. Throws CommandFailure.
void check_place(const scenario::Target& target, const scenario::Prepared& prepared, Budget& budget);

// nullopt: the target is no kernel file, or says its block itself. What was filled in is told on standard
// error. Throws CommandFailure, and Stopped where the budget ends.
std::optional<scenario::Setup> filled_launch(const scenario::Target& target,
                                             const SimulationOptions& options);

// The same where kernel, template arguments and extents are a profile's: of the launches in the host code the
// one that agrees with them says the rest.
scenario::Setup launch_of_row(const scenario::Target& target, const SimulationOptions& options);
// Of a kernel file of several that names none of them: those which its host code launches, in turn; each
// once. As a run without arguments reaches them, or where it reaches none, all that there are.
std::vector<std::string> launched_kernels(const scenario::Target& target, const SimulationOptions& options);
// What the file has; nullopt: the target is no kernel file.
std::optional<std::vector<app::KernelFacts>> kernels_in(const scenario::Target& target,
                                                        const SimulationOptions& options);

// A block of each class of alike blocks, or every block where they cannot be told alike or
// options.brute_force.
sim::CheckedBlocks checked_run(const scenario::Prepared& prepared, const SimulationOptions& options);

// What the packs that come with the program know, for a lesson's rules.
lesson::RecordedOf recorded_for_lessons();

// The measurement that a file holds, or that of exactly this target where it is a recorded pack; of both
// modes, as written first, where the pack has both. `peaks`: the pack's, where it has them. Throws
// CommandFailure, too where the file is of another text or launch.
std::vector<measure::Measurement> measurements_for(const scenario::Prepared& prepared,
                                                   const std::string& file, Budget& budget,
                                                   std::optional<measure::PeakRecord>* peaks = nullptr);

// What was recorded: of the same launch as written, where there is that, and the most that its GPU can do.
struct RecordedLaunch {
  std::optional<measure::Measurement> launch;
  std::optional<measure::PeakRecord> peaks;
};
RecordedLaunch recorded_launch(const scenario::Prepared& prepared);

}  // namespace warplens::cli
