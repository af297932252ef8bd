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
  if (!(asked == asked_)) {
    asked_ = asked;
    if (asked.own == nullptr) {
      worker_.cancel();
      return {};
    }
    worker_.start([asked, programs = programs_](const std::atomic<bool>* cancel, std::atomic<double>*) {
      Budget budget(app_allowance(cancel));
      const Means means{programs.get(), &budget};
      return KernelSettled{asked.own,
                           std::make_shared<const UserKernel>(settled(*asked.own, *asked.text, means))};
    });
  }
  if (asked_.own == nullptr) return {};
  if (auto found = worker_.take()) return {std::move(*found)};
  if (worker_.failure().empty()) return {};
  // It stays as it is, but is not asked for again.
  auto given_up = std::make_shared<UserKernel>(*asked.own);
  given_up->wish.reset();
  return {KernelSettled{asked.own, std::move(given_up)}};
}

namespace {

constexpr std::size_t kRecent = 24, kRecentInstructions = 500'000;  // programs; of all of them
// A block that runs long is traced in parts, each from the beginning: what it does at first is shown while it
// goes on. In executed warp instructions: a few hundredths of a second, and a second.
constexpr std::array<std::uint64_t, 2> kParts{1'000'000, 40'000'000};
constexpr std::size_t kPricedAtOnce = 20'000;  // events and sites: a millisecond or two

sim::Dim3 clamped(const sim::Dim3& block, const sim::Dim3& grid) {
  return {std::min(block.x, grid.x - 1), std::min(block.y, grid.y - 1), std::min(block.z, grid.z - 1)};
}

Problem failure(const Message& words) {
  return {cuda::Severity::Error, words, {}, {}};
}

}  // namespace

Simulator::Simulator(const Catalog* catalog, jobs::Runner& runner, SimulatorOptions options)
    : catalog_(catalog),
      options_(std::move(options)),
      compiler_(runner),
      tracer_(runner),
      totaller_(runner),
      pricer_(runner),
      variables_(runner) {
  if (!options_.programs) options_.programs = std::make_shared<Programs>();
}

std::shared_ptr<const Simulation> Simulator::derive(const State& state) {
  if (!asked_ || *asked_ != state.settings) ask(state.settings);
  if (state.halted) {
    halt_work();
  } else {
    if (!compiled_) compile();
    if (compiled_ && wanted_) start_work(state.position);
  }
  collect_work();
  tell_progress(state);
  if (changed_ || !(looked_ == state.position)) look(state.position);
  if (changed_ || !current_) {
    picture_.problems = problems_;
    picture_.problems.insert(picture_.problems.end(), run_problems_.begin(), run_problems_.end());
    // Another block may fail where the one looked at does not.
    if (picture_.problems.empty() && picture_.fresh && picture_.totals && picture_.totals->error) {
      picture_.problems.push_back(problem_of(*picture_.totals->error, *picture_.compiled));
      if (picture_.totals->error->is_limit()) picture_.problems.back().severity = cuda::Severity::Warning;
    }
    add_findings(state);
    current_ = std::make_shared<const Simulation>(picture_);
    changed_ = false;
  }
  return current_;
}

// What a tool found in the very text on screen stands at its lines beside what the simulator says of them.
void Simulator::add_findings(const State& state) {
  if (findings_ == nullptr || !(findings_->settings == state.settings)) return;
  const std::string& text = text_of(*catalog_, state.settings);
  for (const Finding& finding : findings_->list)
    picture_.problems.push_back({cuda::Severity::Warning, Message::verbatim(finding.words),
                                 Message::verbatim(findings_->tool), line_range(text, finding.line)});
}

// Other settings: what is under way for those before is not wanted any more.
void Simulator::ask(const Settings& settings) {
  asked_ = settings;
  changed_ = true;
  compiling_ = compiled_ = false;
  problems_.clear();
  run_problems_.clear();
  wanted_ = nullptr;
  compiler_.cancel();
  if (trace_key_ && (shown_ != *trace_key_ || picture_.unfinished)) {
    tracer_.cancel();
    trace_key_.reset();
  }
  if (totaller_.busy()) {
    totaller_.cancel();
    totals_key_.reset();
  }
  const auto known =
      std::find_if(recent_.begin(), recent_.end(), [&](const Recent& r) { return r.settings == settings; });
  if (known == recent_.end()) return;
  Compilation made = std::move(known->made);
  recent_.erase(known);
  adopt(std::move(made));
}

void Simulator::compile() {
  if (is_unsettled(*asked_)) return;  // the launch form is not theirs yet
  if (!compiling_) {
    compiling_ = changed_ = true;
    compiler_.start([settings = *asked_, scenario = scenario_of(*catalog_, *asked_),
                     programs = options_.programs](const std::atomic<bool>* cancel, std::atomic<double>*) {
      Budget budget(app_allowance(cancel));
      return compile_settings(settings, scenario, {programs.get(), &budget});
    });
  }
  if (auto made = compiler_.take())
    adopt(std::move(*made));
  else if (const Message words = compiler_.failure(); !words.empty())
    adopt(Compilation{nullptr, {failure(words)}});
}

void Simulator::adopt(Compilation made) {
  changed_ = true;
  compiling_ = false;
  compiled_ = true;
  problems_ = made.problems;
  wanted_ = made.compiled;
  recent_.push_back({*asked_, std::move(made)});
  const auto instructions = [this] {
    std::size_t sum = 0;
    for (const Recent& recent : recent_)
      sum += recent.made.compiled ? recent.made.compiled->program.code.size() : 0;
    return sum;
  };
  while (recent_.size() > kRecent || (recent_.size() > 1 && instructions() > kRecentInstructions))
    recent_.erase(recent_.begin());
  if (wanted_) return;
  tracer_.cancel();
  totaller_.cancel();
  trace_key_.reset();
  totals_key_.reset();
  drop_other_kernel();
}

// There will be no picture of what was asked for. That of the same kernel before stays; another kernel's
// would stand under a name, and beside a text, that are not its own.
void Simulator::drop_other_kernel() {
  if (picture_of(picture_, *asked_) != PictureOf::OtherKernel) return;
  picture_ = Simulation{};
  shown_ = {};
  priced_ = {};
  pricer_.cancel();
  price_key_.reset();
  variables_key_.reset();
  changed_ = true;
}

namespace {

sim::Limits limits_of(const SimulatorOptions& options) {
  sim::Limits limits;
  limits.memory_bytes = app_allowance(nullptr).memory_bytes;
  limits.instructions = options.instructions;
  limits.trace_events = options.trace_events;
  return limits;
}

}  // namespace

// The next part of the block's trace, or all of it.
void Simulator::start_trace(const Position& position) {
  changed_ = true;
  trace_halted_ = false;
  sim::Limits limits = limits_of(options_);
  const bool whole = part_ >= kParts.size() || limits.instructions <= kParts[part_];
  if (!whole) limits.instructions = kParts[part_];
  tracer_.start([key = *trace_key_, limits, position, whole](const std::atomic<bool>* cancel,
                                                             std::atomic<double>*) mutable {
    limits.cancel = cancel;
    Budget budget(limits);
    limits.budget = &budget;
    const Compiled& c = *key.compiled;
    auto made =
        std::make_shared<sim::Trace>(sim::trace_block(c.program, c.setup.launch, *c.gpu, key.block, limits));
    std::optional<Unfinished> unfinished;
    if (!whole && budget.stopped() == StopReason::InstructionLimit) {
      unfinished = {limits.instructions, made->error ? made->error->range.begin.line : 0};
      made->error.reset();
    }
    const std::shared_ptr<const sim::Trace> trace = std::move(made);
    Budget pricing({.cancel = cancel});
    PricedWarp priced = price_warp(c, trace, warp_shown(*trace, position.warp, position.access), pricing);
    return Traced{key, trace, std::move(priced), unfinished};
  });
}

void Simulator::start_work(const Position& position) {
  const sim::Dim3 block = clamped(position.block, wanted_->setup.launch.grid);
  if (const BlockKey key{wanted_, block}; !trace_key_ || *trace_key_ != key) {
    trace_key_ = key;
    part_ = 0;
    run_problems_.clear();
    start_trace(position);
  } else if (trace_halted_) {
    start_trace(position);
  }
  if (totals_key_ != wanted_) {
    totals_key_ = wanted_;
    totaller_.start([compiled = wanted_, limits = limits_of(options_)](const std::atomic<bool>* cancel,
                                                                       std::atomic<double>* progress) {
      sim::TotalsOptions options;
      options.limits = limits;
      options.limits.cancel = cancel;
      options.limits.progress = progress;
      auto totals = std::make_shared<sim::Totals>(
          sim::grid_totals(compiled->program, compiled->setup.launch, *compiled->gpu, options));
      return Totalled{compiled, std::move(totals)};
    });
  }
}

// What is under way ends; what is there stays.
void Simulator::halt_work() {
  if (compiling_) {
    compiler_.cancel();
    compiling_ = false;
    changed_ = true;
  }
  if (tracer_.busy()) {
    tracer_.cancel();
    trace_halted_ = changed_ = true;
  }
  if (totaller_.busy()) {
    totaller_.cancel();
    totals_key_.reset();
    changed_ = true;
  }
}

// What a block does at first stands where nothing of this kernel's text could be shown before; the picture of
// other values gives way to it only where the rest is a while in coming, so that turning a parameter shows
// one picture after another.
bool Simulator::shows_beginning(const Traced& traced) const {
  return !traced.trace->events.empty() &&
         (part_ > 0 || shown_ == traced.key || picture_of(picture_, *asked_) != PictureOf::OtherLaunch);
}

void Simulator::collect_work() {
  while (auto traced = tracer_.take()) {
    const bool whole = !traced->unfinished;
    if (whole || shows_beginning(*traced)) adopt(std::move(*traced));
    if (whole) break;
    ++part_;
    start_trace(looked_);
  }
  if (const Message words = tracer_.failure(); !words.empty() && run_problems_.empty()) {
    run_problems_.push_back(failure(words));
    changed_ = true;
  }
  if (auto totalled = totaller_.take()) totals_ = std::move(*totalled);
  const auto totals = totals_.compiled == picture_.compiled ? totals_.totals : nullptr;
  if (picture_.totals != totals) picture_.totals = totals, changed_ = true;
  // A kernel that never ends, as its grid has shown, is not run further for the block: what is there stays.
  if (picture_.unfinished && totals && totals->error && trace_key_ && shown_ == *trace_key_ &&
      totals->error->kind == sim::RunError::Kind::EndlessLoop && tracer_.busy()) {
    tracer_.cancel();
    changed_ = true;
  }
  if (auto priced = pricer_.take(); priced && priced->trace == picture_.trace) {
    priced_ = std::move(*priced);
    price_key_.reset();
    changed_ = true;
  }
  if (auto found = variables_.take(); found && found->first == variables_key_) {
    picture_.variables = std::move(found->second);
    changed_ = true;
  }
}

void Simulator::adopt(Traced traced) {
  changed_ = true;
  run_problems_.clear();
  const std::optional<sim::RunError>& error = traced.trace->error;
  // A trace that is as long as it may be is no mistake of the kernel's: the panels say what they show of
  // what.
  if (error && error->kind != sim::RunError::Kind::TraceLimit)
    run_problems_.push_back(problem_of(*error, *traced.key.compiled));
  // Nothing to see. Of the same program it is a block whose first access could not be made.
  if (error && traced.trace->events.empty() && picture_.compiled != traced.key.compiled)
    return drop_other_kernel();
  shown_ = traced.key;
  picture_.compiled = traced.key.compiled;
  picture_.trace = std::move(traced.trace);
  picture_.unfinished = traced.unfinished;
  picture_.place.block = traced.key.block;
  priced_ = std::move(traced.priced);
  pricer_.cancel();
  price_key_.reset();
}

void Simulator::tell_progress(const State& state) {
  const auto set = [this](auto& field, const auto& value) {
    if (!(field == value)) field = value, changed_ = true;
  };
  set(picture_.fresh, wanted_ != nullptr && picture_.compiled == wanted_ && trace_key_ &&
                          shown_ == *trace_key_ && !price_key_);
  set(picture_.halted, state.halted);
  set(picture_.compiling, !compiled_);
  set(picture_.busy, !state.halted && (!compiled_ || price_key_ || (wanted_ != nullptr && tracer_.busy())));
  set(picture_.totals_progress, picture_.totals ? 1.0 : totaller_.progress());
  set(findings_, state.findings);
}

// Whether the warp of the present trace is priced; begins it where it is not, and waits for what is soon
// done.
bool Simulator::has_priced(int warp) {
  const WarpKey key{picture_.trace.get(), warp};
  if (priced_.trace == picture_.trace && priced_.warp == warp) {
    price_key_.reset();
    return true;
  }
  if (price_key_ == key) return false;
  price_key_ = key;
  if (pricing_effort(*picture_.compiled, *picture_.trace, warp) > kPricedAtOnce) {
    pricer_.start([compiled = picture_.compiled, trace = picture_.trace, warp](
                      const std::atomic<bool>* cancel, std::atomic<double>*) {
      Budget budget({.cancel = cancel});
      return price_warp(*compiled, trace, warp, budget);
    });
    if (auto priced = pricer_.take()) priced_ = std::move(*priced);
  } else {
    priced_ = price_warp(*picture_.compiled, picture_.trace, warp);
  }
  return has_priced(warp);
}

void Simulator::look(const Position& position) {
  looked_ = position;
  changed_ = true;
  if (picture_.empty()) return;
  ResolvedPosition& place = picture_.place;
  // Until the warp asked for is priced, the one before stays in view.
  const bool there = has_priced(warp_shown(*picture_.trace, position.warp, position.access));
  place.warp = priced_.warp;
  picture_.events = priced_.events;
  picture_.lines = priced_.lines;
  if (!there) picture_.fresh = false, picture_.busy = true;
  set_moments(find_event(picture_.program(), *picture_.events, position.access), position.wavefront,
              &picture_);
  look_up_variables();
}

void Simulator::look_up_variables() {
  if (picture_.place.event < 0) {
    variables_key_.reset();
    picture_.variables = nullptr;
    return;
  }
  const auto event = static_cast<std::size_t>(picture_.place.event);
  const EventKey key{picture_.trace.get(), (*picture_.events)[event].event};
  if (variables_key_ == key) return;
  variables_key_ = key;
  variables_.start([compiled = picture_.compiled, trace = picture_.trace, key](
                       const std::atomic<bool>* cancel, std::atomic<double>*) {
    Budget budget(app_allowance(cancel));
    return std::pair{key, variables_of(*compiled, *trace, key.second, budget)};
  });
  const auto found = variables_.take();
  picture_.variables = found ? found->second : nullptr;
}

}  // namespace warplens::app
