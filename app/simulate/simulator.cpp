#include "app/simulate/simulator.h"

#include <algorithm>
#include <array>

#include "app/simulate/simulation.h"
#include "app/source/programs.h"
#include "app/state/catalog.h"
#include "app/state/user_kernel.h"

namespace warplens::app {
namespace {

Problem problem_of(const cuda::Diagnostic& diagnostic) {
  return {diagnostic.severity, diagnostic.message, diagnostic.remedy, diagnostic.range};
}

Compilation failed(const std::vector<Message>& errors, Compilation out = {}) {
  for (const Message& error : errors) out.problems.push_back({cuda::Severity::Error, error, {}, {}});
  return out;
}

// The buffer of the launch form that the access at `range` goes through, where its length was guessed.
std::string guessed_buffer_at(const cuda::SourceRange& range, const Compiled& compiled) {
  if (!compiled.settings.own) return {};
  for (const sim::AccessSite& site : compiled.program.sites) {
    if (site.range.begin.offset == range.begin.offset && site.range.end.offset == range.end.offset &&
        has_guessed_length(*compiled.settings.own, site.array))
      return site.array;
  }
  return {};
}

}  // namespace

Problem problem_of(const sim::RunError& error, const Compiled& compiled) {
  Problem problem{cuda::Severity::Error, error.message, error.remedy, {}};
  if (error.kind != sim::RunError::Kind::BadLaunch && error.range.begin.line > 0) problem.range = error.range;
  problem.kind = error.kind;
  if (error.warp >= 0) problem.at = RunPlace{error.block, error.warp, error.lane};
  const std::string guessed = error.kind == sim::RunError::Kind::OutOfRange && error.remedy.empty()
                                  ? guessed_buffer_at(error.range, compiled)
                                  : std::string();
  if (!guessed.empty())
    problem.remedy = Message("its length of {} is a guess: where {} is longer, say so in the launch form",
                             field_text(compiled.settings.own->form, "elements." + guessed), guessed);
  return problem;
}

Compilation compile_settings(const Settings& settings, const scenario::Scenario* scenario,
                             const Means& means) {
  if (scenario == nullptr) return failed({Message("there is no scenario {}", settings.scenario)});
  if (settings.own && !settings.own->values.errors.empty()) {
    std::vector<Message> errors;
    for (const auto& [field, error] : settings.own->values.errors) {
      const std::string name = field.substr(field.find('.') + 1);
      const Message what = field.starts_with("elements.")
                               ? Message("the length of {}", name)
                               : Message::verbatim(field.starts_with("scalar.") ? name : field);
      errors.push_back(Message("launch: {}: {}", what, error));
    }
    return failed(errors);
  }
  scenario::Outcome<scenario::Setup> setup;
  const auto stopped = stopped_in(Stage::Preparing, [&] {
    setup = scenario::make_setup(*scenario, settings.values, settings.text ? *settings.text : scenario->text,
                                 means.budget);
  });
  if (stopped) return failed({stopped->message()});
  if (!setup) return failed(setup.errors);
  const Programs::Result result = means.compile(setup.value->compile);
  Compilation out;
  for (const cuda::Diagnostic& diagnostic : result->diagnostics)
    out.problems.push_back(problem_of(diagnostic));
  if (!result->program) return out;
  // The program lives in the result, which others share.
  const std::shared_ptr<const sim::Program> program(result, &*result->program);
  const memory::GpuModel& gpu = predicted_gpu();
  const std::vector<Message> refused = sim::check_launch(*program, setup.value->launch, gpu);
  if (!refused.empty()) return failed(refused, std::move(out));
  auto compiled = std::make_shared<Compiled>(program, std::move(*setup.value), gpu, *means.budget);
  compiled->settings = settings;
  compiled->scenario = scenario;
  out.compiled = std::move(compiled);
  return out;
}

KernelSettler::Asked KernelSettler::asked_by(const State& state) {
  if (state.halted) return {};
  const auto asks = [](const Settings& settings) { return settings.own && settings.own->wish; };
  if (asks(state.settings)) return {state.settings.own, state.settings.text};
  if (state.pinned && asks(*state.pinned)) return {state.pinned->own, state.pinned->text};
  return {};
}

Actions KernelSettler::update(const State& state) {
  const Asked asked = asked_by(state);
  jobs::Kept<UserKernel> found;
  memos_.begin_frame();
  if (asked.own) {
    found = memos_.get<UserKernel>(
        asked,
        [asked, programs = programs_](Budget& budget, auto*) {
          Budget own(app_allowance(budget.allowance().cancel));
          return std::make_shared<const UserKernel>(settled(*asked.own, *asked.text, {programs.get(), &own}));
        },
        {.most = 1});
  }
  memos_.end_frame();
  busy_ = found.busy;
  if (found.value) return {KernelSettled{asked.own, found.value}};
  if (found.failure.empty()) return {};
  // It stays as it is, but is not asked for again.
  auto given_up = std::make_shared<UserKernel>(*asked.own);
  given_up->wish.reset();
  return {KernelSettled{asked.own, std::move(given_up)}};
}

namespace {

// Programs kept, so that toggling back and forth compiles once; of long ones fewer, in instructions.
constexpr std::size_t kRecent = 24, kRecentLong = 4, kLong = 100'000;
// A block that runs long is traced in parts, each from the beginning: what it does at first is shown while it
// goes on, and how far it is counts up. In executed warp instructions: from hundredths of a second to seconds.
constexpr std::array<std::uint64_t, 5> kParts{1'000'000, 3'000'000, 10'000'000, 30'000'000, 100'000'000};
constexpr std::size_t kLatePart = 4;  // under way when a second has gone by
constexpr std::size_t kPricedAtOnce = 20'000;  // events and sites: a millisecond or two

sim::Dim3 clamped(const sim::Dim3& block, const sim::Dim3& grid) {
  return {std::min(block.x, grid.x - 1), std::min(block.y, grid.y - 1), std::min(block.z, grid.z - 1)};
}

sim::Limits limits_of(const SimulatorOptions& options) {
  sim::Limits limits;
  limits.memory_bytes = app_allowance(nullptr).memory_bytes;
  limits.instructions = options.instructions;
  limits.trace_events = options.trace_events;
  return limits;
}

}  // namespace

Simulator::Simulator(const Catalog* catalog, jobs::Runner& runner, SimulatorOptions options)
    : catalog_(catalog), options_(std::move(options)), memos_(runner) {
  if (!options_.programs) options_.programs = std::make_shared<Programs>();
}

jobs::Kept<Compilation> Simulator::compile(const State& state) {
  const Settings& settings = state.settings;
  const bool is_long = shown_ && shown_->key.compiled->program.code.size() > kLong;
  const auto work = [settings, scenario = scenario_of(*catalog_, settings), programs = options_.programs](
                        Budget& budget, std::atomic<double>*) {
    Budget own(app_allowance(budget.allowance().cancel));
    return std::make_shared<const Compilation>(compile_settings(settings, scenario, {programs.get(), &own}));
  };
  // One whose launch form is still to be read has none yet.
  return memos_.get<Compilation>(
      settings, work,
      {.most = is_long ? kRecentLong : kRecent, .begins = !state.halted && !is_unsettled(settings)});
}

jobs::Kept<sim::Totals> Simulator::count(const std::shared_ptr<const Compiled>& wanted,
                                         jobs::MemoOptions how) {
  const auto work = [wanted, limits = limits_of(options_)](Budget& budget, std::atomic<double>* progress) {
    sim::TotalsOptions options;
    options.limits = limits;
    options.limits.cancel = budget.allowance().cancel;
    options.limits.progress = progress;
    return std::make_shared<const sim::Totals>(
        sim::grid_totals(wanted->program, wanted->setup.launch, *wanted->gpu, options));
  };
  how.most = kRecentLong;  // whatever they are of: each keeps its program
  return memos_.get<sim::Totals>(wanted, work, how);
}

// The block's trace, or as much of it as there is: of that `value` is the part before.
jobs::Kept<Simulator::Traced> Simulator::trace(const BlockKey& key, const Position& position,
                                               jobs::MemoOptions how) {
  if (!(begun_ == key)) begun_ = key, part_ = 0;
  how.most = 1;
  for (;; ++part_) {
    sim::Limits limits = limits_of(options_);
    const bool whole = part_ >= kParts.size() || limits.instructions <= kParts[part_];
    if (!whole) limits.instructions = kParts[part_];
    const auto work = [key, position, limits, whole](Budget& budget, std::atomic<double>*) {
      sim::Limits mine = limits;
      mine.cancel = budget.allowance().cancel;
      Budget own(mine);
      mine.budget = &own;
      const Compiled& c = *key.compiled;
      auto made =
          std::make_shared<sim::Trace>(sim::trace_block(c.program, c.setup.launch, *c.gpu, key.block, mine));
      std::optional<Unfinished> unfinished;
      if (!whole && own.stopped() == StopReason::InstructionLimit) {
        unfinished = {mine.instructions, made->error ? made->error->range.begin.line : 0};
        made->error.reset();
      }
      const std::shared_ptr<const sim::Trace> trace = std::move(made);
      Budget pricing({.cancel = mine.cancel});
      auto priced = std::make_shared<const PricedWarp>(
          price_warp(c, trace, warp_shown(*trace, position.warp, position.access), pricing));
      return std::make_shared<const Traced>(Traced{key, trace, std::move(priced), unfinished});
    };
    auto kept = memos_.get<Traced>(std::pair(key, part_), work, how);
    if (kept.value && kept.value->unfinished) continue;
    if (!kept.value && kept.before && kept.before->key == key) kept.value = kept.before;
    return kept;
  }
}

// What a block does at first stands where nothing of this kernel's text could be shown before; the picture of
// other values gives way to it only where the rest is a while in coming, so that turning a parameter shows
// one picture after another.
bool Simulator::comes_into_view(const Traced& traced, const Settings& asked) const {
  if (!traced.unfinished) return true;
  const bool is_early = part_ < kLatePart, is_in_view = shown_ && shown_->key == traced.key;
  return !traced.trace->events.empty() &&
         (!is_early || is_in_view || picture_of(in_view(), asked) != PictureOf::OtherLaunch);
}

// There will be no picture of what was asked for. That of the same kernel before stays; another kernel's
// would stand under a name, and beside a text, that are not its own.
void Simulator::drop_other_kernel(const Settings& asked) {
  if (picture_of(in_view(), asked) != PictureOf::OtherKernel) return;
  shown_ = nullptr;
  priced_ = nullptr;
  totals_ = nullptr;
}

std::shared_ptr<const PricedWarp> Simulator::price(const std::shared_ptr<const Traced>& of,
                                                   const Position& position) {
  const int warp = warp_shown(*of->trace, position.warp, position.access);
  if (of->priced->warp == warp) return of->priced;
  const auto work = [of, warp](Budget& budget, std::atomic<double>*) {
    return std::make_shared<const PricedWarp>(price_warp(*of->key.compiled, of->trace, warp, budget));
  };
  const std::pair key(of, warp);
  if (pricing_effort(*of->key.compiled, *of->trace, warp) > kPricedAtOnce)
    return memos_.get<PricedWarp>(key, work, {.most = 1}).value;
  return memos_.now<PricedWarp>(key, [&] { return price_warp(*of->key.compiled, of->trace, warp); });
}

Variables Simulator::look_up_variables(int event) {
  if (event < 0) return nullptr;
  const std::pair key(shown_, (*priced_->events)[static_cast<std::size_t>(event)].event);
  const auto work = [key](Budget& budget, std::atomic<double>*) {
    Budget own(app_allowance(budget.allowance().cancel));
    return variables_of(*key.first->key.compiled, *key.first->trace, key.second, own);
  };
  return memos_.get<std::vector<sim::LaneValues>>(key, work, {.most = 1}).value;
}

std::shared_ptr<const Simulation> Simulator::derive(const State& state) {
  const bool goes_on = !state.halted;
  memos_.begin_frame();
  Parts parts;
  parts.settings = state.settings;
  parts.position = state.position;
  const jobs::Kept<Compilation> made = compile(state);
  const auto wanted = made.value ? made.value->compiled : nullptr;
  parts.made = made.value;
  parts.failure = made.failure;
  parts.compiling = !made.value && made.failure.empty();
  BlockKey key{wanted, {}};
  bool never_ends = false;
  jobs::Kept<Traced> traced;
  if (wanted) {
    key.block = clamped(state.position.block, wanted->setup.launch.grid);
    // A kernel that never ends, as its grid has shown, is not run further for the block: what is there stays.
    never_ends = shown_ && shown_->key == key && shown_->unfinished && totals_ && totals_->error &&
                 totals_->error->kind == sim::RunError::Kind::EndlessLoop;
    const bool runs = goes_on && !never_ends;
    // Both are begun before either is waited for.
    trace(key, state.position, {.begins = runs, .waits = false});
    count(wanted, {.begins = goes_on, .waits = false});
    traced = trace(key, state.position, {.begins = runs});
    parts.traced = traced.value;
    if (!traced.failure.empty()) parts.failure = traced.failure;
  }
  // Of the same program it is a block whose first access could not be made.
  const bool has_nothing = traced.value && traced.value->trace->error &&
                           traced.value->trace->events.empty() && in_view() != wanted.get();
  if (has_nothing || (!wanted && !parts.compiling)) drop_other_kernel(state.settings);
  const bool comes = traced.value && !has_nothing && comes_into_view(*traced.value, state.settings);
  // Until the warp asked for is priced, the one before stays in view.
  const std::shared_ptr<const Traced> next = comes ? traced.value : shown_;
  const auto priced = next ? price(next, state.position) : nullptr;
  if (priced) shown_ = next, priced_ = priced;
  if (wanted) {
    const jobs::Kept<sim::Totals> counted = count(wanted, {.begins = goes_on});
    parts.totals_progress = counted.progress;
    if (in_view() == wanted.get()) totals_ = counted.value;
  }
  if (shown_) {
    parts.event = *memos_.now<int>(std::pair(priced_, state.position.access), [&] {
      return find_event(in_view()->program, *priced_->events, state.position.access);
    });
    parts.variables = look_up_variables(parts.event);
  }
  parts.shown = shown_;
  parts.priced = priced_;
  parts.totals = totals_;
  parts.findings = state.findings;
  parts.fresh = wanted && priced && shown_->key == key;
  parts.halted = state.halted && !never_ends;  // nothing runs that could be stopped, or gone on with
  parts.busy = goes_on && (parts.compiling || traced.busy || (next && !priced));
  auto made_of_them = memos_.now<Simulation>(parts, [&] { return picture(parts); });
  memos_.end_frame();
  return made_of_them;
}

Simulation Simulator::picture(const Parts& parts) const {
  Simulation s;
  s.fresh = parts.fresh;
  s.busy = parts.busy;
  s.compiling = parts.compiling;
  s.halted = parts.halted;
  s.totals = parts.totals;
  s.totals_progress = parts.totals ? 1.0 : parts.totals_progress;
  s.variables = parts.variables;
  if (parts.shown) {
    s.compiled = parts.shown->key.compiled;
    s.trace = parts.shown->trace;
    s.unfinished = parts.shown->unfinished;
    s.place.block = parts.shown->key.block;
    s.place.warp = parts.priced->warp;
    s.events = parts.priced->events;
    s.lines = parts.priced->lines;
    set_moments(parts.event, parts.position.wavefront, &s);
  }
  if (parts.made) s.problems = parts.made->problems;
  if (!parts.failure.empty()) s.problems.push_back({cuda::Severity::Error, parts.failure, {}, {}});
  // A trace that is as long as it may be is no mistake of the kernel's: the panels say what they show of
  // what.
  const auto* error = parts.traced && parts.traced->trace->error ? &*parts.traced->trace->error : nullptr;
  if (error != nullptr && error->kind != sim::RunError::Kind::TraceLimit)
    s.problems.push_back(problem_of(*error, *parts.traced->key.compiled));
  // Another block may fail where the one looked at does not.
  if (s.problems.empty() && s.fresh && s.totals && s.totals->error) {
    s.problems.push_back(problem_of(*s.totals->error, *s.compiled));
    if (s.totals->error->is_limit()) s.problems.back().severity = cuda::Severity::Warning;
  }
  // What a tool found in the very text on screen stands at its lines beside what the simulator says of them.
  if (parts.findings == nullptr || !(parts.findings->settings == parts.settings)) return s;
  const std::string& text = text_of(*catalog_, parts.settings);
  for (const Finding& finding : parts.findings->list)
    s.problems.push_back({cuda::Severity::Warning, Message::verbatim(finding.words),
                          Message::verbatim(parts.findings->tool), line_range(text, finding.line)});
  return s;
}

}  // namespace warplens::app
