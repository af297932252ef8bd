// A report for people, and as CSV.
#include <algorithm>
#include <map>
#include <span>

#include "sim/report/advice.h"
#include "sim/report/output/table.h"
#include "sim/report/report.h"
#include "sim/text/scan.h"

namespace warplens::report {

using memory::Op;
using memory::Space;
using sim::SiteTotals;

namespace {

std::string extents_text(const sim::Dim3& dim) {
  std::string text = std::to_string(dim.x);
  if (dim.y != 1 || dim.z != 1) text += " x " + std::to_string(dim.y);
  if (dim.z != 1) text += " x " + std::to_string(dim.z);
  return text;
}

std::string heading(const Report& report) {
  const std::uint64_t threads = report.launch.block.count();
  std::string text = sim::KernelName{{}, report.kernel, {}, report.template_arguments}.with_arguments();
  text += "  (" + report.source + ", predicted for " + report.gpu + ")\n";
  text += "grid " + extents_text(report.launch.grid) + ", block " + extents_text(report.launch.block) + ": " +
          grouped(report.blocks_total) + (report.blocks_total == 1 ? " block" : " blocks") + " of " +
          grouped(threads) + " threads in " + grouped((threads + 31) / 32) + " warps; " +
          grouped(report.blocks_simulated) + " simulated in " + fixed(report.seconds * 1e3, 2) + " ms\n";
  const std::string compiler =
      report.compiler.empty() ? "the compiler" : report.compiler + " for " + report.architecture;
  text += report.compiled ? "As compiled: each access that " + compiler + " left in its PTX\n"
                          : "As written: each access that the text makes, of the width that its type has\n";
  const memory::GpuModel* gpu = memory::find_gpu_model(report.gpu);
  if (gpu != nullptr && !gpu->unchecked.empty())
    text += "Not checked on " + report.gpu + ": " + std::string(gpu->unchecked) + "\n";
  if (!report.values.empty())
    text += text::joined(report.values,
                         [](const auto& one) { return one.first + " = " + std::to_string(one.second); }) +
            "\n";
  if (!report.data_dependent.empty())
    text += "Blocks were not alike: " + report.data_dependent.english() + "\n";
  if (!report.divergent_barrier.empty())
    text += "Barriers apart: " + report.divergent_barrier.english() + "\n";
  for (const SteeringBuffer& buffer : report.steering)
    text += "Steered by data: " + words_of(buffer).english() + "\n";
  if (!report.waits.empty()) text += "Not the launch's own: " + report.waits + "\n";
  for (const sim::AccessForm form : report.uncounted)
    text += form == sim::AccessForm::Bulk ? "Not counted: what the copy engine moves (bulk copies)\n"
                                          : "Not counted: what wgmma reads of shared memory\n";
  return text;
}

// "  loads: lanes share words, each byte that is used is asked for by 7.1 lanes": more bytes are asked for
// than used.
std::string sharing_text(const Report& report) {
  std::string text;
  for (const Op op : {Op::Load, Op::Store}) {
    const SiteTotals& t = report.group(Space::Global, op);
    if (t.used_bytes == 0 || 20 * t.bytes < 21 * t.used_bytes) continue;
    text += "  " + std::string(name_of(op)) +
            "s: lanes share words, each byte that is used is asked for by " + ratio(t.bytes, t.used_bytes) +
            " lanes\n";
  }
  return text;
}

// "  loads ask for each sector 3.0 times": where requests share sectors, what each uses of them is not what
// all use.
std::string reuse_text(const Report& report) {
  std::string text;
  if (!report.distinct) return text;
  for (const Op op : {Op::Load, Op::Store}) {
    const std::uint64_t sectors = report.group(Space::Global, op).sectors, once = report.distinct->of(op);
    if (10 * sectors < 11 * once || once == 0) continue;
    text += "  " + std::string(name_of(op)) + "s ask for each distinct sector " + ratio(sectors, once) +
            " times\n";
  }
  return text;
}

std::string global_table(const Report& report) {
  const bool distinct = report.distinct.has_value();
  std::vector<Side> sides(distinct ? 9 : 8, Side::Right);
  sides[0] = Side::Left;
  Table table(sides);
  const auto add = [&](std::vector<std::string> row, const std::string& of_distinct) {
    if (distinct) row.insert(row.begin() + 3, of_distinct);
    table.add(std::move(row));
  };
  add({"global memory", "requests", "sectors", "ideal", "per request", "used", "lines", "bytes"}, "distinct");
  bool any = false;
  for (const GroupName& group : all_groups()) {
    const SiteTotals& t = report.group(group.space, group.op);
    if (group.space != Space::Global || t.requests == 0) continue;
    add({"  " + std::string(name_of(group.op)), grouped(t.requests), grouped(t.sectors),
         grouped(t.ideal_sectors), ratio(t.sectors, t.requests),
         group.op == Op::Async ? "" : fixed(used_of_a_sector(t), 1) + " of 32 B",  // its sectors are a pair's
         grouped(t.lines), volume(t.bytes)},
        distinct ? grouped(report.distinct->of(group.op)) : "");
    any = true;
  }
  return any ? "\n" + table.text() + sharing_text(report) + reuse_text(report)
             : "\nglobal memory is not accessed\n";
}

std::string shared_table(const Report& report) {
  Table table({Side::Left, Side::Right, Side::Right, Side::Right, Side::Right, Side::Right, Side::Right});
  table.add({"shared memory", "requests", "wavefronts", "ideal", "per request", "conflicts", "bytes"});
  bool any = false;
  const auto add = [&](const std::string& name, const SiteTotals& t) {
    table.add({"  " + name, grouped(t.requests), grouped(t.wavefronts), grouped(t.ideal_wavefronts),
               ratio(t.wavefronts, t.requests), grouped(t.bank_conflicts), volume(t.bytes)});
  };
  for (const GroupName& group : all_groups()) {
    const SiteTotals& t = report.group(group.space, group.op);
    if (group.space != Space::Shared || t.requests == 0) continue;
    add(name_of(group.op), t);
    any = true;
    if (!report.assembled) continue;
    const SiteTotals& assembled = (*report.assembled)[static_cast<std::size_t>(group.op)];
    if (assembled.requests != t.requests) add(std::string(name_of(group.op)) + ", assembled", assembled);
  }
  std::string assembled;
  if (any && report.unlike_machine_code) {
    assembled = text::joined(*report.unlike_machine_code, [](int line) { return std::to_string(line); });
    assembled = assembled.empty()
                    ? "  the machine code has accesses of these widths\n"
                    : "  assembled by rule: the machine code has other widths in line " + assembled + "\n";
  }
  const std::uint64_t uncertain = report.group(Space::Shared, Op::Async).uncertain;
  const std::string about = uncertain == 0
                                ? ""
                                : "  async wavefronts are about so many: in " + grouped(uncertain) +
                                      " requests the order of sectors decides, or how much each lane reads\n";
  return any ? "\n" + table.text() + assembled + about : "";
}

std::string line_table(const Report& report) {
  if (report.lines.empty()) return "";
  Table table(
      {Side::Right, Side::Left, Side::Left, Side::Right, Side::Right, Side::Left, Side::Right, Side::Right});
  table.add({"line", "access", "what", "requests", "cost", "", "per request", "ideal"});
  // Of PTX, one row for the instructions that a compiler made of one statement and one kind of access.
  struct Row {
    ReportLine line;
    int accesses = 0;
  };
  std::vector<Row> rows;
  for (const ReportLine& line : report.lines) {
    const auto alike = [&](const Row& row) {
      return row.line.line == line.line && row.line.text == line.text && row.line.space == line.space &&
             row.line.op == line.op && row.line.bytes_per_lane == line.bytes_per_lane;
    };
    auto row = report.compiled ? std::ranges::find_if(rows, alike) : rows.end();
    if (row == rows.end())
      row = rows.insert(rows.end(), {line, 0});
    else
      row->line.totals.add(line.totals);
    ++row->accesses;
  }
  for (const auto& [line, accesses] : rows) {
    const std::string times = accesses > 1 ? " ×" + std::to_string(accesses) : "";
    const bool global = line.space == Space::Global;
    const std::uint64_t cost = global ? line.totals.sectors : line.totals.wavefronts;
    const std::uint64_t ideal = global ? line.totals.ideal_sectors : line.totals.ideal_wavefronts;
    table.add({std::to_string(line.line), shortened(line.text, 32) + times,
               std::string(name_of(line.space)) + " " + name_of(line.op) + ", " +
                   std::to_string(line.bytes_per_lane) + " B",
               grouped(line.totals.requests), grouped(cost),
               global                       ? "sectors"
               : line.totals.uncertain == 0 ? "wavefronts"
                                            : "wavefronts (about)",
               ratio(cost, line.totals.requests), ratio(ideal, line.totals.requests)});
  }
  return "\n" + table.text();
}

// What is not counted as it stands in the text.
std::string lines_text(const char* heading, const std::vector<LineNotes>& lines) {
  std::string text = lines.empty() ? "" : std::string("\n") + heading + "\n";
  for (const LineNotes& line : lines) {
    for (const Message& words : line.words)
      text += "  line " + std::to_string(line.line) + ": " + words.english() + "\n";
  }
  return text;
}

// What to try, on the lines that lose most.
std::string worst_lines(const Report& report) {
  constexpr std::size_t kMost = 5;
  const std::vector<LineAdvice> advices = advise_lines(report);
  if (advices.empty()) return "";
  std::string text = "\nworst lines, and what to try\n";
  for (const auto& [advice, accesses] : std::span(advices).first(std::min(kMost, advices.size()))) {
    const ReportLine& line = report.lines[advice.line];
    text += "  line " + std::to_string(line.line) + ", " + shortened(accesses, 32);
    if (advice.excess != 0)
      text += ", " + grouped(advice.excess) +
              (line.space == Space::Shared ? " extra wavefronts"
               : is_atomic(line)           ? " extra passes"
                                           : " extra sectors");
    text += " [" + std::string(id_of(advice.rule)) + "]\n    " + advice_text(report, advice) + "\n";
  }
  return text;
}

// The share of the cost that was needed, in percent; empty without any.
std::string efficiency_cell(std::uint64_t ideal, std::uint64_t cost) {
  return cost == 0 ? ""
                   : fixed(100.0 * static_cast<double>(std::min(ideal, cost)) / static_cast<double>(cost), 1);
}

using Cells = std::vector<std::string>;

// The cells after the name: every field, empty where it belongs to the other space; then the advice.
// `copies`: it is of asynchronous copies.
void add_counts(Cells& cells, const SiteTotals& t, bool global, bool shared, bool copies,
                const std::string& advice) {
  for (const auto field : {&SiteTotals::requests, &SiteTotals::active_lanes, &SiteTotals::bytes})
    cells.push_back(std::to_string(t.*field));
  for (const auto field : {&SiteTotals::sectors, &SiteTotals::ideal_sectors, &SiteTotals::lines})
    cells.push_back(global ? std::to_string(t.*field) : "");
  for (const auto field :
       {&SiteTotals::wavefronts, &SiteTotals::ideal_wavefronts, &SiteTotals::bank_conflicts})
    cells.push_back(shared ? std::to_string(t.*field) : "");
  cells.push_back(global ? efficiency_cell(t.ideal_sectors, t.sectors) : "");
  cells.push_back(shared ? efficiency_cell(t.ideal_wavefronts, t.wavefronts) : "");
  cells.push_back(advice);
  cells.push_back(global && copies ? std::to_string(t.load_sectors) : "");
  cells.push_back(!shared || !copies ? "" : t.uncertain == 0 ? "true" : "false");
  cells.push_back(global && !copies ? std::to_string(t.used_bytes) : "");
}

// By line, in the order of the advice.
std::vector<std::string> csv_advice(const Report& report) {
  std::vector<std::string> ids(report.lines.size());
  for (const Advice& advice : advise(report))
    ids[advice.line] += (ids[advice.line].empty() ? "" : " ") + std::string(id_of(advice.rule));
  return ids;
}

// All accesses of a line of text together.
std::string csv_lines(const Report& report) {
  struct Sum {
    SiteTotals totals;
    bool global = false, shared = false, copies = false;
  };
  std::map<int, Sum> lines;
  for (const ReportLine& line : report.lines) {
    Sum& sum = lines[line.line];
    sum.totals.add(line.totals);
    (line.space == Space::Global ? sum.global : sum.shared) = true;
    sum.copies = sum.copies || line.op == Op::Async;
  }
  std::string csv;
  for (const auto& [line, sum] : lines) {
    Cells cells{std::to_string(line), "", "line", "", "", ""};
    add_counts(cells, sum.totals, sum.global, sum.shared, sum.copies, "");
    csv += csv_row(cells);
  }
  return csv;
}

}  // namespace

std::string report_csv(const Report& report) {
  std::string csv =
      "line,column,text,space,op,bytes_per_lane,requests,active_lanes,bytes,sectors,ideal_sectors,lines,"
      "wavefronts,ideal_wavefronts,bank_conflicts,sector_efficiency,wavefront_efficiency,advice,load_sectors,"
      "exact,used_bytes\r\n";
  const std::vector<std::string> advices = csv_advice(report);
  for (std::size_t i = 0; i < report.lines.size(); ++i) {
    const ReportLine& line = report.lines[i];
    const bool global = line.space == Space::Global;
    Cells cells{std::to_string(line.line), std::to_string(line.column),        line.text, name_of(line.space),
                name_of(line.op),          std::to_string(line.bytes_per_lane)};
    add_counts(cells, line.totals, global, !global, line.op == Op::Async, advices[i]);
    csv += csv_row(cells);
  }
  csv += csv_lines(report);
  for (const GroupName& group : all_groups()) {
    const bool global = group.space == Space::Global;
    Cells cells{"", "", "total", name_of(group.space), name_of(group.op), ""};
    add_counts(cells, report.group(group.space, group.op), global, !global, group.op == Op::Async, "");
    csv += csv_row(cells);
  }
  return csv;
}

std::string report_text(const Report& report) {
  return heading(report) + global_table(report) + shared_table(report) + line_table(report) +
         lines_text("fetches through the texture path", report.textures) +
         lines_text("shared accesses that the assembler may join", report.joinable) +
         lines_text("arrays in local memory, not counted", report.local_memory) +
         (report.barriers == 0 ? "" : "\n" + grouped(report.barriers) + " barriers, one a warp\n") +
         worst_lines(report);
}

}  // namespace warplens::report
