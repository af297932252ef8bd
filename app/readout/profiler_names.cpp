#include "app/readout/profiler_names.h"

namespace warplens::app {
namespace {

constexpr ProfilerName kOfProfilers[] = {
    {"global_load_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
    {"global_store_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"},
    {"gld_transactions", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
    {"gst_transactions", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
    {"gld_transactions_per_request", "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"},
    {"gst_transactions_per_request", "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"},
    {"gld_efficiency", "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct"},
    {"gst_efficiency", "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct"},
    {"gld_throughput", "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second"},
    {"gst_throughput", "l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum.per_second"},
    {"gld_requested_throughput", ""},
    {"gst_requested_throughput", ""},
    {"atomic_transactions",
     "l1tex__t_set_accesses_pipe_lsu_mem_global_op_atom.sum + "
     "l1tex__t_set_accesses_pipe_lsu_mem_global_op_red.sum"},
    {"shared_load_transactions", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
    {"shared_store_transactions", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
    {"shared_load_transactions_per_request", ""},
    {"shared_store_transactions_per_request", ""},
    {"shared_efficiency", "smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct"},
    {"inst_executed_shared_loads", "smsp__inst_executed_op_shared_ld.sum"},
    {"inst_executed_shared_stores", "smsp__inst_executed_op_shared_st.sum"},
    {"tex_cache_hit_rate", "l1tex__t_sector_hit_rate.pct"},
    {"l2_tex_hit_rate", "lts__t_sector_hit_rate.pct"},
    {"l2_read_transactions",
     "lts__t_sectors_op_read.sum + lts__t_sectors_op_atom.sum + lts__t_sectors_op_red.sum"},
    {"l2_write_transactions",
     "lts__t_sectors_op_write.sum + lts__t_sectors_op_atom.sum + lts__t_sectors_op_red.sum"},
    {"dram_read_transactions", "dram__sectors_read.sum"},
    {"dram_write_transactions", "dram__sectors_write.sum"},
    {"dram_read_throughput", "dram__bytes_read.sum.per_second"},
    {"dram_write_throughput", "dram__bytes_write.sum.per_second"},
    {"dram_utilization", "dram__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"achieved_occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active"},
    {"sm_efficiency", "smsp__cycles_active.avg.pct_of_peak_sustained_elapsed"},
    {"ipc", "smsp__inst_executed.avg.per_cycle_active"},
    {"branch_efficiency", "smsp__sass_average_branch_targets_threads_uniform.pct"},
};

}  // namespace

std::span<const ProfilerName> profiler_names() {
  return kOfProfilers;
}

std::string nvprof_names_of(std::string_view counter) {
  std::string names;
  for (const ProfilerName& name : kOfProfilers) {
    if (counter.empty() || name.counter != counter) continue;
    names += (names.empty() ? "" : ", ") + std::string(name.nvprof);
  }
  return names;
}

}  // namespace warplens::app
