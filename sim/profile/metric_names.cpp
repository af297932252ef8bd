#include "sim/profile/metric_names.h"

#include <algorithm>

#include "sim/text/scan.h"

namespace warplens::profile {

namespace {

struct Label {
  std::string_view label, unit, name;  // no unit: whatever it is
};
constexpr Label kLabels[] = {
    {"L1/TEX Hit Rate", "", "l1tex__t_sector_hit_rate.pct"},
    {"L2 Hit Rate", "", "lts__t_sector_hit_rate.pct"},
    {"Duration", "", "gpu__time_duration.sum"},
    {"Elapsed Cycles", "", "sm__cycles_elapsed.max"},
    {"SM Active Cycles", "", "sm__cycles_active.avg"},
    {"DRAM Frequency", "", "dram__cycles_elapsed.avg.per_second"},
    {"SM Frequency", "", "sm__cycles_elapsed.avg.per_second"},
    {"Memory Throughput", "%", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Memory Throughput", "byte/second", "dram__bytes.sum.per_second"},
    {"DRAM Throughput", "%", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"L1/TEX Cache Throughput", "%", "l1tex__throughput.avg.pct_of_peak_sustained_active"},
    {"L2 Cache Throughput", "%", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Compute (SM) Throughput", "%", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Mem Busy", "%", "gpu__compute_memory_access_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Max Bandwidth", "%", "gpu__compute_memory_request_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Mem Pipes Busy", "%", "sm__memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Executed Instructions", "", "smsp__inst_executed.sum"},
    {"Issued Instructions", "", "smsp__inst_issued.sum"},
    {"Registers Per Thread", "", "launch__registers_per_thread"},
    {"Grid Size", "", "launch__grid_size"},
    {"Block Size", "", "launch__block_size"},
    {"Threads", "", "launch__thread_count"},
    {"Waves Per SM", "", "launch__waves_per_multiprocessor"},
    {"Dynamic Shared Memory Per Block", "", "launch__shared_mem_per_block_dynamic"},
    {"Static Shared Memory Per Block", "", "launch__shared_mem_per_block_static"},
    {"Theoretical Occupancy", "", "sm__maximum_warps_per_active_cycle_pct"},
    {"Achieved Occupancy", "", "sm__warps_active.avg.pct_of_peak_sustained_active"},
};

// The memory tables: what is counted, of which space, by which kind of access.
std::string of_memory_table(std::string_view label) {
  const std::string words = text::lower_case(label);
  const auto has = [&](std::string_view word) { return words.find(word) != std::string::npos; };
  if (!has("shared") || has("%") || has("peak")) return {};
  const std::string op = has("load") ? "_op_ld" : has("store") ? "_op_st" : has("atomic") ? "_op_atom" : "";
  if (has("bank conflict")) return "l1tex__data_bank_conflicts_pipe_lsu_mem_shared" + op + ".sum";
  if (has("wavefronts")) return "l1tex__data_pipe_lsu_wavefronts_mem_shared" + op + ".sum";
  return {};
}

}  // namespace

std::string metric_name(std::string_view label, std::string_view unit) {
  if (label.find('_') != std::string_view::npos) return std::string(label);  // a counter's own
  for (const Label& known : kLabels)
    if (known.label == label && (known.unit.empty() || known.unit == unit)) return std::string(known.name);
  std::string name = of_memory_table(label);
  return name.empty() ? std::string(label) : name;
}

std::string label_of(std::string_view name) {
  for (const Label& known : kLabels)
    if (known.name == name) return std::string(known.label);
  return std::string(name);
}

namespace {

// The number that ends before `word`, or that begins behind it.
std::string number_before(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  if (at == std::string_view::npos) return {};
  std::size_t begin = at;
  while (begin > 0 && std::string_view("0123456789.,").find(text[begin - 1]) != std::string_view::npos)
    --begin;
  return std::string(text.substr(begin, at - begin));
}

void add_conflicts(std::string_view text, std::string_view kind, const std::string& op,
                   std::vector<RuleFigure>* figures) {
  const auto add = [&](const std::string& name, const std::string& number) {
    if (!number.empty()) figures->push_back({name, number});
  };
  add("smsp__inst_executed_op_shared_" + op + ".sum",
      number_before(text, " shared " + std::string(kind) + " requests"));
  add("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_" + op + ".sum",
      number_before(text, " bank conflicts"));
  add("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" + op + ".sum",
      number_before(text, " wavefronts for shared " + std::string(kind) + "s"));
}

}  // namespace

std::vector<RuleFigure> figures_of_rule(std::string_view given) {
  std::string text(given);  // its lines are broken anywhere
  std::ranges::replace(text, '\n', ' ');
  std::vector<RuleFigure> figures;
  const auto has = [&](std::string_view words) { return text.find(words) != std::string::npos; };
  if (has("bank conflict"))
    for (const auto& [kind, op] : {std::pair{"load", "ld"}, {"store", "st"}})
      if (has(std::string("memory access pattern for shared ") + kind))
        add_conflicts(text, kind, op, &figures);
  // "The memory access pattern for global loads from L1TEX might not be optimal. On average, only 26.4 of the
  // 32 bytes transmitted per sector are utilized by each thread."
  for (const auto& [kind, op] : {std::pair{"loads", "ld"}, {"stores", "st"}})
    for (const char* space : {"global", "local"})
      if (has(std::string("memory access pattern for ") + space + " " + kind) &&
          has("transmitted per sector"))
        figures.push_back(
            {std::string("smsp__sass_average_data_bytes_per_sector_mem_") + space + "_op_" + op + ".ratio",
             number_before(text, " of the 32 bytes")});
  for (const auto& [unit, excess, all] :
       {std::tuple{"sectors", "derived__memory_l2_theoretical_sectors_global_excessive",
                   "memory_l2_theoretical_sectors_global"},
        {"wavefronts", "derived__memory_l1_wavefronts_shared_excessive", "memory_l1_wavefronts_shared"}}) {
    const std::string excessive = number_before(text, std::string(" excessive ") + unit);
    if (excessive.empty() || !has("uncoalesced")) continue;
    figures.push_back({excess, excessive});
    const std::string rest = text.substr(text.find(std::string(" excessive ") + unit) + 11);
    if (const std::string total = number_before(rest, std::string(" ") + unit); !total.empty())
      figures.push_back({all, total});
  }
  std::erase_if(figures, [](const RuleFigure& figure) { return figure.number.empty(); });
  return figures;
}

namespace {

struct Meaning {
  std::string_view begin, end, key;  // of the counter's name
};
constexpr Meaning kMeanings[] = {
    {"smsp__inst_executed_op", "pred_off_all.sum", "off"},
    {"l1tex__t_sector_pipe", "hit_rate.pct", "l1_hit"},
    {"l1tex__t_sectors", "lookup_hit.sum", "l1_lookup"},
    {"l1tex__t_sectors", "lookup_miss.sum", "l1_lookup"},
    {"launch__shared_mem", "", "shared_size"},
    {"l1tex__t_bytes_pipe_lsu", "", "whole_pipe"},
    {"l1tex__t_requests_pipe_lsu", "", "whole_pipe"},
    {"l1tex__t_sectors_pipe_lsu", "", "whole_pipe"},
    {"smsp__inst_executed_op", "", "executed_kind"},
    {"smsp__sass_", "", "executed_kind"},
    {"sm__sass_", "", "executed_kind"},
    {"l1tex__t_sector", "hit_rate.pct", "l1_hit"},
    {"lts__t_sector", "hit_rate.pct", "l2_hit"},
    {"gpu__time_duration", "", "duration"},
    {"gpu__dram_throughput", "", "dram_busy"},
    {"dram__throughput", "", "dram_busy"},
    {"dram__bytes", "per_second", "dram_rate"},
    {"gpu__compute_memory", "", "memory_busy"},
    {"sm__memory_throughput", "", "memory_busy"},
    {"l1tex__throughput", "", "l1_busy"},
    {"lts__throughput", "", "l2_busy"},
    {"sm__throughput", "", "sm_busy"},
    {"sm__maximum_warps", "", "occupancy"},
    {"sm__warps_active", "", "occupancy_achieved"},
    {"launch__registers", "", "registers"},
    {"launch__waves", "", "waves"},
    {"smsp__inst_issued", "", "issued"},
    {"smsp__inst_executed.", "", "executed"},
    {"sm__inst_executed.", "", "executed"},
    {"lts__t_sectors", "lookup_hit.sum", "l2_lookup"},
    {"lts__t_sectors", "lookup_miss.sum", "l2_lookup"},
    {"l1tex__data_pipe_lsu_wavefronts", "", "data_stage"},
    {"l1tex__data_bank", "", "data_stage"},
    {"l1tex__t_output_wavefronts", "", "data_stage"},
    {"smsp__average_warp", "", "stall"},
    {"smsp__average_warps", "", "stall"},
    {"smsp__warp_issue_stalled", "", "stall"},
    {"sm__cycles", "", "cycles"},
    {"dram__cycles", "", "cycles"},
    {"gpc__cycles", "", "cycles"},
};

}  // namespace

std::string_view meaning_of(std::string_view name) {
  for (const std::string_view part : {"_mem_local", "_op_local", "sectors_local", "__local_"})
    if (name.find(part) != std::string_view::npos) return "local";
  for (const Meaning& meaning : kMeanings)
    if (name.starts_with(meaning.begin) && name.ends_with(meaning.end)) return meaning.key;
  return {};
}

}  // namespace warplens::profile
