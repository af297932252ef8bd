#include "app/derive/comparison.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "app/simulate/simulation.h"
#include "app/state/catalog.h"
#include "app/state/user_kernel.h"
#include "sim/memory/coalescing.h"

namespace warplens::app {
namespace {

constexpr std::size_t kMostCells = 4'000'000;  // of the table of common lines

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    lines.push_back(line);
    at = end + 1;
  }
  return lines;
}

using Lines = std::span<const std::string_view>;

// Marks what is not in a longest common subsequence of the two.
void mark_middle(Lines a, Lines b, std::size_t from, LineDifferences* out) {
  const std::size_t n = a.size(), m = b.size();
  std::vector<bool> kept_a(n), kept_b(m);
  if (n * m <= kMostCells) {
    std::vector<std::uint32_t> length((n + 1) * (m + 1));
    const auto at = [m](std::size_t i, std::size_t j) { return i * (m + 1) + j; };
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t j = m; j-- > 0;) {
        length[at(i, j)] = a[i] == b[j] ? length[at(i + 1, j + 1)] + 1
                                        : std::max(length[at(i + 1, j)], length[at(i, j + 1)]);
      }
    }
    for (std::size_t i = 0, j = 0; i < n && j < m;) {
      if (a[i] == b[j]) {
        kept_a[i++] = kept_b[j++] = true;
      } else if (length[at(i + 1, j)] >= length[at(i, j + 1)]) {
        ++i;
      } else {
        ++j;
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) out->a[from + i] = !kept_a[i];
  for (std::size_t j = 0; j < m; ++j) out->b[from + j] = !kept_b[j];
}

bool fits(const Simulation& a, const AccessId& name) {
  if (a.place.event < 0) return false;
  const AccessId found = name_of(a, a.place.event);
  return found.array == name.array && found.op == name.op && found.space == name.space;
}

std::optional<AccessDifference> difference(const std::optional<PricedAccess>& of_here,
                                           const std::optional<PricedAccess>& of_there) {
  if (!of_here || !of_there || of_here->known != Known::All || of_there->known != Known::All)
    return std::nullopt;
  const PricedAccess &here = *of_here, &there = *of_there;
  AccessDifference d;
  const memory::WarpAccess &a = here.access, &b = there.access;
  for (std::size_t lane = 0; lane < memory::kWarpLanes; ++lane) {
    const memory::LaneMask bit = memory::LaneMask{1} << lane;
    const bool in_a = (a.active & bit) != 0, in_b = (b.active & bit) != 0;
    const bool elsewhere =
        in_a && in_b &&
        (a.bytes != b.bytes || a.addresses[lane] - here.buffer_base != b.addresses[lane] - there.buffer_base);
    if (in_a != in_b || elsewhere) d.lanes |= bit;
  }
  if (a.space == memory::Space::Shared) {
    for (std::size_t bank = 0; bank < 32; ++bank) {
      if (here.plan.words_in_bank[bank] != there.plan.words_in_bank[bank])
        d.banks |= memory::LaneMask{1} << bank;
    }
  }
  return d;
}

}  // namespace

State state_of_a(const State& b, const Simulation& seen, const Simulation* last) {
  State a;
  a.settings = b.pinned.value_or(b.settings);
  a.position = shown_position(b.position, seen);
  a.position.wavefront = b.position.wavefront;  // beyond B's last one, A may have more
  if (b.race && last != nullptr) a.position = position_at(a.position, *last, b.race->shown(true));
  a.playback = b.playback;
  a.race = b.race;
  a.theme = b.theme;
  a.language = b.language;
  a.present = b.present;
  a.optimised = b.optimised;
  a.zoom = b.zoom;
  a.hovered_lane = b.hovered_lane;
  a.shown = b.shown;
  a.plot = b.plot;
  a.plot.launch.clear();  // the one that fits A
  a.profile = b.profile;
  a.plot.pointed.reset();
  a.plot.held = false;
  a.stills = b.stills;
  a.on_disk = b.on_disk;  // what is edited is told of A as of B
  a.findings = b.findings;
  a.panels = b.panels;
  return a;
}

std::optional<Settings> neighbour_rung(const Catalog& catalog, const Settings& settings,
                                       const std::vector<Past>& past) {
  const scenario::Scenario* here = scenario_of(catalog, settings);
  if (here == nullptr || settings.own) return std::nullopt;
  const auto rungs = catalog.ladder_of(*here);
  const auto at = std::ranges::find(rungs, here);
  if (rungs.size() < 2 || at == rungs.end()) return std::nullopt;
  const auto before = std::find_if(past.rbegin(), past.rend(), [&](const Settings& s) {
    return s.own || s.scenario != settings.scenario;
  });
  const auto came_from =
      before == past.rend() ? rungs.end() : std::ranges::find(rungs, scenario_of(catalog, *before));
  const scenario::Scenario& other = **(came_from != rungs.end() ? came_from
                                       : at == rungs.begin()    ? at + 1
                                                                : at - 1);
  return Settings{other.name, carried_in_size(*here, settings.values, other), nullptr, nullptr};
}

std::optional<Settings> neighbour_kernel(const Settings& settings) {
  if (!settings.own || settings.own->facts.kernels.size() < 2) return std::nullopt;
  const auto& kernels = settings.own->facts.kernels;
  const auto here = std::ranges::find_if(
      kernels, [&](const KernelFacts& kernel) { return kernel.name == settings.own->form.kernel; });
  if (here == kernels.end()) return std::nullopt;
  const KernelFacts& other = *(here == kernels.begin() ? here + 1 : here - 1);
  return with_own(settings, wishing_kernel(*settings.own, other.name));
}

std::vector<ParameterDifference> parameter_differences(const Catalog& catalog, const Settings& a,
                                                       const Settings& b) {
  std::vector<ParameterDifference> differences;
  const scenario::Scenario *of_a = scenario_of(catalog, a), *of_b = scenario_of(catalog, b);
  const auto value_in = [](const scenario::Scenario* scenario, const Settings& settings,
                           const std::string& name) -> std::optional<std::int64_t> {
    const scenario::ScenarioParameter* p = scenario ? find_parameter(*scenario, name) : nullptr;
    if (p == nullptr) return std::nullopt;
    const auto found = settings.values.find(name);
    return found == settings.values.end() ? p->fallback : found->second;
  };
  const auto add = [&](const std::string& name) {
    const ParameterDifference d{name, value_in(of_a, a, name), value_in(of_b, b, name)};
    const bool known = std::ranges::any_of(
        differences, [&](const ParameterDifference& other) { return other.name == name; });
    if (d.a != d.b && !known) differences.push_back(d);
  };
  for (const scenario::Scenario* scenario : {of_b, of_a}) {
    if (scenario == nullptr) continue;
    for (const scenario::ScenarioParameter& parameter : scenario->parameters) add(parameter.name);
  }
  return differences;
}

LineDifferences line_differences(const std::string& a, const std::string& b) {
  const std::vector<std::string_view> lines_a = lines_of(a), lines_b = lines_of(b);
  LineDifferences out;
  out.a.resize(lines_a.size());
  out.b.resize(lines_b.size());
  std::size_t from = 0, end_a = lines_a.size(), end_b = lines_b.size();
  while (from < end_a && from < end_b && lines_a[from] == lines_b[from]) ++from;
  while (end_a > from && end_b > from && lines_a[end_a - 1] == lines_b[end_b - 1]) --end_a, --end_b;
  mark_middle(Lines(lines_a).subspan(from, end_a - from), Lines(lines_b).subspan(from, end_b - from), from,
              &out);
  out.count_a = static_cast<int>(std::ranges::count(out.a, true));
  out.count_b = static_cast<int>(std::ranges::count(out.b, true));
  return out;
}

Comparison compare_settings(const Catalog& catalog, const State& state) {
  Comparison c;
  if (!state.pinned) return c;
  const auto read = [&](const Settings& settings) -> const std::string& {
    return read_text_of(settings, text_of(catalog, settings));
  };
  const std::string &text_a = read(*state.pinned), &text_b = read(state.settings);
  c.parameters = parameter_differences(catalog, *state.pinned, state.settings);
  c.lines = line_differences(text_a, text_b);
  return c;
}

void forget_accesses(Comparison* c) {
  c->global_a = c->global_b = c->shared_a = c->shared_b = std::nullopt;
  c->a_follows = true;
  c->wavefronts = 1;
}

void compare_accesses(const Simulation& a, const Simulation& b, Comparison* c) {
  forget_accesses(c);
  c->counts.clear();
  c->became.clear();
  c->compiled_a.reset();
  if (a.empty() || b.empty()) return;
  c->a_follows = b.place.event < 0 || fits(a, name_of(b, b.place.event));
  if (c->a_follows) {  // another access differs in everything, and marks would say nothing
    c->global_a = difference(a.global, b.global);
    c->global_b = difference(b.global, a.global);
    c->shared_a = difference(a.shared, b.shared);
    c->shared_b = difference(b.shared, a.shared);
  }
  if (a.program().compiled != b.program().compiled) c->compiled_a = a.program().compiled;
  c->wavefronts = std::max(a.wavefronts_of(a.place.event), b.wavefronts_of(b.place.event));
  if (a.totals && b.totals && !a.totals->error && !b.totals->error) {
    if (c->compiled_a) {
      const Simulation &written = *c->compiled_a ? b : a, &compiled = *c->compiled_a ? a : b;
      c->became = report::became_of(written.program(), *written.totals, compiled.program(), *compiled.totals);
    }
    c->counts = report::compared_counts(report::grid_counts(a.program(), *a.totals),
                                        report::grid_counts(b.program(), *b.totals));
  }
}

std::optional<Position> opening_access(const State& b, const Simulation* a, const Simulation& seen) {
  const bool known = a != nullptr && a->fresh && seen.fresh && a->event_count() == seen.event_count();
  if (!b.pinned || !b.position.access.any || !known || seen.place.event < 0) return std::nullopt;
  int best = seen.place.event, most = 0;
  for (int i = 0; i < seen.event_count(); ++i) {
    const PricedEvent &x = (*a->events)[static_cast<std::size_t>(i)],
                      &y = (*seen.events)[static_cast<std::size_t>(i)];
    if (x.site != y.site || x.space != y.space || x.ordinal != y.ordinal) return std::nullopt;
    if (const int differs = std::abs(x.units - y.units); differs > most) best = i, most = differs;
  }
  Position to = shown_position(b.position, seen);
  to.access = name_of(seen, best);
  return to;
}

Comparison compare(const Catalog& catalog, const State& state, const Simulation& a, const Simulation& b) {
  Comparison c = compare_settings(catalog, state);
  if (state.pinned) compare_accesses(a, b, &c);
  return c;
}

}  // namespace warplens::app
