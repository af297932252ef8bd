#include "app/views/why.h"

#include <algorithm>
#include <cmath>

#include "app/simulate/simulator.h"
#include "app/source/programs.h"
#include "app/views/inputs.h"
#include "app/views/views.h"
#include "sim/base/numbers.h"
#include "sim/report/report.h"

namespace warplens::views {
namespace {

// "8", "2.5", "1.25"
std::string why_times(double times) {
  return without_zeros(fixed(times, times < 1.995 ? 2 : times < 9.95 ? 1 : 0));
}

// "59.4 M": three figures, of what is too long to be read.
std::string why_count(double count) {
  return count < 1e5 ? grouped(std::llround(count)) : with_prefix(count);
}

std::string why_bytes(double bytes) {
  return why_count(bytes) + (bytes < 1e5 ? " B" : "B");
}

std::string why_time(double seconds) {
  return seconds < 5e-9 ? std::string("< 0.01 µs") : seconds_text(seconds);
}

using language::Strings;
using report::Bound;
using report::Resource;
using report::Why;
using Value = language::Value;

// From here on more is asked for than accesses need; below it nobody would see it in a time.
constexpr double kMore = 1.25;
constexpr double kMostOver = 1.03;  // of the measured time: what a clock's error leaves open
constexpr double kSmall = 0.1;      // of the measured time
constexpr double kFew = 0.05;       // of all wavefronts
constexpr double kTight = 0.85;     // of the measured time: nothing else is worth looking for

double ratio(std::uint64_t of, std::uint64_t to) {
  return to == 0 ? 1 : static_cast<double>(of) / static_cast<double>(to);
}

const Bound* bound_of(const Why& why, Resource resource) {
  const auto found = std::ranges::find(why.bounds, resource, &Bound::resource);
  return found == why.bounds.end() ? nullptr : &*found;
}

// What is told in sentences of one launch.
class Sentences {
 public:
  Sentences(const Why& why, const Strings& strings) : why_(why), strings_(strings) {
    most_ = report::longest(why.bounds);
    second_ = report::second(why.bounds);
    tied_ = report::tied(why.bounds);
  }

  std::vector<std::string> all() {
    say_bound();
    if (most_ != nullptr) {
      say_idle();
      say_flight();
      say_atomics();
    }
    say_loads();
    say_stores();
    say_conflicts();
    return std::move(said_);
  }

 private:
  double share() const {
    return why_.measured_seconds && most_ != nullptr ? most_->seconds / *why_.measured_seconds : 0;
  }
  // It is the longest or as long, and nothing that was measured says that it is not what takes the time.
  bool holds_back(const Bound& bound) const {
    const bool longest =
        &bound == most_ || &bound == tied_ || (report::is_data_stage(bound) && report::is_data_stage(*most_));
    return longest && (!why_.measured_seconds || share() >= report::kBusy);
  }
  std::string name(const Bound& bound) const {
    return strings_(std::string("why.name.") + report::name_of(bound.resource));
  }
  // With a capital where the language has any.
  std::string first(const Bound& bound) const {
    return strings_(std::string("why.first.") + report::name_of(bound.resource));
  }
  void say(std::string_view key, std::initializer_list<Value> values) {
    said_.push_back(strings_(key, values));
  }
  void also(std::string_view key, std::initializer_list<Value> values) {
    said_.back() += strings_(key, values);
  }

  void say_bound() {
    if (most_ == nullptr) return say("why.no_peaks", {});
    const std::string need = why_time(most_->seconds), next = second_ == nullptr ? "" : name(*second_);
    const std::string next_need = second_ == nullptr ? "" : why_time(second_->seconds);
    const std::string who = first(*most_);
    if (!why_.measured_seconds)
      return say(tied_ != nullptr ? "why.unmeasured.tied" : "why.unmeasured",
                 {{"resource", who}, {"time", need}, {"next", next}, {"next_time", next_need}});
    const std::string whole = why_time(*why_.measured_seconds);
    if (share() > kMostOver)
      return say("why.exceeds", {{"resource", who}, {"time", need}, {"measured", whole}});
    const bool tiny = second_ == nullptr || second_->seconds < kSmall * *why_.measured_seconds;
    const bool one_launch = std::string_view(most_->unit) == "launches";
    if (one_launch && tiny)
      return say("why.tiny", {{"time", need}, {"measured", whole}, {"next", next_need}});
    if (share() < report::kBusy)
      return say("why.latency", {{"percent", whole_percent(share())},
                                 {"measured", whole},
                                 {"resource", name(*most_)},
                                 {"time", need}});
    if (most_->resource == Resource::Launch && !one_launch)
      return say("why.blocks", {{"n", grouped(std::llround(most_->count))},
                                {"time", need},
                                {"measured", whole},
                                {"next", next},
                                {"next_time", next_need}});
    say(second_ == nullptr ? "why.bound.alone"
        : tied_ != nullptr ? "why.bound.tied"
                           : "why.bound",
        {{"resource", who}, {"time", need}, {"measured", whole}, {"next", next}, {"next_time", next_need}});
  }

  void say_idle() {
    const auto all = static_cast<std::uint64_t>(std::max(0, why_.asked.multiprocessors));
    if (4 * why_.asked.blocks >= 3 * all) return;
    say(why_.asked.blocks == 1 ? "why.idle.one" : "why.idle", {{"n", why_.asked.blocks}, {"all", all}});
  }

  // Little's law, where memory, or nothing, is what the launch waits for.
  void say_flight() {
    if (!why_.in_flight || why_.in_flight->loads == 0 || !why_.measured_seconds || share() >= kTight) return;
    if (most_->resource == Resource::Launch) return;  // too little work for any of that
    if (share() >= report::kBusy && most_->resource != Resource::Dram) return;
    if (why_.traffic.l1_answers_most()) return;
    const report::InFlight& f = *why_.in_flight;
    const std::optional<double> there = f.share();
    if (!there || *there >= 1) return;
    say("why.flight.few", {{"bytes", why_bytes(f.bytes)},
                           {"percent", whole_percent(*there)},
                           {"needed", why_bytes(*f.needed_bytes)}});
    if (f.whole_grid)
      also("why.flight.grid", {});
    else if (f.residency.warps < f.most_warps)
      also("why.flight.warps",
           {{"n", f.residency.warps}, {"all", f.most_warps}, {"reason", strings_(f.residency.why)}});
    else
      also("why.flight.full", {});
  }

  void say_atomics() {
    const Bound* atomics = bound_of(why_, Resource::Atomics);
    if (atomics == nullptr || !holds_back(*atomics)) return;
    const std::string_view unit = atomics->unit;
    const std::string n = why_count(atomics->count);
    if (unit == "turns of one slice") say("why.atomics.slice", {{"n", n}});
    if (unit == "turns of one word") say("why.atomics.word", {{"n", n}});
  }

  // Of what is behind L1: whether it is what takes the time.
  bool memory_holds_back() const {
    return most_ != nullptr && (most_->resource == Resource::L2 || most_->resource == Resource::Dram) &&
           holds_back(*most_);
  }

  void say_loads() {
    const sim::SiteTotals& loads = why_.asked.loads;
    const double more = ratio(loads.sectors, loads.ideal_sectors);
    if (more < kMore) return;
    const double hit = why_.traffic.l1_hit_rate();
    const double behind = why_.traffic.l2_read_sectors / static_cast<double>(loads.ideal_sectors);
    const std::string asked = why_times(more), hits = whole_percent(hit), past = why_times(behind);
    if (behind < kMore) {
      say("why.loads.absorbed", {{"n", asked}, {"hit", hits}});
      say_l1_of_loads();
      return;
    }
    const char* key = hit < kSmall ? "why.loads.through" : "why.loads.partly";
    say(key, {{"n", asked}, {"hit", hits}, {"past", past}});
    if (memory_holds_back()) also("why.costs_here", {});
    if (!memory_holds_back() && most_ != nullptr && holds_back(*most_)) say_memory_of_loads();
  }

  void say_memory_of_loads() {
    const Bound *dram = bound_of(why_, Resource::Dram), *l2 = bound_of(why_, Resource::L2);
    const Bound* longer = dram == nullptr || (l2 != nullptr && l2->seconds > dram->seconds) ? l2 : dram;
    if (longer == nullptr) return;
    also("why.loads.behind", {{"memory", name(*longer)},
                              {"time", why_time(longer->seconds)},
                              {"resource", name(*most_)},
                              {"most", why_time(most_->seconds)}});
  }

  // What L1 does for it is not free.
  void say_l1_of_loads() {
    const Bound* l1 = bound_of(why_, Resource::L1);
    if (l1 == nullptr) return;
    const std::string need = why_time(l1->seconds);
    if (holds_back(*l1))
      also("why.loads.bound", {{"time", need}});
    else if (most_ == l1 || share() < report::kBusy)
      also("why.loads.latency", {{"time", need}});
    else
      also("why.loads.hidden",
           {{"time", need}, {"resource", name(*most_)}, {"most", why_time(most_->seconds)}});
  }

  void say_stores() {
    const sim::SiteTotals& stores = why_.asked.stores;
    const double more = ratio(stores.sectors, stores.ideal_sectors);
    if (more < kMore) return;
    say("why.stores", {{"n", why_times(more)}});
    const double written = why_.traffic.dram_write_bytes,
                 asked = 32.0 * static_cast<double>(stores.ideal_sectors);
    const bool gathered = written < kMore * asked;
    if (gathered) also("why.stores.gathered", {});
    if (memory_holds_back() && !(gathered && most_->resource == Resource::Dram)) also("why.costs_here", {});
    const report::LaunchCounts& c = why_.counts;
    const double all = c.l2_read && c.l2_write ? c.l2_read->value + c.l2_write->value : 0;
    const double vain = static_cast<double>(stores.sectors - stores.ideal_sectors);
    if (vain < all) also("why.stores.l2", {{"percent", whole_percent(vain / all)}});
  }

  void say_conflicts() {
    const sim::SiteTotals& shared = why_.asked.shared;
    if (shared.wavefronts <= shared.ideal_wavefronts) return;
    const double vain = static_cast<double>(shared.wavefronts - shared.ideal_wavefronts);
    if (vain < kFew * static_cast<double>(shared.wavefronts)) return;
    const std::string more = why_times(ratio(shared.wavefronts, shared.ideal_wavefronts));
    const Bound *l1 = bound_of(why_, Resource::L1), *own = bound_of(why_, Resource::Shared);
    const Bound* stage = l1 != nullptr && report::is_data_stage(*l1) ? l1 : own;
    if (stage == nullptr) return say("why.conflicts", {{"n", more}});
    const double without = std::max(0.0, stage->count - vain) / stage->peak_per_second;
    const std::string with = why_time(stage->seconds);
    if (holds_back(*stage))
      return say("why.conflicts.cost", {{"n", more}, {"time", with}, {"without", why_time(without)}});
    const double added = vain / stage->peak_per_second;
    if (most_ != stage && (!why_.measured_seconds || share() >= report::kBusy))
      return say(
          "why.conflicts.hidden",
          {{"n", more}, {"time", with}, {"resource", name(*most_)}, {"most", why_time(most_->seconds)}});
    const double whole = why_.measured_seconds.value_or(0);
    const std::string part = whole > 0 && added / whole < 0.005 ? "< 1" : whole_percent(added / whole);
    say("why.conflicts.small", {{"n", more}, {"time", why_time(added)}, {"percent", part}});
  }

  const Why& why_;
  const Strings& strings_;
  const Bound *most_ = nullptr, *second_ = nullptr, *tied_ = nullptr;
  std::vector<std::string> said_;
};

std::string resource_words(Resource resource, const Strings& strings) {
  return strings(std::string("why.resource.") + report::name_of(resource));
}

// Whether no resource is busy for long enough to be what the launch waits for.
bool is_latency(const Why& why) {
  const Bound* most = report::longest(why.bounds);
  return most != nullptr && why.measured_seconds && most->seconds < report::kBusy * *why.measured_seconds;
}

}  // namespace

std::vector<std::string> why_sentences(const Why& why, const Strings& strings) {
  return Sentences(why, strings).all();
}

std::string why_answer(const Why& why, const Strings& strings) {
  const Bound* most = report::longest(why.bounds);
  if (most == nullptr) return {};
  if (is_latency(why)) return strings("why.answer.latency");
  const std::string resource = resource_words(most->resource, strings);
  if (const Bound* also = report::tied(why.bounds))
    return strings("why.answer.tied",
                   {{"resource", resource}, {"next", resource_words(also->resource, strings)}});
  return strings("why.answer", {{"resource", resource}});
}

namespace {

CountKind kind_of(report::CountSource source) {
  return source == report::CountSource::Measured   ? CountKind::Measured
         : source == report::CountSource::Modelled ? CountKind::Modelled
                                                   : CountKind::Exact;
}

std::string source_words(report::CountSource source, const Strings& strings) {
  return strings(std::string("why.source.") + report::name_of(source));
}

// "59.4 MB", "4.19 M sectors"; `whole`: with all digits.
std::string count_words(double count, std::string_view unit, bool whole, const Strings& strings) {
  if (unit == "bytes" && !whole) return volume(static_cast<std::uint64_t>(std::llround(count)));
  std::string key = "why.unit." + std::string(unit);
  std::ranges::replace(key, ' ', '_');
  if (std::llround(count) == 1) key += ".one";
  return strings(key, {{"n", whole ? grouped(std::llround(count)) : why_count(count)}});
}

// "4.49 TB/s", "257 G/s"
std::string rate_words(double per_second, std::string_view unit) {
  const std::string amount = why_count(per_second);
  return unit == "bytes" ? amount + "B/s" : amount + "/s";
}

WhyBar bar_of(const Bound& bound, const Why& why, const Strings& strings) {
  WhyBar bar;
  bar.label = resource_words(bound.resource, strings);
  bar.seconds = bound.seconds;
  bar.kind = kind_of(bound.source);
  if (&bound == report::longest(why.bounds))
    bar.mark = strings(is_latency(why) ? "why.the_longest" : "why.the_bound");
  else if (&bound == report::tied(why.bounds))
    bar.mark = strings("why.as_long");
  bar.amount = why_time(bound.seconds);
  if (why.measured_seconds) bar.share = whole_percent(bound.seconds / *why.measured_seconds) + " %";
  const std::string about = bound.source == report::CountSource::Modelled ? "≈ " : "",
                    source = source_words(bound.source, strings);
  bar.detail = strings("why.detail", {{"count", about + count_words(bound.count, bound.unit, false, strings)},
                                      {"rate", rate_words(bound.peak_per_second, bound.unit)},
                                      {"source", source}});
  bar.tooltip = strings("why.tip." + std::string(report::name_of(bound.resource))) + "\n" +
                strings("why.tip", {{"count", about + count_words(bound.count, bound.unit, true, strings)},
                                    {"rate", rate_words(bound.peak_per_second, bound.unit)},
                                    {"time", bar.amount},
                                    {"source", source},
                                    {"gpu", why.peaks_of}});
  return bar;
}

// Nothing where no load goes to memory, or its latency was not measured.
WhyFlight flight_of(const Why& why, const Strings& strings) {
  WhyFlight flight;
  if (!why.in_flight || why.in_flight->loads == 0 || !why.in_flight->share()) return flight;
  const report::InFlight& f = *why.in_flight;
  const std::string latency = why_time(f.latency_seconds), rate = rate_words(f.bytes_per_second, "bytes"),
                    needed = why_bytes(*f.needed_bytes);
  flight.share = *f.share();
  flight.amount = why_bytes(f.bytes);
  flight.percent = whole_percent(flight.share) + " %";
  flight.detail = {strings("why.flight.detail", {{"needed", needed}, {"latency", latency}, {"rate", rate}}),
                   strings("why.flight.detail.brief", {{"needed", needed}}),
                   strings("why.flight.detail.least", {{"needed", needed}})};
  flight.tooltip = strings("why.flight.tip", {{"warps", grouped(std::llround(f.warps))},
                                              {"loads", why_times(f.loads)},
                                              {"load_bytes", why_times(f.load_bytes)},
                                              {"bytes", flight.amount},
                                              {"needed", needed},
                                              {"latency", latency},
                                              {"rate", rate},
                                              {"gpu", why.peaks_of}});
  return flight;
}

// Mean errors of the hit rates against an H200's counters, in points: docs/measured/caches.md, which a test
// compares.
constexpr const char *kErrorL1 = "1.0", *kErrorL2 = "1.6", *kCheckedOn = "sm_90";

std::vector<Wordings> cache_words(const sim::Traffic& t, std::string_view gpu, const Strings& strings) {
  const auto off = [&](const char* points) {
    return gpu == kCheckedOn ? strings("why.off", {{"error", points}}) : strings("why.off.unknown");
  };
  const auto line = [&](const std::string& key, double rate, double sectors, const std::string& error) {
    const std::string percent = whole_percent(rate), count = why_count(sectors);
    return Wordings{strings(key, {{"percent", percent}, {"sectors", count}, {"error", error}}),
                    strings(key + ".brief", {{"percent", percent}, {"sectors", count}})};
  };
  std::vector<Wordings> out;
  if (t.load_sectors > 0)
    out.push_back(line("why.hits.near", t.l1_hit_rate(), static_cast<double>(t.load_sectors), off(kErrorL1)));
  if (t.l2_hits + t.l2_misses > 0)
    out.push_back(line("why.hits.far", t.l2_hit_rate(), t.l2_hits + t.l2_misses, off(kErrorL2)));
  return out;
}

// "17.3 µs measured", "recorded on NVIDIA H200 at 1,980 MHz, as written"
Wordings measured_words(const measure::Measurement& m, const measure::PeakRecord* peaks,
                        const Strings& strings) {
  const std::string time = why_time(m.cold.median);
  const bool optimised = m.subject.mode == measure::CompileMode::AsOptimised;
  const std::string from = strings(m.recorded ? "why.recorded" : "why.measured",
                                   {{"time", time}, {"gpu", m.device.name}}),
                    mode = strings(optimised ? "times.mode.optimised" : "times.mode.written");
  const int clock = m.clocks.sm_mhz_most > 0 ? m.clocks.sm_mhz_most : peaks != nullptr ? peaks->sm_mhz : 0;
  Wordings out;
  if (clock > 0) out.push_back(from + " · " + strings("why.clock", {{"mhz", grouped(clock)}}) + " · " + mode);
  out.push_back(from + " · " + mode);
  out.push_back(from);
  out.push_back(strings(m.recorded ? "why.recorded.brief" : "why.measured.brief", {{"time", time}}));
  out.push_back(time);
  return out;
}

// Of another GPU than the one that is simulated neither time nor peaks say anything.
explain::MeasuredBeside beside_of(const WhyOf& of) {
  const bool same = of.launch != nullptr && of.launch->device.sm() == of.gpu;
  return {same ? of.launch : nullptr, of.peaks, false};
}

WhyView own_view(const WhyOf& of, const Strings& strings) {
  WhyView view;
  view.title = strings("why.title");
  if (of.demand == nullptr || of.stale) {
    const bool told = of.progress > 0 && of.progress < 1;
    view.working = told ? strings("why.working.part", {{"percent", whole_percent(of.progress)}})
                        : strings("why.working");
  }
  if (of.demand == nullptr) return view;
  if (of.demand->error) {
    view.sentences = {strings("why.impossible", {{"reason", strings(of.demand->error->message)}})};
    return view;
  }
  const explain::MeasuredBeside beside = beside_of(of);
  const Why why = explain::why_of(*of.demand, beside);
  view.answer = why_answer(why, strings);
  view.sentences = why_sentences(why, strings);
  for (const Bound& bound : why.bounds) view.bars.push_back(bar_of(bound, why, strings));
  if (!why.bounds.empty() && why.measured_seconds) {
    view.measured = *why.measured_seconds;
    view.measured_words = measured_words(*beside.launch, beside.peaks, strings);
  }
  view.flight = flight_of(why, strings);
  view.caches = cache_words(why.traffic, of.gpu, strings);
  return view;
}

}  // namespace

WhyView why_view(const WhyOf& of, const WhyOf* beside, const Strings& strings) {
  WhyView view = own_view(of, strings);
  view.most = why_most(view);
  if (beside != nullptr) view.most = std::max(view.most, why_most(own_view(*beside, strings)));
  return view;
}

// ---- the row

namespace {

// The same settings come to the same counts, however often they were compiled.
struct DemandKey {
  std::shared_ptr<const app::Compiled> compiled;
  std::shared_ptr<const sim::Totals> totals;
  std::optional<int> registers;
  friend bool operator==(const DemandKey& a, const DemandKey& b) {
    return a.registers == b.registers && a.compiled->gpu == b.compiled->gpu &&
           (a.totals == b.totals || a.compiled->settings == b.compiled->settings);
  }
};

std::shared_ptr<const explain::Demand> demand_of(const DemandKey& key, Budget& budget,
                                                 std::atomic<double>* progress) {
  const app::Compiled& compiled = *key.compiled;
  if (key.totals->error) {
    explain::Demand failed;
    failed.error = key.totals->error;
    return std::make_shared<const explain::Demand>(std::move(failed));
  }
  sim::TrafficOptions options;
  options.registers = key.registers;
  options.limits.instructions = app::SimulatorOptions{}.instructions;
  options.limits.memory_bytes = app::app_allowance(nullptr).memory_bytes;
  options.limits.cancel = budget.allowance().cancel;
  options.limits.progress = progress;
  auto made = std::make_shared<const explain::Demand>(explain::demand_of(
      compiled.program, *compiled.gpu,
      report::make_report({compiled.setup, compiled.program, compiled.gpu, {}}, *key.totals), options));
  budget.check(Stage::Counting);
  return made;
}

// Until the grid is counted and the model has run, what was there before stays.
app::Made derive_why(const Deriving& on) {
  const app::Simulation& s = on.simulation;
  const bool counted = s.fresh && s.totals;
  const DemandKey key{s.compiled, s.totals, on.registers};
  const auto kept = on.memos.get<explain::Demand>(
      key, [key](Budget& budget, std::atomic<double>* progress) { return demand_of(key, budget, progress); },
      {.most = 32, .begins = counted && !on.halted});
  app::Made made{ViewId::Why, kept.value ? kept.value : kept.before};
  made.stale = !(counted && kept.value);
  made.progress = kept.value ? 0 : kept.progress;
  made.busy = s.fresh && !(s.totals && s.totals->error) && made.stale && !on.halted && kept.failure.empty();
  return made;
}

WhyOf why_of(const app::Simulation& s, const app::Made* made, const Measured& measured) {
  const auto demand = app::made_of<explain::Demand>(made, ViewId::Why);
  if (!demand) return {};
  return {.demand = demand.get(),
          .stale = made->stale,
          .progress = made->progress,
          .launch = measured.launch,
          .peaks = measured.peaks,
          .gpu = std::string(s.compiled->gpu->name)};
}

// In A│B the bars of both panes have one axis.
scene::Scene draw_why(const Inputs& in, const scene::Canvas& canvas) {
  const WhyOf of = why_of(*in.simulation, in.made, in.measured);
  if (in.other == nullptr || in.other->empty())
    return why_scene(why_view(of, nullptr, *canvas.strings), canvas);
  const WhyOf beside = why_of(*in.other, in.other_made, in.other_measured);
  return why_scene(why_view(of, &beside, *canvas.strings), canvas);
}

}  // namespace

const Row& why() {
  static const Row kRow{.id = ViewId::Why,
                        .tab = "why.tab",
                        .tip = "why.tab.tip",
                        .file = "why",
                        .tells = {.of_access = false},
                        .derive = derive_why,
                        .draw = draw_why};
  return kRow;
}

}  // namespace warplens::views
