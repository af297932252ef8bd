#include "app/readout/profiler_names.h"

#include <algorithm>

namespace warplens::app {
namespace {

constexpr ProfilerName kOfProfilers[] = {
    {"global_load_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "nvprof.here.load_requests"},
    {"global_store_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
     "nvprof.here.store_requests"},
    {"gld_transactions", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "nvprof.here.load_sectors"},
    {"gst_transactions", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "nvprof.here.store_sectors"},
    {"gld_transactions_per_request", "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
     "nvprof.here.sectors_a_request"},
    {"gst_transactions_per_request", "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
     "nvprof.here.sectors_a_request"},
    {"gld_efficiency", "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", "nvprof.here.used"},
    {"gst_efficiency", "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", "nvprof.here.used"},
    {"gld_throughput", "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second", ""},
    {"gst_throughput", "l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum.per_second", ""},
    {"gld_requested_throughput", "", "nvprof.here.useful_rate"},
    {"gst_requested_throughput", "", "nvprof.here.useful_rate"},
    {"atomic_transactions",
     "l1tex__t_set_accesses_pipe_lsu_mem_global_op_atom.sum + "
     "l1tex__t_set_accesses_pipe_lsu_mem_global_op_red.sum",
     ""},
    {"shared_load_transactions", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
     "nvprof.here.load_wavefronts"},
    {"shared_store_transactions", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
     "nvprof.here.store_wavefronts"},
    {"shared_load_transactions_per_request", "", "nvprof.here.wavefronts_a_request"},
    {"shared_store_transactions_per_request", "", "nvprof.here.wavefronts_a_request"},
    {"shared_efficiency", "smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct", ""},
    {"inst_executed_shared_loads", "smsp__inst_executed_op_shared_ld.sum", "nvprof.here.shared_requests"},
    {"inst_executed_shared_stores", "smsp__inst_executed_op_shared_st.sum", "nvprof.here.shared_requests"},
    {"tex_cache_hit_rate", "l1tex__t_sector_hit_rate.pct", ""},
    {"l2_tex_hit_rate", "lts__t_sector_hit_rate.pct", ""},
    {"l2_read_transactions",
     "lts__t_sectors_op_read.sum + lts__t_sectors_op_atom.sum + lts__t_sectors_op_red.sum", ""},
    {"l2_write_transactions",
     "lts__t_sectors_op_write.sum + lts__t_sectors_op_atom.sum + lts__t_sectors_op_red.sum", ""},
    {"dram_read_transactions", "dram__sectors_read.sum", ""},
    {"dram_write_transactions", "dram__sectors_write.sum", ""},
    {"dram_read_throughput", "dram__bytes_read.sum.per_second", ""},
    {"dram_write_throughput", "dram__bytes_write.sum.per_second", ""},
    {"dram_utilization", "dram__throughput.avg.pct_of_peak_sustained_elapsed", ""},
    {"achieved_occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active", ""},
    {"sm_efficiency", "smsp__cycles_active.avg.pct_of_peak_sustained_elapsed", ""},
    {"ipc", "smsp__inst_executed.avg.per_cycle_active", ""},
    {"branch_efficiency", "smsp__sass_average_branch_targets_threads_uniform.pct", ""},
};

}  // namespace

std::span<const ProfilerName> profiler_names() {
  return kOfProfilers;
}

const ProfilerName* find_profiler_name(std::string_view nvprof) {
  const auto place = std::ranges::find(kOfProfilers, nvprof, &ProfilerName::nvprof);
  return place == std::end(kOfProfilers) ? nullptr : &*place;
}

std::string profiler_name_tip(std::string_view nvprof, const language::Strings& strings) {
  const ProfilerName* name = find_profiler_name(nvprof);
  if (name == nullptr) return std::string(nvprof);
  const std::string counter =
      name->counter.empty() ? strings("nvprof.no_counter") : std::string(name->counter);
  std::string tip = strings("nvprof.tip", {{"name", std::string(nvprof)}, {"counter", counter}});
  if (!name->here.empty()) tip += "\n" + strings("nvprof.tip.here", {{"here", strings(name->here)}});
  return tip;
}

std::string nvprof_names_of(std::string_view counter) {
  std::string names;
  for (const ProfilerName& name : kOfProfilers) {
    if (counter.empty() || name.counter != counter) continue;
    names += (names.empty() ? "" : ", ") + std::string(name.nvprof);
  }
  return names;
}

std::string profiler_names_page(const language::Strings& strings) {
  std::string page = "| " + strings("nvprof.column.nvprof") + " | " + strings("nvprof.column.counter") +
                     " | " + strings("nvprof.column.here") + " |\n|---|---|---|\n";
  for (const ProfilerName& name : kOfProfilers) {
    const std::string counter =
        name.counter.empty() ? strings("nvprof.no_counter") : "`" + std::string(name.counter) + "`";
    page += "| `" + std::string(name.nvprof) + "` | " + counter + " | " +
            (name.here.empty() ? "" : strings(name.here)) + " |\n";
  }
  return page;
}

}  // namespace warplens::app
