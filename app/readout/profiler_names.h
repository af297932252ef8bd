// What nvprof, the profiler before Nsight Compute, calls things, and what they are called since: NVIDIA's
// table for those who change over (Nsight Compute CLI, "nvprof Metric Comparison"), the lines that teach
// memory access. docs/nvprof.md is this table.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/language/strings.h"

namespace warplens::app {

struct ProfilerName {
  std::string_view nvprof;   // "gld_transactions"
  std::string_view counter;  // Nsight Compute's; a sum of several; empty: there is none
  std::string_view here;     // a key of the languages: what it is called here; empty: it is not counted here
};

std::span<const ProfilerName> profiler_names();
const ProfilerName* find_profiler_name(std::string_view nvprof);  // null: not in the table

// "gld_transactions of nvprof\nNsight Compute: l1tex__t_...": for tooltips; of an unknown name the name
// alone.
std::string profiler_name_tip(std::string_view nvprof, const language::Strings& strings);
// The names that nvprof has for a counter of Nsight Compute, "gld_transactions, ..."; empty: none.
std::string nvprof_names_of(std::string_view counter);

// The table as the page docs/nvprof.md has it, in Markdown.
std::string profiler_names_page(const language::Strings& strings);

}  // namespace warplens::app
