#include "sim/report/counters.h"

#include <algorithm>

#include "sim/report/output/fields.h"

namespace warplens::report {

using memory::Op;
using memory::Space;

namespace {

constexpr Counter kCounters[] = {
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", Space::Global, Op::Load, "requests", true},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", Space::Global, Op::Store, "requests", true},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", Space::Global, Op::Atomic, "requests", true},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", Space::Global, Op::Reduction, "requests", true},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", Space::Global, Op::Load, "sectors", true},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", Space::Global, Op::Store, "sectors", true},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", Space::Global, Op::Atomic, "sectors", false},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", Space::Global, Op::Reduction, "sectors", false},
    // Modelled; misses that wait for room are looked up again, and read higher.
    {"l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_ld.sum", Space::Global, Op::Load, "tag_wavefronts",
     false},
    {"l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_st.sum", Space::Global, Op::Store, "tag_wavefronts",
     false},
    // From instrumented machine code: what the program executes.
    {"smsp__sass_inst_executed_op_shared_ld.sum", Space::Shared, Op::Load, "requests", true},
    {"smsp__sass_inst_executed_op_shared_st.sum", Space::Shared, Op::Store, "requests", true},
    // These also count a second time what the parts of a warp that diverged execute apart: a few in 50,000,
    // differently in each run.
    {"smsp__inst_executed_op_shared_ld_pred_on_any.sum", Space::Shared, Op::Load, "requests", false},
    {"smsp__inst_executed_op_shared_st_pred_on_any.sum", Space::Shared, Op::Store, "requests", false},
    // And these instructions whose lanes are all predicated off, where a short branch became a predicate.
    {"smsp__inst_executed_op_shared_ld.sum", Space::Shared, Op::Load, "requests", false},
    {"smsp__inst_executed_op_shared_st.sum", Space::Shared, Op::Store, "requests", false},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", Space::Shared, Op::Load, "wavefronts", false},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", Space::Shared, Op::Store, "wavefronts", false},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", Space::Shared, Op::Atomic, "wavefronts",
     false},
    // From instrumented machine code: without arbitration, so equal.
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", Space::Shared, Op::Load, "wavefronts",
     true},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", Space::Shared, Op::Store, "wavefronts",
     true},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", Space::Shared, Op::Atomic,
     "wavefronts", false},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", Space::Shared, Op::Load, "bank_conflicts",
     false},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", Space::Shared, Op::Store, "bank_conflicts",
     false},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum", Space::Shared, Op::Atomic,
     "bank_conflicts", false},
    // Asynchronous copies. The pipe's own counter of their conflicts is left out: it reads 0 for copies past
    // L1.
    {"smsp__sass_l1tex_t_requests_pipe_lsu_mem_global_op_ldgsts.sum", Space::Global, Op::Async, "requests",
     true},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum", Space::Global, Op::Async, "sectors",
     true},
    {"smsp__sass_inst_executed_op_ldgsts.sum", Space::Shared, Op::Async, "requests", true},
    {"smsp__inst_executed_op_ldgsts.sum", Space::Shared, Op::Async, "requests", false},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum", Space::Shared, Op::Async,
     "wavefronts", true},
};

}  // namespace

const char* suffix_of(Op op) {
  switch (op) {
    case Op::Load:
      return "ld";
    case Op::Store:
      return "st";
    case Op::Atomic:
      return "atom";
    case Op::Async:
      return "ldgsts";
    case Op::Reduction:
      break;
  }
  return "red";
}

std::span<const Counter> counters() {
  return kCounters;
}

const Counter* find_counter(std::string_view name) {
  const auto place = std::find_if(std::begin(kCounters), std::end(kCounters),
                                  [&](const Counter& counter) { return name == counter.name; });
  return place == std::end(kCounters) ? nullptr : &*place;
}

const Counter* counter_of(Space space, Op op, std::string_view field) {
  const auto place = std::find_if(std::begin(kCounters), std::end(kCounters), [&](const Counter& counter) {
    return counter.space == space && counter.op == op && field == counter.field;
  });
  return place == std::end(kCounters) ? nullptr : &*place;
}

bool is_modelled(const Counter& counter) {
  const auto fields = modelled_fields(counter.space, counter.op);
  return std::any_of(fields.begin(), fields.end(),
                     [&](const CountField& field) { return std::string_view(counter.field) == field.name; });
}

std::optional<std::uint64_t> predicted(const Report& report, const Counter& counter) {
  std::uint64_t copied = 0, of_matrices = 0;
  if (counter.space == Space::Global && counter.op == Op::Load) {
    const sim::SiteTotals& copies = report.group(Space::Global, Op::Async);
    if (copies.requests > 0 && is_modelled(counter)) return std::nullopt;
    if (counter.field == std::string_view("requests")) copied = copies.requests;
    if (counter.field == std::string_view("sectors")) copied = copies.load_sectors;
  }
  if (counter.space == Space::Shared && counter.field == std::string_view("requests")) {
    for (const ReportLine& line : report.lines)
      if (line.space == counter.space && line.op == counter.op && line.form == sim::AccessForm::Matrix)
        of_matrices += line.totals.requests;
  }
  for (const auto fields :
       {group_fields(counter.space, counter.op), modelled_fields(counter.space, counter.op)}) {
    for (const CountField& field : fields) {
      if (std::string_view(counter.field) == field.name)
        return report.group(counter.space, counter.op).*field.value + copied - of_matrices;
    }
  }
  return 0;
}

}  // namespace warplens::report
