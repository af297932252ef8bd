#include "app/readout/words/why_sentences.h"

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
    say(why_.asked.blocks == 1 ? "why.idle.one" : "why.idle",
        {{"n", std::to_string(why_.asked.blocks)}, {"all", std::to_string(all)}});
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
      said_.back() += strings_("why.flight.grid");
    else if (f.residency.warps < f.most_warps)
      said_.back() += strings_("why.flight.warps", {{"n", std::to_string(f.residency.warps)},
                                                    {"all", std::to_string(f.most_warps)},
                                                    {"reason", strings_(f.residency.why)}});
    else
      said_.back() += strings_("why.flight.full");
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
    if (memory_holds_back()) said_.back() += strings_("why.costs_here");
    if (!memory_holds_back() && most_ != nullptr && holds_back(*most_)) say_memory_of_loads();
  }

  void say_memory_of_loads() {
    const Bound *dram = bound_of(why_, Resource::Dram), *l2 = bound_of(why_, Resource::L2);
    const Bound* longer = dram == nullptr || (l2 != nullptr && l2->seconds > dram->seconds) ? l2 : dram;
    if (longer == nullptr) return;
    said_.back() += strings_("why.loads.behind", {{"memory", name(*longer)},
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
      said_.back() += strings_("why.loads.bound", {{"time", need}});
    else if (most_ == l1 || share() < report::kBusy)
      said_.back() += strings_("why.loads.latency", {{"time", need}});
    else
      said_.back() +=
          strings_("why.loads.hidden",
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
    if (gathered) said_.back() += strings_("why.stores.gathered");
    if (memory_holds_back() && !(gathered && most_->resource == Resource::Dram))
      said_.back() += strings_("why.costs_here");
    const report::LaunchCounts& c = why_.counts;
    const double all = c.l2_read && c.l2_write ? c.l2_read->value + c.l2_write->value : 0;
    const double vain = static_cast<double>(stores.sectors - stores.ideal_sectors);
    if (vain < all) said_.back() += strings_("why.stores.l2", {{"percent", whole_percent(vain / all)}});
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

}  // namespace

std::string resource_words(Resource resource, const Strings& strings) {
  return strings(std::string("why.resource.") + report::name_of(resource));
}

std::vector<std::string> why_sentences(const Why& why, const Strings& strings) {
  return Sentences(why, strings).all();
}

bool is_latency(const Why& why) {
  const Bound* most = report::longest(why.bounds);
  return most != nullptr && why.measured_seconds && most->seconds < report::kBusy * *why.measured_seconds;
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

}  // namespace warplens::app
