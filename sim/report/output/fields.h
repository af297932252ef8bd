// The fields of a group of counts, in the order in which documents and tables show them.
#pragma once

#include <cstdint>
#include <span>

#include "sim/count/totals.h"
#include "sim/memory/access.h"

namespace warplens::report {

struct CountField {
  const char* name;  // in JSON and CSV: "ideal_sectors"
  std::uint64_t sim::SiteTotals::*value;
};

// requests, sectors, ideal_sectors, lines, bytes / requests, wavefronts, ideal_wavefronts, bank_conflicts,
// bytes
// global async: requests, sectors, load_sectors, ideal_sectors, bytes
std::span<const CountField> group_fields(memory::Space space, memory::Op op);
// What is not exact: tag_wavefronts, data_wavefronts of global loads and stores. See sim/memory/l1_stages.h.
std::span<const CountField> modelled_fields(memory::Space space, memory::Op op);

struct GroupName {
  memory::Space space;
  memory::Op op;
};
// The nine groups of a report: five of global memory, four of shared.
std::span<const GroupName> all_groups();

}  // namespace warplens::report
