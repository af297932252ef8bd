#include "app/explain/explanation.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/explain/predicted_counters.h"
#include "app/measure/remark.h"
#include "sim/profile/metric_names.h"
#include "sim/report/counters.h"

namespace warplens::explain {

namespace {

constexpr double kArbitration = 0.5;  // of the wavefronts; in the recorded packs 0.29 at most
constexpr double kTagError = 0.05;    // over 441 counters of an H200 0.036 at most, and one too many of 8

}  // namespace

Difference by_atomic_model(double predicted, double measured, double requests) {
  if (std::abs(measured - predicted) <= requests)
    return {true, "the model of global atomics may be one sector off each request"};
  return {false, "differs by more than one sector a request"};
}

Difference by_tag_model(double predicted, double measured, double requests) {
  if (measured < (1 - kTagError) * predicted - requests / 8)
    return {false, "less than the model of L1's tags: not explained"};
  if (measured > 2 * predicted + requests / 8)
    return {false, "more than misses that are looked up again add: not explained"};
  return {true, "a model of L1's tags; misses that wait for room are looked up again"};
}

Difference by_merging(double predicted, double measured) {
  if (measured > predicted) return {false, "more than written: not explained"};
  if (measured <= 0) return {false, "none at all: not explained"};
  return {true, "the compiler merged or dropped shared accesses"};
}

Difference by_wgmma(double predicted, double measured) {
  if (measured < predicted) return {false, "less than predicted: not explained"};
  return {true, "what wgmma reads of shared memory is not counted"};
}

Difference by_arbitration(double predicted, double measured, double wavefronts) {
  if (measured < predicted) return {false, "less than predicted: not explained"};
  if (measured > predicted + kArbitration * wavefronts)
    return {false, "more than arbitration with other traffic adds: not explained"};
  return {true, "also counts arbitration with other traffic"};
}

Difference by_merging_and_arbitration(double predicted, double measured, double wavefronts) {
  return measured < predicted ? by_merging(predicted, measured)
                              : by_arbitration(predicted, measured, wavefronts);
}

Difference by_instructions(double predicted, double measured) {
  if (measured < predicted) return {false, "less than predicted"};
  return {true,
          "also counts instructions in which no lane is active, or that a warp which diverged issued twice"};
}

namespace {

using memory::Op;
using memory::Space;
using profile::Metric;
using profile::ProfiledLaunch;
using report::Report;

bool is_equal(double predicted, double measured, double resolution) {
  // Averages are doubles; counts are whole, far below 2^53.
  return std::abs(predicted - measured) <= resolution + 1e-9 * std::abs(predicted);
}

std::vector<Share> shares_of(const Report& report, const Prediction& p) {
  std::vector<Share> shares;
  for (const report::ReportLine& line : report.lines) {
    const double amount = amount_of(line, p.field);
    if (line.space != p.space || (kind_of(line) & p.kinds) == 0 || amount == 0) continue;
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

// Loads and stores, and how counters call them.
struct NamedKind {
  unsigned kind;
  Op op;
  const char* name;
};
constexpr NamedKind kNamedKinds[] = {{kLoad, Op::Load, "ld"},
                                     {kStore, Op::Store, "st"},
                                     {kAtomic, Op::Atomic, "atom"},
                                     {kReduction, Op::Reduction, "red"}};

std::vector<Op> ops_of(unsigned kinds) {
  std::vector<Op> ops;
  for (const NamedKind& known : kNamedKinds)
    if ((kinds & known.kind) != 0) ops.push_back(known.op);
  return ops;
}

// The fewest requests that wider accesses leave: 16 bytes a lane.
double fewest_requests(const Report& report, const Prediction& p) {
  double fewest = 0;
  for (const report::ReportLine& line : report.lines)
    if (line.space == p.space && (kind_of(line) & p.kinds) != 0)
      fewest += amount_of(line, Field::Requests) * std::min(line.bytes_per_lane, 16) / 16;
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
    out.compiler = compiler();
    return out;
  }

 private:
  std::optional<double> measured(const std::string& name) const {
    const Metric* metric = launch_.find(name);
    return metric == nullptr ? std::nullopt : std::optional(metric->value);
  }

  // By how many a figure of instrumented machine code differs from its prediction: what the compiler changed.
  std::optional<double> changed(const std::string& name) const {
    const auto value = measured(name);
    const auto p = predict_counter(report_, name);
    return value && p ? std::optional(*value - p->value) : std::nullopt;
  }

  // Shared instructions of these kinds: changed by the compiler, or left alone; nothing: not known.
  std::optional<bool> compiler_changed(const Prediction& p) const {
    std::optional<bool> known;
    for (const NamedKind& one : kNamedKinds) {
      if ((p.kinds & one.kind) == 0 || sum_of(report_, Space::Shared, one.kind, Field::Requests) == 0)
        continue;
      const std::string end = std::string("op_shared_") + one.name;
      auto by = changed("smsp__sass_inst_executed_" + end + ".sum");
      if (!by) by = changed("smsp__inst_executed_" + end + "_pred_on_any.sum");
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
    for (const NamedKind& one : kNamedKinds) {
      if ((p.kinds & one.kind) == 0) continue;
      const auto by = changed(std::string("l1tex__t_requests_pipe_lsu_mem_global_op_") + one.name + ".sum");
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
    const double room = sum_of(report_, p.space, p.kinds, Field::Wavefronts);
    const auto known = compiler_changed(p);
    if (p.field == Field::Wavefronts && known.value_or(true)) {
      const auto by = changed_wavefronts(p);
      if (by && *by != 0 && by_arbitration(predicted + *by, c->measured, room).explained) {
        c->state = Agreement::Explained;
        c->parts.push_back({Part::Kind::Compiler, *by});
        if (extra != *by) c->parts.push_back({Part::Kind::Arbitration, extra - *by});
        return;
      }
    }
    if (extra < 0 && known.value_or(true))  // a mean, or none at all, is no merging of conflicts
      return judge(c, Part::Kind::Compiler,
                   p.field != Field::Wavefronts || by_merging(predicted, c->measured).explained);
    judge(c, Part::Kind::Arbitration, by_arbitration(predicted, c->measured, room).explained);
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
    if (known && by == 0)
      c->hint = "layout";
    else
      c->hint = fewer ? "vectorised" : c->measured > *c->predicted ? "more" : "none";
  }

  void judge_executed(ExplainedCounter* c) const {
    const bool merged = by_merging(*c->predicted, c->measured).explained;
    judge(c, Part::Kind::Compiler, merged);
    if (!merged) c->hint = c->measured > *c->predicted ? "more" : "none";
  }

  void judge_issued(const Prediction& p, ExplainedCounter* c) const {
    if (c->measured >= *c->predicted)
      return judge(c, Part::Kind::Issues, by_instructions(*c->predicted, c->measured).explained);
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
        const double requests = sum_of(report_, p.space, p.kinds, Field::Requests);
        return judge(c, Part::Kind::Model, by_atomic_model(*c->predicted, c->measured, requests).explained);
      }
      case Counts::Launch:
        c->hint = "launch";
        return judge(c, Part::Kind::Unknown, false);
      case Counts::BehindCaches:
        return judge_behind(c);
    }
  }

  ExplainedCounter counter_of(const Metric& metric) const {
    ExplainedCounter c{metric.name, metric.label, metric.unit, metric.value, metric.resolution, metric.text};
    if (traffic_ != nullptr && same_launch_) c.modelled = modelled_counter(*traffic_, metric.name);
    if (const report::Counter* known = report::find_counter(metric.name);
        known != nullptr && report::is_modelled(*known))
      c.modelled = report::predicted(report_, *known);
    const auto p = predict_counter(report_, metric.name);
    if (!p) {
      c.meaning = knows_counter(metric.name) ? "uncounted" : profile::meaning_of(metric.name);
      return c;
    }
    c.predicted = p->value;
    c.field = name_of(p->field), c.space = p->space, c.ops = ops_of(p->kinds);
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

  // The prediction, taken for a measurement as written, and the file for one as optimised: what the compiler
  // did is then told as of two measurements. Counters with arbitration in them say nothing of it.
  std::vector<measure::Remark> compiler() const {
    measure::Measurement written, found;
    found.subject.mode = measure::CompileMode::AsOptimised;
    for (const Metric& metric : launch_.metrics) {
      const auto p = predict_counter(report_, metric.name);
      if (!p || p->counts == Counts::Pipe || p->counts == Counts::BehindCaches) continue;
      written.counters.values[metric.name] = p->value;
      found.counters.values[metric.name] = metric.value;
    }
    auto remarks = measure::mode_difference(written, found);
    const bool shared = sum_of(report_, Space::Shared, kLoad | kStore, Field::Requests) > 0;
    for (measure::Remark& remark : remarks)
      if (remark.key == "difference.equal") remark.key = "explain.compiler.equal";
    std::erase_if(remarks, [&](const measure::Remark& remark) {
      return remark.key == "difference.no_counters" || (!shared && remark.key == "explain.compiler.equal");
    });
    return remarks;
  }

  const Report& report_;
  const ProfiledLaunch& launch_;
  const sim::Traffic* traffic_;
  bool same_launch_;
};

}  // namespace

std::size_t Explanation::count(Agreement state) const {
  return static_cast<std::size_t>(std::ranges::count(counters, state, &ExplainedCounter::state));
}

Explanation explain_launch(const Report& report, const ProfiledLaunch& launch,
                           const ExplainOptions& options) {
  return Explainer(report, launch, options).explain();
}

}  // namespace warplens::explain
