#include "app/simulate/simulation.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>

#include "app/scene/constants.h"
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
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 6).ptr;
  return {buffer, end};
}

}  // namespace

Compiled::Compiled(std::shared_ptr<const sim::Program> of, scenario::Setup with, const memory::GpuModel& on,
                   Budget& budget)
    : setup(std::move(with)), held(std::move(of)), program(*held), gpu(&on) {
  if (!program.shared_arrays.empty()) names = scene::constants_of(setup.compile, budget);
  names.insert(setup.values.begin(), setup.values.end());
  uncounted = report::uncounted_forms(program);
}

int Simulation::wavefronts_of(int event) const {
  if (event < 0 || event >= event_count()) return 1;
  const PricedEvent& priced = (*events)[static_cast<std::size_t>(event)];
  return priced.space == memory::Space::Shared ? std::max(priced.units, 1) : 1;
}

PictureOf picture_of(const Simulation& simulation, const Settings& asked) {
  if (simulation.compiled == nullptr || simulation.compiled->settings == asked) return PictureOf::Asked;
  const Settings& of = simulation.compiled->settings;
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

}  // namespace warplens::app
