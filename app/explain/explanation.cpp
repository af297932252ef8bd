#include "app/explain/explanation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "app/measure/gpu_client.h"
#include "sim/text/shown.h"

namespace warplens::explain {

namespace {

using profile::NcuProfile;
using profile::ProfiledLaunch;

constexpr std::size_t kMostListed = 8;

// The first of them: "a, b, ...".
std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < std::min(words.size(), kMostListed); ++i)
    text += (i > 0 ? ", " : "") + text::shown_in_line(words[i]);
  return text + (words.size() > kMostListed ? ", ..." : "");
}

// "transpose (3), reduce (1)": what there is, in the order of the file.
std::string kernels_in(const NcuProfile& profile) {
  std::vector<std::string> names;
  std::map<std::string, int> launches;
  for (const ProfiledLaunch& launch : profile.launches) {
    std::string name = launch.name().qualified();
    if (++launches[name] == 1) names.push_back(std::move(name));
  }
  for (std::string& name : names) name += " (" + std::to_string(launches[name]) + ")";
  return listed(names);
}

bool is_of(const ProfiledLaunch& launch, const std::vector<std::string>& kernels) {
  return std::ranges::any_of(kernels, [&](const auto& kernel) { return launch.may_be(kernel); });
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("-0123456789") == std::string::npos;
}

// Only numbers part instances for certain: a type has many spellings, and ncu need not print any of them.
std::string other_instance(const ProfiledLaunch& launch, const WantedLaunch& wanted) {
  const auto found = launch.name().arguments;
  for (std::size_t i = 0; i < std::min(found.size(), wanted.template_arguments.size()); ++i) {
    const std::string& asked = wanted.template_arguments[i];
    if (is_number(found[i]) && is_number(asked) && found[i] != asked)
      return "launch " + launch.id + " is of " + launch.kernel + ", whose template arguments differ";
  }
  return {};
}

// What the file or the wanted launch does not say cannot differ.
bool has_extents(const ProfiledLaunch& launch, const WantedLaunch& wanted) {
  const auto agree = [](const std::optional<sim::Dim3>& a, const std::optional<sim::Dim3>& b) {
    return !a || !b || *a == *b;
  };
  return agree(launch.grid, wanted.grid) && agree(launch.block, wanted.block);
}

std::string known_text(const std::optional<sim::Dim3>& extents) {
  return extents ? extents_text(*extents) : "?";
}
std::string extents_of(const ProfiledLaunch& launch) {
  return known_text(launch.grid) + " / " + known_text(launch.block);
}

// The same for launches that are counted alike.
std::string shape_of(const ProfiledLaunch& launch) {
  const profile::Metric* shared = launch.find("launch__shared_mem_per_block_dynamic");
  return launch.kernel + "\n" + extents_of(launch) + (shared == nullptr ? "" : "\n" + shared->text);
}

scenario::Outcome<LaunchChoice> by_id(const NcuProfile& profile, const WantedLaunch& wanted,
                                      const std::string& file) {
  const auto at = std::ranges::find(profile.launches, wanted.id, &ProfiledLaunch::id);
  if (at == profile.launches.end()) {
    std::vector<std::string> ids;
    for (const ProfiledLaunch& launch : profile.launches) ids.push_back(launch.id);
    return {{}, {Message("{}: has no launch with the ID {}; it has {}", file, wanted.id, listed(ids))}};
  }
  LaunchChoice choice{
      static_cast<std::size_t>(at - profile.launches.begin()), {}, other_instance(*at, wanted)};
  if (!is_of(*at, wanted.kernels))
    choice.differs = "launch " + at->id + " is of " + at->kernel + ", not of " + listed(wanted.kernels);
  else if (choice.differs.empty() && !has_extents(*at, wanted))
    choice.differs =
        "launch " + at->id + " has another grid or block than the target: its counts cannot be the same";
  return {choice, {}};
}

}  // namespace

std::vector<std::string> launches_of(const NcuProfile& profile, const std::string& kernel) {
  std::vector<std::string> ids;
  for (const ProfiledLaunch& launch : profile.launches)
    if (is_of(launch, {kernel})) ids.push_back(launch.id);
  return ids;
}

std::string extents_text(const sim::Dim3& dim) {
  std::string text = std::to_string(dim.x);
  if (dim.y != 1 || dim.z != 1) text += " x " + std::to_string(dim.y);
  if (dim.z != 1) text += " x " + std::to_string(dim.z);
  return text;
}

scenario::Outcome<std::vector<LaunchChoice>> choose_launches(const NcuProfile& profile,
                                                             const WantedLaunch& wanted,
                                                             const std::string& given) {
  const std::string file = text::shown_in_line(given);
  if (!wanted.id.empty()) {
    auto one = by_id(profile, wanted, file);
    if (!one) return {{}, std::move(one.errors)};
    return {{{std::move(*one.value)}}, {}};
  }
  std::vector<std::size_t> of_kernel, fitting;
  for (std::size_t i = 0; i < profile.launches.size(); ++i) {
    if (!is_of(profile.launches[i], wanted.kernels)) continue;
    of_kernel.push_back(i);
    if (has_extents(profile.launches[i], wanted)) fitting.push_back(i);
  }
  if (of_kernel.empty())
    return {{},
            {Message("{}: no launch of {}; it has {}", file, listed(wanted.kernels), kernels_in(profile))}};
  if (fitting.empty()) {
    const ProfiledLaunch& first = profile.launches[of_kernel.front()];
    std::vector<std::string> ids;
    for (const std::size_t launch : of_kernel) ids.push_back(profile.launches[launch].id);
    return {
        {},
        {Message("{}: {} was profiled with grid / block {} (launch {}), and this is {} / {}; give the same "
                 "launch, or ask for one by its ID",
                 file, first.name().qualified(), extents_of(first), listed(ids), known_text(wanted.grid),
                 known_text(wanted.block))}};
  }
  // Template arguments part instances of one kernel, where ncu prints them.
  const auto is_instance = [&](std::size_t i) {
    return profile.launches[i].name().arguments == wanted.template_arguments;
  };
  if (!wanted.template_arguments.empty() && std::ranges::any_of(fitting, is_instance))
    std::erase_if(fitting, [&](std::size_t i) { return !is_instance(i); });
  std::vector<LaunchChoice> choices;
  std::map<std::string, std::size_t> known;  // by shape, into `choices`
  for (const std::size_t i : fitting) {
    const auto [alike, is_new] = known.emplace(shape_of(profile.launches[i]), choices.size());
    if (!is_new)
      choices[alike->second].others.push_back(i);
    else
      choices.push_back({i, {}, other_instance(profile.launches[i], wanted)});
  }
  return {std::move(choices), {}};
}

scenario::Outcome<LaunchChoice> choose_launch(const NcuProfile& profile, const WantedLaunch& wanted,
                                              const std::string& file) {
  auto all = choose_launches(profile, wanted, file);
  if (!all) return {{}, std::move(all.errors)};
  LaunchChoice first = std::move(all.value->front());
  for (std::size_t i = 1; i < all.value->size(); ++i) {
    const LaunchChoice& more = (*all.value)[i];
    first.others.push_back(more.launch);
    first.others.insert(first.others.end(), more.others.begin(), more.others.end());
  }
  std::ranges::sort(first.others);
  return {std::move(first), {}};
}

namespace {

// What is measured lies between `less` of the prediction and `more` of it, with so much of the room to either
// side; nothing above: no bound. In the recorded packs arbitration is 0.29 of the wavefronts at most, and the
// tags' model over 441 counters of an H200 3.6 % off, and one too many of 8 requests; misses that wait for
// room are looked up again, by as many at most.
struct Bound {
  double less, less_room, least, more, more_room;
  const char *below, *above, *within;
};
constexpr Bound kBounds[] = {
    {1, 1, 0, 1, 1, "differs by more than one sector a request", "differs by more than one sector a request",
     "the model of global atomics may be one sector off each request"},
    {0.95, 0.125, 0, 2, 0.125, "less than the model of L1's tags: not explained",
     "more than misses that are looked up again add: not explained",
     "a model of L1's tags; misses that wait for room are looked up again"},
    {0, 0, 1, 1, 0, "none at all: not explained", "more than written: not explained",
     "the compiler merged or dropped shared accesses"},
    {0, 0, 1, 1, 0, "none at all: not explained", "more than written: not explained",
     "the compiler makes fewer accesses than the text has: as compiled, its PTX says which"},
    {1, 0, 0, 0, 0, "less than predicted: not explained", nullptr,
     "what wgmma reads of shared memory is not counted"},
    {0, 0, 0, 0, 0, "less than predicted: not explained", nullptr,
     "sums of floats or of 64 bits in shared memory are loops, whose loads are counted as loads "
     "and which take more turns where warps meet"},
    {1, 0, 0, 1, 0.5, "less than predicted: not explained",
     "more than arbitration with other traffic adds: not explained",
     "also counts arbitration with other traffic"},
    {1, 0, 0, 0, 0, "less than predicted", nullptr,
     "also counts instructions in which no lane is active, or that a warp which diverged issued twice"},
};

using memory::Op;
using memory::Space;
using profile::Metric;
using report::Counts;
using report::Field;
using report::kind_of;
using report::Prediction;
using report::Report;

bool is_equal(double predicted, double measured, double resolution) {
  // Averages are doubles; counts are whole, far below 2^53.
  return std::abs(predicted - measured) <= resolution + 1e-9 * std::abs(predicted);
}

std::vector<Share> shares_of(const Report& report, const Prediction& p) {
  std::vector<Share> shares;
  for (const report::ReportLine& line : report.lines) {
    const double amount = amount_of(line, p.field);
    if (!p.takes_in(line) || amount == 0) continue;
    Share share{line.line, line.column, line.text, line.totals.requests, p.scale * amount};
    if (p.field == Field::Conflicts && line.totals.wavefronts % share.requests == 0 &&
        line.totals.ideal_wavefronts % share.requests == 0) {
      share.wavefronts = line.totals.wavefronts / share.requests;
      share.ideal = line.totals.ideal_wavefronts / share.requests;
    }
    shares.push_back(std::move(share));
  }
  std::ranges::stable_sort(shares, [](const Share& a, const Share& b) { return a.amount > b.amount; });
  return shares;
}

// Loads and stores of registers among these kinds.
std::vector<Op> ops_of(unsigned kinds) {
  std::vector<Op> ops;
  for (const Op op : {Op::Load, Op::Store, Op::Atomic, Op::Reduction})
    if ((kinds & kind_of(op)) != 0) ops.push_back(op);
  return ops;
}

// The fewest requests that wider accesses leave: 16 bytes a lane.
double fewest_requests(const Report& report, const Prediction& p) {
  double fewest = 0;
  for (const report::ReportLine& line : report.lines)
    if (p.takes_in(line)) fewest += amount_of(line, Field::Requests) * std::min(line.bytes_per_lane, 16) / 16;
  return fewest;
}

class Explainer {
 public:
  Explainer(const Report& report, const ProfiledLaunch& launch, const ExplainOptions& options)
      : report_(report), launch_(launch), traffic_(options.traffic), same_launch_(options.same_launch) {}

  Explanation explain() {
    Explanation out;
    for (const Metric& metric : launch_.metrics) out.counters.push_back(counter_of(metric));
    const auto rank = [](const ExplainedCounter& c) {
      return c.state < Agreement::Behind ? Agreement::Equal : c.state;
    };
    std::ranges::stable_sort(out.counters, [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    return out;
  }

 private:
  // Copies whose wavefronts are a mean are no prediction here.
  std::optional<Prediction> predicted(std::string_view name) const {
    auto p = predict_counter(report_, name);
    return p && p->certain ? p : std::nullopt;
  }

  // By how many a figure of instrumented machine code differs from its prediction: what the compiler changed.
  std::optional<double> changed(const std::string& name) const {
    const Metric* metric = launch_.find(name);
    const auto p = predicted(name);
    return metric != nullptr && p ? std::optional(metric->value - p->value) : std::nullopt;
  }

  // Shared instructions of these kinds: changed by the compiler, or left alone; nothing: not known.
  std::optional<bool> compiler_changed(const Prediction& p) const {
    std::optional<bool> known;
    for (const Op op : ops_of(p.kinds)) {
      if (sum_of(report_.lines, Space::Shared, kind_of(op), Field::Requests) == 0) continue;
      const auto names =
          report::instruction_counters(op);  // what has no active lane is none of the compiler's
      auto by = changed(names[0]);
      if (!by) by = changed(names[1]);
      if (!by) return std::nullopt;
      known = known.value_or(false) || *by != 0;
    }
    return known;
  }

  // What the exact wavefronts of the same operations differ by; nothing: the file does not say.
  std::optional<double> changed_wavefronts(const Prediction& p) const {
    if (!p.op.empty()) return changed("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared" + p.op + ".sum");
    for (const char* name :
         {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum",
          "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared.sum", "memory_l1_wavefronts_shared"})
      if (const auto by = changed(name)) return by;
    return std::nullopt;
  }

  // By how many the requests of these kinds differ; nothing: the file does not say of all of them.
  std::optional<double> changed_requests(const Prediction& p) const {
    double sum = 0;
    for (const Op op : ops_of(p.kinds)) {
      const auto by =
          changed(std::string("l1tex__t_requests_pipe_lsu_mem_global_op_") + report::suffix_of(op) + ".sum");
      if (!by) return std::nullopt;
      sum += *by;
    }
    return sum;
  }

  void judge(ExplainedCounter* c, Part::Kind kind, bool explained) const {
    if (kind == Part::Kind::Compiler && !same_launch_) explained = false;
    c->state = explained ? Agreement::Explained : Agreement::Unexplained;
    c->parts.push_back({explained ? kind : Part::Kind::Unknown, c->measured - *c->predicted});
  }

  // Arbitration comes on top of what the compiler left.
  void judge_pipe(const Prediction& p, ExplainedCounter* c) const {
    const double predicted = *c->predicted, extra = c->measured - predicted;
    const double room = sum_of(report_.lines, p.space, p.kinds, Field::Wavefronts);
    const auto known = compiler_changed(p);
    if (p.field == Field::Wavefronts && known.value_or(true)) {
      const auto merged = changed_wavefronts(p);
      if (merged && *merged != 0 &&
          by(Cause::Arbitration, predicted + *merged, c->measured, room).explained) {
        c->state = Agreement::Explained;
        c->parts.push_back({Part::Kind::Compiler, *merged});
        if (extra != *merged) c->parts.push_back({Part::Kind::Arbitration, extra - *merged});
        return;
      }
    }
    if (extra < 0 && known.value_or(true))  // a mean, or none at all, is no merging of conflicts
      return judge(c, Part::Kind::Compiler,
                   p.field != Field::Wavefronts || by(Cause::Merging, predicted, c->measured).explained);
    judge(c, Part::Kind::Arbitration, by(Cause::Arbitration, predicted, c->measured, room).explained);
  }

  // Of what is not explained; of a kernel that goes by its data these.
  const char* more_or_less(const ExplainedCounter& c) const {
    const bool by_data = !report_.data_dependent.empty() || !report_.steering.empty();
    return by_data ? "data" : c.measured > *c.predicted ? "more" : "none";
  }

  // Fewer requests by wider accesses, no fewer than those leave; fewer sectors where requests are known to be
  // fewer.
  void judge_global(const Prediction& p, ExplainedCounter* c) const {
    const bool requests = p.field == Field::Requests, less = c->measured < *c->predicted && c->measured > 0;
    const bool known = !requests && changed_requests(p).has_value();
    const double by = known ? changed_requests(p).value_or(0) : 0;
    const bool fewer =
        same_launch_ && less && (requests ? c->measured >= fewest_requests(report_, p) : by < 0);
    judge(c, Part::Kind::Compiler, fewer);
    c->hint = fewer ? "vectorised" : known && by == 0 ? "layout" : more_or_less(*c);
  }

  void judge_executed(ExplainedCounter* c) const {
    const bool merged = by(Cause::Merging, *c->predicted, c->measured).explained;
    judge(c, Part::Kind::Compiler, merged);
    if (!merged) c->hint = more_or_less(*c);
  }

  void judge_issued(const Prediction& p, ExplainedCounter* c) const {
    if (c->measured >= *c->predicted)
      return judge(c, Part::Kind::Issues, by(Cause::Instructions, *c->predicted, c->measured).explained);
    if (p.space == Space::Global) return judge_global(p, c);
    judge_executed(c);
  }

  // A ratio differs where its parts do: it is as explained as those are.
  void judge_average(const Prediction& p, ExplainedCounter* c) const {
    c->state = Agreement::Unexplained;
    c->hint = "average";
    const bool changes =
        p.space == Space::Shared ? compiler_changed(p).value_or(false) : changed_requests(p).value_or(0) < 0;
    if (changes) c->state = Agreement::Explained;
  }

  // Caches only keep: what comes on top is read by something else. Memory is read in pairs of sectors.
  void judge_behind(ExplainedCounter* c) const {
    c->state = Agreement::Behind;
    const double extra = c->measured - *c->predicted;
    const bool memory = c->name.starts_with("dram"),
               all = c->name.starts_with("lts__t_sectors.") || c->name.starts_with("lts__t_bytes");
    const bool more = extra > (memory || all ? *c->predicted : 0);
    c->parts.push_back({more ? Part::Kind::Other : Part::Kind::Caches, extra});
  }

  void judge_difference(const Prediction& p, ExplainedCounter* c) const {
    if (is_of_loops(report_, p, c->measured)) return judge(c, Part::Kind::Model, true);
    switch (p.counts) {
      case Counts::Pipe:
        return judge_pipe(p, c);
      case Counts::Global:
        return judge_global(p, c);
      case Counts::Executed:
        return judge_executed(c);
      case Counts::Issued:
        return judge_issued(p, c);
      case Counts::Average:
        return judge_average(p, c);
      case Counts::Atomics: {
        const double requests = sum_of(report_.lines, p.space, p.kinds, Field::Requests);
        return judge(c, Part::Kind::Model,
                     by(Cause::Atomics, *c->predicted, c->measured, requests).explained);
      }
      case Counts::Launch:
        c->hint = "launch";
        return judge(c, Part::Kind::Unknown, false);
      case Counts::BehindCaches:
        return judge_behind(c);
      case Counts::Tags:
        break;  // told as a model
    }
  }

  ExplainedCounter counter_of(const Metric& metric) const {
    ExplainedCounter c{metric.name, metric.label, metric.unit, metric.value, metric.resolution, metric.text};
    if (traffic_ != nullptr && same_launch_) c.modelled = report::modelled_counter(*traffic_, metric.name);
    const auto p = predicted(metric.name);
    if (p && p->counts == Counts::Tags) c.modelled = p->value;
    if (!p || p->counts == Counts::Tags) return c;
    c.predicted = p->value;
    c.field = report::name_of(p->field), c.space = p->space, c.ops = ops_of(p->kinds);
    c.is_average = p->counts == Counts::Average;
    const bool equal = is_equal(p->value, c.measured, c.resolution);
    if (!c.is_average) {
      c.parts.push_back({Part::Kind::Addresses, equal ? c.measured : p->value});
      c.shares = shares_of(report_, *p);
    }
    if (equal && p->counts != Counts::BehindCaches) {
      c.state = Agreement::Equal;
      return c;
    }
    judge_difference(*p, &c);
    return c;
  }

  const Report& report_;
  const ProfiledLaunch& launch_;
  const sim::Traffic* traffic_;
  bool same_launch_;
};

}  // namespace

Difference by(Cause cause, double predicted, double measured, double room) {
  const Bound& bound = kBounds[static_cast<std::size_t>(cause)];
  if (measured < bound.less * predicted - bound.less_room * room + bound.least) return {false, bound.below};
  if (bound.above != nullptr && measured > bound.more * predicted + bound.more_room * room)
    return {false, bound.above};
  return {true, bound.within};
}

bool is_of_loops(const Report& report, const Prediction& p, double measured) {
  const bool may_be = p.kinds == kind_of(Op::Atomic) ||
                      ((p.kinds & (kind_of(Op::Load) | kind_of(Op::Atomic))) != 0 && measured > p.value);
  return p.space == Space::Shared && may_be &&
         std::ranges::any_of(report.lines, [](const report::ReportLine& line) {
           return line.space == Space::Shared && line.shape.worst.way == memory::AtomicWay::Loop;
         });
}

const char* name_of(Part::Kind kind) {
  constexpr const char* kNames[] = {"addresses", "arbitration", "compiler", "caches",
                                    "issues",    "model",       "other",    "unknown"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::size_t Explanation::count(Agreement state) const {
  return static_cast<std::size_t>(std::ranges::count(counters, state, &ExplainedCounter::state));
}

Explanation explain_launch(const Report& report, const ProfiledLaunch& launch,
                           const ExplainOptions& options) {
  return Explainer(report, launch, options).explain();
}

namespace {

// Whether its counters were read with empty caches, as the model and the bounds need them.
bool has_traffic(const measure::Measurement& measurement) {
  return measurement.counters.values.contains("lts__t_sectors_srcunit_tex_op_read.sum");
}

report::CounterValues counters_of(const measure::Measurement& m, bool warm) {
  if (!has_traffic(m)) return {};
  report::CounterValues values(m.counters.values.begin(), m.counters.values.end());
  if (warm)
    for (const auto& [name, value] : m.counters.warm) values[name] = value;
  return values;
}

report::Asked asked_of(const Demand& demand) {
  const report::Report& r = demand.report;
  report::Asked asked;
  asked.blocks = r.blocks_total;
  asked.multiprocessors = demand.gpu->multiprocessors;
  asked.loads = r.group(memory::Space::Global, memory::Op::Load);
  asked.loads.add(r.group(memory::Space::Global, memory::Op::Async));
  asked.stores = r.group(memory::Space::Global, memory::Op::Store);
  for (const sim::SiteTotals& group : r.shared) asked.shared.add(group);
  return asked;
}

}  // namespace

Demand demand_of(const sim::Program& program, const memory::GpuModel& gpu, report::Report report,
                 const sim::TrafficOptions& options) {
  Demand demand;
  demand.gpu = &gpu;
  demand.registers = options.registers;
  const sim::Launch& launch = report.launch;
  demand.traffic = sim::predict_traffic(program, launch, gpu, options);
  demand.error = demand.traffic.error;
  if (!demand.error) {
    demand.atomics = sim::atomic_load(program, launch, gpu, options.limits);
    demand.error = demand.atomics.error;
  }
  if (!demand.error) {
    demand.waits = sim::load_waits(program, launch, gpu, options.limits);
    demand.error = demand.waits.error;
  }
  demand.report = std::move(report);
  return demand;
}

report::Why why_of(const Demand& demand, const MeasuredBeside& beside) {
  report::Why why;
  why.kernel = demand.report.kernel;
  why.gpu = demand.gpu->name;
  why.warm = beside.warm;
  why.traffic = demand.traffic;
  why.asked = asked_of(demand);
  report::CounterValues measured;
  bool optimised = false;
  if (beside.launch != nullptr) {
    measured = counters_of(*beside.launch, beside.warm);
    optimised = beside.launch->subject.mode == measure::CompileMode::AsOptimised;
    const measure::Samples& samples = beside.warm ? beside.launch->warm : beside.launch->cold;
    if (samples.median > 0) why.measured_seconds = samples.median;
  }
  why.counts = report::launch_counts(demand.report, demand.traffic, demand.atomics, measured, optimised);
  if (beside.peaks != nullptr) {
    why.peaks_of = beside.peaks->device.name;
    why.bounds = report::bounds(why.counts, beside.peaks->peaks);
  }
  why.in_flight = report::in_flight(demand.waits, *demand.gpu, demand.registers,
                                    beside.peaks == nullptr ? nullptr : &beside.peaks->peaks);
  return why;
}

lesson::Recorded recorded_in(std::span<const measure::Pack> packs, const scenario::Setup& setup,
                             std::string_view gpu) {
  lesson::Recorded found;
  const measure::MeasurementKey key = measure::key_of(setup, measure::CompileMode::AsWritten);
  for (const measure::Pack& pack : packs) {
    if (pack.device.sm() != gpu) continue;
    if (!found.peaks && pack.peaks) found.peaks = pack.peaks->peaks;
    const measure::Measurement* measured = found.seconds ? nullptr : pack.find(key);
    if (measured == nullptr) continue;
    if (measured->cold.median > 0) found.seconds = measured->cold.median;
    if (measured->registers > 0) found.registers = measured->registers;
    if (has_traffic(*measured))
      found.counters = {measured->counters.values.begin(), measured->counters.values.end()};
  }
  return found;
}

}  // namespace warplens::explain
