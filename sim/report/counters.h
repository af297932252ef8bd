// Our counts and the names that Nsight Compute gives to the same.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "sim/memory/access.h"
#include "sim/report/report.h"

namespace warplens::report {

struct Counter {
  const char* name;  // "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
  memory::Space space;
  memory::Op op;
  const char* field;  // "sectors", as in a report's group
  // Exact counters must equal the prediction where no instruction was merged; the others also count
  // arbitration with other traffic, or instructions without an active lane, so they may read higher.
  bool is_exact;
};

const char* suffix_of(memory::Op op);  // "ld", "st", "atom", "red", "ldgsts": how the names end
std::span<const Counter> counters();
const Counter* find_counter(std::string_view name);
// The counter that stands for a count, for tooltips; nullptr: there is none.
const Counter* counter_of(memory::Space space, memory::Op op, std::string_view field);

// Not even a bound: the mean of a model (see modelled_fields).
bool is_modelled(const Counter& counter);

// What the report says for this counter, as an NVIDIA H100 and an H200 count: those of global loads (op_ld)
// contain asynchronous copies, as loads by the lanes that read, and those of shared instructions leave out
// ldmatrix and stmatrix, which have counters of their own. Nothing: the model of L1's tags knows no copies.
std::optional<std::uint64_t> predicted(const Report& report, const Counter& counter);

}  // namespace warplens::report
