// What Nsight Compute counted of a launch, beside what the simulator predicts of it: counter by counter, and
// what the difference consists of.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/measure/pack.h"
#include "sim/cache/traffic.h"
#include "sim/lesson/figures.h"
#include "sim/profile/ncu_profile.h"
#include "sim/report/counters.h"
#include "sim/report/report.h"
#include "sim/report/why.h"

namespace warplens::explain {

// Which launch of a profile is the one that a person means.
struct WantedLaunch {
  std::vector<std::string> kernels;  // any of these
  std::vector<std::string> template_arguments;
  std::optional<sim::Dim3> grid{}, block{};  // none: as the file says
  std::string id{};                          // as ncu numbers them; empty: whichever fits
};

struct LaunchChoice {
  std::size_t launch = 0;           // into NcuProfile::launches
  std::vector<std::size_t> others;  // that fit as well
  std::string differs;              // English: in what one that is asked for contradicts; or empty
};

// Every launch that fits, those of one kernel, template arguments and extents together. Errors say what the
// file holds in its place; `file` begins them.
scenario::Outcome<std::vector<LaunchChoice>> choose_launches(const profile::NcuProfile& profile,
                                                             const WantedLaunch& wanted,
                                                             const std::string& file);
// The first of them; all the others are its others.
scenario::Outcome<LaunchChoice> choose_launch(const profile::NcuProfile& profile, const WantedLaunch& wanted,
                                              const std::string& file);

// IDs of the launches of this kernel, in the order of the file.
std::vector<std::string> launches_of(const profile::NcuProfile& profile, const std::string& kernel);

std::string extents_text(const sim::Dim3& dim);  // "128 x 64"

// The known causes of a counter that is not the predicted one, each with its bound. Everything else is a
// mismatch.
enum class Cause : std::uint8_t {
  Atomics,       // sectors of global atomics and reductions are a model: at most one off each request
  Tags,          // L1's tag stage is a model, at the mean of the places where an access may lie
  Merging,       // optimised, the compiler merges shared accesses, or keeps values in registers
  LeftOut,       // compilers make fewer accesses to global memory than the text has
  Warpgroup,     // wgmma reads its operands from shared memory by itself, and nobody counts how many
  Loops,         // of atomics in shared memory, as the next function says: no bound
  Arbitration,   // the pipe's own counters also count arbitration with other traffic
  Instructions,  // those without an active lane, and a second time what a warp executes in parts: no bound
};
// Whether sums of floats or of 64 bits in shared memory may be why a counter differs. The hardware does them
// in loops, whose loads the counters of loads have in place of those of atomics, and in which warps that meet
// in a word take more turns than one warp alone.
bool is_of_loops(const report::Report& report, const report::Prediction& p, double measured);
struct Difference {
  bool explained = false;
  std::string words;  // English
};
// `room`: requests of what is modelled, wavefronts of what arbitrates.
Difference by(Cause cause, double predicted, double measured, double room = 0);

struct Part {
  enum class Kind : std::uint8_t {
    Addresses,    // exact: what the kernel's addresses make
    Arbitration,  // turns lost to other traffic of the same pipe
    Compiler,     // accesses that were merged, moved, vectorised or dropped
    Caches,       // what L1, L2 kept, merged or wrote back later
    Issues,       // instructions issued twice, or without an active lane
    Model,        // of global atomics: at most one sector a request
    Other,        // read by something else: instructions, parameters, local memory
    Unknown,      // none of these
  };
  Kind kind = Kind::Addresses;
  double amount = 0;
};
const char* name_of(Part::Kind kind);  // "addresses", in JSON and in keys of the languages

// What an access site adds to the exact part.
struct Share {
  int line = 1, column = 1;
  std::string text;  // "tile[c][r]"
  std::uint64_t requests = 0;
  double amount = 0;
  // Of bank conflicts: a request's wavefronts and how many it needs at least; 0: they differ from request to
  // request.
  std::uint64_t wavefronts = 0, ideal = 0;
};

enum class Agreement : std::uint8_t {
  Equal,         // as predicted, within the digits that are printed
  Explained,     // not as predicted, by a known cause and within its bound
  Unexplained,   // worth a look
  Behind,        // traffic that caches decide; what they were asked for is predicted
  NotPredicted,  // Warplens predicts nothing here
};

struct ExplainedCounter {
  std::string name, label;  // "l1tex__t_sector_hit_rate.pct", and as the file has it
  std::string unit;
  double measured = 0, resolution = 0;
  std::string text;  // the measured figure as the file has it
  std::optional<double> predicted{};
  std::optional<double> modelled{};  // what the caches' model expects: an estimate, and no part of the sum
  Agreement state = Agreement::NotPredicted;
  std::vector<Part> parts{};    // they sum up to `measured`; of averages there is one, or none
  std::vector<Share> shares{};  // of the part by addresses, largest first; of counts alone
  std::string hint{};           // a key of the languages behind "explain.hint.": what to look at; or empty
  bool is_average = false;      // its parts are not added up
  // What is counted, where that is predicted: "bank_conflicts" of shared stores. Empty: not a count.
  std::string field{};
  memory::Space space = memory::Space::Global;
  std::vector<memory::Op> ops{};
};

struct Explanation {
  std::vector<ExplainedCounter> counters;  // predicted ones first, then those behind caches, then the rest
  std::size_t count(Agreement state) const;
  bool holds() const { return count(Agreement::Unexplained) == 0; }
};

struct ExplainOptions {
  // Of the report's kernel, grid and block, as far as the file says; of another launch no fewer accesses are
  // put down to the compiler.
  bool same_launch = true;
  const sim::Traffic* traffic = nullptr;  // what the caches' model expects; null: not asked
};
Explanation explain_launch(const report::Report& report, const profile::ProfiledLaunch& launch,
                           const ExplainOptions& options = {});

// ---- why a launch takes as long as it does: what it asks for, by the simulator and the caches' model, and
// the least time that each resource needs for that, beside a measurement of the same launch. One place for
// the window, exports and the command line.

struct Demand {
  report::Report report;
  const memory::GpuModel* gpu = nullptr;
  std::optional<int> registers;  // of a thread, where they are known
  sim::Traffic traffic;
  sim::AtomicLoad atomics;
  sim::LoadWaits waits;
  std::optional<sim::RunError> error;  // why the model could not be run to its end; then nothing of it counts
};

// It takes up to seconds. `report`: of the same program and launch. `gpu` outlives what is returned. Progress
// and cancelling as `options.limits` say.
Demand demand_of(const sim::Program& program, const memory::GpuModel& gpu, report::Report report,
                 const sim::TrafficOptions& options);

// What was measured of that launch and on that GPU.
struct MeasuredBeside {
  const measure::Measurement* launch = nullptr;  // null: nothing
  const measure::PeakRecord* peaks = nullptr;    // null: no bounds
  bool warm = false;                             // L2 held what the same kernel left in it
};
// Precondition: no error in `demand`.
report::Why why_of(const Demand& demand, const MeasuredBeside& beside);

// What packs know of a launch, for a lesson's rules. `gpu`: the architecture that it is simulated for,
// "sm_90"; packs of others know nothing of it. The first that knows the launch, and the first with peaks, are
// taken.
lesson::Recorded recorded_in(std::span<const measure::Pack> packs, const scenario::Setup& setup,
                             std::string_view gpu);

}  // namespace warplens::explain
