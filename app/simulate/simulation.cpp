#include "app/simulate/simulation.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>

#include "app/simulate/matrix_shape.h"
#include "app/simulate/pricing.h"
#include "app/simulate/simulator.h"
#include "app/state/catalog.h"
#include "app/state/user_kernel.h"
#include "sim/report/report.h"
#include "sim/text/scan.h"

namespace warplens::app {
namespace {

// How often the same array and operation were named by sites before this one.
int nth_of(const sim::Program& program, std::uint32_t site) {
  const sim::AccessSite& mine = program.sites[site];
  int nth = 0;
  for (std::uint32_t i = 0; i < site; ++i) {
    const sim::AccessSite& other = program.sites[i];
    nth += other.array == mine.array && other.op == mine.op && other.space == mine.space;
  }
  return nth;
}

// The event that costs most beside its ideal. Where nothing is costly: the shared one that is executed most
// often, of several the last, which is what padding and swizzles are about; or the first of all.
int costliest(const std::vector<PricedEvent>& events) {
  int best = -1, often_shared = -1, most = 0;
  for (int i = 0; i < static_cast<int>(events.size()); ++i) {
    const PricedEvent& a = events[static_cast<std::size_t>(i)];
    if (a.space == memory::Space::Shared && a.ordinal >= most) often_shared = i, most = a.ordinal;
    if (a.units <= a.ideal) continue;
    if (best < 0) best = i;
    const PricedEvent& b = events[static_cast<std::size_t>(best)];
    if (std::int64_t{a.units} * std::max(b.ideal, 1) > std::int64_t{b.units} * std::max(a.ideal, 1)) best = i;
  }
  if (best >= 0 || events.empty()) return best;
  if (often_shared < 0) return 0;
  const std::uint32_t site = events[static_cast<std::size_t>(often_shared)].site;
  const auto first = std::ranges::find(events, site, &PricedEvent::site);  // of a loop's many
  return static_cast<int>(first - events.begin());
}

std::string float_text(double value) {
  return std::isnan(value) ? "nan" : formatted("%.6g", value);
}

}  // namespace

Compiled::Compiled(std::shared_ptr<const sim::Program> of, scenario::Setup with, const memory::GpuModel& on,
                   Budget& budget)
    : setup(std::move(with)), held(std::move(of)), program(*held), gpu(&on) {
  if (!program.shared_arrays.empty()) names = constants_of(setup.compile, budget);
  names.insert(setup.values.begin(), setup.values.end());
  uncounted = report::uncounted_forms(program);
}

int Simulation::wavefronts_of(int event) const {
  if (event < 0 || event >= event_count()) return 1;
  const PricedEvent& priced = (*events)[static_cast<std::size_t>(event)];
  return priced.space == memory::Space::Shared ? std::max(priced.units, 1) : 1;
}

const Problem* failure_of(const Simulation& simulation) {
  const auto failed = std::ranges::find_if(simulation.problems, [](const Problem& problem) {
    return problem.severity == cuda::Severity::Error && problem.at && problem.kind;
  });
  return simulation.fresh && failed != simulation.problems.end() ? &*failed : nullptr;
}

PictureOf picture_of(const Compiled* shown, const Settings& asked) {
  if (shown == nullptr || shown->settings == asked) return PictureOf::Asked;
  const Settings& of = shown->settings;
  const bool own = of.own != nullptr;
  if (of.scenario != asked.scenario || own != (asked.own != nullptr) ||
      (own && (of.own->file != asked.own->file || of.own->form.kernel != asked.own->form.kernel)))
    return PictureOf::OtherKernel;
  const bool edited = of.text != nullptr;
  if (edited != (asked.text != nullptr) || (edited && *of.text != *asked.text)) return PictureOf::OtherText;
  return PictureOf::OtherLaunch;
}

AccessId name_of(const sim::Program& program, std::uint32_t site, memory::Space space) {
  AccessId name;
  name.any = false;
  name.array = program.sites[site].array;
  name.op = program.sites[site].op;
  name.space = space;
  name.nth = nth_of(program, site);
  return name;
}

AccessId name_of(const Simulation& simulation, int event) {
  if (event < 0 || event >= simulation.event_count()) return {};
  const PricedEvent& priced = (*simulation.events)[static_cast<std::size_t>(event)];
  AccessId name = name_of(simulation.program(), priced.site, priced.space);
  name.ordinal = priced.ordinal;
  return name;
}

int find_event(const sim::Program& program, const std::vector<PricedEvent>& events, const AccessId& name) {
  if (name.number >= 0 && !events.empty()) return std::min(name.number, static_cast<int>(events.size()) - 1);
  if (name.any) return costliest(events);
  // The better an event fits the name, the higher it counts: the site first, then the nearest execution of
  // it.
  std::vector<int> nth(program.sites.size());
  std::map<sim::SiteSpace, int> named;  // sites so far
  for (std::size_t i = 0; i < nth.size(); ++i) {
    const sim::AccessSite& site = program.sites[i];
    if (site.array == name.array && site.op == name.op) nth[i] = named[site.space]++;
  }
  int best = -1;
  std::int64_t best_score = 0;
  for (int i = 0; i < static_cast<int>(events.size()); ++i) {
    const PricedEvent& event = events[static_cast<std::size_t>(i)];
    const sim::AccessSite& site = program.sites[event.site];
    if (event.space != name.space || site.op != name.op) continue;
    std::int64_t score = 1;
    if (site.array == name.array) score += nth[event.site] == name.nth ? 4 : 2;
    score = (score << 32) - std::abs(event.ordinal - name.ordinal);
    if (score > best_score) best_score = score, best = i;
  }
  if (best < 0) return costliest(events);
  const PricedEvent& found = events[static_cast<std::size_t>(best)];
  if (!name.or_costlier || found.units > found.ideal) return best;
  const int worst = costliest(events);
  const PricedEvent& costly = events[static_cast<std::size_t>(worst)];
  return costly.units > costly.ideal ? worst : best;
}

std::vector<int> shown_variables(const sim::Program& program, const PricedAccess& moment, int count) {
  const std::string& text = moment.site->text;
  const sim::Instr& instr = program.code[moment.instr];
  std::vector<int> named, others;
  for (int i = static_cast<int>(program.variables.size()) - 1; i >= 0; --i) {
    const sim::Variable& v = program.variables[static_cast<std::size_t>(i)];
    const int at = static_cast<int>(moment.instr);
    if (v.is_pointer || at < v.first_instr || at >= v.end_instr) continue;
    if (sim::is_uniform(v.reg)) continue;  // the same in all lanes: not worth a column
    // What is stored is not in the access's own text: "tile[j][x + 1]" = v.y.
    const bool used = v.reg == instr.a || v.reg == instr.b || v.reg == instr.c || v.reg == instr.d;
    (used || text::names_word(text, v.name) ? named : others).push_back(i);
  }
  named.insert(named.end(), others.begin(), others.end());
  if (static_cast<int>(named.size()) > count) named.resize(static_cast<std::size_t>(std::max(count, 0)));
  std::sort(named.begin(), named.end());
  return named;
}

std::string value_text(sim::ScalarType type, std::uint64_t bits) {
  using sim::ScalarType;
  switch (type) {
    case ScalarType::Bool:
      return bits != 0 ? "true" : "false";
    case ScalarType::F16:
    case ScalarType::BF16:
    case ScalarType::F32:
      return float_text(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case ScalarType::F64:
      return float_text(std::bit_cast<double>(bits));
    case ScalarType::I64:
      return std::to_string(static_cast<std::int64_t>(bits));
    case ScalarType::U64:
      return std::to_string(bits);
    case ScalarType::U8:
    case ScalarType::U16:
    case ScalarType::U32:
      return std::to_string(static_cast<std::uint32_t>(bits));
    default:
      return std::to_string(static_cast<std::int32_t>(static_cast<std::uint32_t>(bits)));
  }
}

namespace {

std::string extents_text(const sim::Dim3& dim) {
  return std::to_string(dim.x) + " x " + std::to_string(dim.y) + " x " + std::to_string(dim.z);
}

}  // namespace

Look look_at(const Catalog& catalog, const Settings& settings, const Position& position,
             const sim::Limits& limits) {
  Look look;
  look.compiled = compile_settings(settings, scenario_of(catalog, settings), {}).compiled;
  if (!look.compiled) return look;
  const sim::Dim3 grid = look.compiled->setup.launch.grid, block = position.block;
  if (block.x >= grid.x || block.y >= grid.y || block.z >= grid.z) {
    look.problems.push_back(Message("block {},{},{}: the grid has {} blocks; indices begin at 0", block.x,
                                    block.y, block.z, extents_text(grid)));
    return look;
  }
  auto trace = std::make_shared<sim::Trace>(sim::trace_block(
      look.compiled->program, look.compiled->setup.launch, *look.compiled->gpu, block, limits));
  if (trace->error) {
    look.limit = trace->error->is_limit() || trace->error->kind == sim::RunError::Kind::Cancelled;
    look.problems.push_back(Message("{}:{}: {}", look.compiled->setup.source_name,
                                    trace->error->range.begin.line, trace->error->message));
  }
  if (position.warp < 0 || position.warp >= trace->warps) {
    look.problems.push_back(Message("warp {}: the block has {} warps, from 0", position.warp, trace->warps));
    return look;
  }
  look.simulation =
      simulation_of(look.compiled, std::move(trace), position.warp, position.access, position.wavefront);
  return look;
}

namespace {

PricedAccess visible(const PricedAccess& moment, const Hidden& hidden, bool looked_at) {
  if (looked_at && !hidden.costs) return moment;
  PricedAccess out;
  out.event = moment.event;
  out.known = looked_at ? Known::Addresses : Known::Nothing;
  if (!looked_at) return out;
  out.site = moment.site;
  out.instr = moment.instr;
  out.access = moment.access;
  out.buffer_name = moment.buffer_name;
  out.buffer_base = moment.buffer_base;
  if (hidden.lanes) out.access.active = ~memory::LaneMask{0}, out.access.addresses = {};
  return out;
}

}  // namespace

std::shared_ptr<const Simulation> visible(std::shared_ptr<const Simulation> simulation,
                                          const Hidden& hidden) {
  const bool nothing = !hidden.costs && !hidden.lanes && !hidden.rest;
  if ((nothing && !hidden.times) || simulation->empty()) return simulation;
  auto out = std::make_shared<Simulation>(*simulation);
  out->hidden = hidden;
  if (nothing) return out;  // times are no part of a simulation
  out->trace = nullptr;
  out->lines = nullptr;
  out->totals = nullptr;
  if (simulation->totals) out->totals_progress = 1;
  if (hidden.lanes) out->variables = nullptr;
  const int event = out->place.event;
  auto events = std::make_shared<std::vector<PricedEvent>>(*simulation->events);
  for (int i = 0; i < static_cast<int>(events->size()); ++i) {
    PricedEvent& priced = (*events)[static_cast<std::size_t>(i)];
    if (hidden.costs || i != event) priced.units = priced.ideal = 0;
  }
  out->events = std::move(events);
  if (hidden.costs) out->place.wavefront = 0, out->other_wavefronts = 1;
  for (std::optional<PricedAccess>* moment : {&out->now, &out->global, &out->shared}) {
    if (*moment) *moment = visible(**moment, hidden, (*moment)->event == event);
  }
  return out;
}

namespace {

const PricedEvent& event_at(const Simulation& s, int event) {
  return (*s.events)[static_cast<std::size_t>(event)];
}

int line_of(const Simulation& s, int event) {
  return s.program().sites[event_at(s, event).site].range.begin.line;
}

// The first or last access of another warp of the block, named from the trace alone.
std::optional<AccessId> end_of_warp(const Simulation& s, int warp, bool last) {
  if (warp < 0 || warp >= static_cast<int>(s.trace->warp_events.size())) return std::nullopt;
  const auto& indices = s.trace->warp_events[static_cast<std::size_t>(warp)];
  if (indices.empty()) return std::nullopt;
  // A stand-in simulation with that warp's events, unpriced: names need no prices.
  Simulation other;
  other.compiled = s.compiled;
  auto events = std::make_shared<std::vector<PricedEvent>>();
  std::vector<int> executed(s.program().sites.size(), 0);
  for (const std::uint32_t index : indices) {
    const sim::TraceEvent& event = s.trace->events[index];
    events->push_back({index, event.site, event.space, 0, 0, executed[event.site]++});
  }
  other.events = events;
  return name_of(other, last ? other.event_count() - 1 : 0);
}

// The nearest warp in the direction of `by` that makes an access.
Position into_warp(const Position& from, const Simulation& s, int by) {
  for (int warp = s.place.warp + by; warp >= 0 && warp < s.trace->warps; warp += by) {
    const std::optional<AccessId> name = end_of_warp(s, warp, by < 0);
    if (!name) continue;
    Position to = from;
    to.warp = warp;
    to.access = *name;
    to.wavefront = 0;
    return to;
  }
  return from;
}

}  // namespace

Position shown_position(const Position& wanted, const Simulation& s) {
  if (s.empty()) return wanted;
  Position position = wanted;
  position.block = s.place.block;
  position.warp = s.place.warp;
  if (s.place.event >= 0) position.access = name_of(s, s.place.event);
  position.wavefront = s.place.wavefront;
  return position;
}

Position go_to_event(const Position& from, const Simulation& s, int event, int wavefront) {
  if (s.empty() || s.event_count() == 0) return from;
  Position to = shown_position(from, s);
  event = std::clamp(event, 0, s.event_count() - 1);
  to.access = name_of(s, event);
  to.wavefront = std::clamp(wavefront, 0, s.wavefronts_of(event) - 1);
  return to;
}

Position position_at(const Position& from, const Simulation& s, double part) {
  if (s.empty() || s.event_count() == 0) return from;
  const auto cost = [](const PricedEvent& event) { return std::max(event.units, 1); };
  double left = 0;
  for (const PricedEvent& event : *s.events) left += cost(event);
  left *= part;
  int event = 0;
  for (; event + 1 < s.event_count(); ++event) {
    const int units = cost((*s.events)[static_cast<std::size_t>(event)]);
    if (left < units) break;
    left -= units;
  }
  return go_to_event(from, s, event, static_cast<int>(left));
}

Position step_access(const Position& from, const Simulation& s, int by) {
  if (s.empty() || by == 0) return from;
  const int event = s.place.event + by;
  if (s.place.event >= 0 && event >= 0 && event < s.event_count()) return go_to_event(from, s, event, 0);
  const Position to = into_warp(shown_position(from, s), s, by > 0 ? 1 : -1);
  return to.warp == s.place.warp ? from : to;
}

namespace {

// `event` is an index into the block's trace.
Position place_of_event(Position position, const Simulation& s, std::uint32_t event) {
  const int warp = s.trace->events[event].warp;
  const auto& own = s.trace->warp_events[static_cast<std::size_t>(warp)];
  position.warp = warp;
  position.wavefront = 0;
  position.access =
      AccessId::numbered(static_cast<int>(std::lower_bound(own.begin(), own.end(), event) - own.begin()));
  return position;
}

}  // namespace

Position step_in_block(const Position& from, const Simulation& s, int by) {
  if (s.empty() || s.place.event < 0 || s.trace->events.empty()) return from;
  const auto last = static_cast<std::int64_t>(s.trace->events.size()) - 1;
  const std::int64_t now = event_at(s, s.place.event).event;
  const auto to = static_cast<std::uint32_t>(std::clamp<std::int64_t>(now + by, 0, last));
  if (to == now) return from;
  return place_of_event(shown_position(from, s), s, to);
}

std::optional<Position> costliest_access(const Simulation& s, int line) {
  if (s.empty() || s.trace == nullptr) return std::nullopt;
  Position from;
  from.block = s.place.block;
  if (const auto event = costliest_event(*s.compiled, *s.trace, line)) return place_of_event(from, s, *event);
  const bool first = from.block == sim::Dim3{0, 0, 0};
  return first ? std::nullopt : std::optional(Position{});  // of the first block the costliest
}

Position step_line(const Position& from, const Simulation& s, int by) {
  if (s.empty() || s.place.event < 0) return step_access(from, s, by);
  const int step = by > 0 ? 1 : -1;
  int event = s.place.event;
  const int here = line_of(s, event);
  while (event >= 0 && event < s.event_count() && line_of(s, event) == here) event += step;
  if (event < 0 || event >= s.event_count()) return step_access(from, s, event - s.place.event);
  // Backwards: to the first access of that run of the line, as forwards.
  while (step < 0 && event > 0 && line_of(s, event - 1) == line_of(s, event)) --event;
  return go_to_event(from, s, event, 0);
}

Position step_wavefront(const Position& from, const Simulation& s, int by) {
  if (s.empty() || s.place.event < 0) return step_access(from, s, by);
  // Beyond the access's own last one, A may have more.
  const int now = s.steps() > s.wavefronts_of(s.place.event) ? std::clamp(from.wavefront, 0, s.steps() - 1)
                                                             : s.place.wavefront;
  const int wavefront = now + (by > 0 ? 1 : -1);
  if (wavefront >= 0 && wavefront < s.steps()) {
    Position to = go_to_event(from, s, s.place.event, wavefront);
    to.wavefront = wavefront;
    return to;
  }
  if (by > 0) return step_access(from, s, 1);
  const int before = s.place.event - 1;
  if (before >= 0) return go_to_event(from, s, before, s.wavefronts_of(before) - 1);
  Position to = step_access(from, s, -1);
  if (to.warp != s.place.warp) to.wavefront = memory::kWarpLanes;  // the last; a place clamps it
  return to;
}

Position step_warp(const Position& from, const Simulation& s, int by) {
  if (s.empty()) return from;
  const int warp = std::clamp(s.place.warp + by, 0, std::max(s.trace->warps - 1, 0));
  if (warp == s.place.warp) return from;
  Position to = from;  // with the access wanted, not the one that this warp has in its place
  to.block = s.place.block;
  to.warp = warp;
  return to;
}

Position step_block(const Position& from, const Simulation& s, int by) {
  if (s.empty()) return from;
  const sim::Dim3& grid = s.compiled->setup.launch.grid;
  const auto& b = s.place.block;
  const auto index = static_cast<std::int64_t>((std::uint64_t{b.z} * grid.y + b.y) * grid.x + b.x);
  const auto last = static_cast<std::int64_t>(grid.count()) - 1;
  const auto next = static_cast<std::uint64_t>(std::clamp<std::int64_t>(index + by, 0, last));
  Position to = from;
  to.block = grid.at(next);
  return to.block == b ? from : to;
}

Position go_to_end(const Position& from, const Simulation& s, bool last) {
  return go_to_event(from, s, last ? s.event_count() - 1 : 0, 0);
}

Position go_to_line(const Position& from, const Simulation& s, int line) {
  if (s.empty()) return from;
  const int count = s.event_count();
  for (int i = 1; i <= count; ++i) {  // after the present one first, then from the start
    const int event = (std::max(s.place.event, 0) + i) % count;
    if (line_of(s, event) == line) return go_to_event(from, s, event, 0);
  }
  return from;
}

std::optional<cuda::SourceRange> line_range(std::string_view text, int line) {
  if (line < 1) return std::nullopt;
  std::size_t begin = 0;
  for (int at = 1; at < line; ++at) {
    begin = text.find('\n', begin);
    if (begin == std::string_view::npos) return std::nullopt;
    ++begin;
  }
  const std::string_view chars = text.substr(begin, text.find('\n', begin) - begin);
  const std::size_t first = std::min(chars.find_first_not_of(" \t\r"), chars.size());
  const std::size_t last = chars.find_last_not_of(" \t\r");
  const std::size_t end = last == std::string_view::npos ? first : last + 1;
  const auto place = [&](std::size_t in_line) {
    return cuda::SourcePlace{static_cast<int>(begin + in_line), line, static_cast<int>(in_line) + 1};
  };
  return cuda::SourceRange{place(first), place(end)};
}

}  // namespace warplens::app
