#include "app/views/why.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/simulate/simulator.h"
#include "app/source/programs.h"
#include "app/views/drawing.h"
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
using report::CountSource;
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

  // Whether that costs time: what serves it takes longest, or is done before something else.
  void also_whether(const Bound* stage) {
    if (stage == nullptr) return;
    const bool here = holds_back(*stage), is_least = most_->resource == Resource::Launch,
               hidden = !here && most_ != stage && (is_least || holds_back(*most_));
    also(here     ? "why.place.here"
         : hidden ? "why.place.hidden"
                  : "why.place",
         {{"resource", here || hidden ? name(*stage) : first(*stage)},
          {"time", why_time(stage->seconds)},
          {"next", name(*most_)},
          {"next_time", why_time(most_->seconds)}});
  }

  void say_loads() {
    const sim::SiteTotals& loads = why_.asked.loads;
    const double more = ratio(loads.sectors, loads.ideal_sectors);
    if (more < kMore) return;
    const double hit = why_.traffic.l1_hit_rate();
    const double behind = why_.traffic.l2_read_sectors / static_cast<double>(loads.ideal_sectors);
    const bool absorbed = behind < kMore;
    say(absorbed       ? "why.loads.absorbed"
        : hit < kSmall ? "why.loads.through"
                       : "why.loads.partly",
        {{"n", why_times(more)}, {"hit", whole_percent(hit)}, {"past", why_times(behind)}});
    const Bound *dram = bound_of(why_, Resource::Dram), *l2 = bound_of(why_, Resource::L2);
    const bool far = dram != nullptr && (l2 == nullptr || dram->seconds >= l2->seconds);
    also_whether(absorbed ? bound_of(why_, Resource::L1) : far ? dram : l2);
  }

  void say_stores() {
    const double more = ratio(why_.asked.stores.sectors, why_.asked.stores.ideal_sectors);
    if (more < kMore) return;
    say("why.stores", {{"n", why_times(more)}});
    also_whether(bound_of(why_, Resource::L2));
  }

  void say_conflicts() {
    const sim::SiteTotals& shared = why_.asked.shared;
    const double all = static_cast<double>(shared.wavefronts),
                 vain = all - static_cast<double>(shared.ideal_wavefronts);
    if (vain <= 0 || vain < kFew * all) return;
    say("why.conflicts", {{"n", why_times(ratio(shared.wavefronts, shared.ideal_wavefronts))}});
    const Bound* l1 = bound_of(why_, Resource::L1);
    also_whether(l1 != nullptr && report::is_data_stage(*l1) ? l1 : bound_of(why_, Resource::Shared));
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
  bar.source = bound.source;
  if (&bound == report::longest(why.bounds))
    bar.mark = strings(is_latency(why) ? "why.the_longest" : "why.the_bound");
  else if (&bound == report::tied(why.bounds))
    bar.mark = strings("why.as_long");
  bar.amount = why_time(bound.seconds);
  if (why.measured_seconds) bar.share = whole_percent(bound.seconds / *why.measured_seconds) + " %";
  const std::string about = bound.source == CountSource::Modelled ? "≈ " : "",
                    source = strings(std::string("why.source.") + report::name_of(bound.source));
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

// Little's law; nothing where no load goes to memory, or its latency was not measured.
std::string flight_words(const Why& why, const Strings& strings) {
  if (!why.in_flight || why.in_flight->loads == 0 || !why.in_flight->share()) return {};
  const report::InFlight& f = *why.in_flight;
  return strings("why.flight", {{"warps", grouped(std::llround(f.warps))},
                                {"each", grouped(std::llround(f.loads * f.load_bytes))},
                                {"bytes", why_bytes(f.bytes)},
                                {"needed", why_bytes(*f.needed_bytes)},
                                {"latency", why_time(f.latency_seconds)},
                                {"rate", rate_words(f.bytes_per_second, "bytes")}});
}

// Mean errors of the hit rates against an H200's counters, in points: docs/measured/caches.md, which a test
// compares.
constexpr const char *kErrorL1 = "1.0", *kErrorL2 = "1.6", *kCheckedOn = "sm_90";

// What the caches answer, and what can be on its way from memory: a line each.
std::vector<std::string> facts_of(const Why& why, const Strings& strings) {
  const sim::Traffic& t = why.traffic;
  std::vector<std::string> out;
  const auto hits = [&](const char* key, double rate, double sectors, const char* error) {
    const bool checked = why.gpu == kCheckedOn;
    out.push_back(
        strings(key, {{"percent", whole_percent(rate)},
                      {"sectors", why_count(sectors)},
                      {"error", strings(checked ? "why.off" : "why.off.unknown", {{"error", error}})}}));
  };
  if (t.load_sectors > 0)
    hits("why.hits.near", t.l1_hit_rate(), static_cast<double>(t.load_sectors), kErrorL1);
  if (t.l2_hits + t.l2_misses > 0) hits("why.hits.far", t.l2_hit_rate(), t.l2_hits + t.l2_misses, kErrorL2);
  if (std::string flight = flight_words(why, strings); !flight.empty()) out.push_back(std::move(flight));
  return out;
}

// "17.3 µs recorded on NVIDIA H200 · 1,980 MHz · as written", "17.3 µs"
std::vector<std::string> measured_words(const measure::Measurement& m, const measure::PeakRecord* peaks,
                                        const Strings& strings) {
  const std::string time = why_time(m.cold.median);
  const bool optimised = m.subject.mode == measure::CompileMode::AsOptimised;
  const int clock = m.clocks.sm_mhz_most > 0 ? m.clocks.sm_mhz_most : peaks != nullptr ? peaks->sm_mhz : 0;
  std::string whole =
      strings(m.recorded ? "why.recorded" : "why.measured", {{"time", time}, {"gpu", m.device.name}});
  if (clock > 0) whole += " · " + strings("why.clock", {{"mhz", grouped(clock)}});
  whole += " · " + strings(optimised ? "times.mode.optimised" : "times.mode.written");
  return {whole, strings(m.recorded ? "why.recorded.brief" : "why.measured.brief", {{"time", time}}), time};
}

// Of another GPU than the one that is simulated neither time nor peaks say anything.
explain::MeasuredBeside beside_of(const WhyOf& of) {
  const bool same = of.launch != nullptr && of.launch->device.sm() == of.gpu;
  return {same ? of.launch : nullptr, of.peaks, false};
}

// Where the axis of such a view ends by itself.
double why_most(const WhyView& view) {
  double most = view.measured;
  for (const WhyBar& bar : view.bars) most = std::max(most, bar.seconds);
  return most;
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
  const std::string working = std::move(view.working);
  Why why = explain::why_of(*of.demand, beside);
  why.gpu = of.gpu;
  view = why_view(why, strings);
  view.working = working;
  if (view.measured > 0) view.measured_words = measured_words(*beside.launch, beside.peaks, strings);
  return view;
}

}  // namespace

WhyView why_view(const Why& why, const Strings& strings) {
  WhyView view;
  view.title = strings("why.title");
  view.answer = why_answer(why, strings);
  view.sentences = why_sentences(why, strings);
  for (const Bound& bound : why.bounds) view.bars.push_back(bar_of(bound, why, strings));
  if (!why.bounds.empty()) view.measured = why.measured_seconds.value_or(0);
  view.facts = facts_of(why, strings);
  return view;
}

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
                        .file = "why",
                        .tells = {.of_access = false},
                        .derive = derive_why,
                        .draw = draw_why};
  return kRow;
}

// ---- How Why is drawn: sentences, a bar for each resource, facts.

namespace {

// Of the design, at scale 1.
constexpr float kWhyLine = 20, kWhyFirst = 25, kWhyLeastRow = 20, kWhyWholeRow = 44, kWhyMostRow = 54,
                kWhyMark = 22, kWhyAxis = 22;
constexpr int kWhyMostLines = 4;  // of a sentence
constexpr Type kWhyLabel{.size = 14, .bold = true},
    kWhyAmount{.size = 13.5f, .font = Font::Code, .bold = true};

class WhyPicture {
 public:
  WhyPicture(const WhyView& view, const Canvas& canvas) : view_(view), pen_(canvas) {}

  Scene draw() {
    pen_.scene().title = view_.title;
    pen_.scene().answer = view_.working.empty() ? view_.answer : "";
    if (pen_.too_small()) return pen_.finish();
    if (view_.bars.empty()) {
      pen_.scene().nothing = words_alone();
      return pen_.finish();
    }
    plan();
    measure();
    float y = draw_paragraphs(0);
    const float top = y;
    if (view_.measured > 0) y += high(kWhyMark);
    for (const WhyBar* bar : rows_) {
      draw_row(*bar, y);
      y += row_;
    }
    draw_measured(top, y + pen_.px(2));
    draw_axis(y);
    y += high(kWhyAxis) + pen_.px(4);
    if (legend_) y = draw_legend(y);
    draw_facts(y);
    return pen_.finish();
  }

 private:
  struct Paragraph {
    std::vector<std::string> lines;
    bool first = false;
  };
  // Without bars: what there is to say, a paragraph each.
  std::string words_alone() const {
    if (!view_.working.empty()) return view_.working;
    if (view_.sentences.empty()) return pen_.text("why.nothing");
    std::string words;
    for (const std::string& sentence : view_.sentences) words += (words.empty() ? "" : "\n") + sentence;
    for (const std::string& fact : view_.facts) words += "\n" + fact;
    return words;
  }
  bool brief() const { return pen_.least_type() > 0; }  // presenting: fewer words
  // A line of letters no smaller than they may be.
  float high(float units) const { return pen_.px(std::max(units, 1.35f * pen_.least_type())); }
  Color ink(const Color& color) const {
    return view_.working.empty() ? color : mix(pen_.palette().panel, color, 0.45f);
  }
  Type type_of(bool first) const {
    const Palette& p = pen_.palette();
    return first ? Type{17, p.text, Align::Left, Font::Words, true} : Type{14, p.secondary};
  }
  float line_of(const Paragraph& paragraph) const { return high(paragraph.first ? kWhyFirst : kWhyLine); }
  float height_of(const Paragraph& paragraph) const {
    return line_of(paragraph) * static_cast<float>(paragraph.lines.size()) + pen_.px(4);
  }

  Paragraph paragraph(const std::string& text, bool first) const {
    return {pen_.lines_of(text, pen_.width(), type_of(first), kWhyMostLines), first};
  }
  // The first sentence and a row for every bar come first; then where counts are from, the other sentences,
  // the facts; what is left lets rows say what they divide.
  void plan() {
    float room = pen_.height() - pen_.px(6);
    const bool told = !view_.sentences.empty();
    if (told) {
      paragraphs_.push_back(paragraph(view_.sentences.front(), true));
      room -= height_of(paragraphs_.back());
    }
    room -= high(kWhyAxis) + pen_.px(4) + (view_.measured > 0 ? high(kWhyMark) : 0);
    float rows = high(kWhyLeastRow) * static_cast<float>(view_.bars.size());
    const auto take = [&](float height) {
      if (room - rows < height) return false;
      room -= height;
      return true;
    };
    legend_ = !view_.bars.empty() && take(high(kWhyLine));
    if (told) {
      for (std::size_t i = 1; i < view_.sentences.size(); ++i) {
        Paragraph next = paragraph(view_.sentences[i], false);
        if (!take(height_of(next))) break;
        paragraphs_.push_back(std::move(next));
      }
    }
    for (std::size_t i = 0; i < view_.facts.size() && !brief(); ++i) {
      facts_.push_back(pen_.lines_of(view_.facts[i], pen_.width(), {13, {}}, kWhyMostLines));
      if (take(high(kWhyLine) * static_cast<float>(facts_.back().size()))) continue;
      facts_.pop_back();
      break;
    }
    choose_rows(std::max(0.0f, room + 0.5f));
  }

  // Where not all rows can be read, the longest are shown.
  void choose_rows(float room) {
    for (const WhyBar& bar : view_.bars) rows_.push_back(&bar);
    const auto fit = static_cast<std::size_t>(std::max(0.0f, room / high(kWhyLeastRow)));
    while (rows_.size() > std::max<std::size_t>(fit, 1))
      rows_.erase(std::ranges::min_element(rows_, {}, &WhyBar::seconds));
    if (rows_.empty()) return;
    const float each = std::floor(room / static_cast<float>(rows_.size()));
    details_ = !brief() && each >= high(kWhyWholeRow);
    row_ = std::min(each, high(details_ ? kWhyMostRow : 1.5f * kWhyLeastRow));
  }

  void measure() {
    float label = 0, amount = 0, share = 0;
    for (const WhyBar& bar : view_.bars) {
      label = std::max({label, pen_.width_of(bar.label, kWhyLabel), pen_.width_of(bar.mark, kWhyLabel)});
      amount = std::max(amount, pen_.width_of(bar.amount, kWhyAmount));
      share = std::max(share, pen_.width_of(bar.share, kWhyAmount));
    }
    share_right_ = pen_.width();
    amount_right_ = share_right_ - (share > 0 ? share + pen_.px(14) : 0);
    bars_x_ = std::floor(std::min(label, 0.4f * pen_.width()) + pen_.px(14));
    bars_width_ = amount_right_ - amount - pen_.px(14) - bars_x_;
    most_ = std::max({view_.most, why_most(view_), 1e-12});
  }
  float x_of(double seconds) const {
    return bars_x_ + bars_width_ * static_cast<float>(std::clamp(seconds / most_, 0.0, 1.0));
  }

  float draw_paragraphs(float y) {
    // Of before nothing is told, and nothing moves.
    const bool awaited = !view_.working.empty();
    if (awaited)
      pen_.label_within(1, {0, y + 0.5f * high(kWhyFirst)}, pen_.width(), view_.working, type_of(true));
    for (const Paragraph& one : paragraphs_) {
      if (!awaited) pen_.lines(1, {0, y}, one.lines, line_of(one), type_of(one.first));
      y += height_of(one);
    }
    return y;
  }

  // Across all rows, its words above it: at its left where it stands far right.
  void draw_measured(float top, float bottom) {
    if (!(view_.measured > 0) || !view_.working.empty() || bars_width_ <= pen_.px(24)) return;
    const Palette& p = pen_.palette();
    const float x = std::round(x_of(view_.measured)), wide = std::max(2.0f, pen_.px(2));
    pen_.sharp(2,
               {x - 0.5f * wide, top + 0.55f * high(kWhyMark), wide, bottom - top - 0.55f * high(kWhyMark)},
               ink(p.text));
    const bool at_left = x > 0.5f * pen_.width();
    const float gap = pen_.px(8), room = at_left ? x - gap : pen_.width() - x - gap;
    Type type{13, ink(p.text), at_left ? Align::Right : Align::Left, Font::Words, true};
    pen_.label_fitting(2, {at_left ? x - gap : x + gap, top + 0.5f * high(kWhyMark)}, room,
                       view_.measured_words, type);
  }

  void draw_row(const WhyBar& bar, float top) {
    const Palette& p = pen_.palette();
    const bool two = details_;
    const float middle = top + (two ? 0.3f : 0.5f) * row_, below = top + 0.72f * row_;
    const Color text = ink(bar.mark.empty() ? p.text : p.accent);
    Type label{14, text, Align::Left, Font::Words, !bar.mark.empty()};
    pen_.label_within(1, {0, middle}, bars_x_ - pen_.px(8), bar.label, label);
    if (two) pen_.label_within(1, {0, below}, bars_x_ - pen_.px(8), bar.mark, label);
    pen_.hot_spot({.rect = {0, top, pen_.width(), row_}, .tooltip = bar.tooltip});
    if (bar.seconds > 0 && bars_width_ > pen_.px(24)) {
      const float height = std::min(pen_.px(brief() ? 24 : 16), (two ? 0.5f : 0.72f) * row_);
      const float end = std::max(x_of(bar.seconds), bars_x_ + std::max(2.0f, pen_.px(2)));
      draw_shape(bar.source, !bar.mark.empty(), {bars_x_, middle - 0.5f * height, end - bars_x_, height});
    }
    pen_.label(1, {amount_right_, middle}, bar.amount,
               {13.5f, text, Align::Right, Font::Code, !bar.mark.empty()});
    if (view_.working.empty())
      pen_.label(1, {share_right_, middle}, bar.share,
                 {13.5f, text, Align::Right, Font::Code, !bar.mark.empty()});
    if (two)
      pen_.label_within(1, {bars_x_, below}, pen_.width() - bars_x_, bar.detail, {13, ink(p.secondary)});
  }

  // Exact: plain. Modelled: hatched. Measured: framed, with a thick end.
  void draw_shape(CountSource source, bool marked, const Rect& rect) {
    const Palette& p = pen_.palette();
    const Color color = ink(marked ? p.accent : p.secondary);
    const float thin = std::max(1.0f, pen_.px(1.5f));
    if (source == CountSource::Predicted) {
      pen_.sharp(1, rect, mix(p.panel, color, marked ? 1.0f : 0.75f));
      return;
    }
    const bool modelled = source == CountSource::Modelled;
    pen_.framed(1, rect, mix(p.panel, color, modelled ? 0.15f : 0.35f), color, thin)
        .rounded(0)
        .hatched(modelled ? pen_.px(6) : 0, color);
    if (modelled) return;
    const float end = std::min(rect.width, pen_.px(4));
    pen_.sharp(1, {rect.x + rect.width - end, rect.y, end, rect.height}, color);
  }

  void draw_axis(float y) {
    if (bars_width_ <= pen_.px(24)) return;
    const Palette& p = pen_.palette();
    pen_.sharp(0, {bars_x_, std::round(y + pen_.px(2)), bars_width_, std::max(1.0f, pen_.px(1.5f))},
               ink(p.secondary));
    const float middle = y + 0.58f * high(kWhyAxis), end = bars_x_ + bars_width_;
    Type figure{13, ink(p.secondary), Align::Left, Font::Code};
    const std::string last = seconds_text(most_);
    const float zero = pen_.width_of("0", figure), most = pen_.width_of(last, figure);
    pen_.label(0, {bars_x_, middle}, "0", figure);
    figure.align = Align::Right;
    if (bars_width_ > zero + most + pen_.px(16)) pen_.label(0, {end, middle}, last, figure);
    const float left = bars_x_ + zero + pen_.px(10), right = end - most - pen_.px(10);
    pen_.label_fitting(0, {0.5f * (left + right), middle}, right - left,
                       {pen_.text("why.axis"), pen_.text("why.axis.brief")},
                       {13, ink(p.secondary), Align::Center});
  }

  // A swatch for each kind of count that is on screen.
  float draw_legend(float y) {
    std::vector<Pen::LegendEntry> entries;
    for (const CountSource source : {CountSource::Predicted, CountSource::Modelled, CountSource::Measured}) {
      if (std::ranges::none_of(rows_, [&](const WhyBar* bar) { return bar->source == source; })) continue;
      entries.push_back({2, pen_.text(std::string("why.legend.") + report::name_of(source)),
                         [this, source](const Rect& rect) { draw_shape(source, false, rect); }});
    }
    pen_.legend(1, {0, y + 0.5f * high(kWhyLine)}, entries);
    return y + high(kWhyLine);
  }

  void draw_facts(float y) {
    if (!view_.working.empty()) return;
    for (const std::vector<std::string>& lines : facts_)
      for (const std::string& line : lines) {
        pen_.label_within(1, {0, y + 0.5f * high(kWhyLine)}, pen_.width(), line,
                          {13, pen_.palette().secondary});
        y += high(kWhyLine);
      }
  }

  const WhyView& view_;
  Pen pen_;
  std::vector<Paragraph> paragraphs_;
  std::vector<const WhyBar*> rows_;
  double most_ = 1;
  float bars_x_ = 0, bars_width_ = 0, row_ = 0, share_right_ = 0, amount_right_ = 0;
  bool details_ = false, legend_ = false;
  std::vector<std::vector<std::string>> facts_;  // as lines
};

}  // namespace

Scene why_scene(const WhyView& view, const Canvas& canvas) {
  return WhyPicture(view, canvas).draw();
}

}  // namespace warplens::views
