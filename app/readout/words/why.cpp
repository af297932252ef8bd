#include "app/readout/words/why.h"

#include <algorithm>
#include <cmath>

#include "app/readout/words/why_figures.h"
#include "sim/base/numbers.h"

namespace warplens::app {
namespace {

using language::Strings;
using report::Bound;
using report::Resource;
using report::Why;

scene::CountKind kind_of(report::CountSource source) {
  return source == report::CountSource::Measured   ? scene::CountKind::Measured
         : source == report::CountSource::Modelled ? scene::CountKind::Modelled
                                                   : scene::CountKind::Exact;
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

scene::WhyBar bar_of(const Bound& bound, const Why& why, const Strings& strings) {
  scene::WhyBar bar;
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
scene::WhyFlight flight_of(const Why& why, const Strings& strings) {
  scene::WhyFlight flight;
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

// Where no peak is known: what is asked of each resource, without a time.
void add_counts(const Why& why, const Strings& strings, scene::WhyView* view) {
  const report::LaunchCounts& c = why.counts;
  const auto add = [&](Resource resource, const std::optional<report::Counted>& count, const char* unit) {
    if (!count || count->value <= 0) return;
    scene::WhyBar bar;
    bar.label = resource_words(resource, strings);
    bar.kind = kind_of(count->source);
    const bool modelled = count->source == report::CountSource::Modelled;
    bar.amount = (modelled ? "≈ " : "") + count_words(count->value, unit, false, strings);
    bar.detail = source_words(count->source, strings);
    bar.tooltip = strings(std::string("why.tip.") + report::name_of(resource)) + "\n" +
                  count_words(count->value, unit, true, strings) + ", " + bar.detail;
    view->bars.push_back(std::move(bar));
  };
  const auto both = [](const std::optional<report::Counted>& a, const std::optional<report::Counted>& b) {
    if (!a || !b) return std::optional<report::Counted>();
    return std::optional(report::Counted{a->value + b->value, std::max(a->source, b->source)});
  };
  add(Resource::Launch, report::Counted{c.blocks}, "blocks");
  add(Resource::Dram, both(c.dram_read, c.dram_write), "bytes");
  add(Resource::L2, both(c.l2_read, c.l2_write), "sectors");
  add(Resource::L1, c.l1_wavefronts, "wavefronts");
  add(Resource::Shared, c.shared_wavefronts, "wavefronts");
  add(Resource::Atomics, c.atomic_turns, "turns");
  add(Resource::Issue, c.instructions, "warp instructions");
  add(Resource::Fp32, c.fma, "warp instructions");
}

// Mean errors of the hit rates against an H200's counters, in points: docs/measured/caches.md, which a test
// compares.
constexpr const char *kErrorL1 = "1.0", *kErrorL2 = "1.6", *kCheckedOn = "sm_90";

std::vector<scene::Wordings> cache_words(const sim::Traffic& t, std::string_view gpu,
                                         const Strings& strings) {
  const auto off = [&](const char* points) {
    return gpu == kCheckedOn ? strings("why.off", {{"error", points}}) : strings("why.off.unknown");
  };
  const auto line = [&](const std::string& key, double rate, double sectors, const std::string& error) {
    const std::string percent = whole_percent(rate), count = why_count(sectors);
    return scene::Wordings{strings(key, {{"percent", percent}, {"sectors", count}, {"error", error}}),
                           strings(key + ".brief", {{"percent", percent}, {"sectors", count}})};
  };
  std::vector<scene::Wordings> out;
  if (t.load_sectors > 0)
    out.push_back(line("why.hits.near", t.l1_hit_rate(), static_cast<double>(t.load_sectors), off(kErrorL1)));
  if (t.l2_hits + t.l2_misses > 0)
    out.push_back(line("why.hits.far", t.l2_hit_rate(), t.l2_hits + t.l2_misses, off(kErrorL2)));
  return out;
}

// "17.3 µs measured", "recorded on NVIDIA H200 at 1,980 MHz, as written"
scene::Wordings measured_words(const measure::Measurement& m, const measure::PeakRecord* peaks,
                               const Strings& strings) {
  const std::string time = why_time(m.cold.median);
  const bool optimised = m.subject.mode == measure::CompileMode::AsOptimised;
  const std::string from = strings(m.recorded ? "why.recorded" : "why.measured",
                                   {{"time", time}, {"gpu", m.device.name}}),
                    mode = strings(optimised ? "times.mode.optimised" : "times.mode.written");
  const int clock = m.clocks.sm_mhz_most > 0 ? m.clocks.sm_mhz_most : peaks != nullptr ? peaks->sm_mhz : 0;
  scene::Wordings out;
  if (clock > 0) out.push_back(from + " · " + strings("why.clock", {{"mhz", grouped(clock)}}) + " · " + mode);
  out.push_back(from + " · " + mode);
  out.push_back(from);
  out.push_back(strings(m.recorded ? "why.recorded.brief" : "why.measured.brief", {{"time", time}}));
  out.push_back(time);
  return out;
}

// Of another GPU than the one that is simulated neither time nor peaks say anything; and no GPU ever ran
// every access in the text.
explain::MeasuredBeside beside_of(const WhyOf& of) {
  const bool same = of.launch != nullptr && of.launch->device.sm() == of.gpu && !of.demand->report.literal;
  return {same ? of.launch : nullptr, of.peaks, false};
}

scene::WhyView own_view(const WhyOf& of, const Strings& strings) {
  scene::WhyView view;
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
  if (why.bounds.empty()) add_counts(why, strings, &view);
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

scene::WhyView why_view(const WhyOf& of, const WhyOf* beside, const Strings& strings) {
  scene::WhyView view = own_view(of, strings);
  view.most = scene::why_most(view);
  if (beside != nullptr) view.most = std::max(view.most, scene::why_most(own_view(*beside, strings)));
  return view;
}

}  // namespace warplens::app
