#include "app/readout/counter_rows.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/readout/verdict.h"
#include "sim/report/comparison.h"
#include "sim/report/counters.h"
#include "sim/report/report.h"

namespace warplens::app {
namespace {

constexpr std::array kCountedOps{memory::Op::Load, memory::Op::Store, memory::Op::Atomic,
                                 memory::Op::Reduction};

class Rows {
 public:
  Rows(const sim::Program& program, const sim::Totals& totals, const measure::Measurement* measurement,
       const language::Strings& strings, bool literal, std::span<const sim::AccessForm> uncounted)
      : literal_(literal),
        by_wgmma_(report::reads_by_wgmma(uncounted)),
        measurement_(measurement),
        mode_(measurement != nullptr ? measurement->subject.mode : measure::CompileMode::AsWritten),
        strings_(strings) {
    for (std::size_t i = 0; i < program.sites.size() && i < totals.global_sites.size(); ++i) {
      const memory::Op op = program.sites[i].op;
      global_[static_cast<std::size_t>(op)].add(totals.global_sites[i]);
      // The hardware counts a reduction on shared memory as an atomic.
      const memory::Op counted = report::counted_as(memory::Space::Shared, op);
      shared_[static_cast<std::size_t>(counted)].add(totals.shared_sites[i]);
      if (program.sites[i].form == sim::AccessForm::Matrix)
        of_matrices_[static_cast<std::size_t>(counted)] += totals.shared_sites[i].requests;
    }
  }

  std::vector<CounterRow> make() {
    add_global();
    add_shared();
    add_behind();
    return std::move(rows_);
  }

 private:
  using Figure = std::optional<std::uint64_t>;

  std::optional<double> measured(const std::vector<std::string>& counters) const {
    if (measurement_ == nullptr) return std::nullopt;
    std::optional<double> sum;
    for (const std::string& name : counters) {
      const auto found = measurement_->counters.values.find(name);
      if (found != measurement_->counters.values.end()) sum = sum.value_or(0) + found->second;
    }
    return sum;
  }

  // Counters that say the same, the most exact first: the first that was measured, or that would be.
  std::string first_of(const std::vector<std::string>& counters) const {
    for (const std::string& name : counters) {
      if (measurement_ != nullptr && measurement_->counters.values.contains(name)) return name;
    }
    return counters.front();
  }

  void row(Counted what, std::string label, const std::vector<std::string>& counters, Figure predicted,
           Figure ideal, std::string short_label = {}) {
    CounterRow row{std::move(label),      {}, what, predicted, ideal, measured(counters), Cause::None, false,
                   std::move(short_label)};
    if (predicted.value_or(0) == 0 && row.measured.value_or(0) == 0) return;
    for (const std::string& name : counters) row.counter += (row.counter.empty() ? "" : " + ") + name;
    if (row.measured) {
      const std::optional<double> expected =
          predicted ? std::optional<double>(static_cast<double>(*predicted)) : std::nullopt;
      row.cause = cause_of(what, expected, *row.measured, mode_);
      const bool global = what == Counted::Requests || what == Counted::Sectors;
      if (by_wgmma_ && what == Counted::ExactWavefronts && *row.measured > expected.value_or(0))
        row.cause = Cause::Warpgroup;
      if (literal_ && global && expected && *row.measured < *expected) row.cause = Cause::Literal;
    }
    rows_.push_back(std::move(row));
  }

  std::string op_label(const char* key, memory::Op op) const {
    return strings_(key, {{"op", op_text(op, strings_)}});
  }

  // What the counters of an operation hold: those of loads also what asynchronous copies read, as loads.
  sim::SiteTotals counted_global(memory::Op op) const {
    sim::SiteTotals counted = global_[static_cast<std::size_t>(op)];
    if (op != memory::Op::Load) return counted;
    const sim::SiteTotals& copies = of_copies(global_);
    counted.requests += copies.requests;
    counted.sectors += copies.load_sectors;
    counted.ideal_sectors += copies.ideal_sectors;
    return counted;
  }

  void add_global() {
    for (const memory::Op op : kCountedOps) {
      const sim::SiteTotals t = counted_global(op);
      const std::string end = std::string("_pipe_lsu_mem_global_op_") + report::suffix_of(op) + ".sum";
      row(Counted::Requests, op_label("grid.requests", op), {"l1tex__t_requests" + end}, t.requests, {});
    }
    for (const memory::Op op : kCountedOps) {
      const sim::SiteTotals t = counted_global(op);
      const std::string end = std::string("_pipe_lsu_mem_global_op_") + report::suffix_of(op) + ".sum";
      row(Counted::Sectors, op_label("grid.sectors", op), {"l1tex__t_sectors" + end}, t.sectors,
          t.ideal_sectors);
    }
    const sim::SiteTotals& copies = of_copies(global_);
    row(Counted::Sectors, op_label("grid.sectors", memory::Op::Async), {}, copies.sectors,
        copies.ideal_sectors);
  }

  void add_shared() {
    sim::SiteTotals all;
    std::vector<std::string> conflicts;
    const std::size_t first = rows_.size();
    for (const memory::Op op : {memory::Op::Load, memory::Op::Store}) {
      const std::string name = std::string("inst_executed_op_shared_") + report::suffix_of(op);
      // ldmatrix and stmatrix have counters of their own. The hardware's own counters also see instructions
      // without an active lane, or issued twice by a warp that diverged.
      const std::string counter = first_of(
          {"smsp__sass_" + name + ".sum", "smsp__" + name + "_pred_on_any.sum", "smsp__" + name + ".sum"});
      row(Counted::Instructions, op_label("grid.instructions", op), {counter},
          shared_[static_cast<std::size_t>(op)].requests - of_matrices_[static_cast<std::size_t>(op)], {},
          op_label("grid.instructions.short", op));
    }
    note_untouched(first);
    add_exact_wavefronts();
    for (const memory::Op op : {memory::Op::Load, memory::Op::Store, memory::Op::Atomic}) {
      const sim::SiteTotals& t = shared_[static_cast<std::size_t>(op)];
      const std::string end = std::string("_mem_shared_op_") + report::suffix_of(op) + ".sum";
      row(Counted::Wavefronts, op_label("grid.wavefronts", op), {"l1tex__data_pipe_lsu_wavefronts" + end},
          t.wavefronts, t.ideal_wavefronts);
      if (t.requests > 0) conflicts.push_back("l1tex__data_bank_conflicts_pipe_lsu" + end);
      all.add(t);
    }
    const sim::SiteTotals& copies = of_copies(shared_);
    row(Counted::Wavefronts,
        strings_(copies.uncertain == 0 ? "grid.wavefronts.copy" : "grid.wavefronts.copy.about"), {},
        copies.wavefronts, copies.ideal_wavefronts);
    if (all.requests > 0)
      row(Counted::Conflicts, strings_("grid.conflicts"), conflicts, all.bank_conflicts, 0);
    row(Counted::Conflicts, strings_("grid.conflicts.copy"), {}, copies.bank_conflicts, 0);
  }

  void add_exact_wavefronts() {
    const std::string counter = "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum";
    if (measurement_ == nullptr || !measurement_->counters.values.contains(counter)) return;
    sim::SiteTotals all;
    for (const sim::SiteTotals& t : shared_) all.add(t);
    const bool nothing_known = by_wgmma_ && all.requests == 0;  // no prediction, which 0 would be
    row(Counted::ExactWavefronts, strings_("grid.wavefronts.all"), {counter},
        nothing_known ? Figure() : Figure(all.wavefronts),
        nothing_known ? Figure() : Figure(all.ideal_wavefronts));
  }

  void add_behind() {
    row(Counted::Behind, strings_("grid.level_two"), {"lts__t_sectors.sum"}, {}, {});
    for (const auto& [label, counter] : {std::pair{"grid.dram.read", "dram__bytes_read.sum"},
                                         std::pair{"grid.dram.write", "dram__bytes_write.sum"}}) {
      const std::size_t before = rows_.size();
      row(Counted::Behind, strings_(label), {counter}, {}, {});
      if (rows_.size() > before) rows_.back().is_bytes = true;
    }
  }

  // As written, or as good as that: the compiler left every shared instruction alone.
  void note_untouched(std::size_t first) {
    if (rows_.size() == first) return;
    for (std::size_t i = first; i < rows_.size(); ++i) {
      if (!rows_[i].measured || rows_[i].cause != Cause::None) return;
    }
    mode_ = measure::CompileMode::AsWritten;
  }

  const bool literal_, by_wgmma_;
  const measure::Measurement* measurement_;
  measure::CompileMode mode_;
  const language::Strings& strings_;
  using ByOp = std::array<sim::SiteTotals, memory::kOps>;
  static const sim::SiteTotals& of_copies(const ByOp& totals) {
    return totals[static_cast<std::size_t>(memory::Op::Async)];
  }
  ByOp global_{}, shared_{};
  std::array<std::uint64_t, memory::kOps> of_matrices_{};  // of the shared requests
  std::vector<CounterRow> rows_;
};

}  // namespace

Cause cause_of(Counted what, std::optional<double> predicted, double measured, measure::CompileMode mode) {
  if (!predicted) return Cause::Caching;
  if (*predicted == measured) return Cause::None;
  if (mode == measure::CompileMode::AsOptimised) return Cause::Compiler;
  const bool shared_turns = what == Counted::Wavefronts || what == Counted::Conflicts;
  // Turns are lost, never won: fewer than predicted is something else.
  if (shared_turns && measured > *predicted) return Cause::Arbitration;
  if (what == Counted::Behind) return Cause::Caching;
  return Cause::Unexplained;
}

std::string cause_text(Cause cause, const language::Strings& strings) {
  switch (cause) {
    case Cause::None:
      return {};
    case Cause::Arbitration:
      return strings("grid.cause.arbitration");
    case Cause::Caching:
      return strings("grid.cause.caching");
    case Cause::Compiler:
      return strings("grid.cause.compiler");
    case Cause::Warpgroup:
      return strings("grid.cause.warpgroup");
    case Cause::Literal:
      return strings("grid.cause.literal");
    case Cause::Unexplained:
      break;
  }
  return strings("grid.cause.unexplained");
}

std::string uncounted_text(std::span<const sim::AccessForm> uncounted, const language::Strings& strings) {
  std::string what;
  for (const sim::AccessForm form : uncounted)
    what += (what.empty() ? "" : strings("grid.uncounted.and")) +
            strings(form == sim::AccessForm::Bulk ? "grid.uncounted.bulk" : "grid.uncounted.warpgroup");
  return what.empty() ? what : strings("grid.uncounted", {{"what", what}});
}

std::vector<CounterRow> counter_rows(const sim::Program& program, const sim::Totals& totals,
                                     const measure::Measurement* measurement,
                                     const language::Strings& strings, bool literal,
                                     std::span<const sim::AccessForm> uncounted) {
  return Rows(program, totals, measurement, strings, literal, uncounted).make();
}

void add_distinct_rows(const sim::DistinctSectors& distinct, bool all, const language::Strings& strings,
                       std::vector<CounterRow>* rows) {
  for (const memory::Op op : memory::kAllOps) {
    // The sectors of loads beside asynchronous copies are those of both together.
    if (op == memory::Op::Load && distinct.of(memory::Op::Async) > 0) continue;
    const std::string label = strings("grid.sectors", {{"op", op_text(op, strings)}});
    const auto sectors = std::ranges::find(*rows, label, &CounterRow::label);
    if (sectors == rows->end() || !sectors->predicted) continue;
    const std::uint64_t once = distinct.of(op);
    if (once == 0 || (!all && 10 * *sectors->predicted < 11 * once)) continue;
    CounterRow row;
    row.label = strings("reuse.distinct", {{"op", op_text(op, strings)}});
    row.short_label = strings("reuse.distinct.short", {{"op", op_text(op, strings)}});
    row.what = Counted::Distinct;
    row.predicted = once;
    rows->insert(sectors + 1, std::move(row));
  }
}

std::vector<CounterRow> main_rows(std::vector<CounterRow> rows) {
  std::erase_if(rows, [](const CounterRow& row) {
    return row.what == Counted::Requests || row.what == Counted::Instructions || row.what == Counted::Behind;
  });
  return rows;
}

}  // namespace warplens::app
