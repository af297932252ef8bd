#include "app/session/simulator.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <unordered_map>

#include "app/session/findings.h"
#include "app/session/own_actions.h"
#include "app/session/own_kernel.h"

namespace warplens::session {
namespace {

constexpr std::size_t kRecent = 24;

warp::Dim3 clamped(const warp::Dim3& block, const warp::Dim3& grid) {
  return {std::min(block.x, grid.x - 1), std::min(block.y, grid.y - 1), std::min(block.z, grid.z - 1)};
}

Problem problem_of(const cuda::Diagnostic& diagnostic) {
  return {diagnostic.severity, diagnostic.message, diagnostic.remedy, diagnostic.range};
}

Problem problem_of(const warp::RunError& error) {
  Problem problem{cuda::Severity::Error, error.message, error.remedy, {}};
  if (error.kind != warp::RunError::Kind::BadLaunch && error.range.begin.line > 0)
    problem.range = error.range;
  return problem;
}

// Setup, program and launch; null with problems where there is none.
std::shared_ptr<const Compiled> make_compiled(const Catalog& catalog, const Settings& settings,
                                              std::vector<Problem>* problems) {
  const scenario::Scenario* scenario = scenario_of(catalog, settings);
  const auto fail = [&](const std::vector<std::string>& errors) {
    for (const std::string& error : errors) problems->push_back({cuda::Severity::Error, error, {}, {}});
    return nullptr;
  };
  if (scenario == nullptr) return fail({"there is no scenario " + settings.scenario});
  if (settings.own && !settings.own->values.errors.empty()) {
    for (const auto& [field, words] : settings.own->values.errors)
      problems->push_back({cuda::Severity::Error, "launch: " + field + ": " + words, {}, {}});
    return nullptr;
  }
  const std::string& text = settings.text ? *settings.text : scenario->text;
  auto setup = scenario::make_setup(*scenario, settings.values, text);
  if (!setup) return fail(setup.errors);
  warp::CompileResult result = warp::compile(setup.value->compile);
  for (const cuda::Diagnostic& diagnostic : result.diagnostics) problems->push_back(problem_of(diagnostic));
  if (!result.program) return nullptr;
  auto compiled = std::make_shared<Compiled>();
  compiled->gpu = &memory::default_gpu_model();
  const std::vector<std::string> refused =
      warp::check_launch(*result.program, setup.value->launch, *compiled->gpu);
  if (!refused.empty()) return fail(refused);
  compiled->settings = settings;
  compiled->scenario = scenario;
  compiled->setup = std::move(*setup.value);
  compiled->program = std::move(*result.program);
  return compiled;
}

struct EventPrice {
  int units = 0, ideal = 0;
};

// Prices events of one trace. Equal patterns at bases that agree modulo the line cost the same.
class Pricer {
 public:
  Pricer(const Compiled& compiled, const warp::Trace& trace) : compiled_(compiled), trace_(trace) {}

  EventPrice price(std::uint32_t index) {
    const warp::TraceEvent& event = trace_.events[index];
    const Key key{event.site, event.pattern, event.active,
                  static_cast<std::uint32_t>(event.base % memory::kLineBytes) |
                      (event.space == memory::Space::Shared ? 0x100u : 0u)};
    const auto [entry, is_new] = known_.try_emplace(key);
    if (is_new) {
      const memory::Cost cost = memory::cost(*compiled_.gpu, trace_.access(compiled_.program, index));
      entry->second = event.space == memory::Space::Shared
                          ? EventPrice{cost.wavefronts, cost.ideal_wavefronts}
                          : EventPrice{cost.sectors, cost.ideal_sectors};
    }
    return entry->second;
  }

 private:
  struct Key {
    std::uint32_t site, pattern, active, base;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& k) const {
      std::uint64_t h = k.site;
      for (const std::uint64_t part : {k.pattern, k.active, k.base}) h = (h ^ part) * 0x9e3779b97f4a7c15u;
      return static_cast<std::size_t>(h ^ h >> 32);
    }
  };
  const Compiled& compiled_;
  const warp::Trace& trace_;
  std::unordered_map<Key, EventPrice, Hash> known_;
};

std::vector<LineCost> line_costs(const warp::Program& program, const std::vector<PricedEvent>& events) {
  std::vector<SiteCost> sites;
  for (std::size_t i = 0; i < program.sites.size(); ++i) {
    SiteCost cost;
    cost.site = static_cast<int>(i);
    cost.space =
        program.sites[i].space == warp::SiteSpace::Shared ? memory::Space::Shared : memory::Space::Global;
    sites.push_back(cost);
  }
  for (const PricedEvent& event : events) {
    SiteCost& site = sites[event.site];
    site.space = event.space;
    site.least = site.requests == 0 ? event.units : std::min(site.least, event.units);
    site.most = std::max(site.most, event.units);
    site.ideal = std::max(site.ideal, event.ideal);
    ++site.requests;
  }
  std::stable_sort(sites.begin(), sites.end(), [&](const SiteCost& a, const SiteCost& b) {
    const auto offset = [&](const SiteCost& c) {
      return program.sites[static_cast<std::size_t>(c.site)].range.begin.offset;
    };
    return offset(a) < offset(b);
  });
  std::vector<LineCost> lines;
  for (const SiteCost& site : sites) {
    const int line = program.sites[static_cast<std::size_t>(site.site)].range.begin.line;
    if (lines.empty() || lines.back().line != line) lines.push_back({line, {}});
    lines.back().sites.push_back(site);
  }
  return lines;
}

Moment make_moment(const Compiled& compiled, const warp::Trace& trace, const std::vector<PricedEvent>& events,
                   int event) {
  const PricedEvent& priced = events[static_cast<std::size_t>(event)];
  Moment moment;
  moment.event = event;
  moment.site = &compiled.program.sites[priced.site];
  moment.access = trace.access(compiled.program, priced.event);
  moment.cost = memory::cost(*compiled.gpu, moment.access);
  moment.buffer_name = moment.site->array;
  if (priced.space == memory::Space::Shared) {
    moment.plan = memory::plan_banks(*compiled.gpu, moment.access);
  } else {
    const memory::Address buffer = trace.events[priced.event].base / warp::kBufferSpacing;
    moment.buffer_base = buffer * warp::kBufferSpacing;
    if (buffer >= 1 && buffer <= compiled.program.parameters.size()) {
      moment.buffer_name = compiled.program.parameters[buffer - 1].name;
    }
  }
  return moment;
}

// The nearest event of the space: at `from`, after it, before it. -1: none.
int nearest_of(const std::vector<PricedEvent>& events, int from, memory::Space space) {
  const int count = static_cast<int>(events.size());
  for (int i = from; i < count; ++i) {
    if (events[static_cast<std::size_t>(i)].space == space) return i;
  }
  for (int i = from - 1; i >= 0; --i) {
    if (events[static_cast<std::size_t>(i)].space == space) return i;
  }
  return -1;
}

// The events of a warp, priced, and what they make the lines cost.
void price_events(int warp, Simulation* s) {
  const warp::Trace& trace = *s->trace;
  const Compiled& compiled = *s->compiled;
  Pricer pricer(compiled, trace);
  auto events = std::make_shared<std::vector<PricedEvent>>();
  std::vector<int> executed(compiled.program.sites.size(), 0);
  if (warp < static_cast<int>(trace.warp_events.size())) {
    for (const std::uint32_t index : trace.warp_events[static_cast<std::size_t>(warp)]) {
      const warp::TraceEvent& event = trace.events[index];
      const EventPrice price = pricer.price(index);
      events->push_back({index, event.site, event.space, price.units, price.ideal, executed[event.site]++});
    }
  }
  s->lines = line_costs(compiled.program, *events);
  s->events = std::move(events);
}

// The access at `event`, and the nearest one of either space.
void set_moments(int event, int wavefront, Simulation* s) {
  s->place.event = event;
  s->place.wavefront = std::clamp(wavefront, 0, s->wavefronts_of(event) - 1);
  s->now = s->global = s->shared = std::nullopt;
  if (event < 0) return;
  const std::vector<PricedEvent>& events = *s->events;
  const auto moment = [&](memory::Space space) -> std::optional<Moment> {
    const int nearest = nearest_of(events, event, space);
    if (nearest < 0) return std::nullopt;
    return make_moment(*s->compiled, *s->trace, events, nearest);
  };
  s->global = moment(memory::Space::Global);
  s->shared = moment(memory::Space::Shared);
  s->now = events[static_cast<std::size_t>(event)].space == memory::Space::Shared ? s->shared : s->global;
}

std::shared_ptr<const std::vector<warp::LaneValues>> variables_of(const Simulation& s) {
  if (s.place.event < 0) return nullptr;
  const Compiled& c = *s.compiled;
  const std::uint32_t index = (*s.events)[static_cast<std::size_t>(s.place.event)].event;
  return std::make_shared<std::vector<warp::LaneValues>>(
      warp::variables_at(c.program, c.setup.launch, *c.gpu, *s.trace, index));
}

}  // namespace

bool operator==(const Settings& a, const Settings& b) {
  const bool same_text = a.text == b.text || (a.text && b.text && *a.text == *b.text);
  const bool same_own =
      a.own == b.own || (a.own && b.own && a.own->file == b.own->file && a.own->form == b.own->form);
  return same_text && same_own && a.scenario == b.scenario && a.values == b.values;
}

Simulator::Simulator(const Catalog* catalog, SimulatorOptions options)
    : catalog_(catalog),
      options_(std::move(options)),
      tracer_(options_.on_done),
      totaller_(options_.on_done) {}

std::shared_ptr<const Simulation> Simulator::derive(const State& state) {
  const Clock::time_point until = Clock::now() + options_.patience;
  if (!asked_ || *asked_ != state.settings) compile(state.settings);
  if (state.halted)
    halt_work();
  else if (wanted_)
    start_work(clamped(state.position.block, wanted_->setup.launch.grid));
  collect_work(until);

  const auto set = [this](auto& field, const auto& value) {
    if (!(field == value)) field = value, changed_ = true;
  };
  set(picture_.fresh,
      wanted_ != nullptr && picture_.compiled == wanted_ && trace_key_ && shown_ == *trace_key_);
  set(picture_.halted, state.halted);
  set(picture_.busy, wanted_ != nullptr && tracer_.busy());
  set(picture_.progress, picture_.busy ? tracer_.progress() : 0.0);
  set(picture_.totals_progress, picture_.totals ? 1.0 : totaller_.progress());
  set(findings_, state.findings);
  if (changed_ || !(looked_ == state.position)) look(state.position);
  if (changed_ || !current_) {
    picture_.problems = problems_;
    picture_.problems.insert(picture_.problems.end(), run_problems_.begin(), run_problems_.end());
    // Another block may fail where the one looked at does not.
    if (picture_.problems.empty() && picture_.fresh && picture_.totals && picture_.totals->error) {
      picture_.problems.push_back(problem_of(*picture_.totals->error));
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
    picture_.problems.push_back(
        {cuda::Severity::Warning, finding.words, findings_->tool, line_range(text, finding.line)});
}

void Simulator::compile(const Settings& settings) {
  asked_ = settings;
  changed_ = true;
  run_problems_.clear();
  const auto known =
      std::find_if(recent_.begin(), recent_.end(), [&](const Recent& r) { return r.settings == settings; });
  Recent recent;
  if (known != recent_.end()) {
    recent = std::move(*known);
    recent_.erase(known);
  } else {
    recent.settings = settings;
    recent.compiled = make_compiled(*catalog_, settings, &recent.problems);
    if (recent_.size() >= kRecent) recent_.erase(recent_.begin());
  }
  problems_ = recent.problems;
  wanted_ = recent.compiled;
  recent_.push_back(std::move(recent));
  if (wanted_) return;
  tracer_.cancel();
  totaller_.cancel();
  trace_key_.reset();
  totals_key_.reset();
}

void Simulator::start_work(const warp::Dim3& block) {
  warp::Limits limits;
  limits.instructions = options_.instructions;
  limits.trace_events = options_.trace_events;
  if (const BlockKey key{wanted_, block}; !trace_key_ || *trace_key_ != key) {
    trace_key_ = key;
    changed_ = true;
    run_problems_.clear();
    tracer_.start([key, limits](const std::atomic<bool>* cancel, std::atomic<double>* progress) mutable {
      limits.cancel = cancel;
      limits.progress = progress;
      const Compiled& c = *key.compiled;
      auto trace = std::make_shared<warp::Trace>(
          warp::trace_block(c.program, c.setup.launch, *c.gpu, key.block, limits));
      return Traced{key, std::move(trace)};
    });
  }
  if (totals_key_ != wanted_) {
    totals_key_ = wanted_;
    totaller_.start(
        [compiled = wanted_, limits](const std::atomic<bool>* cancel, std::atomic<double>* progress) mutable {
          warp::TotalsOptions options;
          options.limits = limits;
          options.limits.cancel = cancel;
          options.limits.progress = progress;
          auto totals = std::make_shared<warp::Totals>(
              warp::grid_totals(compiled->program, compiled->setup.launch, *compiled->gpu, options));
          return Totalled{compiled, std::move(totals)};
        });
  }
}

// What is under way ends; what is there stays.
void Simulator::halt_work() {
  if (tracer_.busy()) {
    tracer_.cancel();
    trace_key_.reset();
    changed_ = true;
  }
  if (totaller_.busy()) {
    totaller_.cancel();
    totals_key_.reset();
    changed_ = true;
  }
}

void Simulator::collect_work(Clock::time_point until) {
  const auto left = [until] {
    return std::max(std::chrono::duration_cast<std::chrono::microseconds>(until - Clock::now()),
                    std::chrono::microseconds{0});
  };
  if (const auto traced = tracer_.take(left())) adopt(*traced);
  if (auto totalled = totaller_.take(left())) totals_ = std::move(*totalled);
  const auto totals = totals_.compiled == picture_.compiled ? totals_.totals : nullptr;
  if (picture_.totals != totals) picture_.totals = totals, changed_ = true;
}

void Simulator::adopt(const Traced& traced) {
  changed_ = true;
  run_problems_.clear();
  const std::optional<warp::RunError>& error = traced.trace->error;
  // A trace that is as long as it may be is no mistake of the kernel's: the panels say what they show of
  // what.
  if (error && error->kind != warp::RunError::Kind::TraceLimit) run_problems_.push_back(problem_of(*error));
  if (error && traced.trace->events.empty()) return;  // nothing to see: the last good picture stays
  shown_ = traced.key;
  picture_.compiled = traced.key.compiled;
  picture_.trace = traced.trace;
  picture_.place.block = traced.key.block;
  priced_warp_ = -1;
}

void Simulator::price_warp(int warp) {
  if (priced_warp_ == warp && picture_.events) return;
  priced_warp_ = warp;
  price_events(warp, &picture_);
}

void Simulator::look(const Position& position) {
  looked_ = position;
  changed_ = true;
  if (picture_.empty()) return;
  Place& place = picture_.place;
  place.warp = std::clamp(position.warp, 0, std::max(picture_.trace->warps - 1, 0));
  price_warp(place.warp);
  set_moments(find_event(picture_.program(), *picture_.events, position.access), position.wavefront,
              &picture_);
  look_up_variables();
}

void Simulator::look_up_variables() {
  const int event = picture_.place.event;
  const std::uint32_t index = event < 0 ? std::numeric_limits<std::uint32_t>::max()
                                        : (*picture_.events)[static_cast<std::size_t>(event)].event;
  if (variables_key_ == std::pair{picture_.trace.get(), index} && picture_.variables) return;
  variables_key_ = {picture_.trace.get(), index};
  picture_.variables = variables_of(picture_);
}

std::shared_ptr<const Simulation> simulation_of(std::shared_ptr<const Compiled> compiled,
                                                std::shared_ptr<const warp::Trace> trace, int warp,
                                                const AccessName& access, int wavefront) {
  Simulation s;
  s.compiled = std::move(compiled);
  s.trace = std::move(trace);
  s.place.block = s.trace->block;
  s.place.warp = warp;
  price_events(warp, &s);
  set_moments(find_event(s.program(), *s.events, access), wavefront, &s);
  s.variables = variables_of(s);
  return std::make_shared<const Simulation>(std::move(s));
}

std::shared_ptr<const Simulation> moved_to(const Simulation& from, int event, int wavefront) {
  Simulation s = from;
  set_moments(std::clamp(event, -1, s.event_count() - 1), wavefront, &s);
  s.variables = variables_of(s);
  return std::make_shared<const Simulation>(std::move(s));
}

}  // namespace warplens::session
