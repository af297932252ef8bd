// What nvprof, the profiler before Nsight Compute, calls things, and what they are called since: NVIDIA's
// table for those who change over (Nsight Compute CLI, "nvprof Metric Comparison"), the lines that teach
// memory access. docs/nvprof.md has it, with what each is called here.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warplens::app {

struct ProfilerName {
  std::string_view nvprof;   // "gld_transactions"
  std::string_view counter;  // Nsight Compute's; a sum of several; empty: there is none
};

std::span<const ProfilerName> profiler_names();
// The names that nvprof has for a counter of Nsight Compute, "gld_transactions, ..."; empty: none.
std::string nvprof_names_of(std::string_view counter);

}  // namespace warplens::app
