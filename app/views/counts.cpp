#include "app/views/counts.h"

#include <algorithm>
#include <array>
#include <set>

#include "app/jobs/memo.h"
#include "app/readout/verdict.h"
#include "sim/base/numbers.h"
#include "sim/report/comparison.h"
#include "sim/report/counters.h"
#include "sim/report/output/table.h"
#include "sim/report/report.h"

namespace warplens::views {
namespace {

using memory::Space;
using report::Field;

constexpr std::array kCountedOps{memory::Op::Load, memory::Op::Store, memory::Op::Atomic,
                                 memory::Op::Reduction};

class Rows {
 public:
  Rows(const sim::Program& program, const sim::Totals& totals, const measure::Measurement* measurement,
       const language::Strings& strings, std::span<const sim::AccessForm> uncounted)
      : by_wgmma_(report::reads_by_wgmma(uncounted)),
        measurement_(measurement),
        mode_(measurement != nullptr ? measurement->subject.mode : measure::CompileMode::AsWritten),
        strings_(strings) {
    for (std::size_t i = 0; i < program.sites.size() && i < totals.global_sites.size(); ++i)
      for (const Space space : {Space::Global, Space::Shared}) {
        const sim::AccessSite& site = program.sites[i];
        report::ReportLine line;
        line.space = space;
        line.op = report::counted_as(space, site.op);
        line.form = site.form;
        line.past_l1 = site.past_l1;
        line.site = i;
        line.totals = (space == Space::Global ? totals.global_sites : totals.shared_sites)[i];
        if (line.totals != sim::SiteTotals{}) lines_.push_back(std::move(line));
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

  // The first that was measured, or that would be.
  std::string first_of(std::span<const std::string> counters) const {
    for (const std::string& name : counters)
      if (measurement_ != nullptr && measurement_->counters.values.contains(name)) return name;
    return counters.front();
  }

  std::uint64_t sum_of(Space space, unsigned kinds, Field field) const {
    return static_cast<std::uint64_t>(report::sum_of(lines_, space, kinds, field));
  }

  // What these counters come to, as the table of counters has it.
  void row(Counted what, std::string label, const std::vector<std::string>& counters,
           Field ideal = Field::None, std::string short_label = {}) {
    Figure predicted = 0, least;
    for (const std::string& name : counters) {
      const auto p = predict_counter(lines_, name);
      if (!p) continue;
      *predicted += static_cast<std::uint64_t>(p->value);
      if (ideal != Field::None) least = least.value_or(0) + sum_of(p->space, p->kinds, ideal);
    }
    if (what == Counted::Conflicts) least = 0;
    add(what, std::move(label), counters, predicted, least, std::move(short_label));
  }

  void add(Counted what, std::string label, const std::vector<std::string>& counters, Figure predicted,
           Figure ideal, std::string short_label = {}) {
    CounterRow row{std::move(label),      {}, what, predicted, ideal, measured(counters), Cause::None,
                   std::move(short_label)};
    if (predicted.value_or(0) == 0 && row.measured.value_or(0) == 0) return;
    for (const std::string& name : counters) row.counter += (row.counter.empty() ? "" : " + ") + name;
    if (row.measured) {
      const std::optional<double> expected =
          predicted ? std::optional<double>(static_cast<double>(*predicted)) : std::nullopt;
      row.cause = cause_of(what, expected, *row.measured, mode_);
      if (by_wgmma_ && what == Counted::ExactWavefronts && *row.measured > expected.value_or(0))
        row.cause = Cause::Warpgroup;
      // Fewer sectors of as many requests are none of the compiler's.
      const bool fewer = expected && *row.measured < *expected && mode_ == measure::CompileMode::AsWritten;
      const std::string op = row.counter.substr(std::min(row.counter.find("_op_"), row.counter.size()));
      if (fewer && what == Counted::Requests) left_out_.insert(op);
      if (fewer && (what == Counted::Requests || what == Counted::Sectors) && left_out_.contains(op))
        row.cause = Cause::LeftOut;
    }
    rows_.push_back(std::move(row));
  }

  std::string op_label(const char* key, memory::Op op) const {
    return strings_(key, {{"op", app::op_text(op, strings_)}});
  }

  void add_global() {
    for (const bool sectors : {false, true})
      for (const memory::Op op : kCountedOps)
        row(sectors ? Counted::Sectors : Counted::Requests,
            op_label(sectors ? "grid.sectors" : "grid.requests", op),
            {(sectors ? "l1tex__t_sectors" : "l1tex__t_requests") + std::string("_pipe_lsu_mem_global_op_") +
             report::suffix_of(op) + ".sum"},
            sectors ? Field::IdealSectors : Field::None);
    add(Counted::Sectors, op_label("grid.sectors", memory::Op::Async), {},
        sum_of(Space::Global, report::kCopies, Field::Sectors),
        sum_of(Space::Global, report::kCopies, Field::IdealSectors));
  }

  void add_shared() {
    std::vector<std::string> conflicts;
    const std::size_t first = rows_.size();
    for (const memory::Op op : {memory::Op::Load, memory::Op::Store}) {
      row(Counted::Instructions, op_label("grid.instructions", op),
          {first_of(report::instruction_counters(op))}, Field::None, op_label("grid.instructions.short", op));
    }
    note_untouched(first);
    add_exact_wavefronts();
    for (const memory::Op op : {memory::Op::Load, memory::Op::Store, memory::Op::Atomic}) {
      const std::string end = std::string("_mem_shared_op_") + report::suffix_of(op) + ".sum";
      row(Counted::Wavefronts, op_label("grid.wavefronts", op), {"l1tex__data_pipe_lsu_wavefronts" + end},
          Field::IdealWavefronts);
      if (std::ranges::any_of(lines_, [&](const report::ReportLine& line) {
            return line.space == Space::Shared && line.op == op && line.totals.requests > 0;
          }))
        conflicts.push_back("l1tex__data_bank_conflicts_pipe_lsu" + end);
    }
    const auto of_copies = [&](Field field) { return sum_of(Space::Shared, report::kCopies, field); };
    const bool certain = std::ranges::none_of(lines_, [](const report::ReportLine& line) {
      return line.op == memory::Op::Async && line.totals.uncertain > 0;
    });
    add(Counted::Wavefronts, strings_(certain ? "grid.wavefronts.copy" : "grid.wavefronts.copy.about"), {},
        of_copies(Field::Wavefronts), of_copies(Field::IdealWavefronts));
    if (!conflicts.empty()) row(Counted::Conflicts, strings_("grid.conflicts"), conflicts);
    add(Counted::Conflicts, strings_("grid.conflicts.copy"), {}, of_copies(Field::Conflicts), 0);
  }

  void add_exact_wavefronts() {
    const std::string counter = "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum";
    if (measurement_ == nullptr || !measurement_->counters.values.contains(counter)) return;
    const bool nothing_known =  // no prediction, which 0 would be
        by_wgmma_ && sum_of(Space::Shared, report::kEverything, Field::Requests) == 0;
    if (nothing_known)
      add(Counted::ExactWavefronts, strings_("grid.wavefronts.all"), {counter}, {}, {});
    else
      row(Counted::ExactWavefronts, strings_("grid.wavefronts.all"), {counter}, Field::IdealWavefronts);
  }

  void add_behind() {
    add(Counted::Behind, strings_("grid.level_two"), {"lts__t_sectors.sum"}, {}, {});
    add(Counted::Behind, strings_("grid.dram.read"), {"dram__bytes_read.sum"}, {}, {});
    add(Counted::Behind, strings_("grid.dram.write"), {"dram__bytes_write.sum"}, {}, {});
  }

  // As written, or as good as that: the compiler left every shared instruction alone.
  void note_untouched(std::size_t first) {
    if (rows_.size() == first) return;
    for (std::size_t i = first; i < rows_.size(); ++i) {
      if (!rows_[i].measured || rows_[i].cause != Cause::None) return;
    }
    mode_ = measure::CompileMode::AsWritten;
  }

  const bool by_wgmma_;
  const measure::Measurement* measurement_;
  measure::CompileMode mode_;
  const language::Strings& strings_;
  std::vector<report::ReportLine> lines_;  // as far as counters tell accesses apart
  std::vector<CounterRow> rows_;
  std::set<std::string> left_out_;  // "_op_ld.sum": of which the compiler made fewer than the text has
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
  constexpr const char* kNames[] = {"",          "arbitration", "caching",    "compiler",
                                    "warpgroup", "left_out",    "unexplained"};
  return cause == Cause::None ? std::string()
                              : strings(std::string("grid.cause.") + kNames[static_cast<std::size_t>(cause)]);
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
                                     const language::Strings& strings,
                                     std::span<const sim::AccessForm> uncounted) {
  return Rows(program, totals, measurement, strings, uncounted).make();
}

std::string note_key(std::span<const CounterRow> rows) {
  const auto has = [&](Cause cause) {
    return std::ranges::find(rows, cause, &CounterRow::cause) != rows.end();
  };
  if (has(Cause::LeftOut)) return "grid.note.left_out";
  return has(Cause::Arbitration) ? "grid.note.arbitration" : "";
}

std::vector<CounterRow> main_rows(std::vector<CounterRow> rows) {
  std::erase_if(rows, [](const CounterRow& row) {
    return row.what == Counted::Requests || row.what == Counted::Instructions || row.what == Counted::Behind;
  });
  return rows;
}

Table counts_table(const app::Simulation& s, const measure::Measurement* measurement,
                   const language::Strings& strings) {
  Table table;
  table.name({"what", "nsight_compute_counter", "predicted", "ideal", "measured", "difference_explained_by"});
  if (!s.totals || s.totals->error) return table;
  for (const CounterRow& row :
       counter_rows(s.program(), *s.totals, measurement, strings, s.compiled->uncounted)) {
    table.rows.push_back({row.label, row.counter, row.predicted ? std::to_string(*row.predicted) : "",
                          row.ideal ? std::to_string(*row.ideal) : "",
                          row.measured ? exactly(*row.measured) : "", cause_text(row.cause, strings)});
  }
  return table;
}

std::string lines_csv(const app::Simulation& s) {
  if (!s.totals || s.totals->error) return {};
  const scenario::Prepared prepared{s.compiled->setup, s.compiled->program, s.compiled->gpu, {}};
  return report::report_csv(report::make_report(prepared, *s.totals));
}

// ---- the lines that lose most

static std::vector<WorstLine> found_lines(const app::Simulation& simulation) {
  std::vector<WorstLine> lines;
  if (simulation.empty() || !simulation.totals || simulation.totals->error) return lines;
  const app::Compiled& compiled = *simulation.compiled;
  const report::Report report =
      report::make_report({compiled.setup, compiled.program, compiled.gpu, {}}, *simulation.totals);
  for (const auto& [advice, accesses] : report::advise_lines(report)) {
    const report::ReportLine& line = report.lines[advice.line];
    lines.push_back({line.line, accesses, "advice." + std::string(report::id_of(advice.rule)), advice.figures,
                     advice.excess, advice.wasted_bytes, line.space == memory::Space::Shared,
                     report::is_atomic(line), advice.distance()});
  }
  return lines;
}

const std::vector<WorstLine>& worst_lines(const app::Simulation& simulation) {
  thread_local jobs::Newest<std::shared_ptr<const sim::Totals>, std::vector<WorstLine>> kept(2);
  return *kept.get(simulation.totals,
                   [&] { return std::make_shared<const std::vector<WorstLine>>(found_lines(simulation)); });
}

bool loses_anything(const sim::Totals& totals) {
  const auto loses = [](const sim::SiteTotals& site) {
    return site.sectors > site.ideal_sectors || site.wavefronts > site.ideal_wavefronts;
  };
  return std::ranges::any_of(totals.global_sites, loses) || std::ranges::any_of(totals.shared_sites, loses);
}

namespace {

double figure(const WorstLine& line, std::string_view name) {
  const auto at = std::ranges::find_if(line.figures, [&](const auto& f) { return f.name == name; });
  return at == line.figures.end() ? 0 : at->value;
}

// What the rule's words depend on beyond its figures: "advice.stride" -> "advice.stride.mostly".
std::string key_of(const WorstLine& line, const std::string& prefix) {
  const std::string rule = line.advice.substr(std::string_view("advice.").size());
  const std::string key = prefix + rule;
  if (rule == "struct_field" && figure(line, "taken") >= figure(line, "step")) return key + ".all";
  if (rule == "short_runs") {
    const bool is_wide = figure(line, "block_x") >= 32 && prefix == "advice.";
    return key + (figure(line, "step") == 0 ? ".same" : "") + (is_wide ? ".wide" : "");
  }
  if (rule == "scattered" && line.atomic) return key + ".atomic";
  if (rule == "misaligned" && figure(line, "offset") == 0) return key + ".some";
  if (rule == "same_address" && figure(line, "elements") != 0) return key + ".crowd";
  if (rule == "bank_stride" && figure(line, "banks") >= 32) return key + ".meet";
  if (line.distance == report::Distance::Mostly) return key + ".mostly";
  if (line.distance == report::Distance::Changing) return key + ".changing";
  return key;
}

std::string remedy_key(const WorstLine& line) {
  const double pad = figure(line, "pad"), less = figure(line, "less");
  const double together = figure(line, "swizzle");
  const auto of_one = [](double words) { return words == 1 ? ".one" : ""; };
  const std::string divided = together > 1 ? ".divided" : "";
  if (figure(line, "rows") == 0)
    return pad == 0 ? "advice.remedy.neighbours" : std::string("advice.remedy.gaps") + of_one(pad);
  if (less != 0)
    return together == 0 ? std::string("advice.remedy.less") + of_one(less)
                         : "advice.remedy.less_and_swizzle" + divided + of_one(less);
  if (pad == 0) return together != 0 ? "advice.remedy.swizzle" + divided : "advice.remedy.neither";
  if (together == 0) return std::string("advice.remedy.pad") + of_one(pad);
  return "advice.remedy.pad_or_swizzle" + divided + of_one(pad);
}

std::string with_figures(const WorstLine& line, const std::string& key, const language::Strings& strings) {
  std::vector<language::Value> values;
  for (const report::AdviceFigure& figure : line.figures)
    values.emplace_back(figure.name, report::figure_text(figure.value));
  if (line.advice == "advice.bank_stride") {
    const double together = figure(line, "lanes");
    values.emplace_back("where", strings(together == 16  ? "advice.banks.half"
                                         : together == 8 ? "advice.banks.quarter"
                                                         : "advice.banks",
                                         {{"banks", report::figure_text(figure(line, "banks"))}}));
    values.emplace_back("remedy",
                        strings(remedy_key(line), {{"pad", report::figure_text(figure(line, "pad"))},
                                                   {"less", report::figure_text(figure(line, "less"))},
                                                   {"row", report::figure_text(figure(line, "row"))},
                                                   {"n", report::figure_text(figure(line, "swizzle"))}}));
  }
  return strings.with(key, values);
}

// Never bytes: what an access leaves of its sectors others may use.
std::string loss_key(const WorstLine& line, const std::string& key) {
  if (line.shared) return key + ".shared";
  return line.atomic ? key + ".atomic" : key;
}

}  // namespace

std::string advice_text(const WorstLine& line, const language::Strings& strings) {
  return with_figures(line, key_of(line, "advice."), strings);
}

std::string loss_text(const WorstLine& line, const language::Strings& strings) {
  return strings(loss_key(line, "grid.lines.lost"), {{"amount", grouped(line.excess)}});
}

std::string diagnosis_text(const WorstLine& line, const language::Strings& strings) {
  const std::string why = with_figures(line, key_of(line, "diagnosis."), strings);
  const std::string number = std::to_string(line.line);
  if (line.excess == 0) return strings("diagnosis.place", {{"line", number}, {"why", why}});
  return strings(loss_key(line, "diagnosis.loss"),
                 {{"line", number}, {"amount", grouped(line.excess)}, {"why", why}});
}

}  // namespace warplens::views
