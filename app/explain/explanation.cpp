#include "app/explain/explanation.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/explain/difference.h"
#include "app/explain/predicted_counters.h"
#include "app/measure/mode_difference.h"
#include "sim/profile/metric_names.h"
#include "sim/report/counters.h"
#include "sim/report/output/fields.h"

namespace warplens::explain {

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
    // Shared memory has no reductions: they are counted as atomics.
    const bool as_atomic = line.space == Space::Shared && line.op == Op::Reduction;
    const Op op = as_atomic ? Op::Atomic : line.op;
    const auto fields = report::group_fields(p.space, op);
    const auto field = std::ranges::find_if(fields, [&](const auto& known) { return p.field == known.name; });
    if (field == fields.end()) continue;
    const std::uint64_t amount = line.totals.*field->value;
    if (line.space != p.space || std::ranges::find(p.ops, op) == p.ops.end() || amount == 0) continue;
    Share share{line.line, line.column, line.text, line.totals.requests,
                p.scale * static_cast<double>(amount)};
    if (p.field == "bank_conflicts" && line.totals.wavefronts % share.requests == 0 &&
        line.totals.ideal_wavefronts % share.requests == 0) {
      share.wavefronts = line.totals.wavefronts / share.requests;
      share.ideal = line.totals.ideal_wavefronts / share.requests;
    }
    shares.push_back(std::move(share));
  }
  std::ranges::stable_sort(shares, [](const Share& a, const Share& b) { return a.amount > b.amount; });
  return shares;
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

  // Shared instructions of these operations: changed by the compiler, or left alone; nothing: not known.
  std::optional<bool> compiler_changed(const std::vector<Op>& ops) const {
    std::optional<bool> known;
    for (const Op op : ops) {
      if (sum_of(report_, Space::Shared, {op}, "requests") == 0) continue;
      const std::string end = std::string("op_shared_") + report::suffix_of(op);
      auto by = changed("smsp__sass_inst_executed_" + end + ".sum");
      if (!by) by = changed("smsp__inst_executed_" + end + "_pred_on_any.sum");
      if (!by) return std::nullopt;
      known = known.value_or(false) || *by != 0;
    }
    return known;
  }

  // What the exact wavefronts of the same operations differ by; nothing: the file does not say.
  std::optional<double> changed_wavefronts(const Prediction& p) const {
    if (p.ops.size() == 1)
      return changed(std::string("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_") +
                     report::suffix_of(p.ops.front()) + ".sum");
    for (const char* name :
         {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum",
          "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared.sum", "memory_l1_wavefronts_shared"})
      if (const auto by = changed(name)) return by;
    return std::nullopt;
  }

  void judge(ExplainedCounter* c, Part::Kind kind, bool explained) const {
    if (kind == Part::Kind::Compiler && !same_launch_) explained = false;
    c->state = explained ? Agreement::Explained : Agreement::Unexplained;
    c->parts.push_back({explained ? kind : Part::Kind::Unknown, c->measured - *c->predicted});
  }

  // Arbitration comes on top of what the compiler left.
  void judge_pipe(const Prediction& p, ExplainedCounter* c) const {
    const double predicted = *c->predicted, extra = c->measured - predicted;
    const auto room = static_cast<double>(sum_of(report_, p.space, p.ops, "wavefronts"));
    const auto known = compiler_changed(p.ops);
    if (p.field == "wavefronts" && known.value_or(true)) {
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
                   p.field != "wavefronts" || by_merging(predicted, c->measured).explained);
    judge(c, Part::Kind::Arbitration, by_arbitration(predicted, c->measured, room).explained);
  }

  void judge_global(const Prediction& p, ExplainedCounter* c) const {
    const bool sectors = p.field == "sectors" || p.field == "ideal_sectors";
    bool same_requests = sectors;
    for (const Op op : p.ops) {
      const report::Counter* counter = report::counter_of(Space::Global, op, "requests");
      const auto by = counter == nullptr ? std::nullopt : changed(counter->name);
      same_requests = same_requests && by && *by == 0;
    }
    const bool fewer = c->measured < *c->predicted && c->measured > 0 && !same_requests && same_launch_;
    judge(c, Part::Kind::Compiler, fewer);
    if (same_requests)
      c->hint = "layout";
    else
      c->hint = fewer ? "vectorised" : c->measured > *c->predicted ? "arguments" : "none";
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
    if (p.space == Space::Shared && compiler_changed(p.ops).value_or(true)) c->state = Agreement::Explained;
    for (const Op op : p.ops)
      for (const char* field : {"requests", "sectors"}) {
        const report::Counter* counter = report::counter_of(p.space, op, field);
        const auto by = counter == nullptr ? std::nullopt : changed(counter->name);
        if (by && *by < 0) c->state = Agreement::Explained;
      }
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
        const auto requests = static_cast<double>(sum_of(report_, p.space, p.ops, "requests"));
        return judge(c, Part::Kind::Model, by_atomic_model(*c->predicted, c->measured, requests).explained);
      }
      case Counts::Launch:
        c->hint = "launch";
        return judge(c, Part::Kind::Unknown, false);
      case Counts::BehindCaches:
        break;
    }
    c->state = Agreement::Behind;
    c->parts.push_back({Part::Kind::Caches, c->measured - *c->predicted});
  }

  ExplainedCounter counter_of(const Metric& metric) const {
    ExplainedCounter c{metric.name, metric.label, metric.unit, metric.value, metric.resolution, metric.text};
    if (traffic_ != nullptr && same_launch_) c.modelled = modelled_counter(*traffic_, metric.name);
    if (const report::Counter* known = report::find_counter(metric.name);
        known != nullptr && report::is_modelled(*known))
      c.modelled = static_cast<double>(report::predicted(report_, *known));
    const auto p = predict_counter(report_, metric.name);
    if (!p) {
      c.meaning = profile::meaning_of(metric.name);
      return c;
    }
    c.predicted = p->value;
    c.field = p->field, c.space = p->space, c.ops = p->ops;
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
    const bool shared = sum_of(report_, Space::Shared, {Op::Load, Op::Store}, "requests") > 0;
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
