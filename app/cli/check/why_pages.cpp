#include "app/cli/check/why_pages.h"

#include <cmath>
#include <map>

#include "app/cli/check/busiest.h"
#include "app/cli/check/correlation.h"
#include "app/cli/output.h"
#include "app/explain/why.h"
#include "app/measure/make_request.h"
#include "sim/report/output/table.h"

namespace warplens::cli {

namespace {

constexpr double kOver = 1.03;

double counter(const measure::Measurement& m, const char* name) {
  const auto found = m.counters.values.find(name);
  return found == m.counters.values.end() ? 0 : found->second;
}

double share(double part, double whole) {
  return whole == 0 ? 0 : part / whole;
}

double measured_l1(const measure::Measurement& m) {
  const double loads = counter(m, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
  return share(loads - counter(m, "lts__t_sectors_srcunit_tex_op_read.sum"), loads);
}

double measured_l2(const measure::Measurement& m) {
  const double hits = counter(m, "lts__t_sectors_srcunit_tex_lookup_hit.sum");
  return share(hits, hits + counter(m, "lts__t_sectors_srcunit_tex_lookup_miss.sum"));
}

std::string in_points(double rate) {
  return report::fixed(100 * rate, 1);
}

// "dram 28", of the time measured.
std::string counted_cell(const WhyRow& row, const Shares& peaks) {
  const Shares counted = counted_seconds(*row.measurement, peaks);
  const std::string cell = std::string(longest_of(counted)) + " " +
                           report::fixed(100 * std::ranges::max(counted) / *row.why.measured_seconds, 0);
  switch (match(counted, bounded_seconds(row.why.bounds), *row.why.measured_seconds)) {
    case BusiestMatch::Same:
      return cell;
    case BusiestMatch::Tied:
      return "= " + cell;
    case BusiestMatch::Close:
      return "(" + cell + ")";
    case BusiestMatch::Idle:
      return "";
    case BusiestMatch::Other:
      break;
  }
  return "**" + cell + "**";
}

// ""; "; 250 name the resource ..."
std::string agreement_words(const WhyCheck& check) {
  const std::optional<Shares> peaks = counted_peaks(check.pack->measurements);
  if (!peaks) return {};
  std::array<int, 5> of{};
  for (const WhyRow& row : check.rows) {
    if (row.why.bounds.empty() || !row.why.measured_seconds) continue;
    const BusiestMatch one = match(counted_seconds(*row.measurement, *peaks), bounded_seconds(row.why.bounds),
                                   *row.why.measured_seconds);
    ++of[static_cast<std::size_t>(one)];
  }
  return "; of dram, l2, l1 and issue, where one is busy for a tenth of the time, " + std::to_string(of[0]) +
         " name the same as Nsight Compute's counters, " + std::to_string(of[1]) +
         " name it beside another that is about as long, " + std::to_string(of[2]) +
         " one that is about as long by the counters, " + std::to_string(of[3]) + " another one";
}

std::string left_out_words(const WhyCheck& check) {
  return "; " + std::to_string(check.left_out) + " measurements left out";
}

std::string head(const WhyCheck& check, const std::string& title, const std::string& summary,
                 const char* option, const std::string& files) {
  return "# " + title + "\n\n" + check.pack->provenance() + ". " + summary +
         ".\n\nMade by `warplens-cli check " + option + " " + files + "`.\n\n";
}

// Every kernel's mean errors, the furthest off in L1 first.
std::string kernels_table(const WhyCheck& check) {
  struct Kernel {
    std::string name;
    std::size_t count;
    CacheErrors errors;
  };
  std::vector<Kernel> kernels;
  for (auto from = check.rows.begin(); from != check.rows.end();) {
    const auto to = std::find_if(from, check.rows.end(), [&](const WhyRow& row) {
      return row.measurement->scenario != from->measurement->scenario;
    });
    const std::span<const WhyRow> rows(from, to);
    kernels.push_back({from->measurement->scenario, rows.size(), cache_errors(rows)});
    from = to;
  }
  std::ranges::stable_sort(kernels, std::greater(), [](const Kernel& kernel) { return kernel.errors.l1; });
  std::string text = "| kernel | measurements | L1, points | L2, points |\n|---|---|---|---|\n";
  for (const Kernel& kernel : kernels)
    text += "| " + kernel.name + " | " + std::to_string(kernel.count) + " | " +
            report::fixed(kernel.errors.l1, 1) + " | " + report::fixed(kernel.errors.l2, 1) + " |\n";
  return text + "\n";
}

}  // namespace

WhyCheck check_why(const measure::Pack& pack, const SimulationOptions& simulation) {
  WhyCheck check;
  check.pack = &pack;
  const auto scenarios = scenario::load_scenarios(scenario::data_folder("kernels"), &simulation.budget());
  if (!scenarios) throw CommandFailure(kMachineCannot, "the gallery could not be read");
  const memory::GpuModel& gpu = find_gpu(simulation.gpu);
  for (const measure::Measurement& m : pack.measurements) {
    simulation.budget().check(Stage::Counting);
    const auto named = std::ranges::find(*scenarios.value, m.scenario, &scenario::Scenario::name);
    auto setup = named == scenarios.value->end()
                     ? scenario::Outcome<scenario::Setup>()
                     : scenario::make_setup(*named, m.parameters, &simulation.budget());
    if (!setup || !explain::has_traffic(m) || !(measure::key_of(*setup.value, m.subject.mode) == m.key)) {
      ++check.left_out;
      continue;
    }
    const scenario::Prepared prepared = prepare_setup(std::move(*setup.value), gpu, simulation.budget());
    WhyOptions asked;
    asked.measured = &m;
    asked.peaks = pack.peaks ? &*pack.peaks : nullptr;
    check.rows.push_back({&m, why_of(prepared, asked, simulation)});
  }
  const auto order = [](const WhyRow& row) {
    return std::tie(row.measurement->scenario, row.measurement->parameters, row.measurement->subject.mode);
  };
  std::ranges::stable_sort(check.rows, [&](const WhyRow& a, const WhyRow& b) { return order(a) < order(b); });
  return check;
}

bool is_spilled(const WhyRow& row) {
  return counter(*row.measurement, "lts__t_sectors_srcunit_tex_op_read.sum") >
         counter(*row.measurement, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
}

CacheErrors cache_errors(std::span<const WhyRow> rows) {
  CacheErrors sum;
  double all = 0, loading = 0;
  for (const WhyRow& row : rows) {
    if (is_spilled(row)) continue;
    ++all;
    sum.l2 += 100 * std::abs(row.why.traffic.l2_hit_rate() - measured_l2(*row.measurement));
    if (row.why.traffic.load_sectors == 0) continue;
    ++loading;
    sum.l1 += 100 * std::abs(row.why.traffic.l1_hit_rate() - measured_l1(*row.measurement));
  }
  return {share(sum.l1, loading), share(sum.l2, all)};
}

std::size_t exceeding(const WhyCheck& check) {
  return static_cast<std::size_t>(std::ranges::count_if(check.rows, [](const WhyRow& row) {
    const report::Bound* most = report::longest(row.why.bounds);
    return most != nullptr && row.why.measured_seconds && most->seconds > kOver * *row.why.measured_seconds;
  }));
}

std::string caches_summary(const WhyCheck& check) {
  const CacheErrors errors = cache_errors(check.rows);
  const auto spilled = std::ranges::count_if(check.rows, is_spilled);
  return std::to_string(check.rows.size()) + " measurements; mean absolute error " +
         report::fixed(errors.l1, 2) + " points for the L1 hit rate, " + report::fixed(errors.l2, 2) +
         " for L2" +
         (spilled > 0 ? ", without " + std::to_string(spilled) + " whose registers are spilled" : "") +
         left_out_words(check);
}

std::string bounds_summary(const WhyCheck& check) {
  return std::to_string(check.rows.size()) + " measurements; " + std::to_string(exceeding(check)) +
         " bounds above 103 % of the measured time" + agreement_words(check) + left_out_words(check);
}

std::string caches_page(const WhyCheck& check, const std::string& files) {
  std::string text =
      head(check, "What the caches answer: model against counters", caches_summary(check), "--caches", files);
  text +=
      "- *L1*: 1 - sectors that L1 asks of L2 (`lts__t_sectors_srcunit_tex_op_read`) / sectors loaded\n"
      "  (`l1tex__t_sectors_pipe_lsu_mem_global_op_ld`). The lookup counters call a sector that is on its "
      "way a miss,\n"
      "  and do not see what multiprocessors beside one another ask for at once, which L2 is asked for "
      "once.\n"
      "- *L2*: of `lts__t_sectors_srcunit_tex_lookup_hit` and `_miss`; the caches were emptied before the "
      "launch.\n"
      "- *read*, *written*: megabytes of memory (`dram__bytes_*`). Each cell: modelled / measured; bold "
      "where they are\n"
      "  more than 5 points apart. Mostly those are tiled products: how many requests of neighbours meet "
      "depends on how\n"
      "  far blocks drift apart, which no model without time knows. The shares in which they meet were "
      "fitted "
      "to these\n"
      "  counters; fitted without a kernel and held against it, kernel by kernel, L1 is 1.11 points off.\n"
      "- A compiler that runs out of registers spills them to local memory, of which the text says nothing: "
      "there L2 is\n"
      "  asked for more than is loaded, and the errors are without it.\n\n"
      "Mean absolute errors, the furthest off first:\n\n" +
      kernels_table(check) +
      "| kernel | parameters | mode | L1 % | L2 % | read MB | written MB |\n|---|---|---|---|---|---|---|\n";
  const auto cell = [](double modelled, double measured) {
    const std::string both = in_points(modelled) + " / " + in_points(measured);
    return std::abs(modelled - measured) > 0.05 ? "**" + both + "**" : both;
  };
  for (const WhyRow& row : check.rows) {
    const measure::Measurement& m = *row.measurement;
    const sim::Traffic& t = row.why.traffic;
    const auto megabytes = [&](double modelled, const char* name) {
      return report::fixed(modelled / 1e6, 1) + " / " + report::fixed(counter(m, name) / 1e6, 1);
    };
    text += "| " + m.scenario + " | " + parameters_of(m) + " | " + measure::name_of(m.subject.mode) + " | " +
            (t.load_sectors == 0 ? "" : cell(t.l1_hit_rate(), measured_l1(m))) + " | " +
            cell(t.l2_hit_rate(), measured_l2(m)) + " | " +
            megabytes(t.dram_read_bytes, "dram__bytes_read.sum") + " | " +
            megabytes(t.dram_write_bytes, "dram__bytes_write.sum") + " |\n";
  }
  return text;
}

std::string bounds_page(const WhyCheck& check, const std::string& files) {
  std::string text = head(check, "The least time that each resource needs, against measured times",
                          bounds_summary(check), "--bounds", files);
  text +=
      "- Each cell: the resource's least time in percent of the measured (cold) time; the longest is bold.\n"
      "- *counters*: which of dram, l2, l1 and issue has the longest time by Nsight Compute's counters and "
      "the peaks that\n"
      "  it goes by, in percent of the measured time; with = where the bounds have another one and this "
      "within "
      "a tenth\n"
      "  of it, so that both are named; in brackets where they have one that is within a tenth of it by the "
      "counters;\n"
      "  bold where they have another one; nothing where none of them is busy for a tenth of the time.\n\n"
      "| kernel | parameters | mode | time us |";
  constexpr int kResources = 8;
  for (int i = 0; i < kResources; ++i)
    text += std::string(" ") + name_of(static_cast<report::Resource>(i)) + " |";
  const std::optional<Shares> peaks = counted_peaks(check.pack->measurements);
  text += " counters |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const WhyRow& row : check.rows) {
    const measure::Measurement& m = *row.measurement;
    if (!row.why.measured_seconds) continue;
    const double seconds = *row.why.measured_seconds;
    text += "| " + m.scenario + " | " + parameters_of(m) + " | " + measure::name_of(m.subject.mode) + " | " +
            report::fixed(seconds * 1e6, 2) + " |";
    const report::Bound* most = report::longest(row.why.bounds);
    for (int i = 0; i < kResources; ++i) {
      const auto bound =
          std::ranges::find(row.why.bounds, static_cast<report::Resource>(i), &report::Bound::resource);
      if (bound == row.why.bounds.end()) {
        text += " |";
        continue;
      }
      const std::string percent = report::fixed(100 * bound->seconds / seconds, 0);
      text += &*bound == most ? " **" + percent + "** |" : " " + percent + " |";
    }
    text += (peaks ? " " + counted_cell(row, *peaks) : "") + " |\n";
  }
  return text;
}

}  // namespace warplens::cli
