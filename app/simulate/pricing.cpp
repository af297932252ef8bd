#include "app/simulate/pricing.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "app/simulate/matrix_shape.h"

namespace warplens::app {
namespace {

struct EventPrice {
  int units = 0, ideal = 0;
};

// Prices events of one trace. Equal patterns at bases that agree modulo the line cost the same; of a copy,
// both halves'.
class Pricer {
 public:
  Pricer(const Compiled& compiled, const sim::Trace& trace) : compiled_(compiled), trace_(trace) {}

  EventPrice price(std::uint32_t index) {
    if (trace_.is_refused(index)) return {};
    const sim::TraceEvent& event = trace_.events[index];
    Key key{event.site, event.pattern, event.active,
            static_cast<std::uint32_t>(event.base % memory::kLineBytes) |
                (event.space == memory::Space::Shared ? 0x100u : 0u)};
    if (const auto other = trace_.other_half(compiled_.program, index)) {
      const sim::TraceEvent& half = trace_.events[*other];
      key.other_pattern = half.pattern, key.other_active = half.active;
      key.base |= static_cast<std::uint32_t>(half.base % memory::kLineBytes) << 16;
    }
    const auto [entry, is_new] = known_.try_emplace(key);
    if (is_new) {
      const memory::Cost cost = memory::cost(trace_.access(compiled_.program, index));
      entry->second = event.space == memory::Space::Shared
                          ? EventPrice{cost.wavefronts, cost.ideal_wavefronts}
                          : EventPrice{cost.sectors, cost.ideal_sectors};
    }
    return entry->second;
  }

 private:
  struct Key {
    std::uint32_t site = 0, pattern = 0, active = 0, base = 0;
    std::uint32_t other_pattern = 0, other_active = 0;  // of the other half of a copy
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& k) const {
      std::uint64_t h = k.site;
      for (const std::uint64_t part : {k.pattern, k.active, k.base, k.other_pattern, k.other_active})
        h = (h ^ part) * 0x9e3779b97f4a7c15u;
      return static_cast<std::size_t>(h ^ h >> 32);
    }
  };
  const Compiled& compiled_;
  const sim::Trace& trace_;
  std::unordered_map<Key, EventPrice, Hash> known_;
};

std::vector<LineCost> line_costs(const sim::Program& program, const std::vector<PricedEvent>& events) {
  std::vector<SiteCost> sites;
  for (std::size_t i = 0; i < program.sites.size(); ++i) {
    SiteCost cost;
    cost.site = static_cast<int>(i);
    cost.space =
        program.sites[i].space == sim::SiteSpace::Shared ? memory::Space::Shared : memory::Space::Global;
    sites.push_back(cost);
  }
  for (const PricedEvent& event : events) {
    if (event.units == 0) continue;  // refused
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

// Whether the buffer's length is known without looking through the trace for it.
bool has_length(const Compiled& compiled, const sim::KernelParameter& parameter) {
  const auto argument = compiled.setup.launch.arguments.find(parameter.name);
  if (argument == compiled.setup.launch.arguments.end()) return parameter.symbol_elements > 0;
  const auto* buffer = std::get_if<sim::Buffer>(&argument->second);
  return buffer != nullptr && buffer->elements > 0;
}

PricedAccess make_moment(const Compiled& compiled, const sim::Trace& trace,
                         const std::vector<PricedEvent>& events, int event) {
  const PricedEvent& priced = events[static_cast<std::size_t>(event)];
  PricedAccess moment;
  moment.event = event;
  moment.site = &compiled.program.sites[priced.site];
  moment.instr = trace.events[priced.event].instr;
  moment.access = trace.access(compiled.program, priced.event);
  if (trace.is_refused(priced.event)) moment.refused = trace.refused->lanes;
  moment.cost = memory::cost(moment.access);
  moment.buffer_name = moment.site->array;
  if (priced.space == memory::Space::Shared) {
    moment.plan = memory::plan_banks(moment.access);
  } else {
    const memory::Address buffer = trace.events[priced.event].base / sim::kBufferSpacing;
    moment.buffer_base = buffer * sim::kBufferSpacing;
    if (buffer >= 1 && buffer <= compiled.program.parameters.size()) {
      const sim::KernelParameter& parameter = compiled.program.parameters[buffer - 1];
      moment.buffer_name = parameter.name;
      if (has_length(compiled, parameter)) {
        scene::ArrayView array{
            matrix_shape(compiled, trace, static_cast<int>(buffer) - 1), moment.buffer_base, {}};
        if (array.shape.known) {
          array.tile = tile_of(trace, compiled.program, priced, array.shape, array.base);
          moment.array = array;
        }
      }
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

}  // namespace

PricedWarp price_warp(const Compiled& compiled, std::shared_ptr<const sim::Trace> trace, int warp,
                      Budget& budget) {
  Pace pace(budget, Stage::Drawing);
  Pricer pricer(compiled, *trace);
  auto events = std::make_shared<std::vector<PricedEvent>>();
  std::vector<int> executed(compiled.program.sites.size(), 0);
  if (warp < static_cast<int>(trace->warp_events.size())) {
    const auto& of_warp = trace->warp_events[static_cast<std::size_t>(warp)];
    events->reserve(of_warp.size());
    for (const std::uint32_t index : of_warp) {
      pace.step();
      const sim::TraceEvent& event = trace->events[index];
      const EventPrice price = pricer.price(index);
      events->push_back({index, event.site, event.space, price.units, price.ideal, executed[event.site]++});
    }
  }
  PricedWarp priced;
  priced.lines = std::make_shared<const std::vector<LineCost>>(line_costs(compiled.program, *events));
  priced.events = std::move(events);
  priced.trace = std::move(trace);
  priced.warp = warp;
  return priced;
}

std::optional<std::uint32_t> costliest_event(const Compiled& compiled, const sim::Trace& trace, int line) {
  constexpr std::size_t kMostPriced = 300'000;  // some ten milliseconds
  Pricer pricer(compiled, trace);
  std::optional<std::uint32_t> best;
  int most = -1;
  std::size_t priced = 0;
  for (std::uint32_t i = 0; i < trace.events.size() && priced < kMostPriced; ++i) {
    const int of = compiled.program.sites[trace.events[i].site].range.begin.line;
    if (line > 0 && of != line) continue;
    ++priced;
    const EventPrice price = pricer.price(i);
    if (price.units - price.ideal <= most) continue;
    most = price.units - price.ideal;
    best = i;
  }
  return best;
}

std::size_t pricing_effort(const Compiled& compiled, const sim::Trace& trace, int warp) {
  const auto at = static_cast<std::size_t>(warp);
  return compiled.program.sites.size() + (at < trace.warp_events.size() ? trace.warp_events[at].size() : 0);
}

void set_moments(int event, int wavefront, Simulation* s) {
  s->place.event = event;
  s->place.wavefront = std::clamp(wavefront, 0, s->wavefronts_of(event) - 1);
  s->now = s->global = s->shared = std::nullopt;
  if (event < 0) return;
  const std::vector<PricedEvent>& events = *s->events;
  const auto moment = [&](memory::Space space) -> std::optional<PricedAccess> {
    const int nearest = nearest_of(events, event, space);
    if (nearest < 0) return std::nullopt;
    return make_moment(*s->compiled, *s->trace, events, nearest);
  };
  s->global = moment(memory::Space::Global);
  s->shared = moment(memory::Space::Shared);
  s->now = events[static_cast<std::size_t>(event)].space == memory::Space::Shared ? s->shared : s->global;
}

Variables variables_of(const Compiled& c, const sim::Trace& trace, std::uint32_t event, Budget& budget) {
  auto values = std::make_shared<std::vector<sim::LaneValues>>(
      sim::variables_at(c.program, c.setup.launch, *c.gpu, trace, event, &budget));
  budget.check(Stage::Drawing);  // ended, no value is known
  return values;
}

Variables variables_of(const Simulation& s, Budget& budget) {
  if (s.place.event < 0) return nullptr;
  return variables_of(*s.compiled, *s.trace, (*s.events)[static_cast<std::size_t>(s.place.event)].event,
                      budget);
}

int warp_shown(const sim::Trace& trace, int warp, const AccessId& access) {
  warp = std::clamp(warp, 0, std::max(trace.warps - 1, 0));
  if (warp != 0 || !access.any || trace.warp_events.empty() || !trace.warp_events[0].empty()) return warp;
  const auto makes_some =
      std::ranges::find_if(trace.warp_events, [](const auto& events) { return !events.empty(); });
  return makes_some == trace.warp_events.end()
             ? warp
             : static_cast<int>(std::distance(trace.warp_events.begin(), makes_some));
}

std::shared_ptr<const Simulation> simulation_of(std::shared_ptr<const Compiled> compiled,
                                                std::shared_ptr<const sim::Trace> trace, int warp,
                                                const AccessId& access, int wavefront, Budget& budget) {
  Simulation s;
  s.compiled = std::move(compiled);
  s.trace = std::move(trace);
  s.place.block = s.trace->block;
  s.place.warp = warp_shown(*s.trace, warp, access);
  PricedWarp priced = price_warp(*s.compiled, s.trace, s.place.warp, budget);
  s.events = std::move(priced.events);
  s.lines = std::move(priced.lines);
  set_moments(find_event(s.program(), *s.events, access), wavefront, &s);
  s.variables = variables_of(s, budget);
  return std::make_shared<const Simulation>(std::move(s));
}

std::shared_ptr<const Simulation> moved_to(const Simulation& from, int event, int wavefront, Budget& budget) {
  Simulation s = from;
  set_moments(std::clamp(event, -1, s.event_count() - 1), wavefront, &s);
  s.variables = variables_of(s, budget);
  return std::make_shared<const Simulation>(std::move(s));
}

std::uint64_t SiteSum::units() const {
  return space == memory::Space::Global ? totals.sectors : totals.wavefronts;
}

std::uint64_t SiteSum::ideal() const {
  return space == memory::Space::Global ? totals.ideal_sectors : totals.ideal_wavefronts;
}

double SiteSum::active_lanes() const {
  return totals.requests == 0
             ? 0
             : static_cast<double>(totals.active_lanes) / static_cast<double>(totals.requests);
}

double SiteSum::efficiency() const {
  return units() == 0 ? 1 : static_cast<double>(ideal()) / static_cast<double>(units());
}

std::vector<LineTotals> line_totals(const sim::Program& program, const sim::Totals& totals) {
  std::map<int, LineTotals> by_line;
  const auto add = [&](std::size_t site, memory::Space space, const sim::SiteTotals& sum) {
    const int line = program.sites[site].range.begin.line;
    by_line[line].sites.push_back({static_cast<int>(site), space, sum});
  };
  for (std::size_t i = 0; i < program.sites.size(); ++i) {
    const bool global = i < totals.global_sites.size() && totals.global_sites[i].requests > 0;
    const bool shared = i < totals.shared_sites.size() && totals.shared_sites[i].requests > 0;
    if (global) add(i, memory::Space::Global, totals.global_sites[i]);
    if (shared) add(i, memory::Space::Shared, totals.shared_sites[i]);
    const bool is_shared = program.sites[i].space == sim::SiteSpace::Shared;
    if (!global && !shared) add(i, is_shared ? memory::Space::Shared : memory::Space::Global, {});
  }
  std::vector<LineTotals> lines;
  for (auto& [line, sums] : by_line) {
    sums.line = line;
    std::ranges::stable_sort(sums.sites, {}, [&](const SiteSum& s) {
      return program.sites[static_cast<std::size_t>(s.site)].range.begin.offset;
    });
    lines.push_back(std::move(sums));
  }
  return lines;
}

}  // namespace warplens::app
