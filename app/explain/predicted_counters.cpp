#include "app/explain/predicted_counters.h"

#include <algorithm>

#include "sim/report/counters.h"
#include "sim/report/output/fields.h"

namespace warplens::explain {

namespace {

using memory::Op;
using memory::Space;
using report::Report;

// A letter an operation: l(oad), s(tore), a(tomic), r(eduction).
std::vector<Op> ops_of(std::string_view letters) {
  constexpr std::string_view kLetters = "lsar";
  std::vector<Op> ops;
  for (const char letter : letters) ops.push_back(static_cast<Op>(kLetters.find(letter)));
  return ops;
}

struct Sum {
  std::string_view name;
  Counts counts;
  Space space;
  std::string_view ops, field;
  double scale = 1;
};
constexpr Sum kSums[] = {
    // Of shared memory, all operations in one. Not l1tex__data_pipe_lsu_wavefronts_mem_shared, which counts
    // one or two
    // a warp that are no access (an H200: 1,048,576 of a copy by columns without shared memory).
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", Counts::Pipe, Space::Shared, "lsa",
     "bank_conflicts"},
    {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum", Counts::Executed, Space::Shared, "lsa",
     "wavefronts"},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared.sum", Counts::Executed, Space::Shared, "lsa",
     "wavefronts"},
    {"memory_l1_wavefronts_shared", Counts::Executed, Space::Shared, "lsa", "wavefronts"},
    {"memory_l1_wavefronts_shared_ideal", Counts::Executed, Space::Shared, "lsa", "ideal_wavefronts"},
    {"derived__memory_l1_wavefronts_shared_excessive", Counts::Executed, Space::Shared, "lsa",
     "bank_conflicts"},
    {"smsp__sass_data_bytes_mem_shared_op_ld.sum", Counts::Executed, Space::Shared, "l", "bytes"},
    {"smsp__sass_data_bytes_mem_shared_op_st.sum", Counts::Executed, Space::Shared, "s", "bytes"},
    // Of global memory.
    {"memory_l2_theoretical_sectors_global", Counts::Global, Space::Global, "lsar", "sectors"},
    {"memory_l2_theoretical_sectors_global_ideal", Counts::Global, Space::Global, "lsar", "ideal_sectors"},
    {"l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum", Counts::Global, Space::Global, "l", "sectors", 32},
    {"l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum", Counts::Global, Space::Global, "s", "sectors", 32},
    {"smsp__sass_inst_executed_op_global_ld.sum", Counts::Global, Space::Global, "l", "requests"},
    {"smsp__sass_inst_executed_op_global_st.sum", Counts::Global, Space::Global, "s", "requests"},
    {"smsp__inst_executed_op_global_ld.sum", Counts::Issued, Space::Global, "l", "requests"},
    {"smsp__inst_executed_op_global_st.sum", Counts::Issued, Space::Global, "s", "requests"},
    // What would pass if nothing were kept.
    {"lts__t_sectors_srcunit_tex_op_read.sum", Counts::BehindCaches, Space::Global, "l", "sectors"},
    {"lts__t_sectors_srcunit_tex_op_write.sum", Counts::BehindCaches, Space::Global, "s", "sectors"},
    {"lts__t_sectors_op_read.sum", Counts::BehindCaches, Space::Global, "l", "sectors"},
    {"lts__t_sectors_op_write.sum", Counts::BehindCaches, Space::Global, "s", "sectors"},
    {"lts__t_sectors.sum", Counts::BehindCaches, Space::Global, "lsar", "sectors"},
    {"lts__t_bytes.sum", Counts::BehindCaches, Space::Global, "lsar", "sectors", 32},
    {"dram__sectors_read.sum", Counts::BehindCaches, Space::Global, "l", "sectors"},
    {"dram__sectors_write.sum", Counts::BehindCaches, Space::Global, "s", "sectors"},
    {"dram__bytes_read.sum", Counts::BehindCaches, Space::Global, "l", "sectors", 32},
    {"dram__bytes_write.sum", Counts::BehindCaches, Space::Global, "s", "sectors", 32},
    {"dram__bytes.sum", Counts::BehindCaches, Space::Global, "lsar", "sectors", 32},
};

struct Ratio {
  std::string_view name;
  Space space;
  std::string_view ops, above, below;
  double scale;
  // Its bytes are those that lanes ask for, as ours are, and no two lanes ask for the same: how Nsight
  // Compute counts those is not documented.
  bool of_bytes;
};
constexpr Ratio kRatios[] = {
    {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", Space::Global, "l", "sectors",
     "requests", 1, false},
    {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", Space::Global, "s", "sectors",
     "requests", 1, false},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", Space::Global, "l", "bytes", "sectors",
     100.0 / 32, true},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", Space::Global, "s", "bytes", "sectors",
     100.0 / 32, true},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", Space::Global, "l", "bytes",
     "sectors", 1, true},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", Space::Global, "s", "bytes",
     "sectors", 1, true},
    {"smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct", Space::Shared, "lsa", "bytes",
     "wavefronts", 100.0 / 128, true},
    {"smsp__sass_average_data_bytes_per_wavefront_mem_shared.ratio", Space::Shared, "lsa", "bytes",
     "wavefronts", 1, true},
};

// Lanes that share a word ask for more bytes than their sectors, or their wavefronts, could hold.
bool lanes_share(const Report& report, Space space, const std::vector<Op>& ops) {
  return std::ranges::any_of(report.lines, [&](const report::ReportLine& line) {
    const sim::SiteTotals& t = line.totals;
    const std::uint64_t room = space == Space::Global ? 32 * t.ideal_sectors : 128 * t.ideal_wavefronts;
    return line.space == space && std::ranges::find(ops, line.op) != ops.end() && t.bytes > room;
  });
}

std::optional<Prediction> of_ratio(const Report& report, const Ratio& ratio) {
  Prediction p{Counts::Average, 0, ratio.space, ops_of(ratio.ops), ratio.above, ratio.scale};
  const auto above = static_cast<double>(sum_of(report, p.space, p.ops, ratio.above)),
             below = static_cast<double>(sum_of(report, p.space, p.ops, ratio.below));
  if (below == 0 || (ratio.of_bytes && lanes_share(report, p.space, p.ops))) return std::nullopt;
  p.value = above / below * ratio.scale;
  return p;
}

std::optional<Prediction> of_launch(const Report& report, std::string_view name) {
  const sim::Launch& launch = report.launch;
  const auto whole = [](std::uint64_t value) {
    return Prediction{Counts::Launch, static_cast<double>(value), Space::Global, {}, {}, 1};
  };
  if (name == "launch__grid_size") return whole(launch.grid.count());
  if (name == "launch__block_size") return whole(launch.block.count());
  if (name == "launch__thread_count") return whole(launch.grid.count() * launch.block.count());
  return std::nullopt;
}

Counts counts_of(const report::Counter& counter) {
  if (counter.space == Space::Global) return counter.is_exact ? Counts::Global : Counts::Atomics;
  if (counter.is_exact) return Counts::Executed;
  return std::string_view(counter.field) == "requests" ? Counts::Issued : Counts::Pipe;
}

}  // namespace

std::uint64_t sum_of(const Report& report, Space space, const std::vector<Op>& ops, std::string_view field) {
  std::uint64_t sum = 0;
  for (const Op op : ops)
    for (const report::CountField& known : report::group_fields(space, op))
      if (field == known.name) sum += report.group(space, op).*known.value;
  return sum;
}

std::optional<double> modelled_counter(const sim::Traffic& traffic, std::string_view name) {
  if (traffic.error) return std::nullopt;
  if (name == "lts__t_sectors_srcunit_tex_op_read.sum" || name == "lts__t_sectors_op_read.sum")
    return traffic.l2_read_sectors;
  if (name == "lts__t_sector_hit_rate.pct") return 100 * traffic.l2_hit_rate();
  if (name == "dram__bytes_read.sum") return traffic.dram_read_bytes;
  if (name == "dram__bytes_write.sum") return traffic.dram_write_bytes;
  if (name == "dram__sectors_read.sum") return traffic.dram_read_bytes / 32;
  if (name == "dram__sectors_write.sum") return traffic.dram_write_bytes / 32;
  return std::nullopt;
}

std::optional<Prediction> predict_counter(const Report& report, std::string_view name) {
  if (const report::Counter* counter = report::find_counter(name);
      counter != nullptr && !report::is_modelled(*counter))
    return Prediction{counts_of(*counter), static_cast<double>(report::predicted(report, *counter)),
                      counter->space,      {counter->op},
                      counter->field,      1};
  for (const Sum& sum : kSums) {
    if (sum.name != name) continue;
    Prediction p{sum.counts, 0, sum.space, ops_of(sum.ops), sum.field, sum.scale};
    if (p.field == "ideal_sectors" && lanes_share(report, p.space, p.ops)) return std::nullopt;
    p.value = sum.scale * static_cast<double>(sum_of(report, p.space, p.ops, p.field));
    const bool atomics = p.space == Space::Global && p.counts == Counts::Global && sum.ops.size() > 2 &&
                         sum_of(report, p.space, ops_of("ar"), "requests") > 0;
    if (atomics) p.counts = Counts::Atomics;
    return p;
  }
  if (name == "derived__memory_l2_theoretical_sectors_global_excessive") {
    Prediction p = *predict_counter(report, "memory_l2_theoretical_sectors_global");
    if (lanes_share(report, p.space, p.ops)) return std::nullopt;
    p.value -= predict_counter(report, "memory_l2_theoretical_sectors_global_ideal")->value;
    return p;
  }
  for (const Ratio& ratio : kRatios)
    if (ratio.name == name) return of_ratio(report, ratio);
  return of_launch(report, name);
}

}  // namespace warplens::explain
