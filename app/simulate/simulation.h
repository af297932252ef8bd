// What follows from a State: the program, the trace of the block looked at, its costs, the place in it.
//
//   Simulator simulator(&catalog, {});
//   std::shared_ptr<const Simulation> s = simulator.derive(state);
//
// Every part is cached by what it depends on, so that stepping costs nothing and a turned parameter costs one
// compilation and one block. What takes longer than the frame has (a long text, a long block, whole-grid
// totals) goes on beside it; until then the last good picture stays and says so.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/scene/views.h"
#include "app/state/action.h"
#include "app/state/catalog.h"
#include "app/state/state.h"
#include "sim/count/totals.h"
#include "sim/cuda/text/diagnostic.h"
#include "sim/memory/banks.h"
#include "sim/memory/cost.h"
#include "sim/program/program.h"
#include "sim/scenario/scenario.h"
#include "sim/trace/trace.h"

namespace warplens::app {

// Where a run went wrong; -1: not in a single warp, not in a single lane.
struct RunPlace {
  sim::Dim3 block{0, 0, 0};
  int warp = -1, lane = -1;
};

// Something wrong with the text, the parameters or the run, at its place if it has one.
struct Problem {
  cuda::Severity severity = cuda::Severity::Error;
  Message message, remedy;
  std::optional<cuda::SourceRange> range;
  std::optional<RunPlace> at = std::nullopt;
  std::optional<sim::RunError::Kind> kind = std::nullopt;  // of a run's error
};

// A text compiled, with a launch that is possible.
struct Compiled {
  Compiled(std::shared_ptr<const sim::Program> of, scenario::Setup with, const memory::GpuModel& on,
           Budget& budget = Budget::endless());
  Settings settings;
  const scenario::Scenario* scenario = nullptr;
  scenario::Setup setup;
  std::shared_ptr<const sim::Program> held;  // other launches of the same kernel share it
  const sim::Program& program;
  const memory::GpuModel* gpu = nullptr;
  // What the extents of a shared array may be written with: template arguments, macros, the scenario's
  // parameters. {"PAD", 2}, {"BX", 32}
  std::map<std::string, std::int64_t> names;
  std::vector<sim::AccessForm> uncounted;  // report::uncounted_forms() of the program
};

// One access of the warp looked at, priced.
struct PricedEvent {
  std::uint32_t event = 0;  // index into Trace::events
  std::uint32_t site = 0;
  memory::Space space = memory::Space::Global;
  int units = 0, ideal = 0;  // sectors or wavefronts; 0: hidden, or refused
  int ordinal = 0;           // how often this warp has executed the site before
  friend bool operator==(const PricedEvent&, const PricedEvent&) = default;
};

// What a site costs the warp looked at, a request.
struct SiteCost {
  int site = 0;
  memory::Space space = memory::Space::Global;
  int requests = 0;  // 0: this warp does not get there
  int least = 0, most = 0, ideal = 0;
};
struct LineCost {
  int line = 0;
  std::vector<SiteCost> sites;  // in the order of the text
};

// Where the looked-at position leads in the present trace.
struct ResolvedPosition {
  sim::Dim3 block{0, 0, 0};
  int warp = 0;
  int event = -1;  // index into Simulation::events; -1: this warp makes no access
  int wavefront = 0;
  friend bool operator==(const ResolvedPosition&, const ResolvedPosition&) = default;
};

// How much of an access is known: what a question hides is not there (visible.h).
enum class Known : std::uint8_t {
  All,
  Addresses,
  Nothing
};  // Addresses: not its cost; Nothing: `event` alone

// One access, with all that the panels say of it.
struct PricedAccess {
  Known known = Known::All;
  const sim::AccessSite* site = nullptr;
  int event = -1;           // index into Simulation::events
  std::uint32_t instr = 0;  // index into Program::code
  memory::WarpAccess access;
  memory::LaneMask refused = 0;  // lanes out of range or misaligned: the access is not made
  memory::Cost cost;             // of a refused one, what the other lanes would cost
  memory::BankPlan plan;         // of a shared access
  std::string buffer_name;
  memory::Address buffer_base = 0;
  std::optional<scene::ArrayView> array;  // of a global access, where the scenario gives the buffer a shape
};

// How far the run of a block has come, of which the trace holds the beginning.
struct Unfinished {
  std::uint64_t instructions = 0;  // executed so far, by all its warps
  int line = 0;                    // of the next one; 0: no line of the text
  friend bool operator==(const Unfinished&, const Unfinished&) = default;
};

struct Simulation {
  std::vector<Problem> problems;  // of the settings asked for
  bool fresh = true;              // the pictures below belong to the settings asked for
  bool busy = false;              // ... and will be, or all of it, when what is under way has come this far:
  bool compiling = false;         // ... which is the kernel's text, not yet the block
  bool halted = false;            // it was stopped on the way
  // The trace is what ran until here: the block goes on, or was stopped.
  std::optional<Unfinished> unfinished;

  Hidden hidden;  // what is not in here, although it is known

  std::shared_ptr<const Compiled> compiled;                // null: nothing could be shown yet
  std::shared_ptr<const sim::Trace> trace;                 // of the block; null: hidden
  std::shared_ptr<const std::vector<LineCost>> lines;      // by line; null: hidden
  std::shared_ptr<const std::vector<PricedEvent>> events;  // of the warp, in order
  ResolvedPosition place;
  std::optional<PricedAccess> now;
  std::optional<PricedAccess> global, shared;  // the access looked at, or the nearest other one of that space
  std::shared_ptr<const std::vector<sim::LaneValues>> variables;  // as Program::variables; null: not yet

  std::shared_ptr<const sim::Totals> totals;  // null: hidden, or not yet, at `totals_progress`
  double totals_progress = 0;

  const sim::Program& program() const { return compiled->program; }
  bool empty() const { return compiled == nullptr || (trace == nullptr && !hidden.rest); }
  int event_count() const { return events ? static_cast<int>(events->size()) : 0; }
  // The trace holds only the first accesses of the block, of trace->total_events: its budget is used up.
  bool cut_short() const {
    return trace && trace->error && trace->error->kind == sim::RunError::Kind::TraceLimit;
  }
  // A│B: of the access that A shows, where those are more than this one's: both are stepped together.
  int other_wavefronts = 1;
  // The run went wrong in the warp looked at.
  bool stopped_here() const {
    return trace && trace->error && trace->error->warp == place.warp && !cut_short();
  }
  // Why the warp looked at shows no access: it makes none, or has not come to one yet. A key of the
  // catalogue.
  const char* no_access() const { return unfinished ? "lanes.not_yet" : "lanes.no_access"; }
  // Wavefronts to step through at the access looked at.
  int steps() const { return std::max(wavefronts_of(place.event), other_wavefronts); }
  // Wavefronts of a shared access; 1 for a global one.
  int wavefronts_of(int event) const;
};

// What ended the run of what is on screen; null: nothing did.
const Problem* failure_of(const Simulation& simulation);

// Which settings the picture shows, if they are not those that are asked for.
enum class PictureOf : std::uint8_t { Asked, OtherLaunch, OtherText, OtherKernel };
PictureOf picture_of(const Compiled* shown, const Settings& asked);  // null: nothing is
inline PictureOf picture_of(const Simulation& simulation, const Settings& asked) {
  return picture_of(simulation.compiled.get(), asked);
}

// The name of an event, to find it again in another program.
AccessId name_of(const Simulation& simulation, int event);
// The first execution of a site, of those that go to `space`.
AccessId name_of(const sim::Program& program, std::uint32_t site, memory::Space space);
// The event that bears the name, or the one that comes closest; -1 where there is none.
int find_event(const sim::Program& program, const std::vector<PricedEvent>& events, const AccessId& name);

// Variables worth a column in the lane table: in scope at the access, first those that its text names, then
// the latest declared; at most `count`. Indices into Program::variables.
std::vector<int> shown_variables(const sim::Program& program, const PricedAccess& moment, int count);
// A value of a variable as CUDA prints it: "-3", "1.5", "true".
std::string value_text(sim::ScalarType type, std::uint64_t bits);

// What a state shows, made at once and not beside a frame: for what is told of it before a window opens.

struct Look {
  std::shared_ptr<const Compiled> compiled;      // null: the settings are wrong
  std::shared_ptr<const Simulation> simulation;  // of the block looked at; null: see problems
  std::vector<Message> problems;                 // of block, warp and run, in words
  bool limit = false;                            // the run came to a limit: what is there is not all
};
Look look_at(const Catalog& catalog, const Settings& settings, const Position& position,
             const sim::Limits& limits);

// What may be seen of a simulation while a question is open. The rest is not there, so that no panel, picture
// or file can tell it.
//
//   auto shown = visible(simulator.derive(state), hidden_in(state));
//   shown->now->known                                // Known::Addresses: its lanes and addresses, not its
//   cost
//
// What is left: the program, the launch, the place in it, and of the access looked at the request; with the
// costs of that one where only the others are hidden. Stepping and grading take the whole simulation.

// The same pointer where nothing is hidden.
std::shared_ptr<const Simulation> visible(std::shared_ptr<const Simulation> simulation, const Hidden& hidden);

// Moving through a trace. Everything starts from the place shown, and gives the position that is wanted next.

// The position of the place that is shown; a step starts from what a person sees.
Position shown_position(const Position& wanted, const Simulation& simulation);

// Past a warp's last access comes the next warp's first; past the block's last, nothing.
Position step_access(const Position& from, const Simulation& simulation, int by);
// To the block's next or previous access in the order in which they ran, whichever warp's it is.
Position step_in_block(const Position& from, const Simulation& simulation, int by);
// To the next or previous source line that the warp makes an access on.
Position step_line(const Position& from, const Simulation& simulation, int by);
// Past an access's last wavefront comes the next access.
Position step_wavefront(const Position& from, const Simulation& simulation, int by);
Position step_warp(const Position& from, const Simulation& simulation, int by);
// Along x, then y, then z.
Position step_block(const Position& from, const Simulation& simulation, int by);
Position go_to_end(const Position& from, const Simulation& simulation, bool last);
Position go_to_event(const Position& from, const Simulation& simulation, int event, int wavefront);
// The costliest access of the block that the line makes; of line 0: of them all. None: it makes none.
std::optional<Position> costliest_access(const Simulation& simulation, int line);
// That part of the warp's accesses further than its first, 0 to 1; an access is as long as it costs.
Position position_at(const Position& from, const Simulation& simulation, double part);
Position go_to_line(const Position& from, const Simulation& simulation, int line);

// What a checking tool found in the kernel on screen, by line of its text. It belongs to the settings it was
// looked for with, and is not shown beside others.

struct Finding {
  int line = 0;       // from 1; 0: no place
  std::string words;  // as the tool told it
};
struct Findings {
  Settings settings;
  std::string tool;  // "nvcc"
  std::vector<Finding> list;
};

// What is written in a line (from 1), without the white space around it; nothing where there is no such line.
std::optional<cuda::SourceRange> line_range(std::string_view text, int line);

}  // namespace warplens::app
