// What every line of the text costs over the whole grid: the margin of the source.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/count/totals.h"
#include "sim/program/program.h"

namespace warplens::app {

// One access of a line. A generic pointer that went to both memories makes two.
struct SiteSum {
  int site = 0;
  memory::Space space = memory::Space::Global;
  sim::SiteTotals totals;

  std::uint64_t units() const;  // sectors of global memory, wavefronts of shared memory
  std::uint64_t ideal() const;
  std::uint64_t bytes() const;  // 32 a sector, 128 a wavefront: one unit for both memories
  double active_lanes() const;  // a request
  double efficiency() const;    // ideal by actual, 0 to 1; 1 where nothing was accessed
};

struct LineTotals {
  int line = 1;                // from 1
  std::vector<SiteSum> sites;  // in the order of the text; those never reached have no requests
  std::uint64_t bytes = 0;     // of all of them
};

// By line. `totals` are those of `program`.
std::vector<LineTotals> line_totals(const sim::Program& program, const sim::Totals& totals);

// A line of whose accesses in the text compilers make fewer: `issued` of `written`.
struct FewerAccesses {
  int line = 1, written = 0, issued = 0;
};
// By line; none where every access in the text counts.
std::vector<FewerAccesses> fewer_accesses(const sim::Program& program);

}  // namespace warplens::app
