#include "tests/differential/three_ways.h"

#include <algorithm>
#include <sstream>

#include "tests/differential/reference_totals.h"

namespace warplens::differential {

namespace {

using sim::Program;
using sim::RunError;
using sim::SiteShape;
using sim::SiteTotals;
using sim::Totals;

std::ostream& operator<<(std::ostream& out, sim::Dim3 d) {
  return out << "(" << d.x << ", " << d.y << ", " << d.z << ")";
}

std::string words(const SiteTotals& t) {
  std::ostringstream out;
  out << "requests " << t.requests << ", lanes " << t.active_lanes << ", bytes " << t.bytes << ", sectors "
      << t.sectors << " (ideal " << t.ideal_sectors << ", of loads " << t.load_sectors << "), lines "
      << t.lines << ", wavefronts " << t.wavefronts << " (ideal " << t.ideal_wavefronts << "), conflicts "
      << t.bank_conflicts << ", uncertain " << t.uncertain << ", tags " << t.tag_wavefronts << ", data "
      << t.data_wavefronts;
  return out.str();
}

template <class Shape>
std::string words_of_shape(const Shape& s, const std::string& steps) {
  std::ostringstream out;
  out << "same address " << s.same_address << ", runs " << s.runs << ", turns " << s.turns << ", starts "
      << std::hex << s.starts << std::dec << ", steps" << steps << ", worst excess " << s.worst_excess
      << " of lanes " << std::hex << s.worst.active << std::dec << " at";
  for (const memory::Address address : s.worst.addresses) out << " " << address % (std::uint64_t{1} << 48);
  return out.str();
}

std::string words(const SiteShape& s) {
  std::ostringstream steps;
  for (const sim::StepCount& c : s.steps)
    steps << " " << (c.regular ? std::to_string(c.step) : "irregular") << ": " << c.requests << "/"
          << c.excess;
  return words_of_shape(s, steps.str());
}

// Which steps a full shape keeps depends on the order in which they came, which a hash table of another
// machine makes another: all together do not.
std::string settled_words(const SiteShape& s) {
  if (s.steps.size() < SiteShape::kMostSteps - 1) return words(s);
  sim::StepCount all;
  for (const sim::StepCount& c : s.steps) {
    all.requests += c.requests;
    all.excess += c.excess;
  }
  return words_of_shape(s,
                        " of many kinds: " + std::to_string(all.requests) + "/" + std::to_string(all.excess));
}

std::string words(const ReferenceShape& s) {
  std::ostringstream steps;
  for (const bool regular : {true, false}) {
    for (const auto& [step, c] : s.steps) {
      if (step.regular != regular) continue;
      steps << " " << (regular ? std::to_string(step.bytes) : "irregular") << ": " << c.requests << "/"
            << c.excess;
    }
  }
  return words_of_shape(s, steps.str());
}

std::string words(const std::optional<RunError>& e) {
  if (!e) return "no error";
  std::ostringstream out;
  out << "error " << static_cast<int>(e->kind) << " in block " << e->block << ", thread " << e->thread
      << ", warp " << e->warp << ", lane " << e->lane << ", line " << e->range.begin.line << ":"
      << e->range.begin.column << ": " << e->message;
  return out.str();
}

bool same_error(const RunError& a, const RunError& b) {
  return a.kind == b.kind && a.message == b.message && a.block == b.block && a.thread == b.thread &&
         a.warp == b.warp && a.lane == b.lane && a.range.begin.line == b.range.begin.line &&
         a.range.begin.column == b.range.begin.column;
}

bool same_worst(const SiteShape& counted, const ReferenceShape& traced) {
  if (counted.worst_excess != traced.worst_excess) return false;
  return traced.worst_excess < 0 || place_of(counted.worst) == traced.worst;
}

bool same_shape(const SiteShape& counted, const ReferenceShape& traced) {
  if (counted.same_address != traced.same_address || counted.runs != traced.runs ||
      counted.turns != traced.turns || counted.starts != traced.starts || !same_worst(counted, traced))
    return false;
  ReferenceShape::Count all_counted, all_traced;
  for (const sim::StepCount& c : counted.steps) {
    all_counted.requests += c.requests;
    all_counted.excess += c.excess;
  }
  for (const auto& [step, c] : traced.steps) {
    all_traced.requests += c.requests;
    all_traced.excess += c.excess;
  }
  if (!(all_counted == all_traced)) return false;
  if (traced.steps.size() >= SiteShape::kMostSteps - 1) return true;
  return counted.steps.size() == traced.steps.size() &&
         std::all_of(counted.steps.begin(), counted.steps.end(), [&](const sim::StepCount& c) {
           const auto at = traced.steps.find({c.regular, c.step});
           return at != traced.steps.end() && at->second == ReferenceShape::Count{c.requests, c.excess};
         });
}

class Comparison {
 public:
  Comparison(const Program& program, const sim::Launch& launch, std::uint64_t instructions)
      : program_(program), launch_(launch), traces_(0) {
    sim::TotalsOptions options;
    options.limits.instructions = instructions;
    options.limits.check_memory = false;  // a race is no error of the kernel's here: its order is defined
    options.threads = 1;
    classes_ = grid_totals(program, launch, gpu_, options);
    options.brute_force = true;
    brute_ = grid_totals(program, launch, gpu_, options);
    options.threads = 3;
    threads_ = grid_totals(program, launch, gpu_, options);
    limits_ = options.limits;
    traces_ = reference_totals(program, launch, gpu_, limits_);
  }

  ThreeWays compare() {
    ThreeWays result;
    result.blocks = classes_.blocks_total;
    result.simulated = classes_.blocks_simulated;
    for (const auto* error : {&classes_.error, &brute_.error, &threads_.error, &traces_.error}) {
      if (*error && (*error)->is_limit()) result.outcome = ThreeWays::Outcome::Limit;
    }
    if (result.outcome == ThreeWays::Outcome::Limit) return result;
    compare_errors();
    if (brute_.error && traces_.error) {
      result.outcome = ThreeWays::Outcome::Failed;
      result.error = traces_.error->kind;
    } else if (difference_.empty()) {
      compare_counts();
    }
    if (!difference_.empty()) result.outcome = ThreeWays::Outcome::Different;
    result.difference = difference_;
    if (result.outcome == ThreeWays::Outcome::Equal) result.counts = counts();
    result.barriers_apart = !classes_.divergent_barrier.empty();
    return result;
  }

 private:
  void differ(const std::string& what, const std::string& classes, const std::string& brute,
              const std::string& threads, const std::string& traces) {
    if (!difference_.empty()) return;
    difference_ = what + "\n  classes      " + classes + "\n  brute force  " + brute + "\n  3 threads    " +
                  threads + "\n  traces       " + traces + "\n";
  }

  void compare_errors() {
    const bool agree = classes_.error.has_value() == traces_.error.has_value() &&
                       brute_.error.has_value() == traces_.error.has_value() &&
                       threads_.error.has_value() == traces_.error.has_value();
    const bool same = agree && (!traces_.error || (same_error(*brute_.error, *traces_.error) &&
                                                   same_error(*threads_.error, *traces_.error)));
    if (!same) {
      return differ("errors differ", words(classes_.error), words(brute_.error), words(threads_.error),
                    words(traces_.error));
    }
    if (!classes_.error) return;
    // Over fresh memory, but where brute force went through the grid in order, which is what classes then do.
    std::optional<RunError> alone =
        trace_block(program_, launch_, gpu_, classes_.error->block, limits_).error;
    if (classes_.error->block == traces_.error->block) alone = traces_.error;
    if (!alone || !same_error(*classes_.error, *alone))
      differ("the block that classes name does not fail so", words(classes_.error), words(brute_.error),
             words(threads_.error), words(alone));
  }

  void compare_counts() {
    for (std::size_t site = 0; site < program_.sites.size(); ++site) {
      compare_sites(site, "global", &Totals::global_sites, &Totals::global_shapes, traces_.global_sites[site],
                    traces_.global_shapes[site]);
      compare_sites(site, "shared", &Totals::shared_sites, &Totals::shared_shapes, traces_.shared_sites[site],
                    traces_.shared_shapes[site]);
    }
    if (!(classes_.divergent_barrier == brute_.divergent_barrier) ||
        !(classes_.divergent_barrier == threads_.divergent_barrier))
      differ("barriers apart differ", classes_.divergent_barrier.english(),
             brute_.divergent_barrier.english(), threads_.divergent_barrier.english(), "");
    if (classes_.barriers != traces_.barriers || brute_.barriers != traces_.barriers ||
        threads_.barriers != traces_.barriers) {
      differ("barriers differ", std::to_string(classes_.barriers), std::to_string(brute_.barriers),
             std::to_string(threads_.barriers), std::to_string(traces_.barriers));
    }
    compare_with_fresh_memory();
    const std::uint64_t all = launch_.grid.count();
    if (classes_.blocks_total != all || brute_.blocks_simulated != all || threads_.blocks_simulated != all)
      differ("blocks differ", std::to_string(classes_.blocks_total), std::to_string(brute_.blocks_simulated),
             std::to_string(threads_.blocks_simulated), std::to_string(all));
  }

  std::string counts() const {
    std::string text = "barriers " + std::to_string(classes_.barriers) + "\n";
    for (std::size_t site = 0; site < program_.sites.size(); ++site) {
      text += "site " + std::to_string(site) + " global: " + words(classes_.global_sites[site]) + "; " +
              settled_words(classes_.global_shapes[site]) +
              "\n  shared: " + words(classes_.shared_sites[site]) + "; " +
              settled_words(classes_.shared_shapes[site]) + "\n";
    }
    return text;
  }

  // The last block, over what all the others have written and over what the launch filled.
  void compare_with_fresh_memory() {
    if (program_.reads_written_global >= 0) return;
    const sim::Trace &after = traces_.last,
                     fresh = trace_block(program_, launch_, gpu_, after.block, limits_);
    bool same = fresh.events.size() == after.events.size() && !fresh.error;
    for (std::size_t i = 0; same && i < fresh.events.size(); ++i) {
      const memory::WarpAccess a = fresh.access(program_, i), b = after.access(program_, i);
      same = fresh.events[i].site == after.events[i].site && a.active == b.active && a.space == b.space &&
             (a.addresses == b.addresses);
    }
    if (!same) {
      differ("the last block does otherwise over fresh memory", "", "", "",
             std::to_string(after.events.size()) + " accesses after the others, " +
                 std::to_string(fresh.events.size()) + " by itself");
    }
  }

  void compare_sites(std::size_t site, const char* space, std::vector<SiteTotals> Totals::*totals,
                     std::vector<SiteShape> Totals::*shapes, const SiteTotals& traced,
                     const ReferenceShape& shape) {
    const auto place = [&] {
      const sim::AccessSite& s = program_.sites[site];
      return std::string(" of the ") + space + " access " + s.text + " in line " +
             std::to_string(s.range.begin.line) + " differ";
    };
    const SiteTotals &a = (classes_.*totals)[site], &b = (brute_.*totals)[site],
                     &c = (threads_.*totals)[site];
    if (!(a == traced) || !(b == traced) || !(c == traced))
      differ("counts" + place(), words(a), words(b), words(c), words(traced));
    const SiteShape &sa = (classes_.*shapes)[site], &sb = (brute_.*shapes)[site],
                    &sc = (threads_.*shapes)[site];
    const bool equal =
        sa == sb && sb == sc && same_shape(sa, shape) && same_shape(sb, shape) && same_shape(sc, shape);
    if (!equal) differ("shapes" + place(), words(sa), words(sb), words(sc), words(shape));
  }

  const Program& program_;
  const sim::Launch& launch_;
  const memory::GpuModel& gpu_ = memory::default_gpu_model();
  sim::Limits limits_;
  Totals classes_, brute_, threads_;
  ReferenceTotals traces_;
  std::string difference_;
};

}  // namespace

ThreeWays count_three_ways(const Program& program, const sim::Launch& launch, std::uint64_t instructions) {
  return Comparison(program, launch, instructions).compare();
}

}  // namespace warplens::differential
